"""Rules that are more than a hash of keys: slices of blocks, and ranges between boundaries that Ray Data sampled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from ray.data._internal.execution.interfaces import PhysicalOperator
from ray.data._internal.planner.exchange.sort_task_spec import SortKey

from headrace.ray_data.blocks import Route
from headrace.ray_data.exchange import RuleOf

SLICE = "__headrace_slice"  # the column that says where a row goes, on its way only

Boundaries = Sequence[tuple[Any, ...]]


def slicing(partitions: int) -> Route:
    """Adds to each row of a block the number of its slice: all slices have the same length, but for the last ones."""

    def route(block: pa.Table) -> pa.Table:
        rows = max(1, math.ceil(block.num_rows / partitions))
        numbers = pa.array(np.arange(block.num_rows, dtype=np.int64) // rows, pa.int64())
        return pa.table([*block.columns, numbers], pa.schema([*block.schema, _SLICE_FIELD], block.schema.metadata))

    return route


def by_slice(partitions: int) -> RuleOf:
    """Rows go where their slice says."""
    boundaries = pa.table({SLICE: pa.array(range(1, partitions), pa.int64())})
    return lambda _schema, _input: {"kind": "range", "keys": [SLICE], "boundaries": boundaries}


def without_slice(table: pa.Table) -> pa.Table:
    """The table without the column that said where its rows go; where no block came in there is none."""
    return table.drop_columns([SLICE]) if SLICE in table.column_names else table


def given_boundaries(key: SortKey) -> Boundaries | None:
    """The boundaries that the user gave, in the order of the partitions."""
    if not key.boundaries:
        return None
    return [(boundary,) for boundary in sorted(key.boundaries, reverse=key.get_descending()[0])]


def by_range(key: SortKey, given: Boundaries | None) -> RuleOf:
    """Rows go where their keys are between the boundaries, nulls last: those given, or those of a sampling input."""

    def rule(schema: pa.Schema, source: PhysicalOperator) -> dict[str, Any]:
        boundaries = given if given is not None else getattr(source, "boundaries", None) or []
        table = _table(boundaries, key, schema)
        if given is not None and key.get_descending()[0]:
            table = _one_less(table)
        return {
            "kind": "range",
            "keys": key.get_columns(),
            "descending": key.get_descending(),
            "nulls_first": False,
            "boundaries": table,
        }

    return rule


def _table(boundaries: Boundaries, key: SortKey, schema: pa.Schema) -> pa.Table:
    names = key.get_columns()
    columns = []
    for number, name in enumerate(names):
        cells = [_cell(boundary[number]) for boundary in boundaries]
        columns.append(_column(cells, schema.field(name).type))
    return _in_order(pa.table(columns, names=names), key)


def _in_order(boundaries: pa.Table, key: SortKey) -> pa.Table:
    """The boundaries in the order of the ranks: Ray Data puts those with nulls first where keys descend."""
    return boundaries.take(pc.sort_indices(boundaries, sort_keys=key.to_arrow_sort_args()))


def _one_less(table: pa.Table) -> pa.Table:
    """The next smaller boundaries: ranks put what is equal to one behind it, Ray Data before it where keys descend."""
    kind = table.schema.field(0).type
    cells = table.column(0).to_pylist()
    less = [float(np.nextafter(cell, -math.inf)) if pa.types.is_floating(kind) else cell - 1 for cell in cells]
    return pa.table([pa.array(less, kind)], names=table.column_names)


def _cell(value: Any) -> Any:
    """A boundary's value as Python has it; Ray Data samples through NumPy, where a null is a NaN."""
    value = value.item() if isinstance(value, np.generic) and not isinstance(value, np.datetime64) else value
    return None if isinstance(value, float) and math.isnan(value) else value


def _column(cells: list[Any], kind: pa.DataType) -> pa.Array:
    """The cells in the type of the key; what that can't hold, as 2.5 between integers, is rounded up."""
    if pa.types.is_integer(kind):
        cells = [math.ceil(cell) if isinstance(cell, float) else cell for cell in cells]
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    try:
        return pa.array(cells, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array(cells).cast(kind)


_SLICE_FIELD = pa.field(SLICE, pa.int64(), nullable=False)
