#!/usr/bin/env python3
"""Known answers of the key hash: a second implementation of docs/hash.md, kept slow and plain.

Prints the table; with --check, compares it with the one that is checked in and fails if they differ.
Standard library only.
"""

from __future__ import annotations

import argparse
import math
import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

TABLE = Path(__file__).parents[2] / "shuffle-engine/src/test/resources/golden-hash.tsv"
PARTITIONS = 1_000

WORD = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
NULL = 0x6A09E667F3BCC908
UNSIGNED = 0xBB67AE8584CAA73B
DECIMAL = 0x3C6EF372FE94F82B
NAN = 0x7FF8000000000000

UNIT_NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
DATE_NANOS = {"date32": 86_400 * 10**9, "date64": 10**6}
FLOAT_CODES = {"float16": "<e", "float32": "<f", "float64": "<d"}
DECIMAL_BYTES = {"decimal32": 4, "decimal64": 8, "decimal128": 16, "decimal256": 32}

Value = bytes | None  # the bytes of one value in an Arrow buffer


def mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


def row_hash(cells: list[int], salt: int) -> int:
    h = mix((salt + GAMMA) & WORD)
    for cell in cells:
        h = mix(h ^ cell)
    return h


def partition(h: int, partitions: int) -> int:
    return h * partitions >> 64


def cell(type_: str, value: Value) -> int:
    """The cell of a value, None for null."""
    name, argument = re.fullmatch(r"(\w+?)(?:[(\[](-?\w+)[)\]])?", type_).groups()
    if value is None or name == "null":
        return NULL
    if name in ("binary", "fixed_size_binary"):
        return xxh64(value)
    if name in FLOAT_CODES:
        return float_cell(struct.unpack(FLOAT_CODES[name], value)[0])
    number = int.from_bytes(value, "little", signed=not name.startswith("uint"))
    if name in DECIMAL_BYTES:
        return decimal_cell(number, int(argument))
    if name in DATE_NANOS:
        return number * DATE_NANOS[name] & WORD
    if argument is not None:
        return number * UNIT_NANOS[argument] & WORD
    return number & WORD if number < 2**63 else mix(number ^ UNSIGNED)


def float_cell(value: float) -> int:
    if math.isnan(value):
        return NAN
    return int.from_bytes(struct.pack("<d", abs(value) if value == 0 else value), "little")


def decimal_cell(unscaled: int, scale: int) -> int:
    if unscaled == 0:
        scale = 0
    while unscaled and unscaled % 10 == 0:
        unscaled //= 10
        scale -= 1
    words = next(n for n in range(1, 5) if -(2 ** (64 * n - 1)) <= unscaled < 2 ** (64 * n - 1))
    c = mix((DECIMAL + scale) & WORD)
    for i in range(words):
        c = mix(c ^ (unscaled >> 64 * i & WORD))
    return c


P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def rotate(word: int, bits: int) -> int:
    word &= WORD
    return (word << bits | word >> (64 - bits)) & WORD


def xxh_round(lane: int, word: int) -> int:
    return rotate(lane + word * P2, 31) * P1 & WORD


def xxh64(data: bytes) -> int:
    """XXH64 with seed 0, after its specification."""
    rest = len(data)
    if rest >= 32:
        lanes = [P1 + P2 & WORD, P2, 0, -P1 & WORD]
        whole = rest // 32 * 32
        for words in struct.iter_unpack("<4Q", data[:whole]):
            lanes = [xxh_round(lane, word) for lane, word in zip(lanes, words)]
        h = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & WORD
        for lane in lanes:
            h = ((h ^ xxh_round(0, lane)) * P1 + P4) & WORD
        tail = data[whole:]
    else:
        h, tail = P5, data
    h = h + rest & WORD
    while len(tail) >= 8:
        h = (rotate(h ^ xxh_round(0, int.from_bytes(tail[:8], "little")), 27) * P1 + P4) & WORD
        tail = tail[8:]
    if len(tail) >= 4:
        h = (rotate(h ^ (int.from_bytes(tail[:4], "little") * P1 & WORD), 23) * P2 + P3) & WORD
        tail = tail[4:]
    for byte in tail:
        h = rotate(h ^ (byte * P5 & WORD), 11) * P1 & WORD
    h = (h ^ h >> 33) * P2 & WORD
    h = (h ^ h >> 29) * P3 & WORD
    return h ^ h >> 32


def whole(width: int, *numbers: int) -> list[Value]:
    """Null, and numbers as little-endian two's complement."""
    return [None, *((n % 2 ** (8 * width)).to_bytes(width, "little") for n in numbers)]


def one_column() -> Iterator[tuple[str, list[Value]]]:
    """Types and the values to hash of each."""
    yield "null", [None]
    yield "bool", whole(1, 0, 1)
    for bits in (8, 16, 32, 64):
        top = 2 ** (bits - 1)
        yield f"int{bits}", whole(bits // 8, 0, 1, -1, 42, -42, top - 1, -top)
        yield f"uint{bits}", whole(bits // 8, 0, 1, 42, top - 1, top, 2 * top - 42, 2 * top - 1)
    yield "float16", whole(2, 0, 0x8000, 0x3C00, 0x3E00, 0xBE00, 0x0001, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0xFD55)
    yield "float32", whole(4, 0, 2**31, 0x3FC00000, 0xBFC00000, 1, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001)
    nans = (0x7FF8000000000000, 0xFFF8000000000001, 0x7FF0000000000001)
    yield "float64", whole(8, 0, 2**63, 0x3FF8000000000000, 0xBFF8000000000000, 1, 0x7FF0000000000000, *nans)
    yield from decimals()
    yield from times()
    texts = [b"", b"a", b"abc", "é".encode(), b"null", b"\0", b"\0\0", b"a\0", b"headrace", b"prefix, twelve"]
    yield "binary", [None, *texts, *(bytes(i * 7 % 256 for i in range(n)) for n in (12, 13, 31, 32, 33, 64, 79, 1_000))]
    yield "fixed_size_binary(3)", [None, bytes(3), b"abc", b"\xff\xff\xff"]
    yield "fixed_size_binary(0)", [b""]


def decimals() -> Iterator[tuple[str, list[Value]]]:
    for name, width in DECIMAL_BYTES.items():
        top = 2 ** (8 * width - 1)
        for scale in (2, 1, 0, -1, -3):
            yield f"{name}({scale})", whole(width, 0, 15, 150, -150, 1_000_000, 7, -1, top - 1, -top)
    for name, width in (("decimal128", 16), ("decimal256", 32)):
        tens = [10**p for p in range(17, 39, 3)]
        edges = [2**63, 2**63 - 1, -(2**63), -(2**63) - 1, 2**64, 2**64 * 10, -(2**64) * 1_000]
        yield f"{name}(9)", whole(width, *tens, *(-t for t in tens), *edges, 3 * 10**37 + 10)
    big = [sign * 2**power for power in (127, 128, 191, 192, 200, 201) for sign in (1, -1)]
    yield "decimal256(0)", whole(32, *big, 10**76, -(10**75), 12 * 10**74 + 1, 5**107, 10**75 - 10**40)


def times() -> Iterator[tuple[str, list[Value]]]:
    yield "date32", whole(4, 0, 1, -1, 19_000, 10**6, -(2**31), 2**31 - 1)
    yield "date64", whole(8, 0, 86_400_000, -86_400_000, 19_000 * 86_400_000, 2**63 - 1)
    for width, units in ((4, ("s", "ms")), (8, ("us", "ns"))):
        for unit in units:
            yield f"time{8 * width}[{unit}]", whole(width, 0, 1, 3_600 * 10**9 // UNIT_NANOS[unit] % 2**31)
    for name in ("timestamp", "duration"):
        for unit, nanos in UNIT_NANOS.items():
            counts = (0, 1, -1, 19_000 * 86_400 * 10**9 // nanos, 2**63 - 1, -(2**63), 10**18)
            yield f"{name}[{unit}]", whole(8, *counts)


def several_columns() -> Iterator[tuple[list[str], list[Value]]]:
    texts = [None, b"", b"a", b"ab", b"abc", b"bc", b"c"]
    for a in texts:
        for b in texts:
            yield ["binary", "binary"], [a, b]
    one = [whole(8, 1)[1], bytes(8), None]
    for a in one:
        for b in one:
            yield ["int64", "float64"], [a, b]
    tail = [b"x", b"\1", b"\0\0\xc0\x3f", (10).to_bytes(16, "little"), bytes(8), b"p"]
    types = ["binary", "bool", "float32", "decimal128(2)", "timestamp[s]", "binary"]
    yield types, tail
    yield types[::-1], tail[::-1]
    yield types, [None] * 6


def lines() -> Iterator[str]:
    yield "# Known answers of the key hash, made by tests/golden/hash_vectors.py from docs/hash.md. Do not edit."
    yield "# salt\ttypes\tvalues\thash\tpartition"
    for salt in (0, 1, 0x5EEDED5A17ED5EED):
        for type_, values in one_column():
            for value in values:
                yield line(salt, [type_], [value])
        for types, values in several_columns():
            yield line(salt, types, values)


def line(salt: int, types: list[str], values: list[Value]) -> str:
    h = row_hash([cell(type_, value) for type_, value in zip(types, values)], salt)
    shown = ";".join("null" if value is None else value.hex() for value in values)
    return f"{salt:016x}\t{';'.join(types)}\t{shown}\t{h:016x}\t{partition(h, PARTITIONS)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help=f"compare with {TABLE.name}")
    assert xxh64(b"") == 0xEF46DB3751D8E999 and xxh64(b"abc") == 0x44BC2CF5AD770999
    assert mix(GAMMA) == 0xE220A8397B1DCDAF
    text = "".join(f"{each}\n" for each in lines())
    if not parser.parse_args().check:
        sys.stdout.write(text)
        return 0
    same = TABLE.read_text(encoding="ascii") == text
    print(f"{TABLE} {'agrees' if same else 'differs from what docs/hash.md says'}", file=sys.stderr)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
