"""Which rank gets the next batch: no more bytes in flight to a rank than it said it can take.

Pure bookkeeping, no waiting and no threads; its owner calls it from one thread. The same rules as in Java.
"""

from __future__ import annotations

from dataclasses import dataclass

INSERTS_PER_RANK = 4


@dataclass
class RankWindow:
    """How much may be on its way to one rank.

    The rank grants bytes with every answer. A rank that has nothing in flight takes one batch whatever its size,
    as it alone can say whether it fits; that one counts as granted.
    """

    granted_bytes: int
    in_flight_bytes: int = 0
    in_flight_batches: int = 0

    def takes(self, size: int) -> bool:
        """Whether a batch of that size may be sent now."""
        few = self.in_flight_batches < INSERTS_PER_RANK
        return self.in_flight_batches == 0 or (few and self.in_flight_bytes + size <= self.granted_bytes)

    def sent(self, size: int) -> None:
        """A batch is on its way."""
        if not self.takes(size):
            raise AssertionError(f"{self} takes no batch of {size} bytes")
        self.in_flight_bytes += size
        self.in_flight_batches += 1
        self.granted_bytes = max(self.granted_bytes, self.in_flight_bytes)

    def refused(self, free_bytes: int) -> None:
        """The rank is full: the batch stays in flight, since the same rank goes on with it where it stopped."""
        self.granted_bytes = max(self.in_flight_bytes, free_bytes)

    def answered(self, size: int, free_bytes: int) -> None:
        """The rank has the batch."""
        self.in_flight_bytes -= size
        self.in_flight_batches -= 1
        if self.in_flight_bytes < 0 or self.in_flight_batches < 0:
            raise AssertionError(f"{self} was answered more often than asked")
        self.refused(free_bytes)


class Rounds:
    """The windows of all ranks, and what went through them."""

    def __init__(self, room_bytes: list[int]) -> None:
        self._windows = {rank: RankWindow(room) for rank, room in enumerate(room_bytes)}
        self._last = len(room_bytes) - 1
        self._batches = self._bytes = self._refusals = 0
        self._in_flight_peak = self._granted_peak = 0

    def choose(self, size: int) -> int | None:
        """The rank with the fewest batches in flight, then the most room, among those that take the batch now."""
        able = [rank for rank, window in self._windows.items() if window.takes(size)]
        return min(able, key=self._order, default=None)

    def _order(self, rank: int) -> tuple[int, int, int]:
        window = self._windows[rank]
        after_last = (rank - self._last - 1) % (max(self._windows) + 1)  # equal ranks take turns
        return window.in_flight_batches, window.in_flight_bytes - window.granted_bytes, after_last

    def sent(self, rank: int, size: int) -> None:
        """A batch is on its way to the rank."""
        self._windows[rank].sent(size)
        self._last = rank
        self._batches += 1
        self._bytes += size
        in_flight = sum(window.in_flight_bytes for window in self._windows.values())
        granted = sum(window.granted_bytes for window in self._windows.values())
        if in_flight > granted:
            raise AssertionError(f"{in_flight} bytes are in flight, but only {granted} were granted")
        self._in_flight_peak = max(self._in_flight_peak, in_flight)
        self._granted_peak = max(self._granted_peak, granted)

    def refused(self, rank: int, free_bytes: int) -> None:
        """The rank is full and will be offered the same batch again."""
        self._refusals += 1
        if rank in self._windows:
            self._windows[rank].refused(free_bytes)

    def answered(self, rank: int, size: int, free_bytes: int | None) -> None:
        """The rank has the batch, or has failed with it and granted nothing new (None)."""
        if rank in self._windows:
            window = self._windows[rank]
            window.answered(size, window.granted_bytes if free_bytes is None else free_bytes)

    def lost(self, rank: int) -> None:
        """The rank gets nothing any more."""
        self._windows.pop(rank, None)

    def statistics(self) -> dict[str, int]:
        """The driver's own counters."""
        return {
            "driver-batches-sent": self._batches,
            "driver-bytes-sent": self._bytes,
            "driver-batches-refused": self._refusals,
            "driver-bytes-in-flight-peak": self._in_flight_peak,
            "driver-bytes-granted-peak": self._granted_peak,
        }
