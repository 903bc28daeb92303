"""The one thread on which a session's bookkeeping runs, so that it needs no locks."""

from __future__ import annotations

import heapq
import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)
Work = Callable[[], None]


class Loop:
    """Runs short pieces of work in order, some of them later. Any thread may post; no piece may wait."""

    def __init__(self, name: str) -> None:
        self._posted: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._later: list[tuple[float, int, Work]] = []
        self._numbers = itertools.count()
        self._ended = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def post(self, work: Work) -> bool:
        """Runs the work soon; after close() it is dropped, and the answer is False."""
        with self._lock:
            if not self._ended:
                self._posted.put(work)
            return not self._ended

    def post_later(self, seconds: float, work: Work) -> None:
        """Runs the work after that time. Only from the loop's own thread."""
        heapq.heappush(self._later, (time.monotonic() + seconds, next(self._numbers), work))

    def close(self) -> None:
        """Ends the thread after the work posted so far; waits for it."""
        with self._lock:
            self._ended = True
            self._posted.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=10)

    def _run(self) -> None:
        while True:
            try:
                work = self._posted.get(timeout=self._pause())
            except queue.Empty:
                pass
            else:
                if work is None:
                    return
                _do(work)
            while self._later and self._later[0][0] <= time.monotonic():
                _do(heapq.heappop(self._later)[2])

    def _pause(self) -> float | None:
        return max(0.0, self._later[0][0] - time.monotonic()) if self._later else None


def _do(work: Work) -> None:
    try:
        work()
    except Exception:  # the other shuffles of the session go on; whoever waits for this one has a deadline
        log.exception("a fault in the driver's bookkeeping")
