"""Tables in files: Parquet, Arrow IPC files and Arrow IPC streams. Read in batches, written partition by partition."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from headrace.errors import InvalidInput

BATCH_ROWS = 65_536
SUFFIXES = (".parquet", ".arrow", ".arrows", ".feather", ".ipc")
PARQUET, ARROW = "parquet", "arrow"


def input_files(paths: list[str]) -> list[Path]:
    """The files named, and those in the directories named, in order."""
    files: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES and file.is_file())
            if not inside:
                raise ArgumentTypeError(f"there is no file with one of {', '.join(SUFFIXES)} in {path}")
            files += inside
        elif path.is_file():
            files.append(path)
        else:
            raise ArgumentTypeError(f"there is no file or directory {path}")
    return files


def file_format(path: Path) -> str:
    """What the file is, by its first bytes: `parquet`, or `arrow` for both kinds of Arrow IPC."""
    with path.open("rb") as file:
        return PARQUET if file.read(4) == b"PAR1" else ARROW


def read_schema(path: Path) -> pa.Schema:
    """The schema of a file, without its data."""
    with _naming(path):
        if file_format(path) == PARQUET:
            return pq.read_schema(path)
        with pa.memory_map(str(path)) as source:
            return _open_ipc(source).schema


def read_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """The rows of a file, a batch at a time."""
    batches = _read_batches(path)
    while True:
        with _naming(path):
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise InvalidInput(f"{path} is no Parquet or Arrow IPC file that can be read: {error}") from error


def _read_batches(path: Path) -> Iterator[pa.RecordBatch]:
    if file_format(path) == PARQUET:
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(BATCH_ROWS)
        return
    with pa.memory_map(str(path)) as source:
        reader = _open_ipc(source)
        if isinstance(reader, pa.ipc.RecordBatchFileReader):
            yield from (reader.get_batch(number) for number in range(reader.num_record_batches))
        else:
            yield from reader


def read_table(path: Path) -> pa.Table:
    """All rows of a small file."""
    if not path.is_file():
        raise ArgumentTypeError(f"there is no file {path}")
    return pa.Table.from_batches(list(read_batches(path)), read_schema(path))


def _open_ipc(source: pa.NativeFile) -> pa.ipc.RecordBatchFileReader | pa.ipc.RecordBatchStreamReader:
    magic = source.read(6)
    source.seek(0)
    return pa.ipc.open_file(source) if magic == b"ARROW1" else pa.ipc.open_stream(source)


def output_directory(path: Path) -> Path:
    """The directory for the partitions; refuses one that has partitions of another run."""
    if path.exists() and not path.is_dir():
        raise ArgumentTypeError(f"{path} is no directory")
    old = next(path.glob("part-*"), None) if path.exists() else None
    if old is not None:
        raise ArgumentTypeError(f"{path} already has partitions, such as {old.name}: name an empty directory")
    path.mkdir(parents=True, exist_ok=True)
    return path


def check_writable(schema: pa.Schema, out_format: str) -> None:
    """Raises if the format can't hold a column's type; before anything is shuffled."""
    if out_format == PARQUET:
        for field in schema:
            try:
                pq.write_table(pa.schema([field]).empty_table(), pa.BufferOutputStream())
            except pa.ArrowException as error:
                raise InvalidInput(f"Parquet can't hold column {field.name}: {error}; use --format arrow") from error


def write_partition(directory: Path, partition: int, table: pa.Table, out_format: str) -> Path:
    """Writes one partition; the file has its name only when it is whole."""
    path = directory / f"part-{partition:05}.{out_format}"
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        _WRITERS[out_format](unfinished, table)
        unfinished.rename(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    return path


def _write_parquet(path: Path, table: pa.Table) -> None:
    pq.write_table(table, path, compression="zstd")


def _write_arrow(path: Path, table: pa.Table) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        for batch in table.to_batches():
            writer.write_batch(batch)


_WRITERS: dict[str, Callable[[Path, pa.Table], None]] = {PARQUET: _write_parquet, ARROW: _write_arrow}
