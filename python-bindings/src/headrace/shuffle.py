"""One shuffle as its user sees it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType

import pyarrow as pa
import ray

from headrace import replies
from headrace.backlog import Backlog, find_boundaries
from headrace.delivery import Delivery
from headrace.errors import HeadraceError, Internal, InvalidInput, PeerLost
from headrace.feeder import Feeder
from headrace.intake import Intake
from headrace.ledger import Ledger
from headrace.loop import Loop
from headrace.rank import GRACE_SECONDS, Rank, await_answers
from headrace.rules import Rule
from headrace.settings import index_of

PLANS = ("auto", "direct")
RECOVERIES = ("none",)


@dataclass(frozen=True)
class Request:
    """What a shuffle is asked to do; a value that was checked."""

    wire_id: int
    rule: Rule
    partitions: int
    schema: bytes
    timeout_nanos: int
    batch_bytes: int

    @property
    def name(self) -> str:
        """What errors call the shuffle."""
        return f"shuffle {self.wire_id:x}"


class Shuffle:
    """Batches in, partitions out; made by `Session.shuffle`. Any thread may call anything.

    `insert` any number of times, `finish` once, then iterate, or ask for single partitions. A failure ends every
    call, waiting or later, with the same error. `timeout` counts from the opening to the last partition.
    """

    def __init__(self, request: Request, loop: Loop, ranks: list[Rank], feeder: Feeder) -> None:
        self._request = request
        self._ranks = ranks
        self._ledger = Ledger(request.name, request.timeout_nanos / 1e9, self._abort_ranks)
        self._backlog = Backlog() if request.rule.lacks_boundaries else None
        self._intake = Intake(ranks, feeder, request.wire_id, request.batch_bytes, self._ledger, self._backlog)
        self._delivery = Delivery(loop, ranks, request.wire_id, request.partitions, self._ledger)
        self._closed = False
        self._on_close: Callable[[Shuffle], None] = lambda _: None

    def open(self, on_close: Callable[[Shuffle], None]) -> None:
        """Opens the shuffle on all ranks; the session does this before anybody can insert.

        A range without boundaries is opened by `finish`, which finds them.
        """
        self._on_close = on_close
        if self._backlog is None:
            self._ledger.failing(lambda: self._open(self._request.rule))

    def _open(self, rule: Rule) -> None:
        asked, seconds = self._request, self._ledger.remaining_seconds
        answers = {
            rank.number: rank.open(asked.wire_id, rule, asked.partitions, asked.schema, max(1, int(seconds * 1e9)))
            for rank in self._ranks
        }
        await_answers(answers, f"{asked.name}: open", seconds)

    def _feed_backlog(self, backlog: Backlog) -> None:
        asked, batches = self._request, backlog.take()
        boundaries = find_boundaries(asked.rule, asked.partitions, asked.schema, batches, self._ranks, self._ledger)
        self._open(asked.rule.with_boundaries(boundaries))
        while batches:
            self._intake.feed(batches.pop(0))  # so that a batch leaves the object store when a rank has it

    @property
    def wire_id(self) -> int:
        """What the ranks call this shuffle."""
        return self._request.wire_id

    @property
    def num_partitions(self) -> int:
        """How many partitions come out."""
        return self._request.partitions

    @property
    def num_rows(self) -> int:
        """How many rows the ranks have taken so far."""
        return self._ledger.total_rows

    def insert(self, batch: pa.Table | pa.RecordBatch | ray.ObjectRef) -> None:
        """Gives rows to the shuffle; waits while the ranks are full. A reference is read by a Ray task near it."""
        if isinstance(batch, ray.ObjectRef):
            self._intake.reference(batch)
        else:
            self._intake.table(batch)

    def insert_object(self, stream: ray.ObjectRef, size: int, rows: int, batch: int) -> None:
        """Gives an Arrow IPC stream of that size that lies in the object store; waits while the ranks are full.

        `batch` is its place among the others: rows of a partition come in the order of these numbers, of which each
        is used once and is below 2^34. Not to be mixed with the other ways to insert, which number by themselves.
        """
        self._intake.object(stream, size, rows, batch)

    def insert_stream(self, stream: bytes | bytearray | memoryview | pa.Buffer) -> None:
        """Gives one Arrow IPC stream as it stands, for bytes that pyarrow would write in another way."""
        self._intake.stream(stream)

    def finish(self) -> None:
        """Says that no more batches come; returns when the ranks promise exactly the rows that were inserted."""
        if not self._request.schema:
            self._ledger.check_any_given()
        self._ledger.seal()
        self._ledger.failing(self._finish)
        self._delivery.start()

    def _finish(self) -> None:
        if self._backlog is not None:
            self._feed_backlog(self._backlog)
        self._intake.finish()

    def __iter__(self) -> Iterator[tuple[int, pa.Table]]:
        """Partitions as they complete, each once; one is released when the caller asks for the next."""
        return self._delivery.tables()

    def await_complete(self) -> None:
        """Waits until every partition can be fetched; after `finish`."""
        self._ledger.await_complete(self.num_partitions)

    def partition_rows(self) -> list[int]:
        """The rows of every partition; after `finish`. Raises if together they are not those that were inserted."""
        answers = {rank.number: rank.rows(self.wire_id) for rank in self._ranks}
        seconds = self._ledger.remaining_seconds
        said = self._ledger.failing(lambda: await_answers(answers, f"{self._request.name}: rows", seconds))
        rows = [number for rank in self._ranks for number in replies.numbers(said[rank.number])]
        if len(rows) != self.num_partitions or sum(rows) != self.num_rows:
            message = (
                f"{self.num_rows} rows went in, {sum(rows)} are in {len(rows)} of {self.num_partitions} partitions"
            )
            raise Internal(f"{self._request.name}: {message}")
        return rows

    def partition(self, partition: int) -> pa.Table:
        """Waits for one partition. It stays with its rank, and can be asked for again, until it is released."""
        number = index_of("partition", partition)
        self._delivery.await_partition(number)
        return self._ledger.failing(lambda: self._delivery.fetch(number))

    def release(self, partition: int) -> None:
        """Says that a partition is delivered, so that its memory can be used again. Twice is once."""
        number = index_of("partition", partition)
        if self._delivery.is_released(number):
            return
        self._delivery.await_partition(number)
        answer = {number: self._delivery.release(number)}
        await_answers(answer, f"{self._request.name}: release", self._ledger.remaining_seconds + GRACE_SECONDS)

    def release_soon(self, partition: int) -> None:
        """Says that a partition was delivered to somebody else, and does not wait for the rank to free it."""
        if not self._delivery.is_released(partition):
            self._delivery.release(partition)

    def abort(self, reason: str = "aborted by the caller") -> None:
        """Ends the shuffle everywhere; who waits for it gets Internal with the reason."""
        self._ledger.fail(Internal(f"{self._request.name}: {reason}"))

    def fail(self, error: HeadraceError) -> None:
        """Ends the shuffle everywhere with that error."""
        self._ledger.fail(error)

    def close(self) -> None:
        """Frees what the ranks hold for this shuffle. Closing twice is closing once."""
        if self._closed:
            return
        self._closed = True
        self._on_close(self)
        if self._backlog is not None:
            self._backlog.take()
        # Nothing is left to abort; whoever still calls something learns that it is closed.
        self._ledger.close(InvalidInput(f"{self._request.name} is closed"))
        answers = {rank.number: rank.close_shuffle(self._request.wire_id) for rank in self._ranks}
        with contextlib.suppress(HeadraceError):  # a rank that can't free it any more is gone
            await_answers(answers, f"{self._request.name}: close", GRACE_SECONDS)

    def _abort_ranks(self, failure: HeadraceError) -> None:
        if isinstance(failure, PeerLost) and failure.rank is not None and failure.rank < len(self._ranks):
            self._ranks[failure.rank].lose(failure)  # what its peers have noticed nobody else has to wait for
        for rank in self._ranks:  # nobody waits for the answers: a rank that is gone gives none
            rank.abort(self._request.wire_id, failure.category, failure.message)

    def __enter__(self) -> Shuffle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
