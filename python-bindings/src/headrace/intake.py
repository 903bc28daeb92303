"""Rows on their way in: batches as Arrow IPC streams in the object store, offered to the ranks in rounds."""

from __future__ import annotations

from concurrent import futures

import pyarrow as pa
import ray

from headrace import replies
from headrace.backlog import Backlog
from headrace.cluster import ray_is_gone
from headrace.errors import Deadline, HeadraceError, Internal, InvalidInput
from headrace.feeder import Feeder, Offer
from headrace.ipc import as_table, measured_streams, split, stream_bytes
from headrace.ledger import Ledger
from headrace.rank import GRACE_SECONDS, Rank, await_answers

LOOK_SECONDS = 0.2  # how soon who waits for a task learns that the shuffle has ended
STREAMS_AHEAD = 4  # objects that a converting task makes before they are wanted

_to_streams = ray.remote(num_cpus=0, num_returns="streaming", _generator_backpressure_num_objects=STREAMS_AHEAD)(
    measured_streams
)


class Intake:
    """The input side of one shuffle. Any thread. With a backlog, batches go there until they are given by `feed`."""

    def __init__(
        self,
        ranks: list[Rank],
        feeder: Feeder,
        wire_id: int,
        batch_bytes: int,
        ledger: Ledger,
        backlog: Backlog | None = None,
    ) -> None:
        self._ranks = ranks
        self._feeder = feeder
        self._wire_id = wire_id
        self._batch_bytes = batch_bytes
        self._ledger = ledger
        self._backlog = backlog

    def table(self, batch: object) -> None:
        """Gives the rows of a table or record batch, in slices if it is large."""
        self._ledger.check_open()
        for part in split(as_table(batch), self._batch_bytes):
            self._put(stream_bytes(part), part.num_rows)

    def stream(self, stream: bytes | bytearray | memoryview | pa.Buffer) -> None:
        """Gives one Arrow IPC stream as it stands."""
        self._ledger.check_open()
        try:
            stream = stream if isinstance(stream, bytes) else bytes(memoryview(stream))
        except TypeError as error:
            raise InvalidInput(f"a stream is bytes or a buffer of them, not {type(stream).__name__}") from error
        if not stream:  # an empty object reaches Java as no memory at all, which ends the worker
            raise InvalidInput("a batch of 0 bytes is no Arrow IPC stream")
        self._put(stream, None)

    def reference(self, reference: ray.ObjectRef) -> None:
        """Gives what a Ray reference stands for; a Ray task near it makes the streams."""
        self._ledger.check_open()
        parts = _to_streams.remote(reference, self._batch_bytes)
        try:
            while (measured := self._next(parts)) is not None:
                size, rows = ray.get(measured, timeout=self._ledger.remaining_seconds)
                stream = self._next(parts)
                if stream is not None:
                    self._offer(stream, size, rows)
        except BaseException as error:
            ray.cancel(parts)
            if isinstance(error, ray.exceptions.RayError):
                raise self._unreadable(error) from error
            raise

    def _next(self, parts: ray.ObjectRefGenerator) -> ray.ObjectRef | None:
        """The next object of a task, None after its last; ends with the shuffle, however long the task takes."""
        while not ray.wait([parts], timeout=LOOK_SECONDS, fetch_local=False)[0]:
            self._ledger.raise_failure()
            if self._ledger.remaining_seconds <= 0:
                late = self._late()
                self._ledger.fail(late)
                raise late
        return next(parts, None)

    def object(self, stream: ray.ObjectRef, size: int, rows: int, batch: int) -> None:
        """Gives an Arrow IPC stream that lies in the object store, under a number of the caller's."""
        self._offer(stream, size, rows, batch)

    def finish(self) -> None:
        """After the ledger is sealed: ends the input on all ranks; they have to promise the rows they were given."""
        ledger = self._ledger
        ledger.await_taken()
        answers = {
            rank.number: rank.finish(
                self._wire_id, ledger.batches.get(rank.number, []), ledger.rows.get(rank.number, 0)
            )
            for rank in self._ranks
        }
        said = await_answers(answers, f"{ledger.name}: finish", ledger.remaining_seconds + GRACE_SECONDS)
        promised = sum(replies.number(body) for body in said.values())
        if promised != ledger.total_rows:
            raise Internal(f"{ledger.name}: {ledger.total_rows} rows went in, the ranks promise {promised}")

    def _put(self, stream: bytes, rows: int | None) -> None:
        if not self._ranks[0].is_of_this_ray():
            raise ray_is_gone()
        self._offer(ray.put(stream), len(stream), rows)

    def _offer(self, stream: ray.ObjectRef, size: int, rows: int | None, batch: int | None = None) -> None:
        ledger = self._ledger
        offer = Offer(ledger, self._wire_id, ledger.next_batch(batch), stream, size, rows)
        if self._backlog is None:
            self.feed(offer)
        else:
            self._backlog.add(offer)

    def feed(self, offer: Offer) -> None:
        """Gives a batch to a rank; waits until one has room."""
        self._feeder.offer(offer)
        try:
            offer.handed.result(timeout=self._ledger.remaining_seconds + GRACE_SECONDS)
        except HeadraceError as error:
            raise error.again() from None
        except futures.TimeoutError:
            raise self._late() from None

    def _late(self) -> Deadline:
        return Deadline(f"{self._ledger.name}: a batch was not there within {self._ledger.timeout_seconds:g} s")

    def _unreadable(self, error: Exception) -> HeadraceError:
        if isinstance(error, ray.exceptions.GetTimeoutError):
            return self._late()
        cause = getattr(error, "cause", None)
        return (
            cause.again()
            if isinstance(cause, HeadraceError)
            else InvalidInput(f"a batch can't be read: {cause or error}")
        )
