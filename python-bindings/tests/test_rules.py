"""The rule of a shuffle: what belongs to which kind, and how much is drawn where boundaries are missing."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from headrace.backlog import sample_rows
from headrace.errors import InvalidInput
from headrace.rules import Rule, rule_of


def test_should_code_the_order_of_each_key() -> None:
    assert rule_of("range", ["a", "b"], 3).order == b"\0\0"
    assert rule_of("range", ["a", "b"], 3, descending=True, nulls_first=(False, True)).order == b"\1\3"
    assert rule_of("range", ["a", "b"], 3, descending=()).order == b"\0\0"


def test_should_take_the_key_columns_of_boundaries_by_name() -> None:
    table = pa.table({"x": [1, 2], "b": [3, 4], "a": ["p", "q"]})
    rule = rule_of("range", ["a", "b"], 3, boundaries=table)
    assert pa.ipc.open_stream(rule.boundaries).read_all() == table.select(["a", "b"])
    assert not rule.lacks_boundaries
    assert rule_of("range", ["a"], 3).lacks_boundaries
    assert not rule_of("range", ["a"], 1, boundaries=table.slice(0, 0)).lacks_boundaries


def test_should_take_seeds_of_64_bits_and_draw_one_where_none_is_given() -> None:
    assert rule_of("random", [], 2, seed=2**64 - 1) == Rule("random", (), seed=-1)
    assert rule_of("random", [], 2, seed=-(2**63)).seed == -(2**63)
    assert rule_of("random", [], 2).seed != rule_of("random", [], 2).seed


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"kind": "sort"}, "kind is 'sort'"),
        ({"keys": []}, "at least one key column"),
        ({"keys": "k"}, "keys is 'k'"),
        ({"descending": [True, True]}, "descending is"),
        ({"nulls_first": ["yes"]}, "nulls_first is"),
        ({"boundaries": pa.table({"k": [1]})}, "1 rows for 3 partitions, which take 2"),
        ({"boundaries": pa.table({"q": [1, 2]})}, "no column 'k'"),
        ({"boundaries": [1, 2]}, "boundaries is a pyarrow.Table or RecordBatch, not list"),
        ({"seed": 1}, "only a random shuffle"),
        ({"kind": "random", "keys": [], "seed": True}, "seed is True"),
        ({"kind": "random"}, "takes no key columns"),
        ({"kind": "hash", "nulls_first": True}, "for kind 'range'"),
    ],
)
def test_should_refuse_what_does_not_belong_together(wrong: dict[str, Any], words: str) -> None:
    asked: dict[str, Any] = {"kind": "range", "keys": ["k"], "partitions": 3, **wrong}
    with pytest.raises(InvalidInput, match=words):
        rule_of(**asked)


def test_should_draw_from_batches_by_their_size() -> None:
    assert sample_rows(4, 50, 100) == 512
    assert sample_rows(1000, 1, 10_000) == 7
    assert sample_rows(1000, 0, 10_000) == 1
    assert sample_rows(10**6, 1, 1) == 1 << 20
