"""What a rank's process takes while it shuffles, as the kernel counts it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import headrace
from raycluster import small_ray

# What the JVM and Ray take beside the table data as they work: compiled code, metaspace, copies of calls and replies.
ALLOWED_BESIDE_BYTES = 40 << 20
MAPPING = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+\s*(.*)$")


def resident_bytes(pid: int) -> int:
    """Resident memory of a process without the pages of Ray's object store that it looked at."""
    total, counts = 0, True
    with Path(f"/proc/{pid}/smaps").open() as lines:
        for line in lines:
            mapping = MAPPING.match(line)
            if mapping:
                counts = "/dev/shm" not in mapping.group(1) and "plasma" not in mapping.group(1)
            elif counts and line.startswith("Rss:"):
                total += int(line.split()[1]) << 10
    return total


@contextmanager
def watched(pids: list[int]) -> Iterator[dict[int, int]]:
    """The highest resident memory of each process until the end of the block."""
    peaks = dict.fromkeys(pids, 0)
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.05):
            for pid in pids:
                peaks[pid] = max(peaks[pid], resident_bytes(pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield peaks
    finally:
        over.set()
        watcher.join()


def shuffled_rows(session: headrace.Session, table: pa.Table, times: int) -> int:
    with session.shuffle(keys=["k"], num_partitions=16) as shuffle:
        for _ in range(times):
            shuffle.insert(table)
        shuffle.finish()
        return sum(part.num_rows for _, part in shuffle)


@pytest.fixture(autouse=True)
def cluster() -> Iterator[None]:
    with small_ray():
        yield


@pytest.mark.cluster
@pytest.mark.parametrize("limit_mib", [64, 192])
def test_should_grow_by_no_more_than_its_limit_however_much_it_is_given(limit_mib: int) -> None:
    random = np.random.default_rng(7)
    rows = 500_000
    table = pa.table({name: random.integers(0, 1 << 40, rows) for name in "kabcdefghi"})
    limit_bytes = limit_mib << 20
    with headrace.Session(ranks=2, memory_limit=limit_bytes) as session:
        pids = [int(rank["pid"]) for rank in session.ranks]
        shuffled_rows(session, table.slice(0, 1000), 1)
        idle = {pid: resident_bytes(pid) for pid in pids}
        with watched(pids) as peaks:
            assert shuffled_rows(session, table, 16) == 16 * rows
        statistics = session.statistics()
    assert statistics["peak-host"] <= limit_bytes
    assert statistics["copy-host-to-disk"] > 0, "the input is to be more than the ranks' memory"
    growth = {pid: (peaks[pid] - idle[pid]) >> 20 for pid in pids}
    assert max(growth.values()) << 20 <= limit_bytes + ALLOWED_BESIDE_BYTES, f"MiB by process: {growth}"
    assert max(growth.values()) << 20 > limit_bytes // 4, f"nothing was measured: {growth}"
