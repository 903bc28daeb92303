"""Arrow tables as bytes for the ranks, and the ranks' bytes as Arrow tables."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from headrace.errors import CorruptData, InvalidInput

SHARED_TOO_MUCH = 1.5  # cutting in two is no use where both halves together are that much larger
_PLAIN = {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}


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
    if table.num_rows < 2 or table.nbytes <= target_bytes or table.num_columns == 0:
        yield table
        return
    halves = table.slice(0, table.num_rows // 2), table.slice(table.num_rows // 2)
    if halves[0].nbytes + halves[1].nbytes > SHARED_TOO_MUCH * table.nbytes:
        # Both halves hold on to the same bytes: to those of views, which can be copied, or to a dictionary.
        halves = compact_views(halves[0]), compact_views(halves[1])
        if halves[0].nbytes + halves[1].nbytes > SHARED_TOO_MUCH * table.nbytes:
            yield table
            return
    for half in halves:
        yield from split(half, target_bytes)


def compact_views(table: pa.Table) -> pa.Table:
    """The table with only those bytes behind its columns of views that its own rows show."""
    for index, field in enumerate(table.schema):
        plain = _PLAIN.get(field.type)
        if plain is not None:
            column = table.column(index)
            chunks = [chunk.cast(plain).cast(field.type) for chunk in column.chunks]
            table = table.set_column(index, field, pa.chunked_array(chunks, field.type))
    return table


def stream_bytes(table: pa.Table) -> bytes:
    """The table as one Arrow IPC stream."""
    sink = io.BytesIO()  # its value is handed out without another copy
    with pa.ipc.new_stream(sink, table.schema) as writer:
        for batch in table.to_batches():
            writer.write_batch(batch)
    return sink.getvalue()


def measured_streams(batch: object, target_bytes: int) -> Iterator[tuple[int, int] | bytes]:
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


def table_over_pages(pages: Sequence[memoryview]) -> pa.Table:
    """The table whose IPC stream was cut into the pages, its columns in the pages themselves where that can be.

    It can't where a record batch was cut, nor with dictionaries, which only a reader of the whole stream knows.
    """
    try:
        if len(pages) == 1:
            with pa.ipc.open_stream(pa.py_buffer(pages[0])) as reader:
                return pa.Table.from_batches(list(reader), reader.schema)
        return _batch_by_batch(pages)
    except (pa.ArrowInvalid, OSError):
        return table_of_pages(pages)


def _batch_by_batch(pages: Sequence[memoryview]) -> pa.Table:
    schema = None
    batches = []
    for page in pages:
        for message in pa.ipc.MessageReader.open_stream(pa.py_buffer(page)):
            if message.type == "record batch" and schema is not None:
                batches.append(pa.ipc.read_record_batch(message, schema))
            elif message.type == "schema" and schema is None:
                schema = pa.ipc.read_schema(message)
            else:
                raise pa.ArrowInvalid(f"a message of type {message.type} can't be read by itself")
    if schema is None:
        raise pa.ArrowInvalid("there is no schema")
    return pa.Table.from_batches(batches, schema)


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
