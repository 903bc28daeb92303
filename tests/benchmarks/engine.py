"""The engine against the same shuffle in pyarrow and Polars, as a Markdown table.

python engine.py [--gib 1] [--pairs 15]: runs `headrace bench` and each other by turns, on as many rows of ten random
int64 columns, in batches of 65,536 rows, with two threads; gives the median of the ratios and their quartiles.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

COLUMNS, BATCH_ROWS, THREADS = 10, 65_536, 2
Batches = list[pa.RecordBatch]


def batches_of(rows: int) -> Batches:
    random = np.random.default_rng(1)
    names = [f"c{column}" for column in range(COLUMNS)]
    return [
        pa.record_batch([pa.array(random.integers(0, 1 << 62, BATCH_ROWS)) for _ in names], names=names)
        for _ in range(rows // BATCH_ROWS)
    ]


def by_pyarrow(batches: Batches, partitions: int) -> None:
    """Hash, stable sort of the numbers, take, and slices of the result."""

    def split(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        mixed = batch.column(0).to_numpy().view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        numbers = ((mixed >> np.uint64(40)) * np.uint64(partitions)) >> np.uint64(24)
        order = np.argsort(numbers, kind="stable")
        taken = pc.take(batch, pa.array(order))
        ends = np.cumsum(np.bincount(numbers.astype(np.int64), minlength=partitions))
        return [taken.slice(end - count, count) for end, count in zip(ends, np.diff(ends, prepend=0), strict=True)]

    with ThreadPoolExecutor(THREADS) as threads:
        for parts in threads.map(split, batches):
            assert len(parts) == partitions


def by_polars(batches: Batches, partitions: int) -> None:
    """`partition_by` on a hash of the key."""
    import polars

    frame = polars.from_arrow(pa.Table.from_batches(batches), rechunk=False)
    assert isinstance(frame, polars.DataFrame)
    numbered = frame.with_columns((polars.col("c0").hash() % partitions).alias("p"))
    assert len(numbered.partition_by("p", maintain_order=False)) <= partitions


def by_headrace(rows: int, partitions: int) -> tuple[float, float]:
    """Seconds of the median run, and the median share of the floor that copying sets."""
    per_rank = [f"--rows={rows // THREADS}", f"--output-partitions={partitions // THREADS}"]
    shape = ["--communicator=in-process", f"--ranks={THREADS}", f"--columns={COLUMNS}", "--type=int64"]
    command = [sys.executable, "-m", "headrace", "bench", *shape, *per_rank, "--runs=3", "--warmups=2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return statistics.median(found["elapsed_s"]), found["of_roofline"]


def seconds(work: Callable[[], None]) -> float:
    work()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gib", type=float, default=1)
    parser.add_argument("--pairs", type=int, default=15)
    parsed = parser.parse_args()
    os.environ["POLARS_MAX_THREADS"] = str(THREADS)
    rows = int(parsed.gib * (1 << 30) / 8 / COLUMNS)
    batches = batches_of(rows)
    others: dict[str, Callable[[Batches, int], None]] = {"pyarrow take": by_pyarrow, "Polars partition_by": by_polars}
    print(f"{parsed.gib:g} GiB of {COLUMNS} × int64, {THREADS} threads, {os.cpu_count()} cores\n")
    print("| partitions | Headrace s | of roofline | other | other s | other ÷ Headrace (quartiles) |")
    print("|---|---|---|---|---|---|")
    for partitions in (8, 64, 1000):
        for name, work in others.items():
            ours, roof, theirs = [], [], []
            for _ in range(parsed.pairs):
                elapsed, share = by_headrace(rows, partitions)
                ours.append(elapsed)
                roof.append(share)
                theirs.append(seconds(lambda work=work, partitions=partitions: work(batches, partitions)))
            ratios = [other / own for own, other in zip(ours, theirs, strict=True)]
            low, middle, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
            print(
                f"| {partitions} | {statistics.median(ours):.2f} | {statistics.median(roof):.2f} | {name} "
                f"| {statistics.median(theirs):.2f} | {middle:.1f} ({low:.1f}–{high:.1f}) |",
                flush=True,
            )


if __name__ == "__main__":
    main()
