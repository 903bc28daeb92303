"""The bytes that a rank answers with. All numbers are little-endian.

A reply is one status byte and a payload: 0 and what was asked for, or 1 and an error
(category u8, action u8, rank i32, message in UTF-8).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

from headrace.errors import ACTIONS, CATEGORIES, NO_RANK, Internal, error_of

_OK, _ERROR = 0, 1
_ERROR_HEAD = struct.Struct("<BBi")
_INSERTED = struct.Struct("<Bqq")
_LONG = struct.Struct("<q")
_INT = struct.Struct("<i")
_PAGE_HEAD = struct.Struct("<xB6xq")
_PAGE_HEAD_BYTES = 64


@dataclass(frozen=True)
class Inserted:
    """What a rank says to a batch: taken or not, how many bytes it can take next, and the batch's rows."""

    accepted: bool
    free_bytes: int
    rows: int


@dataclass(frozen=True)
class Page:
    """A byte range of a partition's Arrow IPC stream, and whether it is the last one."""

    body: memoryview
    last: bool


def payload(reply: bytes | memoryview) -> memoryview:
    """What was asked for; raises the error that the rank answered with."""
    view = memoryview(reply)
    if len(view) == 0 or view[0] not in (_OK, _ERROR):
        raise Internal(f"a rank answered with {bytes(view[:16])!r}, which is no reply")
    if view[0] == _OK:
        return view[1:]
    if len(view) < 1 + _ERROR_HEAD.size:
        raise Internal(f"a rank answered with an error of {len(view)} bytes, which is cut off")
    category, action, rank = _ERROR_HEAD.unpack_from(view, 1)
    message = bytes(view[1 + _ERROR_HEAD.size :]).decode(errors="replace")
    if category >= len(CATEGORIES) or action >= len(ACTIONS):
        raise Internal(f"a rank answered with category {category}, action {action}: {message}")
    raise error_of(CATEGORIES[category], message, action=ACTIONS[action], rank=None if rank == NO_RANK else rank)


def inserted(body: memoryview) -> Inserted:
    """The answer to insert."""
    accepted, free_bytes, rows = _unpacked(_INSERTED, body, "insert")
    return Inserted(accepted != 0, free_bytes, rows)


def number(body: memoryview) -> int:
    """An answer that is one number."""
    return int(_unpacked(_LONG, body, "a number")[0])


def numbers(body: memoryview) -> list[int]:
    """An answer that is any number of numbers."""
    if len(body) % _LONG.size != 0:
        raise Internal(f"a rank answered with {len(body)} bytes, which are no numbers of {_LONG.size} bytes")
    return [value for (value,) in _LONG.iter_unpack(body)]


def partitions(body: memoryview) -> list[int]:
    """The answer to completed: partition numbers in order of completion."""
    (count,) = _unpacked(_INT, body[: _INT.size], "completed")
    rest = body[_INT.size :]
    if count < 0 or len(rest) != count * _INT.size:
        raise Internal(f"a rank announced {count} partitions in {len(rest)} bytes")
    return [value for (value,) in _INT.iter_unpack(rest)]


def page(body: memoryview) -> Page:
    """The answer to fetch."""
    if len(body) == 0:
        raise Internal("a rank answered a fetch with nothing")
    return Page(body[1:], body[0] != 0)


def pages(fetch: Callable[[int], Page]) -> list[memoryview]:
    """The bytes of all pages of a partition; `fetch` gives the page of a number."""
    bodies: list[memoryview] = []
    last = False
    while not last:
        fetched = fetch(len(bodies))
        bodies.append(fetched.body)
        last = fetched.last
    return bodies


def page_in_place(reply: memoryview) -> Page:
    """The answer to page: behind a head, so that its bytes are aligned, and with something behind them."""
    payload(reply)
    if len(reply) < _PAGE_HEAD_BYTES:
        raise Internal(f"a rank answered a page with {len(reply)} bytes")
    last, length = _PAGE_HEAD.unpack_from(reply)
    if not 0 <= length <= len(reply) - _PAGE_HEAD_BYTES:
        raise Internal(f"a rank announced {length} bytes in a page of {len(reply)}")
    return Page(reply[_PAGE_HEAD_BYTES : _PAGE_HEAD_BYTES + length], last != 0)


def _unpacked(layout: struct.Struct, body: memoryview, what: str) -> tuple[int, ...]:
    if len(body) != layout.size:
        raise Internal(f"a rank answered {what} with {len(body)} bytes instead of {layout.size}")
    return layout.unpack(body)
