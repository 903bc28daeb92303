"""Partitions on their way out: which are complete, and from the ranks to tables here."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pyarrow as pa

from headrace import replies
from headrace.errors import HeadraceError, Internal, InvalidInput
from headrace.ipc import table_of_pages
from headrace.ledger import Ledger
from headrace.loop import Loop
from headrace.rank import GRACE_SECONDS, Payload, Rank, await_answers

POLL_NANOS = 200_000_000  # many shuffles share a rank's few waiting threads
AHEAD = 2  # partitions that are fetched while the caller works on one


def owner(partition: int, ranks: int, partitions: int) -> int:
    """The rank that assembles a partition: rank r has those from ceil(r·P/R) up to ceil((r+1)·P/R)."""
    return partition * ranks // partitions


def owned(rank: int, ranks: int, partitions: int) -> range:
    """The partitions that a rank assembles."""
    return range(-(-rank * partitions // ranks), -(-(rank + 1) * partitions // ranks))


class Delivery:
    """The output side of one shuffle. `start` once, after its finish; then any thread may ask for partitions."""

    def __init__(self, loop: Loop, ranks: list[Rank], wire_id: int, partitions: int, ledger: Ledger) -> None:
        self._loop = loop
        self._ranks = ranks
        self._wire_id = wire_id
        self._partitions = partitions
        self._ledger = ledger
        self._lock = threading.Lock()
        self._ready: deque[int] = deque()  # complete, and neither claimed nor seen to be released
        self._looked = 0  # how many of the ledger's complete partitions have been made ready
        self._claimed: set[int] = set()
        self._released: set[int] = set()
        self._rows: dict[int, int] = {}

    # Which are complete

    def start(self) -> None:
        """Begins to ask the ranks which partitions are complete."""
        self._loop.post(self._ask_all)

    def _ask_all(self) -> None:
        for rank in self._ranks:
            self._ask(rank, 0)

    def _ask(self, rank: Rank, known: int) -> None:
        own = owned(rank.number, len(self._ranks), self._partitions)
        if known < len(own) and self._ledger.failure is None:
            answer = rank.completed(self._wire_id, known, POLL_NANOS)
            answer.add_done_callback(lambda reply: self._loop.post(lambda: self._told(rank, known, reply)))

    def _told(self, rank: Rank, known: int, reply: Future[Payload]) -> None:
        try:
            new = replies.partitions(reply.result())
            self._check_owned(rank, known, new)
        except HeadraceError as error:
            self._ledger.fail(error)
        else:
            self._ledger.completed(new)
            self._ask(rank, known + len(new))

    def _check_owned(self, rank: Rank, known: int, new: list[int]) -> None:
        own = owned(rank.number, len(self._ranks), self._partitions)
        strange = [partition for partition in new if partition not in own]
        if strange or known + len(new) > len(own):
            raise Internal(
                f"rank {rank.number} owns partitions {own.start} to {own.stop - 1} and completed {strange or new}",
                rank=rank.number,
            )

    # One by one

    def await_partition(self, partition: int) -> None:
        """Waits until the partition is complete."""
        if partition not in range(self._partitions):
            raise InvalidInput(f"there is no partition {partition}: they are 0 to {self._partitions - 1}")
        self._check_held(partition)
        self._ledger.wait_until(
            lambda: self._ledger.is_complete(partition), lambda: f"partition {partition} was not complete"
        )

    def fetch(self, partition: int) -> pa.Table:
        """A complete partition as a table. It can be fetched again until it is released."""
        self._check_held(partition)
        rank = self._rank_of(partition)
        pages = replies.pages(
            lambda number: rank.fetch(self._wire_id, partition, number, self._ledger.remaining_seconds + GRACE_SECONDS)
        )
        table = table_of_pages(pages)
        self._count(partition, table.num_rows)
        return table

    def is_released(self, partition: int) -> bool:
        """Whether the partition was delivered."""
        with self._lock:
            return partition in self._released

    def release(self, partition: int) -> Future[Payload]:
        """Tells the owner that the partition is delivered."""
        with self._lock:
            self._released.add(partition)
        return self._rank_of(partition).release(self._wire_id, partition)

    def _check_held(self, partition: int) -> None:
        self._ledger.raise_failure()
        if self.is_released(partition):
            raise InvalidInput(f"{self._ledger.name}: partition {partition} was released")

    def _count(self, partition: int, rows: int) -> None:
        with self._lock:
            self._rows[partition] = rows
            delivered = sum(self._rows.values()) if len(self._rows) == self._partitions else None
        if delivered is not None and delivered != self._ledger.total_rows:
            raise Internal(f"{self._ledger.name}: {self._ledger.total_rows} rows went in, {delivered} came out")

    def _rank_of(self, partition: int) -> Rank:
        return self._ranks[owner(partition, len(self._ranks), self._partitions)]

    # As they complete

    def tables(self) -> Iterator[tuple[int, pa.Table]]:
        """Partitions as they complete, each once; one is released when the caller asks for the next."""
        releases: dict[int, Future[Payload]] = {}
        claims: list[int] = []
        with ThreadPoolExecutor(AHEAD, thread_name_prefix="headrace-fetch") as fetchers:
            fetched: list[Future[pa.Table]] = []
            try:
                while self._claim_ahead(claims):
                    fetched += [fetchers.submit(self.fetch, claim) for claim in claims[len(fetched) :]]
                    yield claims[0], self._ledger.failing(fetched.pop(0).result)
                    delivered = claims.pop(0)
                    releases[delivered] = self.release(delivered)
            finally:
                self._give_back(claims)  # what was not delivered can be had by another iteration
        seconds = self._ledger.remaining_seconds + GRACE_SECONDS
        self._ledger.failing(lambda: await_answers(releases, "releasing partitions", seconds))

    def _claim_ahead(self, claims: list[int]) -> bool:
        """Claims complete partitions, as many as may be fetched ahead; waits for one if there is none."""
        self._ledger.raise_failure()
        while len(claims) <= AHEAD:
            partition = self._claim()
            if partition is not None:
                claims.append(partition)
            elif claims or self._all_claimed():
                break
            else:
                self._ledger.wait_until(lambda: self._any_ready() or self._all_claimed(), self._missing)
        return bool(claims)

    def _claim(self) -> int | None:
        with self._lock:
            self._look()
            while self._ready:
                partition = self._ready.popleft()
                if partition not in self._released:
                    self._claimed.add(partition)
                    return partition
            return None

    def _give_back(self, claims: list[int]) -> None:
        with self._lock:
            self._claimed.difference_update(claims)
            self._ready.extendleft(reversed(claims))

    def _any_ready(self) -> bool:
        with self._lock:
            self._look()
            return bool(self._ready)

    def _look(self) -> None:
        complete = self._ledger.complete
        self._ready.extend(complete[self._looked :])
        self._looked += len(complete) - self._looked

    def _all_claimed(self) -> bool:
        with self._lock:
            return len(self._claimed | self._released) == self._partitions

    def _missing(self) -> str:
        return f"{self._partitions - len(self._ledger.complete)} of {self._partitions} partitions were not complete"
