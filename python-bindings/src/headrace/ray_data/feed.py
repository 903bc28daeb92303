"""The background work of one exchange: ranks acquired, streams given to shuffles, rows counted, partitions freed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pyarrow as pa
import ray
from ray.data._internal.arrow_ops import transform_pyarrow

from headrace.ray_data.blocks import Part
from headrace.ray_data.fetch import Source
from headrace.ray_data.options import Options
from headrace.ray_data.pool import POOL
from headrace.session import Session
from headrace.shuffle import Shuffle

PART_BITS = 14  # a batch's number is that of its task and that of the stream among the task's streams
log = logging.getLogger(__name__)

OpenShuffle = Callable[[Session, pa.Schema], Shuffle]


@dataclass(frozen=True)
class Exchanged:
    """What an exchange comes to: where its partitions are, and how many rows they have in each of the shuffles."""

    sources: list[Source]
    rows: list[list[int]]
    schema: pa.Schema
    size: int
    total_rows: int
    arrow: bool = True


@dataclass
class _Lane:
    """The shuffle of all streams of one schema; ranks don't unify as much as Ray Data does."""

    schema: pa.Schema
    shuffle: Shuffle
    size: int = 0


@dataclass
class _State:
    """What the threads share; guarded by the condition."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    under_way: int = 0
    ended: bool = False
    result: Exchanged | None = None
    failure: BaseException | None = None
    closed: bool = False
    unreleased: int = 0


class Feed:
    """Made and called by the thread of Ray Data's executor; no call waits but `wait`.

    `add` for each task that makes streams, `end` once; then `result` comes, or `failure`. `close` frees everything at
    any time.
    """

    def __init__(self, options: Options, open_shuffle: OpenShuffle, threads: int) -> None:
        self._options = options
        self._open = open_shuffle
        self._state = _State()
        self._lanes: list[_Lane] = []
        self._schemas: list[pa.Schema] = []
        self._arrow = False  # whether any block was Arrow's
        self._lock = threading.Lock()  # for the lanes and schemas
        self._session: Session | None = None
        self._started = threading.Event()
        self._pumps = ThreadPoolExecutor(threads, thread_name_prefix="headrace-feed")
        self._begun = False

    def begin(self) -> None:
        """Starts to get the ranks ready; `add` does it as well."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._guarded(self._acquire), name="headrace-ranks", daemon=True).start()

    def add(self, number: int, streams: Iterable[ray.ObjectRef], done: Callable[[int, int], None]) -> None:
        """Takes the streams of a task in their order; `done` gets rows and bytes, on another thread, when the ranks
        have them.
        """
        self.begin()
        with self._state.changed:
            self._state.under_way += 1
        self._pumps.submit(self._guarded(lambda: self._pump(number, streams, done)))

    def end(self) -> None:
        """No more tasks come."""
        with self._state.changed:
            self._state.ended = True
            under_way = self._state.under_way
        if under_way == 0:
            self._pumps.submit(self._guarded(self._finish))

    @property
    def result(self) -> Exchanged | None:
        """What the exchange came to, when it is done; raises what it failed with. Nothing without any block."""
        with self._state.changed:
            if self._state.failure is not None:
                raise self._state.failure
            return self._state.result

    def wait(self, seconds: float) -> None:
        """Waits a while for the result or a failure."""
        with self._state.changed:
            self._state.changed.wait_for(lambda: self._state.result is not None or self._state.failure, seconds)

    def release(self, partition: int) -> None:
        """Says that a partition was reduced and is needed no more."""
        with self._state.changed:
            self._state.unreleased -= 1
            last = self._state.unreleased == 0
            if self._state.closed:
                return
        for lane in self._lanes:
            lane.shuffle.release_soon(partition)
        if last:
            self.close()

    def close(self) -> None:
        """Ends the shuffles and gives the ranks back, in the background; closing twice is closing once."""
        with self._state.changed:
            if self._state.closed:
                return
            self._state.closed = True
            self._state.changed.notify_all()
        threading.Thread(target=self._close, name="headrace-close", daemon=True).start()

    # In the background

    def _guarded(self, work: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001 - whatever it is belongs to the executor's thread
                self._fail(error)

        return run

    def _fail(self, error: BaseException) -> None:
        with self._state.changed:
            if self._state.failure is None and not self._state.closed:
                self._state.failure = error
            self._state.changed.notify_all()
        self._started.set()

    def _acquire(self) -> None:
        session = POOL.acquire(self._options)
        with self._state.changed:
            closed = self._state.closed
            self._session = session
        self._started.set()
        if closed:
            POOL.give_back(self._options, session)

    def _ready_session(self) -> Session | None:
        self._started.wait()
        with self._state.changed:
            gone = self._state.closed or self._state.failure is not None
            return None if gone else self._session

    def _pump(self, number: int, streams: Iterable[ray.ObjectRef], done: Callable[[int, int], None]) -> None:
        if self._ready_session() is None:
            return
        rows = size = 0
        refs = iter(streams)
        for part_number, described in enumerate(refs):
            part: Part = ray.get(described)
            lane = self._lane(part)
            if lane is None:
                continue
            stream = next(refs)
            lane.shuffle.insert_object(stream, part.size, part.rows, (number << PART_BITS) + part_number)
            rows += part.rows
            size += part.size
        done(rows, size)
        with self._state.changed:
            self._state.under_way -= 1
            last = self._state.ended and self._state.under_way == 0
        if last:
            self._finish()

    def _lane(self, part: Part) -> _Lane | None:
        with self._lock:
            if not any(part.schema.equals(known) for known in self._schemas):
                self._schemas.append(part.schema)
            self._arrow = self._arrow or part.arrow
            if part.rows == 0:
                return None
            for lane in self._lanes:
                if lane.schema.equals(part.schema):
                    break
            else:
                session = self._session
                if session is None:
                    raise RuntimeError("a stream came before the ranks")
                lane = _Lane(part.schema, self._open(session, part.schema))
                self._lanes.append(lane)
            lane.size += part.size
            return lane

    def _finish(self) -> None:
        session = self._ready_session() if self._begun else None
        if not self._schemas:
            self._done(Exchanged([], [], pa.schema([]), 0, 0))
            return
        if session is None:
            return
        for lane in self._lanes:
            lane.shuffle.finish()
        for lane in self._lanes:
            lane.shuffle.await_complete()
        sources = [
            Source(lane.shuffle.wire_id, tuple(session.actors), lane.shuffle.num_partitions, lane.schema)
            for lane in self._lanes
        ]
        self._done(
            Exchanged(
                sources,
                [lane.shuffle.partition_rows() for lane in self._lanes],
                _unified(self._schemas),
                sum(lane.size for lane in self._lanes),
                sum(lane.shuffle.num_rows for lane in self._lanes),
                self._arrow,
            )
        )

    def _done(self, result: Exchanged) -> None:
        with self._state.changed:
            self._state.result = result
            self._state.unreleased = len(result.rows[0]) if result.rows else 0
            self._state.changed.notify_all()

    def _close(self) -> None:
        with self._state.changed:
            session = self._session
        self._started.set()
        for lane in self._lanes:
            lane.shuffle.close()
        self._pumps.shutdown(wait=False, cancel_futures=True)
        if session is not None:
            POOL.give_back(self._options, session)


def _unified(schemas: list[pa.Schema]) -> pa.Schema:
    """One schema for all partitions, by Ray Data's own rule."""
    named = [schema for schema in schemas if len(schema.names) > 0] or schemas
    return transform_pyarrow.unify_schemas(named, promote_types=True)
