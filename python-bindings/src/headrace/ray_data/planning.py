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
from ray.data._internal.logical.operators import AbstractAllToAll, Aggregate, Join, JoinType, Repartition
from ray.data._internal.planner.exchange.sort_task_spec import SortKey
from ray.data._internal.planner.plan_all_to_all_op import (
    _SORT_REDUCE_PEAK_MEMORY_MULTIPLIER,
    plan_all_to_all_op,
)
from ray.data._internal.planner.planner import Planner, plan_join_op
from ray.data.context import DataContext

from headrace.ray_data.blocks import Conversion
from headrace.ray_data.exchange import Exchange, ExchangeOperator
from headrace.ray_data.fetch import FetchingReduce
from headrace.ray_data.options import Options
from headrace.ray_data.reduces import merging_reduce
from headrace.session import Session
from headrace.shuffle import Shuffle

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


def _hash_shuffle(keys: list[str], partitions: int) -> Callable[[Session, Options], Shuffle]:
    def open_shuffle(session: Session, options: Options) -> Shuffle:
        return session.shuffle(keys=keys, num_partitions=partitions, timeout=options.timeout)

    return open_shuffle


def _blocks_only(*_: object) -> PhysicalOperator:
    raise NotTakenError("it moves blocks, not rows")


def _repartition(op: Repartition, children: Children, context: DataContext, options: Options) -> PhysicalOperator:
    if not op.keys:
        raise NotTakenError("it has no keys" if op.shuffle else "it moves whole blocks")
    keys = list(SortKey(op.keys).get_columns())
    partitions = op.num_outputs or context.default_hash_shuffle_parallelism
    reduce = FetchingReduce(_sort_reduce(keys) if op.sort else _concat_reduce)
    exchange = Exchange(
        f"HeadraceShuffleMap(keys={tuple(keys)}, partitions={partitions})",
        options,
        Conversion(),
        partitions,
        _hash_shuffle(keys, partitions),
    )
    return ShuffleReduceOp(
        ExchangeOperator(children[0], context, exchange, reduce),
        context,
        num_partitions=partitions,
        reduce_fn=reduce,
        disallow_block_splitting=True,
        peak_memory_multiplier=_SORT_REDUCE_PEAK_MEMORY_MULTIPLIER if op.sort else SHUFFLE_PEAK_MEMORY_MULTIPLIER,
        name=f"HeadraceShuffleReduce(keys={tuple(keys)}, partitions={partitions})",
    )


def _aggregate(op: Aggregate, children: Children, context: DataContext, options: Options) -> PhysicalOperator:
    keys = list(SortKey(op.key).get_columns())
    if not keys:
        raise NotTakenError("it has no key, so there is nothing to exchange but one row per task")
    aggregations = tuple(op.aggs)
    partitions = op.num_partitions or context.default_hash_shuffle_parallelism
    reduce = FetchingReduce(merging_reduce(keys, aggregations, _make_aggregating_reduce_fn(tuple(keys), aggregations)))
    exchange = Exchange(
        f"HeadraceAggregateMap(key_columns={tuple(keys)}, num_partitions={partitions})",
        options,
        Conversion(transform=_make_aggregating_transformer(tuple(keys), aggregations)),
        partitions,
        _hash_shuffle(keys, partitions),
    )
    return ShuffleReduceOp(
        ExchangeOperator(children[0], context, exchange, reduce),
        context,
        num_partitions=partitions,
        reduce_fn=reduce,
        should_emit_empty_partitions=False,
        name=f"HeadraceAggregateReduce(key_columns={tuple(keys)}, num_partitions={partitions})",
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
                _hash_shuffle(keys, partitions),
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
    Aggregate: _aggregate,
}
