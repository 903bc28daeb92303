"""Headrace: an out-of-core shuffle backend for Ray.

`shuffle` does everything in one call; `Session` keeps ranks for many shuffles and for results that don't fit.
"""

from headrace.errors import (
    Action,
    Category,
    CorruptData,
    Deadline,
    DiskFull,
    HeadraceError,
    Internal,
    InvalidInput,
    OutOfMemory,
    PeerLost,
)
from headrace.session import Session, shuffle
from headrace.shuffle import Shuffle

__version__ = "0.1.0"
__all__ = [
    "Action",
    "Category",
    "CorruptData",
    "Deadline",
    "DiskFull",
    "HeadraceError",
    "Internal",
    "InvalidInput",
    "OutOfMemory",
    "PeerLost",
    "Session",
    "Shuffle",
    "shuffle",
]
