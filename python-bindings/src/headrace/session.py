"""A session: ranks that run as long as it is open, and any number of shuffles on them."""

from __future__ import annotations

import itertools
import json
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import ExitStack
from types import TracebackType

import pyarrow as pa
import ray

from headrace import replies
from headrace.cluster import RayConnection, current_ray, ray_is_gone
from headrace.errors import InvalidInput, PeerLost
from headrace.feeder import Feeder
from headrace.ipc import schema_bytes
from headrace.java import HEAP_BYTES, java_setup
from headrace.loop import Loop
from headrace.placement import place
from headrace.rank import GRACE_SECONDS, Payload, Rank, await_answers
from headrace.rounds import Rounds
from headrace.rules import Flags, rule_of
from headrace.settings import TRANSPORTS, one_of, parse_bytes, parse_nanos, positive, spill_paths
from headrace.shuffle import PLANS, RECOVERIES, Request, Shuffle
from headrace.startup import RankPlan, end_ranks, start_ranks
from headrace.statistics import merged

LARGEST_BATCH_BYTES = 32 << 20
SMALLEST_BATCH_BYTES = 1 << 20
BATCHES_PER_LIMIT = 8
SHUTDOWN_SECONDS = 5.0
WATCH_SECONDS = 0.5


class Session:
    """Ranks on the Ray that this process is connected to, or on one that is started for them. Any thread.

    `memory_limit` is per rank and covers its table data; what is beyond it lies in `spill_directories`, which exist
    on the nodes of the ranks. Use it as a context manager, or call `close`.
    """

    def __init__(
        self,
        *,
        ranks: int = 2,
        memory_limit: str | int = "256MiB",
        spill_directories: Iterable[str | os.PathLike[str]] | None = None,
        transport: str = "ucx",
    ) -> None:
        directories = spill_directories if spill_directories is not None else [tempfile.gettempdir()]
        plan = RankPlan(
            positive("ranks", ranks),
            parse_bytes("memory_limit", memory_limit),
            spill_paths(directories),
            one_of("transport", transport, TRANSPORTS),
        )
        self._memory_limit_bytes = plan.memory_limit_bytes
        self._wire_ids = itertools.count(secrets.randbits(30) << 32)
        self._shuffles: set[Shuffle] = set()
        self._lock = threading.Lock()
        self._closing = False
        self._lost = False
        with ExitStack() as undo:
            self._start(plan, undo)
            self._undo = undo.pop_all()

    def _start(self, plan: RankPlan, undo: ExitStack) -> None:
        connection = RayConnection()
        undo.callback(connection.close)
        placement = place(java_setup(), plan.ranks, plan.memory_limit_bytes + HEAP_BYTES)
        undo.callback(placement.close)
        self._ranks, self.ranks = start_ranks(placement, plan)
        undo.callback(end_ranks, self._ranks, SHUTDOWN_SECONDS)
        room = self._asked(Rank.room, "asking for room")
        self._loop = Loop("headrace-session")
        undo.callback(self._loop.close)
        self._feeder = Feeder(self._loop, self._ranks, Rounds([replies.number(body) for body in room]))
        undo.callback(self._feeder.look)
        for rank in self._ranks:
            rank.on_lost = self._rank_lost
        self._ray = current_ray()
        self._loop.post(self._watch_ray)

    def shuffle(
        self,
        *,
        keys: Iterable[str] = (),
        num_partitions: int,
        kind: str = "hash",
        descending: Flags = False,
        nulls_first: Flags = False,
        boundaries: pa.Table | pa.RecordBatch | None = None,
        seed: int | None = None,
        schema: pa.Schema | None = None,
        plan: str = "auto",
        recovery: str = "none",
        timeout: str | float = "10min",
    ) -> Shuffle:
        """Opens a shuffle on all ranks; many can be open at once.

        For kind `range`: each key ascends or is `descending`, its nulls come last or first, and row i of `boundaries`
        is the first key of partition i + 1; without boundaries, all batches stay in the object store until `finish`
        has found some. For kind `random`: the same `seed` gives the same partitions in the same order.

        A schema is needed only where there may be no batch at all. `timeout` is what the shuffle has from here to
        its last partition.
        """
        self._check_usable()
        one_of("plan", plan, PLANS)
        one_of("recovery", recovery, RECOVERIES)
        partitions = positive("num_partitions", num_partitions)
        request = Request(
            next(self._wire_ids),
            rule_of(kind, keys, partitions, descending, nulls_first, boundaries, seed),
            partitions,
            schema_bytes(schema),
            parse_nanos("timeout", timeout),
            self.batch_bytes,
        )
        shuffle = Shuffle(request, self._loop, self._ranks, self._feeder)
        with self._lock:
            self._shuffles.add(shuffle)
        try:
            shuffle.open(self._forget)
        except BaseException:
            shuffle.close()
            raise
        return shuffle

    @property
    def actors(self) -> list[ray.actor.ActorHandle]:
        """The actors of the ranks, in the order of their numbers: what a Ray task needs to fetch partitions itself."""
        return [rank.actor for rank in self._ranks]

    @property
    def batch_bytes(self) -> int:
        """How large the streams are that tables are cut into."""
        return max(SMALLEST_BATCH_BYTES, min(LARGEST_BATCH_BYTES, self._memory_limit_bytes // BATCHES_PER_LIMIT))

    @property
    def is_usable(self) -> bool:
        """Whether new shuffles can be opened: it is not closed, and no rank was lost."""
        return not self._closing and not self._lost

    def statistics(self) -> dict[str, float]:
        """The counters of all ranks together, peaks as the largest of any rank, and those of this driver."""
        self._check_usable()
        return merged([*self.rank_statistics(), self._feeder.rounds.statistics()])

    def rank_statistics(self) -> list[dict[str, float]]:
        """The counters of each rank: names to bytes, seconds or counts."""
        self._check_usable()
        return [json.loads(bytes(body)) for body in self._asked(Rank.statistics, "asking for statistics")]

    def close(self) -> None:
        """Ends the ranks, and Ray if this session began it; open shuffles fail. Closing twice is closing once."""
        with self._lock:
            if self._closing:
                return
            self._closing = True
            left = list(self._shuffles)
        for shuffle in left:
            shuffle.fail(InvalidInput("the session was closed"))
        self._undo.close()

    def _asked(self, ask: Callable[[Rank], Future[Payload]], what: str) -> list[Payload]:
        answers = await_answers({rank.number: ask(rank) for rank in self._ranks}, what, GRACE_SECONDS)
        return [answers[rank.number] for rank in self._ranks]

    def _check_usable(self) -> None:
        if self._closing:
            raise InvalidInput("the session is closed")
        if current_ray() != self._ray:
            raise ray_is_gone()

    def _forget(self, shuffle: Shuffle) -> None:
        with self._lock:
            self._shuffles.discard(shuffle)

    def _watch_ray(self) -> None:
        """On the loop: calls to ranks end with no answer at all when Ray is shut down, so their waiters are told."""
        if current_ray() == self._ray:
            self._loop.post_later(WATCH_SECONDS, self._watch_ray)
            return
        with self._lock:
            left = list(self._shuffles)
        for shuffle in left:
            shuffle.fail(ray_is_gone())

    def _rank_lost(self, error: PeerLost) -> None:
        """Fails every shuffle at once: nobody waits for what a lost rank would have answered."""
        with self._lock:
            self._lost = True
            left = [] if self._closing else list(self._shuffles)
        for shuffle in left:
            shuffle.fail(error)
        if error.rank is not None:
            rank = error.rank
            self._loop.post(lambda: self._feeder.rank_lost(rank))

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def shuffle(
    batches: Iterable[pa.Table | pa.RecordBatch | ray.ObjectRef],
    *,
    keys: Iterable[str] = (),
    num_partitions: int,
    kind: str = "hash",
    descending: Flags = False,
    nulls_first: Flags = False,
    boundaries: pa.Table | pa.RecordBatch | None = None,
    seed: int | None = None,
    schema: pa.Schema | None = None,
    timeout: str | float = "10min",
    ranks: int = 2,
    memory_limit: str | int = "256MiB",
    spill_directories: Iterable[str | os.PathLike[str]] | None = None,
    transport: str = "ucx",
) -> list[pa.Table]:
    """Shuffles the batches in a session of their own; all partitions come back into this process."""
    given = _batches(batches)
    with (
        Session(
            ranks=ranks, memory_limit=memory_limit, spill_directories=spill_directories, transport=transport
        ) as session,
        session.shuffle(
            keys=keys,
            num_partitions=num_partitions,
            kind=kind,
            descending=descending,
            nulls_first=nulls_first,
            boundaries=boundaries,
            seed=seed,
            schema=schema,
            timeout=timeout,
        ) as opened,
    ):
        for batch in given:
            opened.insert(batch)
        opened.finish()
        tables = dict(opened)
    return [tables[partition] for partition in range(num_partitions)]


def _batches(batches: object) -> Iterable[pa.Table | pa.RecordBatch | ray.ObjectRef]:
    if isinstance(batches, (pa.Table, pa.RecordBatch, ray.ObjectRef)) or not isinstance(batches, Iterable):
        raise InvalidInput(
            f"batches is a {type(batches).__name__}: it has to be a list, or another iterable, of tables"
        )
    return batches
