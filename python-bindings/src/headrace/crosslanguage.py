"""Calls from Python into Java actors, without a change that other threads can see.

Ray refuses a cross-language call unless the worker's flag ``load_code_from_local`` is set. The same flag
makes Ray look up *Python* functions by module name, on every thread: a function that another thread exports
while the flag is set never reaches the workers, and they wait for it for ever. So the flag is true only
inside :func:`java_calls`, and only for the thread that entered it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ray._private import worker as ray_worker


class _FlagOfThread:
    """Stands in for the worker's flag: true for threads inside java_calls(), the former value for others."""

    def __init__(self, former: object) -> None:
        self.former = former
        self._entered = threading.local()

    def enter(self) -> None:
        self._entered.depth = getattr(self._entered, "depth", 0) + 1

    def leave(self) -> None:
        self._entered.depth -= 1

    def __bool__(self) -> bool:
        return getattr(self._entered, "depth", 0) > 0 or bool(self.former)


_lock = threading.Lock()
_users = 0


@contextmanager
def java_calls() -> Iterator[None]:
    """Lets this thread create and call Java actors; hold it for the submitting call alone."""
    flag = _installed()
    flag.enter()
    try:
        yield
    finally:
        flag.leave()
        _released(flag)


def _installed() -> _FlagOfThread:
    global _users
    worker = ray_worker.global_worker
    with _lock:
        _users += 1
        current = worker._load_code_from_local
        if isinstance(current, _FlagOfThread):
            return current
        flag = _FlagOfThread(current)
        worker.set_load_code_from_local(flag)
        return flag


def _released(flag: _FlagOfThread) -> None:
    global _users
    worker = ray_worker.global_worker
    with _lock:
        _users -= 1
        if _users == 0 and worker._load_code_from_local is flag:
            worker.set_load_code_from_local(flag.former)
