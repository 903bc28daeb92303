"""Replies of ranks, byte by byte, and the errors in them."""

from __future__ import annotations

import pickle
import struct

import pytest

from headrace import errors, replies
from headrace.errors import ACTIONS, CATEGORIES, Action, Category, HeadraceError, Internal, PeerLost


def test_should_read_payloads() -> None:
    assert bytes(replies.payload(b"\0abc")) == b"abc"
    assert replies.inserted(memoryview(struct.pack("<Bqq", 1, 1 << 40, 7))) == replies.Inserted(True, 1 << 40, 7)
    assert replies.number(memoryview(struct.pack("<q", -5))) == -5
    assert replies.partitions(memoryview(struct.pack("<3i", 2, 9, 4))) == [9, 4]
    page = replies.page(memoryview(b"\1xyz"))
    assert (bytes(page.body), page.last) == (b"xyz", True)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("action", ACTIONS)
def test_should_raise_the_error_of_the_category(category: Category, action: Action) -> None:
    reply = struct.pack("<BBBi", 1, CATEGORIES.index(category), ACTIONS.index(action), 3) + "too groß".encode()
    with pytest.raises(HeadraceError) as raised:
        replies.payload(reply)
    error = raised.value
    assert (error.category, error.action, error.rank, error.message) == (category, action, 3, "too groß")
    assert type(error).__name__ == "".join(word.title() for word in category.value.split("_"))
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (type(again), again.action, again.rank, again.message) == (type(error), action, 3, "too groß")


def test_should_leave_the_rank_open_where_there_is_none() -> None:
    with pytest.raises(PeerLost) as raised:
        replies.payload(struct.pack("<BBBi", 1, 3, 2, -1) + b"gone")
    assert raised.value.rank is None


@pytest.mark.parametrize("reply", [b"", b"\2", b"\1\0", b"\1\x63\0\0\0\0\0what", b"\1\0\x63\0\0\0\0what"])
def test_should_not_trust_a_reply(reply: bytes) -> None:
    with pytest.raises(Internal):
        replies.payload(reply)


@pytest.mark.parametrize(
    ("read", "body"),
    [
        (replies.inserted, b"\1"),
        (replies.number, b"1234567"),
        (replies.partitions, b""),
        (replies.partitions, struct.pack("<2i", 2, 1)),
        (replies.partitions, struct.pack("<2i", -1, 1)),
        (replies.page, b""),
    ],
)
def test_should_not_trust_a_payload(read: object, body: bytes) -> None:
    with pytest.raises(Internal):
        read(memoryview(body))  # type: ignore[operator]


def test_should_have_a_class_for_every_category() -> None:
    for category in Category:
        assert errors.error_of(category, "m").category is category
