"""What is done to the table of a partition, where Ray's own reduce functions expect more than rows in any order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyarrow.compute as pc
from ray.data._internal.execution.operators.hash_aggregate_v2 import _agg_specs, _is_vectorizable
from ray.data._internal.execution.operators.sort_shuffle import make_sort_reduce_fn
from ray.data._internal.planner.exchange.sort_task_spec import SortKey
from ray.data.aggregate import AggregateFn
from ray.data.block import BlockAccessor
from ray.data.context import DataContext

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


def sorting_reduce(key: SortKey, context: DataContext) -> ReduceFn:
    """Ray Data's sorting of one partition, also by keys that Arrow's kernels don't sort: views of strings and bytes."""
    plain = make_sort_reduce_fn(key, context)
    names = key.get_columns()

    def sorting(partition: int, tables_by_input: list[list[pa.Table]]) -> Iterable[object]:
        (table,) = tables_by_input[0] or [None]
        if table is None or table.num_rows == 0 or not any(table.schema.field(name).type in _VIEWS for name in names):
            yield from plain(partition, tables_by_input)
            return
        keys = pa.table([_without_views(table.column(name)) for name in names], names=names)
        order = pc.sort_indices(keys, sort_keys=key.to_arrow_sort_args())
        whole = pa.table([_without_views(column) for column in table.columns], names=table.column_names)
        yield whole.take(order).cast(table.schema)

    return sorting


def _without_views(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(_VIEWS[column.type]) if column.type in _VIEWS else column


_VIEWS = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
