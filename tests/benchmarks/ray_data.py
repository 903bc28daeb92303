"""Ray Data's shuffles on ranks against Ray Data's own strategies: same cluster, same data, runs alternating.

    python tests/benchmarks/ray_data.py --gib 2 --scale-factor 1 --runs 5 [--only repartition ...]

Input lies in the object store before the clock starts, output is materialised when it stops. The first run of each
strategy, on workers and ranks that are not there yet, stands beside the median of the others. Peak memory is what the
object store holds and the proportional set size of all of Ray's processes, sampled.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import ray
import ray.data
from ray.data.aggregate import Count, Mean, Sum
from ray.data.context import DataContext, ShuffleStrategy

import headrace.ray_data

HEADRACE = "headrace"
STRATEGIES: dict[str, tuple[ShuffleStrategy, bool]] = {
    HEADRACE: (ShuffleStrategy.SHUFFLE_V2, False),
    "shuffle_v2": (ShuffleStrategy.SHUFFLE_V2, False),
    "shuffle_v2_disk": (ShuffleStrategy.SHUFFLE_V2, True),
    "hash_shuffle": (ShuffleStrategy.HASH_SHUFFLE, False),
}
SAMPLE_SECONDS = 0.25

Run = Callable[[], "ray.data.Dataset"]


@dataclass
class Workload:
    """What is run, and against which strategies: sort and random shuffle know no hash."""

    name: str
    make: Callable[[], dict[str, ray.data.Dataset]]
    run: Callable[[dict[str, ray.data.Dataset]], ray.data.Dataset]
    at_least: float


@dataclass
class Series:
    """The runs of one strategy."""

    seconds: list[float] = field(default_factory=list)
    peak_bytes: list[int] = field(default_factory=list)
    failure: str | None = None

    def summary(self) -> dict[str, Any]:
        """First run, median of the others, peak memory of the others; or why there is none."""
        if self.failure is not None or len(self.seconds) < 2:
            return {"failure": self.failure or "too few runs"}
        return {
            "first": round(self.seconds[0], 2),
            "median": round(statistics.median(self.seconds[1:]), 2),
            "runs": [round(second, 2) for second in self.seconds[1:]],
            "peak_gib": round(max(self.peak_bytes[1:]) / 2**30, 2),
        }


def integers(gib: float, blocks: int) -> ray.data.Dataset:
    """Ten columns of int64, of which the first is a key."""
    rows = int(gib * 2**30 / 80 / blocks)
    make = ray.remote(num_cpus=1)(integer_block)
    return materialised(ray.data.from_arrow_refs([make.remote(number, rows) for number in range(blocks)]))


def integer_block(seed: int, rows: int) -> pa.Table:
    """One block of such columns."""
    drawn = np.random.default_rng(seed)
    return pa.table({f"c{column}": drawn.integers(0, 2**62, rows) for column in range(10)})


def tpch(scale_factor: float, table: str, folder: Path) -> ray.data.Dataset:
    """A table of TPC-H, its strings as `string`."""
    path = folder / f"{scale_factor:g}" / f"{table}.parquet"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        command = ["tpchgen-cli", "-s", f"{scale_factor:g}", "--tables", table, "--format", "parquet"]
        subprocess.run([*command, "--output-dir", str(path.parent)], check=True)
    file = pq.ParquetFile(path)
    tables = (plain(file.read_row_groups([group])) for group in range(file.num_row_groups))
    return materialised(ray.data.from_arrow_refs([ray.put(each) for each in tables]))


def plain(table: pa.Table) -> pa.Table:
    """The table with strings that every strategy takes."""
    views = (pa.string_view(), pa.large_string())
    fields = [pa.field(each.name, pa.string()) if each.type in views else each for each in table.schema]
    return table.cast(pa.schema(fields)).combine_chunks()


def materialised(dataset: ray.data.Dataset) -> ray.data.Dataset:
    """The dataset with its blocks in the object store."""
    return dataset.materialize()


def group_means(group: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What a user's function may do with a group."""
    return {"l_suppkey": group["l_suppkey"][:1], "mean": np.array([group["l_quantity"].astype(float).mean()])}


def workloads(gib: float, scale_factor: float, folder: Path) -> Iterator[Workload]:
    """The table of what is measured, with the least factor against the best of Ray's strategies."""
    for blocks, partitions in ((16, 8), (64, 64)):
        yield Workload(
            f"repartition-{gib:g}GiB-{blocks}-{partitions}",
            lambda blocks=blocks: {"in": integers(gib, blocks)},
            lambda data, partitions=partitions: data["in"].repartition(partitions, keys=["c0"]),
            2.5,
        )
    lineitem = {"in": lambda: tpch(scale_factor, "lineitem", folder)}
    for name, run, at_least in (
        ("repartition-lineitem", lambda data: data["in"].repartition(16, keys=["l_orderkey"]), 2.0),
        ("groupby-lineitem", group_by_order, 1.5),
        ("map_groups-lineitem", lambda data: data["in"].groupby("l_suppkey", 16).map_groups(group_means), 1.1),
        ("sort-lineitem", lambda data: data["in"].sort(["l_shipdate", "l_orderkey"]), 2.0),
        ("random_shuffle-lineitem", lambda data: data["in"].random_shuffle(seed=1), 2.0),
    ):
        yield Workload(name, lambda: {key: make() for key, make in lineitem.items()}, run, at_least)
    yield Workload(
        "join-orders-lineitem",
        lambda: {
            "in": tpch(scale_factor, "lineitem", folder),
            "orders": tpch(scale_factor, "orders", folder).rename_columns({"o_orderkey": "l_orderkey"}).materialize(),
        },
        lambda data: data["orders"].join(data["in"], "inner", 16, on=("l_orderkey",)),
        1.5,
    )
    yield Workload(
        "one-key-aggregate",
        lambda: {"in": materialised(ray.data.from_arrow(pa.table({"k": [1] * 100_000, "v": range(100_000)})))},
        lambda data: data["in"].groupby("k").sum("v"),
        1.0,
    )


def group_by_order(data: dict[str, ray.data.Dataset]) -> ray.data.Dataset:
    """Sum, mean and count by order."""
    aggregates = (Sum("l_quantity"), Mean("l_extendedprice"), Count())
    return data["in"].groupby("l_orderkey", 16).aggregate(*aggregates)


@contextmanager
def strategy(name: str, options: dict[str, Any]) -> Iterator[None]:
    """Datasets made inside run by that strategy."""
    context = DataContext.get_current()
    former = context.shuffle_strategy, context.use_disk_based_hash_shuffle
    context.shuffle_strategy, context.use_disk_based_hash_shuffle = STRATEGIES[name]
    if name == HEADRACE:
        headrace.ray_data.enable(**options)
    try:
        yield
    finally:
        headrace.ray_data.disable()
        context.shuffle_strategy, context.use_disk_based_hash_shuffle = former


class Peak:
    """The most memory that Ray's processes and the object store took at a time, while it is entered."""

    def __enter__(self) -> Peak:
        self.bytes = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(SAMPLE_SECONDS):
            self.bytes = max(self.bytes, sum(map(proportional, psutil.Process().children(recursive=True))))


def proportional(process: psutil.Process) -> int:
    """The proportional set size; what is shared, such as the object store, is divided among those who map it."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def measure(workload: Workload, names: list[str], runs: int, options: dict[str, Any]) -> dict[str, Series]:
    """All strategies by turns, a warm-up and then the runs."""
    data = workload.make()
    series = {name: Series() for name in names}
    for _ in range(runs + 1):
        for name, found in series.items():
            if found.failure is None:
                once(workload, name, data, found, options)
    return series


def once(workload: Workload, name: str, data: dict[str, ray.data.Dataset], series: Series, options: Any) -> None:
    """One run of one strategy."""
    with strategy(name, options), Peak() as peak:
        context = DataContext.get_current()
        sources = {key: rebound(each, context) for key, each in data.items()}
        began = time.perf_counter()
        try:
            result = workload.run(sources).materialize()
        except Exception as error:  # noqa: BLE001 - the others are measured all the same
            series.failure = str(error).splitlines()[-1][:200]
            return
        series.seconds.append(time.perf_counter() - began)
    series.peak_bytes.append(peak.bytes)
    del result, sources
    gc.collect()


def rebound(dataset: ray.data.Dataset, context: DataContext) -> ray.data.Dataset:
    """The same blocks in a dataset of this context, which a dataset takes over when it is made."""
    refs = [ref for bundle in dataset.iter_internal_ref_bundles() for ref in bundle.block_refs]
    del context
    return ray.data.from_arrow_refs(refs)


def report(workload: Workload, series: dict[str, Series]) -> dict[str, Any]:
    """What was found, and by how much ranks were faster than the best of the others."""
    found = {name: each.summary() for name, each in series.items()}
    others = [each["median"] for name, each in found.items() if name != HEADRACE and "median" in each]
    firsts = [each["first"] for name, each in found.items() if name != HEADRACE and "first" in each]
    line: dict[str, Any] = {"workload": workload.name, "at_least": workload.at_least, **found}
    if others and "median" in found[HEADRACE]:
        line["factor"] = round(min(others) / found[HEADRACE]["median"], 2)
        line["factor_first"] = round(min(firsts) / found[HEADRACE]["first"], 2)
    return line


def main() -> None:
    """Measures and prints a line of JSON per workload."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gib", type=float, default=2.0, help="size of the integers")
    parser.add_argument("--scale-factor", type=float, default=1.0, help="of TPC-H")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cpus", type=int, default=psutil.cpu_count())
    parser.add_argument("--object-store-gib", type=float, default=8.0)
    parser.add_argument("--only", nargs="*", default=[], help="words that the names of workloads begin with")
    parser.add_argument("--strategies", nargs="*", default=list(STRATEGIES), choices=list(STRATEGIES))
    parser.add_argument("--ranks", type=int)
    parser.add_argument("--memory-limit")
    parser.add_argument("--data", type=Path, default=Path(tempfile.gettempdir()) / "headrace-tpch")
    given = parser.parse_args()
    ray.init(
        address="local",
        num_cpus=given.cpus,
        object_store_memory=int(given.object_store_gib * 2**30),
        include_dashboard=False,
        log_to_driver=False,
        _system_config={"num_workers_soft_limit": 16},
    )
    DataContext.get_current().enable_progress_bars = False
    options = {key: value for key in ("ranks", "memory_limit") if (value := getattr(given, key)) is not None}
    try:
        for workload in workloads(given.gib, given.scale_factor, given.data):
            if not given.only or workload.name.startswith(tuple(given.only)):
                print(json.dumps(report(workload, measure(workload, given.strategies, given.runs, options))), flush=True)  # noqa: T201
                gc.collect()
    finally:
        headrace.ray_data.release_ranks()
        ray.shutdown()


if __name__ == "__main__":
    main()
