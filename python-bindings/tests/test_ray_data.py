"""What Ray Data's operations come to on ranks, next to what Ray Data itself makes of them."""

from __future__ import annotations

import collections
import random
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pytest
import ray
import ray.data
from ray.data.aggregate import AbsMax, Count, CountDistinct, Max, Mean, Min, Quantile, Std, Sum, Unique

import headrace.ray_data
from headrace import InvalidInput
from raydata import as_arrow, blocks, by_ray, compare, local_ray, on_ranks, rows_of, same_rows

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    with local_ray():
        yield


def table(seed: int, rows: int, start: int = 0) -> pa.Table:
    """Rows of every plain kind, some of them null."""
    drawn = random.Random(seed)
    numpy = np.random.default_rng(seed)

    def some(values: list[Any]) -> list[Any]:
        return [None if drawn.random() < 0.1 else value for value in values]

    return pa.table(
        {
            "id": pa.array(range(start, start + rows), pa.int64()),
            "k": pa.array(some([drawn.randrange(7) for _ in range(rows)]), pa.int32()),
            "s": pa.array(some([f"key {drawn.randrange(5)}" for _ in range(rows)])),
            "f": pa.array(numpy.normal(size=rows)),
            "d": pa.array(some([drawn.randrange(10**6) for _ in range(rows)]), pa.decimal128(12, 2)),
            "t": pa.array([1_000_000 * drawn.randrange(-100, 100) for _ in range(rows)], pa.timestamp("us", "UTC")),
            "list": pa.array([[drawn.randrange(3)] * drawn.randrange(3) for _ in range(rows)], pa.list_(pa.int16())),
            "struct": pa.array([{"a": drawn.randrange(3), "b": "x"} for _ in range(rows)]),
        }
    )


def dataset(seed: int = 1, count: int = 5, rows: int = 40) -> ray.data.Dataset:
    return ray.data.from_arrow([table(seed + n, rows, n * rows) for n in range(count)])


@pytest.mark.parametrize("keys", [["id"], ["k"], ["k", "s"], ["d"], ["t", "f"]], ids="-".join)
@pytest.mark.parametrize("partitions", [1, 3, 16])
def test_should_repartition_by_keys(keys: list[str], partitions: int) -> None:
    found = compare(lambda: dataset().repartition(partitions, keys=keys))
    where = collections.defaultdict(set)
    for number, block in enumerate(found):
        for row in block.select(keys).to_pylist():
            where[repr(row)].add(number)
    assert all(len(numbers) == 1 for numbers in where.values())
    assert len(found) == partitions


def test_should_sort_inside_the_blocks_of_a_repartition() -> None:
    found = compare(lambda: dataset().repartition(4, keys=["k"], sort=True))
    for block in found:
        assert block.equals(block.sort_by([("k", "ascending")]))


AGGREGATES = [
    [Count(), Sum("id"), Min("f"), Max("f"), Mean("f")],
    [Std("f"), AbsMax("f"), Count("k", alias_name="count")],
    [Unique("s"), CountDistinct("k")],
    [Quantile("f", q=0.25), Sum("id"), Unique("id")],
    [Sum("d"), Min("t"), Max("t")],
]


@pytest.mark.parametrize("aggregates", AGGREGATES, ids=lambda each: "-".join(one.name for one in each))
@pytest.mark.parametrize("keys", ["k", ["k", "s"]], ids=str)
def test_should_aggregate(keys: Any, aggregates: list[Any]) -> None:
    def program() -> ray.data.Dataset:
        return dataset().groupby(keys).aggregate(*aggregates)

    ours, rays = on_ranks(program), by_ray(program)
    for found in (ours, rays):  # the order of a set's members is nobody's promise
        for number, block in enumerate(found):
            frame = as_arrow(block).to_pylist()
            rows = [{n: sorted(v, key=repr) if isinstance(v, list) else v for n, v in row.items()} for row in frame]
            found[number] = pa.Table.from_pylist(rows, schema=as_arrow(block).schema)
    same_rows(ours, rays)
    assert all(block.num_rows > 0 for block in ours)
    assert {block.schema for block in ours} == {block.schema for block in rays}


def largest(group: pd.DataFrame) -> pd.DataFrame:
    return group.nlargest(1, "id")[["k", "id"]]


@pytest.mark.parametrize("partitions", [None, 3])
def test_should_map_groups(partitions: int | None) -> None:
    def program() -> ray.data.Dataset:
        chosen = dataset().drop_columns(["list", "struct", "d", "t"])
        return chosen.groupby("k", num_partitions=partitions).map_groups(largest, batch_format="pandas")

    ours, rays = on_ranks(program), by_ray(program)
    same_rows(ours, rays)


JOINS = [
    "inner",
    "left_outer",
    "right_outer",
    "full_outer",
    "left_semi",
    "right_semi",
    "left_anti",
    "right_anti",
]


@pytest.mark.parametrize("kind", JOINS)
def test_should_join(kind: str) -> None:
    def program() -> ray.data.Dataset:
        left = ray.data.from_arrow([table(n, 20, n * 20).select(["id", "s", "list"]) for n in range(3)])
        right = ray.data.from_arrow([pa.table({"id": range(30, 90), "right": range(60)})])
        return left.join(right, kind, 5, on=("id",))

    compare(program)


def test_should_join_with_an_empty_side() -> None:
    def program() -> ray.data.Dataset:
        left = ray.data.range(20)
        return left.join(ray.data.range(10).filter(lambda row: row["id"] > 100), "left_outer", 3, on=("id",))

    # Ray Data 2.60 itself fails with ColumnNotFoundError where no block of a side has a row or columns.
    assert sorted(row["id"] for row in rows_of(on_ranks(program))) == list(range(20))


def test_should_chain_shuffles() -> None:
    def program() -> ray.data.Dataset:
        joined = (
            dataset().repartition(3, keys=["k"]).join(dataset().groupby("k").aggregate(Count()), "inner", 4, on=("k",))
        )
        return joined.groupby("s").sum("count()")

    same_rows(on_ranks(program), by_ray(program))


def test_should_leave_what_it_does_not_take_to_ray_data(caplog: pytest.LogCaptureFixture) -> None:
    with headrace.ray_data.enabled(memory_limit="64MiB"):
        assert dataset().unique("k") is not None
        assert dataset().sum("id") == sum(range(200))
        assert dataset().repartition(3).materialize().num_blocks() == 3


def test_should_count_limit_take_and_iterate() -> None:
    with headrace.ray_data.enabled(memory_limit="64MiB"):
        shuffled = dataset().repartition(4, keys=["k"])
        assert shuffled.count() == 200
        assert len(shuffled.limit(7).take_all()) == 7
        assert sorted(row["id"] for row in shuffled.iter_rows()) == list(range(200))
        batches = shuffled.iter_batches(batch_size=32, batch_format="pyarrow")
        assert sum(batch.num_rows for batch in batches) == 200
        assert shuffled.schema().names == dataset().schema().names


def test_should_split_a_stream() -> None:
    with headrace.ray_data.enabled(memory_limit="64MiB"):
        splits = dataset().repartition(4, keys=["k"]).streaming_split(2, equal=False)
    found = ray.get([ray.remote(ids).options(num_cpus=0).remote(split) for split in splits])
    assert sorted(found[0] + found[1]) == list(range(200))


def ids(split: Any) -> list[int]:
    return [row["id"] for row in split.iter_rows()]


def test_should_say_which_option_there_is_not() -> None:
    with pytest.raises(InvalidInput, match="no option 'rank': there are ranks, memory_limit"):
        headrace.ray_data.enable(rank=3)


def fail(_: Any) -> Any:
    raise ValueError("broken on purpose")


def test_should_leave_no_shuffle_when_a_function_fails() -> None:
    with headrace.ray_data.enabled(memory_limit="64MiB"):
        with pytest.raises(Exception, match="broken on purpose"):
            dataset().map_batches(fail).repartition(3, keys=["k"]).materialize()
        with pytest.raises(Exception, match="broken on purpose"):
            dataset().repartition(3, keys=["k"]).map_batches(fail).materialize()
        assert dataset().repartition(3, keys=["k"]).count() == 200


def test_should_give_the_ranks_back() -> None:
    headrace.ray_data.release_ranks()  # those of other tests
    with headrace.ray_data.enabled(memory_limit="32MiB", idle_timeout="100ms"):
        assert dataset().repartition(3, keys=["k"]).count() == 200
        assert len(blocks(dataset().repartition(3, keys=["k"]))) == 3
    deadline = time.monotonic() + 30
    while (left := java_processes()) and time.monotonic() < deadline:
        threading.Event().wait(0.1)
    assert left == []


def java_processes() -> list[int]:
    children = psutil.Process().children(recursive=True)
    return [child.pid for child in children if is_java(child)]


def is_java(process: psutil.Process) -> bool:
    try:
        return bool(process.name() == "java" and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
