"""The shared shuffle cases through Python, Ray, two Java ranks and UCX, judged by the cases' own checker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import headrace
from raycluster import small_ray
from sharedcases import case_names

pytestmark = pytest.mark.cluster
SMALL_LIMIT, SPILLING_LIMIT = "256MiB", "32MiB"


def run(session: headrace.Session, name: str) -> None:
    from cases import CASES as REGISTRY
    from check import run_case

    def shuffle(case: Any) -> dict[int, pa.Table]:
        schema = None if case.batches else case.schema
        with session.shuffle(
            kind=case.kind,
            keys=case.keys,
            num_partitions=case.num_partitions,
            descending=case.descending,
            nulls_first=case.nulls_first,
            boundaries=case.boundary_table,
            seed=case.seed if case.kind == "random" else None,
            schema=schema,
            timeout="15min" if case.weight == "huge" else "2min",
        ) as opened:
            for batch in case.batches:
                opened.insert(batch)
            opened.finish()
            return dict(opened)

    run_case(shuffle, REGISTRY.get(name))


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    with small_ray(cpus=2, object_store_bytes=800_000_000):
        yield


@pytest.fixture(scope="module")
def roomy(cluster: None) -> Iterator[headrace.Session]:
    with headrace.Session(ranks=2, memory_limit=SMALL_LIMIT) as session:
        yield session


@pytest.fixture(scope="module")
def tight(cluster: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[headrace.Session]:
    spill = tmp_path_factory.mktemp("spill")
    with headrace.Session(ranks=2, memory_limit=SPILLING_LIMIT, spill_directories=[spill]) as session:
        yield session
        assert session.statistics()["copy-host-to-disk"] > 0, "nothing was out of core"
    assert list(spill.iterdir()) == []


@pytest.mark.parametrize("name", case_names("small"))
def test_should_pass_the_small_cases(roomy: headrace.Session, name: str) -> None:
    run(roomy, name)


@pytest.mark.parametrize("name", case_names("heavy"))
def test_should_pass_the_heavy_cases_out_of_core(tight: headrace.Session, name: str) -> None:
    run(tight, name)


@pytest.mark.huge
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", case_names("huge"))
def test_should_do_a_huge_case_on_little_memory(tight: headrace.Session, name: str) -> None:
    run(tight, name)
