"""Blocks of every kind through ranks, and what users of Ray Data reported as broken: each with the right answer."""

from __future__ import annotations

import collections
import datetime
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import ray
import ray.data
from ray.data.aggregate import Count, Sum

from raydata import as_arrow, by_ray, compare, local_ray, on_ranks, rows_of, same_rows

pytestmark = pytest.mark.cluster
ROWS = 30


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    with local_ray():
        yield


def keyed(**columns: Any) -> pa.Table:
    """A table with a key and the given columns."""
    return pa.table({"k": [number % 4 for number in range(ROWS)], **columns})


def arrow(*tables: pa.Table) -> Callable[[], ray.data.Dataset]:
    return lambda: ray.data.from_arrow(list(tables))


def tensors(shape: tuple[int, ...]) -> ray.data.Dataset:
    return ray.data.from_numpy([np.arange(ROWS * int(np.prod(shape)), dtype=np.float32).reshape(ROWS, *shape)] * 2)


def with_key(dataset: ray.data.Dataset) -> ray.data.Dataset:
    return dataset.map_batches(lambda batch: {**batch, "k": np.arange(len(batch["data"])) % 4})


def ragged(batch: dict[str, Any]) -> dict[str, Any]:
    shapes = [np.full((number % 3 + 1, 2), float(number)) for number in batch["id"]]
    column = np.empty(len(shapes), dtype=object)
    column[:] = shapes
    return {"k": batch["id"] % 4, "data": column}


def objects(batch: dict[str, Any]) -> dict[str, Any]:
    column = np.empty(len(batch["id"]), dtype=object)
    column[:] = [{number} for number in batch["id"]]  # a set is nothing that Arrow knows
    return {"k": batch["id"] % 4, "data": column}


WORDS = [f"w{number % 5}" for number in range(ROWS)]
ZONED = pa.timestamp("us", "Europe/Berlin")
KINDS: dict[str, Callable[[], ray.data.Dataset]] = {
    "pandas": lambda: ray.data.from_pandas([pd.DataFrame({"k": [1, 2, 3], "x": ["a", None, "b"]})] * 3),
    "pandas-and-arrow": lambda: ray.data.from_pandas(pd.DataFrame({"k": [1, 2], "x": ["a", "b"]})).union(
        ray.data.from_arrow(pa.table({"k": [2, 3], "x": ["c", "d"]}))
    ),
    "tensors": lambda: with_key(tensors((2, 3))),
    "ragged-tensors": lambda: ray.data.range(40, override_num_blocks=4).map_batches(ragged),
    "objects": lambda: ray.data.range(40, override_num_blocks=4).map_batches(objects),
    "dictionaries": arrow(
        keyed(d=pa.array(WORDS).dictionary_encode()),
        keyed(d=pa.array([f"v{word}" for word in WORDS]).dictionary_encode()),
    ),
    "nested": arrow(
        keyed(
            n=pa.array(
                [[{"a": number, "b": [str(number)]}] * (number % 3) for number in range(ROWS)],
                pa.list_(pa.struct({"a": pa.int8(), "b": pa.list_(pa.string())})),
            ),
            m=pa.array([[("x", number)] for number in range(ROWS)], pa.map_(pa.string(), pa.int32())),
        )
    ),
    "time-zones": arrow(
        keyed(
            t=pa.array([datetime.datetime(1960 + n, 1, 1, tzinfo=datetime.timezone.utc) for n in range(ROWS)], ZONED),
            s=pa.array([None if n % 5 == 0 else n for n in range(ROWS)], pa.timestamp("s")),
        )
    ),
    "large-and-plain": arrow(keyed(s=pa.array(WORDS, pa.large_string())), keyed(s=pa.array(WORDS, pa.large_string()))),
    "decimals": arrow(keyed(d=pa.array(range(ROWS), pa.decimal128(9, 2)))),
    "empty-blocks": arrow(keyed(), keyed().slice(0, 0), keyed()),
    "only-empty-blocks": arrow(keyed().slice(0, 0), keyed().slice(0, 0)),
    "all-null": arrow(keyed(x=pa.nulls(ROWS, pa.int32()))),
}


@pytest.mark.parametrize("kind", KINDS)
def test_should_repartition_blocks_of_every_kind(kind: str) -> None:
    compare(lambda: KINDS[kind]().repartition(3, keys=["k"]))


@pytest.mark.parametrize("kind", KINDS)
def test_should_shuffle_blocks_of_every_kind_at_random(kind: str) -> None:
    ours = on_ranks(lambda: KINDS[kind]().random_shuffle(seed=1))
    same_rows(ours, by_ray(KINDS[kind]))


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"only-empty-blocks"}))
def test_should_sort_blocks_of_every_kind(kind: str) -> None:
    ours = on_ranks(lambda: KINDS[kind]().sort("k"))
    same_rows(ours, by_ray(KINDS[kind]))
    keys = [key for block in ours for key in as_arrow(block).column("k").to_pylist()]
    assert keys == sorted(keys)


# What differs from block to block


DRIFTS: dict[str, tuple[list[pa.Table], pa.DataType]] = {
    "int32 and int64": ([keyed(x=pa.array(range(ROWS), kind)) for kind in (pa.int32(), pa.int64())], pa.int64()),
    "int and float": ([keyed(x=pa.array(range(ROWS), kind)) for kind in (pa.int64(), pa.float64())], pa.float64()),
    "null and string": ([keyed(x=pa.nulls(ROWS)), keyed(x=pa.array(WORDS))], pa.string()),
    "missing": ([keyed(), keyed(x=pa.array(WORDS))], pa.string()),
    "decimals": (
        [
            keyed(x=pa.array(range(5), kind).take(pa.array([0] * ROWS)))
            for kind in (pa.decimal128(9, 2), pa.decimal128(5, 2))
        ],
        pa.decimal128(9, 2),
    ),
}


@pytest.mark.parametrize("drift", DRIFTS)
def test_should_unify_what_differs_from_block_to_block(drift: str) -> None:
    tables, kind = DRIFTS[drift]
    found = on_ranks(lambda: ray.data.from_arrow(tables).repartition(3, keys=["k"]))
    assert {block.schema.field("x").type for block in found} == {kind}
    assert sum(block.num_rows for block in found) == 2 * ROWS
    where = collections.defaultdict(set)
    for number, block in enumerate(found):
        for key in block.column("k").to_pylist():
            where[key].add(number)
    assert all(len(numbers) == 1 for numbers in where.values())


def test_should_take_columns_in_another_order() -> None:
    tables = [keyed(x=pa.array(WORDS)), keyed(x=pa.array(WORDS)).select(["x", "k"])]
    found = on_ranks(lambda: ray.data.from_arrow(tables).repartition(3, keys=["k"]))
    assert {tuple(block.schema.names) for block in found} == {("k", "x")}
    assert len(rows_of(found)) == 2 * ROWS


# What users reported


def test_should_group_by_null_keys() -> None:
    tables = [
        pa.table({"k": pa.array([1, None, 2], pa.int64()), "v": [1, 2, 3]}),
        pa.table({"k": pa.nulls(2), "v": [4, 5]}),
    ]
    found = on_ranks(lambda: ray.data.from_arrow(tables).groupby("k").sum("v"))
    assert {(row["k"], row["sum(v)"]) for row in rows_of(found)} == {(1, 1), (2, 3), (None, 11)}


def test_should_group_by_nan() -> None:
    other_nan = np.frombuffer(np.uint64(0xFFF8000000000001).tobytes(), np.float64)[0]
    keys = pa.array([float("nan"), 0.0, None, float(other_nan), -0.0, 1.5], from_pandas=False)
    found = on_ranks(lambda: ray.data.from_arrow([pa.table({"k": keys})] * 2).repartition(5, keys=["k"]))
    holders = [block.column("k").to_pylist() for block in found if block.num_rows]
    assert sum(map(len, holders)) == 12
    assert sum(any(key is not None and key != key for key in held) for held in holders) == 1
    assert sum(any(key == 0 for key in held) for held in holders) == 1


def test_should_repartition_an_empty_dataset() -> None:
    found = on_ranks(lambda: ray.data.from_arrow([]).repartition(3, keys=["k"]))
    assert sum(as_arrow(block).num_rows for block in found) == 0
    found = on_ranks(lambda: ray.data.range(3).repartition(7, keys=["id"]))
    assert len(found) == 7
    assert {block.schema for block in found} == {pa.schema({"id": pa.int64()})}


def test_should_keep_the_schema_of_empty_partitions_for_the_next_join() -> None:
    def program() -> ray.data.Dataset:
        left = ray.data.from_arrow(pa.table({"a": [1, 2], "x": ["p", "q"]}))
        middle = ray.data.from_arrow(pa.table({"a": [1, 2], "b": [5, 6]}))
        right = ray.data.from_arrow(pa.table({"b": [5], "y": [0.5]}))
        return left.join(middle, "left_outer", 4, on=("a",)).join(right, "left_outer", 4, on=("b",))

    compare(program)


def test_should_not_drop_rows_of_an_anti_join_with_nothing() -> None:
    left = pa.table({"a": [1, 2, 3]})
    right = pa.table({"a": pa.array([], pa.int64())})
    found = on_ranks(lambda: ray.data.from_arrow(left).join(ray.data.from_arrow(right), "left_anti", 2, on=("a",)))
    assert sorted(row["a"] for row in rows_of(found)) == [1, 2, 3]


def test_should_limit_after_map_groups() -> None:
    def double(group: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {"id": np.repeat(group["id"], 2)}

    def program() -> ray.data.Dataset:
        return ray.data.range(20).groupby("id").map_groups(double).limit(5)

    assert len(rows_of(on_ranks(program))) == 5


def test_should_run_a_map_before_a_shuffle() -> None:
    found = on_ranks(lambda: ray.data.range(50).map(lambda row: {"x": row["id"] + 1}).random_shuffle(seed=2))
    assert sorted(row["x"] for row in rows_of(found)) == list(range(1, 51))


def test_should_aggregate_a_single_key_and_a_single_block() -> None:
    table = pa.table({"k": [7] * 100_000, "v": range(100_000)})
    found = on_ranks(lambda: ray.data.from_arrow(table).groupby("k").aggregate(Sum("v"), Count()))
    assert rows_of(found) == [{"count()": 100_000, "k": 7, "sum(v)": 4_999_950_000}]


def test_should_keep_groups_of_two_columns_in_balance() -> None:
    def program() -> ray.data.Dataset:
        table = pa.table({"a": [n % 100 for n in range(20_000)], "b": [n % 7 for n in range(20_000)]})
        return ray.data.from_arrow(table).repartition(8, keys=["a", "b"])

    sizes = [block.num_rows for block in on_ranks(program)]
    assert max(sizes) < 2 * sum(sizes) / len(sizes)


def test_should_say_that_a_nested_column_is_no_key() -> None:
    nested = pa.table({"k": pa.array([[1], [2]], pa.list_(pa.int8()))})
    with pytest.raises(Exception, match=r'"k" of type list.* can\'t be a key'):
        on_ranks(lambda: ray.data.from_arrow(nested).repartition(2, keys=["k"]))


def test_should_pass_many_small_blocks() -> None:
    found = on_ranks(lambda: ray.data.range(3_000, override_num_blocks=1_000).repartition(50, keys=["id"]))
    assert len(found) == 50
    assert sum(block.num_rows for block in found) == 3_000
