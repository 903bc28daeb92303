"""The functions that turn Ray Data's logical operators into physical ones, in front of Ray's own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from ray.data._internal.execution.interfaces import PhysicalOperator
from ray.data._internal.execution.operators.hash_aggregate_v2 import (
    _make_aggregating_reduce_fn,
    _make_aggregating_transformer,
)
from ray.data._internal.execution.operators.hash_shuffle_v2 import _concat_reduce, _sort_reduce
from ray.data._internal.execution.operators.join import _make_join_reduce_fn, _with_polars_thread_cap
from ray.data._internal.execution.operators.shuffle_operators.shuffle_reduce_operator import ShuffleReduceOp
from ray.data._internal.execution.operators.shuffle_operators.shuffle_tasks import SHUFFLE_PEAK_MEMORY_MULTIPLIER
from ray.data._internal.logical.operators import (
    AbstractAllToAll,
    Aggregate,
    Join,
    JoinType,
    RandomShuffle,
    Repartition,
    Sort,
)
from ray.data._internal.planner.exchange.sort_task_spec import SortKey
from ray.data._internal.planner.plan_all_to_all_op import (
    _SORT_REDUCE_PEAK_MEMORY_MULTIPLIER,
    plan_all_to_all_op,
)
from ray.data._internal.planner.planner import Planner, plan_join_op
from ray.data._internal.random_config import get_single_integer_random_seed
from ray.data.context import DataContext

from headrace.ray_data.blocks import Conversion
from headrace.ray_data.exchange import Exchange, ExchangeOperator, RuleOf
from headrace.ray_data.fetch import FetchingReduce
from headrace.ray_data.options import Options
from headrace.ray_data.reduces import merging_reduce, sorting_reduce
from headrace.ray_data.routes import by_range, by_slice, given_boundaries, slicing, without_slice
from headrace.ray_data.sampling import SamplingOperator

log = logging.getLogger(__name__)
_lock = threading.Lock()
_said: set[str] = set()

Children = list[PhysicalOperator]


class NotTakenError(Exception):
    """An operation is left to Ray Data's own strategy, for the reason given."""


def install() -> None:
    """Puts the plan functions of this module before Ray's in this process; they do nothing without options."""
    with _lock:
        former = Planner._DEFAULT_PLAN_FNS
        if former.get(Join) is not plan_join:
            ours = {AbstractAllToAll: plan_all_to_all, Join: plan_join}
            others = {kind: plan for kind, plan in former.items() if kind not in ours}
            Planner._DEFAULT_PLAN_FNS = {**ours, **others}


def plan_all_to_all(op: AbstractAllToAll, children: Children, context: DataContext) -> PhysicalOperator:
    """For everything that Ray Data exchanges among all blocks, but joins."""
    return _taken(op, children, context, _ALL_TO_ALL.get(type(op), _blocks_only), plan_all_to_all_op)


def plan_join(op: Join, children: Children, context: DataContext) -> PhysicalOperator:
    """For joins."""
    return _taken(op, children, context, _join, plan_join_op)


def _taken(
    op: Any,
    children: Children,
    context: DataContext,
    plan: Callable[[Any, Children, DataContext, Options], PhysicalOperator],
    fall_through: Callable[[Any, Children, DataContext], PhysicalOperator],
) -> PhysicalOperator:
    options = Options.current(context)
    if options is None:
        return fall_through(op, children, context)
    try:
        return plan(op, children, context, options)
    except NotTakenError as reason:
        said = f"Headrace leaves {op.name} to Ray Data: {reason}"
        if said not in _said:
            _said.add(said)
            log.warning(said)
        return fall_through(op, children, context)


def _by_hash(keys: list[str]) -> RuleOf:
    return lambda _schema, _input: {"kind": "hash", "keys": keys}


def _blocks_only(*_: object) -> PhysicalOperator:
    raise NotTakenError("it moves blocks, not rows")


def _through_ranks(
    name: str,
    detail: str,
    child: PhysicalOperator,
    context: DataContext,
    exchange: Callable[[str], Exchange],
    reduce: FetchingReduce,
    **of_reduce: Any,
) -> PhysicalOperator:
    """The two operators of an exchange of one input; `exchange` is told its name, `of_reduce` is for the second."""
    made = exchange(f"Headrace{name}Map({detail})")
    return ShuffleReduceOp(
        ExchangeOperator(child, context, made, reduce),
        context,
        num_partitions=made.partitions,
        reduce_fn=reduce,
        name=f"Headrace{name}Reduce({detail})",
        **of_reduce,
    )


def _repartition(op: Repartition, children: Children, context: DataContext, options: Options) -> PhysicalOperator:
    if not op.keys and not op.shuffle:
        raise NotTakenError("it moves whole blocks")
    if not op.keys:
        return _slices(op, children, context, options)
    keys = list(SortKey(op.keys).get_columns())
    partitions = op.num_outputs or context.default_hash_shuffle_parallelism
    return _through_ranks(
        "Shuffle",
        f"keys={tuple(keys)}, partitions={partitions}",
        children[0],
        context,
        lambda name: Exchange(name, options, Conversion(), partitions, _by_hash(keys)),
        FetchingReduce(_sort_reduce(keys) if op.sort else _concat_reduce),
        disallow_block_splitting=True,
        peak_memory_multiplier=_SORT_REDUCE_PEAK_MEMORY_MULTIPLIER if op.sort else SHUFFLE_PEAK_MEMORY_MULTIPLIER,
    )


def _slices(op: Repartition, children: Children, context: DataContext, options: Options) -> PhysicalOperator:
    """Partition n gets the n-th slice of every block, as Ray Data cuts them."""
    partitions = op.num_outputs
    conversion = Conversion(route=slicing(partitions), keeps_kind=True)
    return _through_ranks(
        "Slice",
        f"partitions={partitions}",
        children[0],
        context,
        lambda name: Exchange(name, options, conversion, partitions, by_slice(partitions)),
        FetchingReduce(_concat_reduce, finish=without_slice),
        disallow_block_splitting=True,
        preserve_partition_order=True,
    )


def _random_shuffle(op: RandomShuffle, children: Children, context: DataContext, options: Options) -> PhysicalOperator:
    partitions = op.num_outputs or op.input_dependencies[0].estimated_num_outputs()
    if not partitions:
        raise NotTakenError("nobody knows how many blocks come in, and so not how many are to come out")
    rule = {"kind": "random", "seed": get_single_integer_random_seed(op.seed_config, context)}
    return _through_ranks(
        "RandomShuffle",
        f"partitions={partitions}",
        children[0],
        context,
        lambda name: Exchange(name, options, Conversion(keeps_kind=True), partitions, lambda _schema, _input: rule),
        FetchingReduce(_concat_reduce),
        disallow_block_splitting=True,
        preserve_partition_order=True,
        reduce_ray_remote_args=op.ray_remote_args,
    )


def _sort(op: Sort, children: Children, context: DataContext, options: Options) -> PhysicalOperator:
    key = op.sort_key
    blocks = op.input_dependencies[0].estimated_num_outputs()
    given = given_boundaries(key)
    partitions = blocks or context.default_hash_shuffle_parallelism if given is None else len(given) + 1
    child = children[0]
    if given is None and partitions > 1:
        child = SamplingOperator(
            child,
            context,
            num_partitions=partitions,
            sort_key=key,
            estimated_num_input_blocks=blocks,
            name=f"HeadraceSortSample(partitions={partitions})",
        )
    return _through_ranks(
        "Sort",
        f"partitions={partitions}",
        child,
        context,
        lambda name: Exchange(name, options, Conversion(checks=key), partitions, by_range(key, given)),
        FetchingReduce(sorting_reduce(key, context)),
        preserve_partition_order=True,
        peak_memory_multiplier=_SORT_REDUCE_PEAK_MEMORY_MULTIPLIER,
        reduce_ray_remote_args=op.ray_remote_args,
    )


def _aggregate(op: Aggregate, children: Children, context: DataContext, options: Options) -> PhysicalOperator:
    keys = list(SortKey(op.key).get_columns())
    if not keys:
        raise NotTakenError("it has no key, so there is nothing to exchange but one row per task")
    aggregations = tuple(op.aggs)
    partitions = op.num_partitions or context.default_hash_shuffle_parallelism
    conversion = Conversion(transform=_make_aggregating_transformer(tuple(keys), aggregations))
    return _through_ranks(
        "Aggregate",
        f"key_columns={tuple(keys)}, num_partitions={partitions}",
        children[0],
        context,
        lambda name: Exchange(name, options, conversion, partitions, _by_hash(keys)),
        FetchingReduce(merging_reduce(keys, aggregations, _make_aggregating_reduce_fn(tuple(keys), aggregations))),
        should_emit_empty_partitions=False,
    )


def _join(op: Join, children: Children, context: DataContext, options: Options) -> PhysicalOperator:
    partitions = op.num_partitions
    sides = {"Left": list(op.left_key_columns), "Right": list(op.right_key_columns)}
    reduce = FetchingReduce(
        _make_join_reduce_fn(
            join_type=JoinType(op.join_type),
            left_key_col_names=tuple(op.left_key_columns),
            right_key_col_names=tuple(op.right_key_columns),
            left_columns_suffix=op.left_columns_suffix,
            right_columns_suffix=op.right_columns_suffix,
            left_schema=op.input_dependencies[0].infer_schema(),
            right_schema=op.input_dependencies[1].infer_schema(),
        )
    )
    maps = [
        ExchangeOperator(
            child,
            context,
            Exchange(
                f"HeadraceJoinMap{side}(keys={tuple(keys)}, parts={partitions})",
                options,
                Conversion(),
                partitions,
                _by_hash(keys),
            ),
            reduce,
            number,
        )
        for number, (child, (side, keys)) in enumerate(zip(children, sides.items(), strict=True))
    ]
    return ShuffleReduceOp(
        maps,
        context,
        num_partitions=partitions,
        reduce_fn=reduce,
        disallow_block_splitting=False,
        reduce_ray_remote_args=_with_polars_thread_cap(op.aggregator_ray_remote_args),
        name=f"HeadraceJoinReduce(num_partitions={partitions})",
    )


_ALL_TO_ALL: dict[type, Callable[[Any, Children, DataContext, Options], PhysicalOperator]] = {
    Repartition: _repartition,
    RandomShuffle: _random_shuffle,
    Sort: _sort,
    Aggregate: _aggregate,
}
