"""Tables as streams, and cut into batches, without a change to a row."""

from __future__ import annotations

import pyarrow as pa
import pytest

from headrace.errors import CorruptData, InvalidInput
from headrace.ipc import as_table, measured_streams, schema_bytes, split, stream_bytes, table_of_pages

ROWS = 10_000
TEXT = [None if n % 7 == 0 else f"a text that is longer than a view holds: {n}" for n in range(ROWS)]


def joined(parts: list[pa.Table]) -> pa.Table:
    return pa.Table.from_batches([batch for part in parts for batch in part.to_batches()], parts[0].schema)


@pytest.mark.parametrize(
    "column",
    [
        pa.array(range(ROWS)),
        pa.array(TEXT),
        pa.array(TEXT, pa.string_view()),
        pa.array([text and text.encode() for text in TEXT], pa.binary_view()),
        pa.array([[n] * (n % 5) for n in range(ROWS)], pa.list_(pa.int16())),
    ],
    ids=lambda column: str(column.type),
)
def test_should_cut_tables_by_size(column: pa.Array) -> None:
    schema = pa.schema([pa.field("c", column.type, metadata={"of": "field"})], metadata={"of": "schema"})
    table = pa.Table.from_arrays([column], schema=schema)
    target = table.nbytes // 10
    parts = list(split(table, target))
    assert 10 <= len(parts) <= 32
    assert all(len(stream_bytes(part)) < target * 1.2 + 1000 for part in parts)
    assert all(part.schema.equals(schema, check_metadata=True) for part in parts)
    assert joined(parts).equals(table)


def test_should_not_cut_where_it_is_no_use() -> None:
    large = pa.array(["x" * 1_000_000]).dictionary_encode()
    indices = pa.array([0] * 1000, pa.int32())
    shared = pa.table({"d": pa.DictionaryArray.from_arrays(indices, large.dictionary)})
    assert len(list(split(shared, 10_000))) == 1
    one_row = pa.table({"x": ["x" * 1_000_000]})
    assert list(split(one_row, 10)) == [one_row]
    no_columns = pa.Table.from_batches([pa.RecordBatch.from_struct_array(pa.array([{}] * 9, pa.struct([])))])
    assert [part.num_rows for part in split(no_columns, 0)] == [9]


@pytest.mark.parametrize("page_bytes", [1, 7, 1000, 10**9])
def test_should_join_pages(page_bytes: int) -> None:
    table = pa.table({"n": range(50), "t": TEXT[:50]}).replace_schema_metadata({"a": "b"})
    stream = memoryview(stream_bytes(table))
    pages = [stream[at : at + page_bytes] for at in range(0, len(stream), page_bytes)]
    got = table_of_pages(pages)
    assert got.equals(table)
    assert got.schema.equals(table.schema, check_metadata=True)
    assert got.column("n").chunk(0).buffers()[1].address % 8 == 0


def test_should_keep_rows_without_columns() -> None:
    table = pa.Table.from_batches([pa.RecordBatch.from_struct_array(pa.array([{}] * 9, pa.struct([])))])
    assert table_of_pages([memoryview(stream_bytes(table))]).num_rows == 9


@pytest.mark.parametrize("damage", [lambda s: b"", lambda s: s[:-40], lambda s: b"\xff" * len(s)])
def test_should_call_damage_corrupt_data(damage: object) -> None:
    stream = stream_bytes(pa.table({"n": range(1000)}))
    with pytest.raises(CorruptData, match="no Arrow stream"):
        table_of_pages([memoryview(damage(stream[:500]))])  # type: ignore[operator]


def test_should_read_schemas_and_batches() -> None:
    schema = pa.schema([("a", pa.int8())], metadata={"m": "n"})
    assert pa.ipc.open_stream(schema_bytes(schema)).schema.equals(schema, check_metadata=True)
    assert schema_bytes(None) == b""
    batch = pa.RecordBatch.from_pydict({"a": [1, 2]})
    assert as_table(batch).to_batches() == [batch]
    measured, stream = measured_streams(batch, 1 << 20)
    assert measured == (len(stream), 2)
    with pytest.raises(InvalidInput, match="not list"):
        as_table([1])
