"""Proof that a shuffle lost, doubled and changed nothing: checksums that don't depend on the order of rows.

Written with numpy alone, and apart from the engine, so that a slip there can't hide here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Words = npt.NDArray[np.uint64]

_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_NULL = np.uint64(0x6E756C6C)


@dataclass
class Checksum:
    """Rows, and per column the sum of all values' hashes modulo 2^64."""

    rows: int = 0
    columns: dict[str, int] = field(default_factory=dict)

    def add(self, batch: pa.RecordBatch) -> None:
        """Counts the rows of a batch in."""
        self.rows += batch.num_rows
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            total = int(hashes(column).sum(dtype=np.uint64)) if len(column) else 0
            self.columns[name] = (self.columns.get(name, 0) + total) % (1 << 64)


def checksum(batches: Iterable[pa.RecordBatch]) -> Checksum:
    """The checksum of all batches together."""
    total = Checksum()
    for batch in batches:
        total.add(batch)
    return total


def differences(wanted: Checksum, got: Checksum) -> list[str]:
    """What differs, a line each; nothing if the rows are the same ones."""
    found = [] if wanted.rows == got.rows else [f"{wanted.rows} rows went in, {got.rows} came out"]
    names = sorted(wanted.columns.keys() | got.columns.keys())
    found += [f"column {name} differs" for name in names if wanted.columns.get(name) != got.columns.get(name)]
    return found


def hashes(column: pa.Array) -> Words:
    """One hash per value: equal for equal values of one type."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.uint8())
    hashed = _hash_bytes(column) if _is_variable(column.type) else _hash_fixed(column)
    if column.null_count:
        hashed[column.is_null().to_numpy(zero_copy_only=False)] = _NULL
    return _mixed(hashed)


def _is_variable(kind: pa.DataType) -> bool:
    tests = (
        *(pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view),
        *(pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view),
    )
    return any(test(kind) for test in tests)


def _hash_bytes(column: pa.Array) -> Words:
    column = column.cast(pa.large_binary())
    _, offsets_buffer, data_buffer = column.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64)[column.offset : column.offset + len(column) + 1]
    if data_buffer is None or offsets[0] == offsets[-1]:
        return np.zeros(len(column), np.uint64)
    data = np.frombuffer(data_buffer, np.uint8)[offsets[0] : offsets[-1]]
    starts, lengths = offsets[:-1] - offsets[0], np.diff(offsets)
    # Every byte times a weight that depends on its place in the value; the sums over values are differences of
    # running sums. All modulo 2^64.
    places = np.arange(len(data), dtype=np.uint64) - np.repeat(starts, lengths).astype(np.uint64)
    running = np.zeros(len(data) + 1, np.uint64)
    np.cumsum((data.astype(np.uint64) + np.uint64(1)) * _mixed(places), out=running[1:])
    summed: Words = running[starts + lengths] - running[starts]
    return summed


def _hash_fixed(column: pa.Array) -> Words:
    width = column.type.bit_width // 8
    data = np.frombuffer(column.buffers()[1], np.uint8)[column.offset * width : (column.offset + len(column)) * width]
    words_per_value = -(-width // 8)
    padded = np.zeros((len(column), words_per_value * 8), np.uint8)
    padded[:, :width] = data.reshape(len(column), width)
    hashed = np.zeros(len(column), np.uint64)
    for word in padded.view(np.uint64).T:
        hashed = _mixed(hashed * _STEP + word)
    return hashed


def _mixed(words: Words) -> Words:
    mixed: Words = words + _STEP
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _MULTIPLIER_1
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _MULTIPLIER_2
    mixed ^= mixed >> np.uint64(31)
    return mixed
