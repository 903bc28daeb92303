"""Ctrl-C and SIGTERM end what runs, and take down what it started."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

NUMBERS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruptible() -> Iterator[None]:
    """Signals raise KeyboardInterrupt inside; asked again they do not disturb the cleaning up. Main thread only."""
    former = {number: signal.getsignal(number) for number in NUMBERS}
    arm()
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def arm() -> None:
    """Has to be called again once Ray is up: it puts its own handler for SIGTERM in place."""
    for number in NUMBERS:
        signal.signal(number, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
