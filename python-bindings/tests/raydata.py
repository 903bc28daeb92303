"""Ray Data programs run twice, on ranks and by Ray Data's own strategy, and what came out compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import ray
import ray.data

import headrace.ray_data

LIMIT = "64MiB"
Program = Callable[[], "ray.data.Dataset"]


@contextmanager
def local_ray(**options: Any) -> Iterator[None]:
    """A Ray of two CPUs of its own."""
    settings = {"num_cpus": 2, "object_store_memory": 500_000_000, "include_dashboard": False, **options}
    # With fewer, Ray ends workers between two operations and starts others, of which each takes seconds.
    ray.init(address="local", log_to_driver=False, _system_config={"num_workers_soft_limit": 16}, **settings)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.default_hash_shuffle_parallelism = 8
    try:
        yield
    finally:
        headrace.ray_data.release_ranks()
        ray.shutdown()


def blocks(dataset: ray.data.Dataset) -> list[Any]:
    """The blocks of a dataset, in their order."""
    bundles = dataset.materialize().iter_internal_ref_bundles()
    found: list[Any] = ray.get([ref for bundle in bundles for ref in bundle.block_refs])
    return found


def on_ranks(program: Program, **options: Any) -> list[Any]:
    """The blocks that the program comes to on ranks; fails if Ray Data planned it otherwise."""
    with headrace.ray_data.enabled(**{"memory_limit": LIMIT, **options}):
        dataset = program().materialize()
    assert "Headrace" in dataset.stats(), dataset.stats()
    return blocks(dataset)


def by_ray(program: Program) -> list[Any]:
    """The blocks that the program comes to by Ray Data itself."""
    return blocks(program())


def rows_of(found: list[Any]) -> list[dict[str, Any]]:
    """All rows, by a total order of their own."""
    rows = [row for block in found for row in as_arrow(block).to_pylist()]
    return sorted(rows, key=lambda row: [(name, order(row[name])) for name in sorted(row)])


def as_arrow(block: Any) -> pa.Table:
    """A block of either kind as a table."""
    return ray.data.block.BlockAccessor.for_block(block).to_arrow()


def order(value: Any) -> str:
    """Something that puts equal values, and almost equal floats, at the same place."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else f"{value:.6e}"
    return repr(value)


def same_rows(left: list[Any], right: list[Any]) -> None:
    """Fails unless both have the same rows, floats within rounding."""
    ours, rays = rows_of(left), rows_of(right)
    assert len(ours) == len(rays)
    for our, ray_s in zip(ours, rays, strict=True):
        assert list(our) == list(ray_s)
        for name in our:
            assert same(our[name], ray_s[name]), (name, our, ray_s)


def same(left: Any, right: Any) -> bool:
    """Equality of two cells, with NaN equal to itself."""
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(left) and math.isnan(right))
    return order(left) == order(right)


def same_schemas(left: list[Any], right: list[Any]) -> None:
    """Fails unless every block of both has the same schema, metadata apart."""
    schemas = [as_arrow(block).schema for block in [*left, *right]]
    for schema in schemas[1:]:
        assert schema.equals(schemas[0]), (schema, schemas[0])


def compare(program: Program, **options: Any) -> list[Any]:
    """Runs the program both ways; rows, schemas and the number of blocks have to be the same."""
    ours, rays = on_ranks(program, **options), by_ray(program)
    same_rows(ours, rays)
    same_schemas(ours, rays)
    assert len(ours) == len(rays)
    return ours
