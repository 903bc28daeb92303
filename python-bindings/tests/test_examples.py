"""The Python examples as a user starts them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "python"


def run(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / program), *arguments],
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, "RAY_ADDRESS": "local"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.cluster
def test_should_shuffle_parquet_files(tmp_path: Path) -> None:
    for number in range(2):
        pq.write_table(
            pa.table({"k": [row % 7 for row in range(1000)], "file": [number] * 1000}), tmp_path / f"{number}"
        )
    said = run("shuffle_parquet.py", str(tmp_path / "out"), "k", str(tmp_path / "0"), str(tmp_path / "1"))
    assert said.startswith("2000 rows")
    parts = [pq.read_table(path) for path in sorted((tmp_path / "out").iterdir())]
    assert len(parts) == 8
    assert sum(part.num_rows for part in parts) == 2000
    assert sum(len(set(part["k"].to_pylist())) for part in parts) == 7


@pytest.mark.cluster
def test_should_join_group_and_sort_with_ray_data() -> None:
    rows = [line.split() for line in run("ray_data_join.py").splitlines() if line[:1].isdigit()]
    sums = {customer: sum(price for price in range(5000) if price % 10 == customer) for customer in range(10)}
    assert rows == [[str(customer), str(sums[customer])] for customer in sorted(sums, key=lambda each: -sums[each])]
