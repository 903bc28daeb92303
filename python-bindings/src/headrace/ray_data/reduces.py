"""What is done to the table of a partition, where Ray's own reduce functions expect more than rows in any order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa
from ray.data._internal.execution.operators.hash_aggregate_v2 import _agg_specs, _is_vectorizable
from ray.data._internal.planner.exchange.sort_task_spec import SortKey
from ray.data.aggregate import AggregateFn
from ray.data.block import BlockAccessor

from headrace.ray_data.fetch import ReduceFn


def merging_reduce(keys: list[str], aggregations: Sequence[AggregateFn], reduce: ReduceFn) -> ReduceFn:
    """A reduce that merges partial aggregates of any order: the one that is not vectorised merges sorted blocks."""
    specs = _agg_specs(tuple(aggregations))
    if specs is not None and _is_vectorizable(keys, specs[1]):
        return reduce
    sort_key = SortKey(key=keys, descending=False)

    def sorting(partition: int, tables_by_input: list[list[pa.Table]]) -> Iterable[object]:
        tables = [BlockAccessor.for_block(table).sort(sort_key) for table in tables_by_input[0] if table.num_rows > 0]
        return reduce(partition, [tables])

    return sorting
