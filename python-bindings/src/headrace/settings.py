"""Settings as a user writes them, and as a rank reads them."""

from __future__ import annotations

import math
import operator
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import SupportsIndex

import numpy as np

from headrace.errors import InvalidInput

_BYTE_UNITS = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "k": 1 << 10,
    "m": 1 << 20,
    "g": 1 << 30,
    "t": 1 << 40,
    "kib": 1 << 10,
    "mib": 1 << 20,
    "gib": 1 << 30,
    "tib": 1 << 40,
}
_SECOND_UNITS = {"ms": 1e-3, "s": 1.0, "": 1.0, "sec": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_NUMBER = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*")
TRANSPORTS = ("ucx",)
MOST = 2**62  # of bytes or nanoseconds: half of what a rank can count
MOST_COUNTED = 2**31 - 1


def parse_bytes(name: str, value: str | int) -> int:
    """A size in bytes from `256MiB`, `1.5 GB` or a number."""
    return _parsed(name, value, _BYTE_UNITS, "a size such as 256MiB")


def parse_nanos(name: str, value: str | float) -> int:
    """A duration in nanoseconds from `10min`, `500ms` or a number of seconds."""
    units = {unit: seconds * 1e9 for unit, seconds in _SECOND_UNITS.items()}
    return _parsed(name, value, units, "a time such as 10min")


def _parsed(name: str, value: str | float, units: dict[str, float] | dict[str, int], wanted: str) -> int:
    number, unit = _number_and_unit(value)
    if number is None or unit not in units or not math.isfinite(number):
        raise InvalidInput(f"{name} is {_shown(value)}, which is not {wanted}")
    amount = number * units[unit]
    if amount > MOST:
        raise InvalidInput(f"{name} is {_shown(value)}: it has to be less than {MOST} of its smallest unit")
    if round(amount) <= 0:
        raise InvalidInput(f"{name} is {_shown(value)}: it has to be more than 0")
    return round(amount)


def _number_and_unit(value: object) -> tuple[float | None, str]:
    if isinstance(value, bool):
        return None, ""
    if isinstance(value, (int, float, np.integer, np.floating)):
        return float(value) if abs(value) < MOST * 2 else MOST * 2.0, ""
    match = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return (float(match.group(1)), match.group(2).lower()) if match else (None, "")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:40]}… ({len(text)} characters)"


def positive(name: str, value: int) -> int:
    """The value, if it is a whole number of at least 1 that a rank can count to."""
    number = index_of(name, value)
    if not 1 <= number <= MOST_COUNTED:
        raise InvalidInput(f"{name} is {_shown(value)}: it has to be a whole number from 1 to {MOST_COUNTED}")
    return number


def index_of(name: str, value: SupportsIndex) -> int:
    """The value as a plain int, if it is a whole number of any kind."""
    try:
        return operator.index(None if isinstance(value, bool) else value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidInput(f"{name} is {_shown(value)}: it has to be a whole number") from None


def one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    """The value, if it is one of those known."""
    if value not in known:
        raise InvalidInput(f"{name} is {value!r}: it has to be one of {', '.join(known)}")
    return value


def spill_paths(directories: Iterable[str | os.PathLike[str]]) -> tuple[Path, ...]:
    """Absolute spill directories; a rank checks on its own node that it can write there."""
    named = None if isinstance(directories, (str, bytes, os.PathLike)) else directories
    try:
        paths = tuple(Path(directory).absolute() for directory in named)  # type: ignore[union-attr]
    except TypeError:
        raise InvalidInput(f"spill_directories is {directories!r}: it has to be a list of directories") from None
    if not paths:
        raise InvalidInput("spill_directories is empty: a rank needs at least one")
    for path in paths:
        if "\0" in str(path):
            raise InvalidInput(f"spill directory {str(path)!r} has a zero byte in its name")
        if ":" in str(path):
            raise InvalidInput(f"spill directory {path} has a ':' in its name, which separates directories")
    return paths


@dataclass(frozen=True)
class RankSettings:
    """What one rank is made with; `text` is what its constructor reads."""

    rank: int
    ranks: int
    incarnation: int
    memory_limit_bytes: int
    spill_directories: tuple[Path, ...]
    transport: str
    native_directory: Path
    net_devices: str
    job_key: bytes
    peer_timeout_nanos: int
    connect_timeout_nanos: int
    shared_slabs: bool

    def text(self) -> str:
        """The settings in the format of java.util.Properties."""
        return properties_text(
            {
                "rank": self.rank,
                "ranks": self.ranks,
                "incarnation": self.incarnation,
                "memory_limit_bytes": self.memory_limit_bytes,
                "spill_directories": ":".join(map(str, self.spill_directories)),
                "transport": self.transport,
                "native_directory": self.native_directory,
                "net_devices": self.net_devices,
                "job_key": self.job_key.hex(),
                "peer_timeout_nanos": self.peer_timeout_nanos,
                "connect_timeout_nanos": self.connect_timeout_nanos,
                "shared_slabs": str(self.shared_slabs).lower(),
            }
        )


def properties_text(values: dict[str, object]) -> str:
    """Text that java.util.Properties reads back to the same values."""
    return "".join(f"{key}={_escaped(str(value))}\n" for key, value in values.items())


def _escaped(value: str) -> str:
    text = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    text = "".join(_utf16_escapes(character) for character in text)
    return "\\" + text if text.startswith(" ") else text


def _utf16_escapes(character: str) -> str:
    if " " <= character <= "~":
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[i : i + 2], 'big'):04x}" for i in range(0, len(units), 2))


def parse_properties(text: str) -> dict[str, str]:
    """The plain `key=value` lines that a rank describes itself with."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)}
