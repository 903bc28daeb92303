"""Who gets a row: the rule of a shuffle as a user writes it, checked, and as a rank reads it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from headrace.errors import InvalidInput
from headrace.ipc import as_table, stream_bytes
from headrace.settings import index_of, one_of

HASH, RANGE, RANDOM, ROUND_ROBIN = "hash", "range", "random", "round_robin"
KINDS = (HASH, RANGE, RANDOM, ROUND_ROBIN)
_DESCENDING, _NULLS_FIRST = 1, 2

Flags = bool | Sequence[bool]


@dataclass(frozen=True)
class Rule:
    """A value that was checked; `order` has a byte per key, `boundaries` is an Arrow IPC stream or nothing."""

    kind: str
    keys: tuple[str, ...]
    order: bytes = b""
    boundaries: bytes = b""
    seed: int = 0

    @property
    def lacks_boundaries(self) -> bool:
        """Whether boundaries have to be found before the ranks can be asked."""
        return self.kind == RANGE and not self.boundaries

    def with_boundaries(self, boundaries: bytes) -> Rule:
        """The same with boundaries."""
        return replace(self, boundaries=boundaries)


def rule_of(
    kind: str,
    keys: Iterable[str],
    partitions: int,
    descending: Flags = False,
    nulls_first: Flags = False,
    boundaries: pa.Table | pa.RecordBatch | None = None,
    seed: int | None = None,
) -> Rule:
    """The rule that was asked for; refuses what does not belong to its kind."""
    names = _key_names(one_of("kind", kind, KINDS), keys)
    falling, first = _flags("descending", descending, names), _flags("nulls_first", nulls_first, names)
    if kind != RANGE and (any(falling) or any(first) or boundaries is not None):
        raise InvalidInput(f"descending, nulls_first and boundaries are for kind 'range', not for {kind!r}")
    if kind != RANDOM and seed is not None:
        raise InvalidInput(f"seed is {seed!r}, but only a random shuffle takes one, not {kind!r}")
    if kind == RANDOM:
        return Rule(kind, names, seed=secrets.randbits(63) if seed is None else _word(seed))
    if kind != RANGE:
        return Rule(kind, names)
    order = bytes(_DESCENDING * down + _NULLS_FIRST * early for down, early in zip(falling, first, strict=True))
    return Rule(kind, names, order, b"" if boundaries is None else _boundaries(boundaries, names, partitions))


def _key_names(kind: str, keys: Iterable[str]) -> tuple[str, ...]:
    names = () if isinstance(keys, str) or not isinstance(keys, Iterable) else tuple(keys)
    if isinstance(keys, str) or not isinstance(keys, Iterable) or not all(isinstance(name, str) for name in names):
        raise InvalidInput(f"keys is {keys!r}: it has to be a list of column names")
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InvalidInput(f"keys has {name!r}, which is no text that a column could be named with") from None
    if kind in (HASH, RANGE) and not names:
        raise InvalidInput(f"a {kind} shuffle needs at least one key column, keys is empty")
    if kind in (RANDOM, ROUND_ROBIN) and names:
        raise InvalidInput(f"a {kind} shuffle takes no key columns, keys is {list(names)!r}")
    return names


def _flags(name: str, flags: Flags, keys: tuple[str, ...]) -> list[bool]:
    listed = [flags] * len(keys) if isinstance(flags, bool) else list(flags) or [False] * len(keys)
    if len(listed) != len(keys) or not all(isinstance(flag, bool) for flag in listed):
        raise InvalidInput(f"{name} is {flags!r}: it has to be True or False, or a list of that for {len(keys)} keys")
    return listed


def _word(seed: int) -> int:
    """The seed as a signed word of 64 bits."""
    number = index_of("seed", seed)
    if not -(2**63) <= number < 2**64:
        raise InvalidInput(f"seed is {seed!r}: it has to be a whole number of 64 bits")
    return number - 2**64 if number >= 2**63 else number


def _boundaries(boundaries: object, keys: tuple[str, ...], partitions: int) -> bytes:
    if not isinstance(boundaries, pa.Table | pa.RecordBatch):
        raise InvalidInput(f"boundaries is a pyarrow.Table or RecordBatch, not {type(boundaries).__name__}")
    table = as_table(boundaries)
    if table.num_rows != partitions - 1:
        raise InvalidInput(
            f"boundaries has {table.num_rows} rows for {partitions} partitions, which take {partitions - 1} boundaries"
        )
    missing = [key for key in keys if key not in table.column_names]
    if missing:
        raise InvalidInput(f"boundaries has no column {missing[0]!r}, only {table.column_names}")
    return stream_bytes(table.select(list(dict.fromkeys(keys))))
