"""Partitions from the ranks to the tasks that reduce them, on a worker near the rank."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import ray
from ray.data._internal.arrow_ops import transform_pyarrow
from ray.data.block import BlockAccessor

from headrace import replies
from headrace.delivery import owner
from headrace.errors import Internal
from headrace.ipc import stream_bytes, table_over_pages
from headrace.rank import Rank

FETCH_SECONDS = 600.0

ReduceFn = Callable[[int, list[list[pa.Table]]], Iterable[object]]


@dataclass(frozen=True)
class Source:
    """One shuffle, whose partitions can be fetched until they are released; a value that can be sent to workers."""

    wire_id: int
    actors: tuple[ray.actor.ActorHandle, ...]
    partitions: int
    schema: pa.Schema

    def fetch(self, partition: int, rows: int) -> pa.Table:
        """The partition, which has that many rows."""
        number = owner(partition, len(self.actors), self.partitions)
        rank = Rank(number, self.actors[number])
        table = table_over_pages(
            replies.pages(lambda page: rank.fetch_in_place(self.wire_id, partition, page, FETCH_SECONDS))
        )
        if table.num_rows != rows:
            raise Internal(
                f"shuffle {self.wire_id:x}: partition {partition} has {rows} rows, {table.num_rows} were fetched"
            )
        return table


def ticket(rows: list[list[int]]) -> pa.Buffer:
    """What stands for the data on its way through Ray: the rows of each partition, a column for each source."""
    columns = [pa.array(each, pa.int64()) for each in rows]
    return pa.py_buffer(stream_bytes(pa.table(columns, names=[str(number) for number in range(len(rows))])))


class FetchingReduce:
    """A reduce function of Ray's that is given tickets, and gives the tables they stand for to another one.

    Made with the plan; the operators fill in `sources` before the first task is submitted, by the number of the input.
    """

    def __init__(self, reduce: ReduceFn, finish: Callable[[pa.Table], pa.Table] | None = None) -> None:
        self._reduce = reduce
        self._finish = finish
        self.sources: dict[int, list[Source]] = {}
        self.schemas: dict[int, pa.Schema] = {}
        self.pandas = False  # whether blocks come out as pandas'

    def outgoing(self, schema: pa.Schema) -> pa.Schema | None:
        """The schema of what is handed to the reduce function; None where blocks come out as pandas'."""
        if self.pandas:
            return None
        return schema if self._finish is None else self._finish(schema.empty_table()).schema

    def __call__(self, partition: int, tickets_by_input: list[list[pa.Table]]) -> Iterator[object]:
        """The blocks of one partition; in a task."""
        tables = [
            [self._table(number, partition, tickets[0])] if tickets else []
            for number, tickets in enumerate(tickets_by_input)
        ]
        for block in self._reduce(partition, tables):
            yield BlockAccessor.for_block(block).to_pandas() if self.pandas else block

    def _table(self, number: int, partition: int, tickets: pa.Table) -> pa.Table:
        schema = self.schemas[number]
        tables = []
        for source, column in zip(self.sources[number], tickets.columns, strict=True):
            rows = column[partition].as_py()
            if rows > 0:
                tables.append(source.fetch(partition, rows))
        table = tables[0] if len(tables) == 1 else None
        if table is None or not table.schema.equals(schema):
            table = transform_pyarrow.concat([schema.empty_table(), *tables], promote_types=True, preserve_order=True)
        return table if self._finish is None else self._finish(table)
