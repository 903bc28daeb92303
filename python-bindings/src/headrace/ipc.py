"""Arrow tables as bytes for the ranks, and the ranks' bytes as Arrow tables."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import pyarrow as pa

from headrace.errors import CorruptData, InvalidInput

Batch: TypeAlias = "pa.Table | pa.RecordBatch"


def as_table(batch: object) -> pa.Table:
    """The batch as a table with its schema and rows, without a copy."""
    if isinstance(batch, pa.Table):
        return batch
    if isinstance(batch, pa.RecordBatch):
        return pa.Table.from_batches([batch], batch.schema)
    raise InvalidInput(
        f"a batch is a pyarrow.Table, a RecordBatch or a Ray reference to one, not {type(batch).__name__}"
    )


def split(table: pa.Table, target_bytes: int) -> Iterator[pa.Table]:
    """Slices of consecutive rows of about the given size; a row is never cut."""
    if table.num_rows > 1 and table.nbytes > target_bytes and table.num_columns:
        middle = table.num_rows // 2
        yield from split(table.slice(0, middle), target_bytes)
        yield from split(table.slice(middle), target_bytes)
    else:
        yield table


def stream_bytes(table: pa.Table) -> bytes:
    """The table as one Arrow IPC stream."""
    sink = io.BytesIO()  # its value is handed out without another copy
    with pa.ipc.new_stream(sink, table.schema) as writer:
        for batch in table.to_batches():
            writer.write_batch(batch)
    return sink.getvalue()


def measured_streams(batch: object, target_bytes: int) -> Iterator[object]:
    """For a Ray task: size and rows of a stream, then the stream, and so on for all parts of the batch."""
    for part in split(as_table(batch), target_bytes):
        stream = stream_bytes(part)
        yield len(stream), part.num_rows
        yield stream


def schema_bytes(schema: pa.Schema | None) -> bytes:
    """The schema as an IPC stream without batches; nothing for no schema."""
    if schema is None:
        return b""
    if not isinstance(schema, pa.Schema):
        raise InvalidInput(f"schema is a pyarrow.Schema, not {type(schema).__name__}")
    return stream_bytes(pa.Table.from_batches([], schema))


def table_of_pages(pages: Iterable[memoryview]) -> pa.Table:
    """The table whose IPC stream was cut into the pages; its columns lie in one buffer of their own."""
    parts = list(pages)
    buffer = pa.allocate_buffer(sum(map(len, parts)))
    target = memoryview(buffer).cast("B")
    at = 0
    for index, part in enumerate(parts):
        target[at : at + len(part)] = part
        at += len(part)
        parts[index] = memoryview(b"")  # lets the page go, so that a partition is held twice only in part
    try:
        with pa.ipc.open_stream(buffer) as reader:
            return pa.Table.from_batches(list(reader), reader.schema)
    except (pa.ArrowInvalid, OSError) as error:
        raise CorruptData(f"a partition's {at} bytes are no Arrow stream: {error}") from error
