"""Ray Data's blocks as Arrow IPC streams: what runs in the tasks that read blocks."""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import ray
from ray.data._internal.arrow_ops import transform_pyarrow
from ray.data._internal.planner.exchange.sort_task_spec import SortKey
from ray.data._internal.table_block import TableBlockAccessor
from ray.data.block import BlockType
from ray.data.context import DataContext

from headrace.ipc import split, stream_bytes

STREAMS_AHEAD = 4  # objects that a task makes before they are wanted: two streams, each with its description

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # glibc's names and numbers for mallopt
LARGEST_KEPT_BYTES = 32 << 20  # the most that glibc takes

Transform = Callable[[pa.Table], pa.Table]
Route = Callable[[pa.Table], pa.Table]


@dataclass(frozen=True)
class Part:
    """What is said of a stream before it: its bytes, rows and schema. Without rows no stream follows.

    `arrow` says that the block was Arrow's, not pandas'.
    """

    size: int
    rows: int
    schema: pa.Schema
    arrow: bool


@dataclass(frozen=True)
class Conversion:
    """How blocks become streams: `transform` is for all blocks of a task together, `route` adds columns to each.

    `checks` is looked for in every schema; with `keeps_kind` nothing but pandas in is nothing but pandas out.
    """

    transform: Transform | None = None
    route: Route | None = None
    checks: SortKey | None = None
    keeps_kind: bool = False

    @property
    def cpus(self) -> float:
        """What a task asks for. Without a transform it copies; counting that would starve what feeds it."""
        return 0 if self.transform is None else 1

    @property
    def group_bytes(self) -> int:
        """How many bytes of blocks one task takes; more where rows of several blocks can become one."""
        return (64 if self.transform is None else 128) << 20


@functools.cache
def keep_freed_memory() -> None:
    """Lets this worker's next stream use the memory of the last one: glibc gives large pieces back to the kernel.

    Touching them again took half of the time that a stream takes.
    """
    with contextlib.suppress(OSError, AttributeError):  # another C library has no such switch
        glibc = ctypes.CDLL("libc.so.6")
        glibc.mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT_BYTES)
        glibc.mallopt(M_TRIM_THRESHOLD, 8 * LARGEST_KEPT_BYTES)


def streams_of(
    conversion: Conversion, context: DataContext, stream_size: int, *blocks: object
) -> Iterator[Part | bytes]:
    """For a Ray task: a description and a stream, and so on, for the rows of the blocks in their order."""
    keep_freed_memory()
    DataContext._set_current(context)
    tables = [TableBlockAccessor.try_convert_block_type(block, block_type=BlockType.ARROW) for block in blocks]
    if conversion.transform is not None:
        filled = [table for table in tables if table.num_rows > 0] or tables[:1]
        tables = [conversion.transform(transform_pyarrow.concat(filled, promote_types=True))]
    if conversion.route is not None:
        tables = [conversion.route(table) for table in tables]
    arrow = not conversion.keeps_kind or any(isinstance(block, pa.Table) for block in blocks)
    for table in _joined(tables):
        if table.num_rows == 0:
            yield Part(0, 0, table.schema, arrow)
            continue
        for piece in split(table, stream_size):
            stream = stream_bytes(piece)
            yield Part(len(stream), piece.num_rows, table.schema, arrow)
            yield stream


def _joined(tables: list[pa.Table]) -> Iterator[pa.Table]:
    """Neighbours of the same schema as one table, without a copy."""
    run: list[pa.Table] = []
    for table in tables:
        if run and not (table.num_columns and table.schema.equals(run[0].schema)):
            yield _one(run)
            run = []
        run.append(table)
    if run:
        yield _one(run)


def _one(run: list[pa.Table]) -> pa.Table:
    return pa.concat_tables(run) if len(run) > 1 else run[0]


remote_streams_of = ray.remote(
    num_returns="streaming", _generator_backpressure_num_objects=STREAMS_AHEAD, max_retries=3
)(streams_of)
