"""Settings as a user writes them, and as a rank reads them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

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


def parse_bytes(name: str, value: str | int) -> int:
    """A size in bytes from `256MiB`, `1.5 GB` or a number."""
    return _parsed(name, value, _BYTE_UNITS, "a size such as 256MiB")


def parse_nanos(name: str, value: str | float) -> int:
    """A duration in nanoseconds from `10min`, `500ms` or a number of seconds."""
    nanos = _parsed(
        name, value, {unit: seconds * 1e9 for unit, seconds in _SECOND_UNITS.items()}, "a time such as 10min"
    )
    if nanos > 2**62:
        raise InvalidInput(f"{name} is {value!r}, more than 146 years")
    return nanos


def _parsed(name: str, value: str | float, units: dict[str, float] | dict[str, int], wanted: str) -> int:
    match = _NUMBER.fullmatch(str(value)) if not isinstance(value, bool) else None
    if match is None or match.group(2).lower() not in units:
        raise InvalidInput(f"{name} is {value!r}, which is not {wanted}")
    amount = round(float(match.group(1)) * units[match.group(2).lower()])
    if amount <= 0:
        raise InvalidInput(f"{name} is {value!r}: it has to be more than 0")
    return amount


def positive(name: str, value: int) -> int:
    """The value, if it is a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidInput(f"{name} is {value!r}: it has to be a whole number of at least 1")
    return value


def one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    """The value, if it is one of those known."""
    if value not in known:
        raise InvalidInput(f"{name} is {value!r}: it has to be one of {', '.join(known)}")
    return value


def spill_paths(directories: Iterable[str | os.PathLike[str]]) -> tuple[Path, ...]:
    """Absolute spill directories; a rank checks on its own node that it can write there."""
    if isinstance(directories, (str, os.PathLike)):
        raise InvalidInput(f"spill_directories is {directories!r}: it has to be a list of directories")
    paths = tuple(Path(directory).absolute() for directory in directories)
    if not paths:
        raise InvalidInput("spill_directories is empty: a rank needs at least one")
    for path in paths:
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
