"""Sort, random shuffle and repartition without keys on ranks, next to Ray Data's own."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import ray
import ray.data
from ray.data._internal.planner.exchange.sort_task_spec import SortKey

from headrace.ray_data.reduces import sorting_reduce
from raydata import as_arrow, by_ray, compare, local_ray, on_ranks, same_rows

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    with local_ray():
        yield


def sizes(found: list[Any]) -> list[int]:
    return [as_arrow(block).num_rows for block in found]


def in_order(found: list[Any]) -> list[dict[str, Any]]:
    return [row for block in found for row in as_arrow(block).to_pylist()]


def numbers(rows: int = 200, count: int = 10) -> ray.data.Dataset:
    return ray.data.range(rows, override_num_blocks=count)


def mixed(seed: int = 3, count: int = 6, rows: int = 50) -> ray.data.Dataset:
    """Keys that repeat, some null, in blocks of both signs."""
    drawn = np.random.default_rng(seed)
    tables = []
    for block in range(count):
        key = [None if drawn.random() < 0.1 else int(drawn.integers(-20, 20)) for _ in range(rows)]
        word = [None if drawn.random() < 0.1 else f"w{drawn.integers(0, 9)}" for _ in range(rows)]
        tables.append(pa.table({"k": key, "s": word, "n": range(block * rows, (block + 1) * rows)}))
    return ray.data.from_arrow(tables)


@pytest.mark.parametrize(
    ("rows", "count", "partitions"), [(20, 10, 20), (200, 10, 4), (101, 3, 7), (5, 1, 1), (0, 2, 3)]
)
def test_should_cut_blocks_as_ray_data_does(rows: int, count: int, partitions: int) -> None:
    def program() -> ray.data.Dataset:
        return ray.data.range(rows, override_num_blocks=count).repartition(partitions, shuffle=True)

    ours, rays = on_ranks(program), by_ray(program)
    assert sizes(ours) == sizes(rays)
    assert in_order(ours) == in_order(rays)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("keys", ["n", "k", ["s", "n"], ["k", "s", "n"]], ids=str)
def test_should_sort(keys: Any, descending: bool) -> None:
    def program() -> ray.data.Dataset:
        return mixed().random_shuffle(seed=1).sort(keys, descending=descending)

    found = on_ranks(program)
    names = [keys] if isinstance(keys, str) else keys
    table = pa.concat_tables(map(as_arrow, found))
    order = "descending" if descending else "ascending"
    wanted = pa.concat_tables(map(as_arrow, by_ray(mixed))).sort_by([(name, order) for name in names])
    assert table.select(names).equals(wanted.select(names))
    same_rows(found, by_ray(mixed))


def test_should_sort_each_key_its_own_way() -> None:
    def program() -> ray.data.Dataset:
        return mixed().sort(["s", "n"], descending=[True, False])

    wanted = pa.concat_tables(map(as_arrow, by_ray(mixed))).sort_by([("s", "descending"), ("n", "ascending")])
    assert in_order(on_ranks(program)) == wanted.to_pylist()


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("boundaries", [[50, 100], [50.5, 100], [199], [0]], ids=str)
def test_should_sort_into_given_ranges(boundaries: list[float], descending: bool) -> None:
    ours = compare(lambda: numbers().sort("id", descending=descending, boundaries=boundaries))
    rays = by_ray(lambda: numbers().sort("id", descending=descending, boundaries=boundaries))
    assert sizes(ours) == sizes(rays)
    assert in_order(ours) == in_order(rays)


def test_should_name_the_columns_when_the_key_is_none() -> None:
    with pytest.raises(Exception, match="there's no such column"):
        on_ranks(lambda: numbers().sort("missing"))


def test_should_shuffle_at_random_as_the_seed_says() -> None:
    once = in_order(on_ranks(lambda: numbers().random_shuffle(seed=5)))
    again = in_order(on_ranks(lambda: numbers().random_shuffle(seed=5)))
    other = in_order(on_ranks(lambda: numbers().random_shuffle(seed=6)))
    assert once == again
    assert once != other
    ids = [row["id"] for row in once]
    assert sorted(ids) == list(range(200))
    assert sum(left < right for left, right in itertools.pairwise(ids)) in range(60, 140)


def test_should_keep_the_number_of_blocks_of_a_random_shuffle() -> None:
    assert len(on_ranks(lambda: numbers().random_shuffle())) == 10
    assert len(on_ranks(lambda: numbers().map_batches(lambda batch: batch).random_shuffle())) == 10


def test_should_give_pandas_blocks_back_where_nothing_else_came_in() -> None:
    def program() -> ray.data.Dataset:
        frames = [pd.DataFrame({"a": range(n, n + 5), "b": [f"{n}"] * 5}) for n in range(3)]
        return ray.data.from_pandas(frames).repartition(2, shuffle=True)

    ours = compare(program)
    assert all(isinstance(block, pd.DataFrame) for block in ours)


def test_should_shuffle_rows_without_columns() -> None:
    def program() -> ray.data.Dataset:
        return numbers().select_columns([]).repartition(3, shuffle=True)

    assert sum(sizes(on_ranks(program))) == 200


def test_should_sort_strings_in_views() -> None:
    # Ray's own serializer of tables refuses views, so that none are in a dataset unless it was switched off.
    words = pa.array([f"word {number % 17}" for number in range(100)], pa.string_view())
    sort = sorting_reduce(SortKey("s"), ray.data.DataContext.get_current())
    (found,) = map(as_arrow, sort(0, [[pa.table({"s": words, "n": range(100)})]]))
    assert found.schema.field("s").type == pa.string_view()
    assert found.column("s").to_pylist() == sorted(words.to_pylist())
    assert [words[number].as_py() for number in found.column("n").to_pylist()] == found.column("s").to_pylist()
