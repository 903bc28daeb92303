"""The shared hash cases as datasets through keyed repartition, judged by the cases' own checker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
import ray.data

from raydata import as_arrow, local_ray, on_ranks
from sharedcases import case_names

pytestmark = pytest.mark.cluster

# What a dataset can't hold or be asked for, and why.
NOT_FOR_DATASETS = {
    "key_missing": "Ray Data refuses it before anything runs",
    "key_none": "Ray Data refuses it before anything runs",
    "zero_partitions": "Ray Data refuses it before anything runs",
    "shape_no_batches": "a dataset without blocks has no schema",
    "shape_duplicate_names": "Ray Data names columns by name",
    **dict.fromkeys(
        ("payload_views", "payload_list_views", "payload_run_end_encoded", "payload_all_null", "key_string_view"),
        "Ray's serializer of tables refuses views and runs",
    ),
    "buffers_no_offsets_buffer": "Ray's serializer of tables reads an offset that is not there",
    "shape_many_partitions": "a task for each of 4,096 blocks takes minutes",
}


def is_wanted(case: Any) -> bool:
    return case.kind == "hash" and case.name not in NOT_FOR_DATASETS


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    with local_ray():
        yield


@pytest.mark.parametrize("name", case_names("small", is_wanted))
def test_should_pass_the_cases_as_datasets(name: str) -> None:
    from cases import CASES as REGISTRY
    from check import run_case

    def shuffle(case: Any) -> dict[int, pa.Table]:
        def program() -> ray.data.Dataset:
            return ray.data.from_arrow(case.batches).repartition(case.num_partitions, keys=list(case.keys))

        return dict(enumerate(map(as_arrow, on_ranks(program))))

    run_case(shuffle, REGISTRY.get(name))
