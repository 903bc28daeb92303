"""What one shuffle has given to the ranks, and what became of it: the state that its threads share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from headrace.errors import Deadline, HeadraceError, Internal, InvalidInput

T = TypeVar("T")


class Ledger:
    """Batches and rows per rank, partitions that are complete, the deadline, and the failure if there is one.

    Any thread. It holds two numbers per batch and two per partition, never data.
    """

    def __init__(self, name: str, timeout_seconds: float, on_failure: Callable[[HeadraceError], None]) -> None:
        self.name = name
        self.timeout_seconds = timeout_seconds
        self.deadline = time.monotonic() + timeout_seconds
        self.batches: dict[int, list[int]] = {}
        self.rows: dict[int, int] = {}
        self.complete: list[int] = []
        self.failure: HeadraceError | None = None
        self._complete: set[int] = set()
        self._on_failure = on_failure
        self._sealed = False
        self._given = 0
        self._under_way = 0
        self._changed = threading.Condition(threading.RLock())

    @property
    def remaining_seconds(self) -> float:
        """What is left of the time that the shuffle has."""
        return max(0.0, self.deadline - time.monotonic())

    @property
    def total_rows(self) -> int:
        """The rows that all ranks have taken."""
        with self._changed:
            return sum(self.rows.values())

    # Rows in

    def check_open(self) -> None:
        """Raises if no batch may be given any more."""
        with self._changed:
            self.raise_failure()
            if self._sealed:
                raise InvalidInput(f"{self.name}: insert after finish")

    def check_any_given(self) -> None:
        """Raises if there was no batch, so that nobody could tell the schema of the partitions."""
        with self._changed:
            self.raise_failure()
            if self._given == 0:
                raise InvalidInput(f"{self.name}: no batch was inserted and no schema was declared: give `schema`")

    def next_batch(self, number: int | None = None) -> int:
        """The number of a batch that will be given to a rank: the caller's own, or the next of a dense row."""
        with self._changed:
            self.check_open()
            self._given += 1
            self._under_way += 1
            return self._given - 1 if number is None else number

    def taken(self, rank: int, batch: int, rows: int, expected_rows: int | None) -> None:
        """A rank has the batch in its care."""
        with self._changed:
            self.batches.setdefault(rank, []).append(batch)
            self.rows[rank] = self.rows.get(rank, 0) + rows
            self._under_way -= 1
            self._changed.notify_all()
        if expected_rows is not None and rows != expected_rows:
            message = f"{self.name}: rank {rank} read {rows} rows in batch {batch}, which has {expected_rows}"
            self.fail(Internal(message, rank=rank))

    def seal(self) -> None:
        """No batch may be given from now on."""
        with self._changed:
            self.raise_failure()
            if self._sealed:
                raise InvalidInput(f"{self.name}: finish was called before")
            self._sealed = True

    def await_taken(self) -> None:
        """Waits for the batches under way."""
        self.wait_until(lambda: self._under_way == 0, lambda: f"{self._under_way} batches were not taken")

    # Partitions out

    def await_complete(self, partitions: int) -> None:
        """Waits until that many partitions are complete."""
        self.wait_until(
            lambda: len(self.complete) >= partitions,
            lambda: f"{partitions - len(self.complete)} of {partitions} partitions were not complete",
        )

    def is_complete(self, partition: int) -> bool:
        """Whether a partition can be fetched."""
        return partition in self._complete

    def completed(self, partitions: list[int]) -> None:
        """These partitions can be fetched from now on."""
        with self._changed:
            self.complete.extend(partitions)
            self._complete.update(partitions)
            self._changed.notify_all()

    # Failure

    def fail(self, failure: HeadraceError) -> None:
        """Everybody who waits gets the failure, and everybody who comes later. The first one counts."""
        with self._changed:
            if self.failure is not None:
                return
            self.failure = failure
            self._changed.notify_all()
        self._on_failure(failure)

    def close(self, reason: HeadraceError) -> None:
        """Like `fail`, but nothing is left to be ended because of it."""
        with self._changed:
            self.failure = self.failure or reason
            self._changed.notify_all()

    def failing(self, work: Callable[[], T]) -> T:
        """Does the work; a HeadraceError in it fails the shuffle."""
        try:
            return work()
        except HeadraceError as error:
            self.fail(error)
            raise

    def wait_until(self, true: Callable[[], bool], missing: Callable[[], str]) -> None:
        """Waits for a condition on this state; raises the failure, or Deadline with what is missing."""
        with self._changed:
            while not true():
                self.raise_failure()
                if self.remaining_seconds <= 0:
                    break
                self._changed.wait(self.remaining_seconds)
            else:
                self.raise_failure()
                return
        late = Deadline(f"{self.name}: {missing()} within {self.timeout_seconds:g} s")
        self.fail(late)
        raise late

    def raise_failure(self) -> None:
        """Raises the failure, if there is one."""
        if self.failure is not None:
            raise self.failure.again()
