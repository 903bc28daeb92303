"""Many shuffles at once on two ranks: all rows arrive, the driver stays small, nobody starves."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator

import numpy as np
import psutil
import pyarrow as pa
import pytest

import headrace
from raycluster import small_ray

pytestmark = pytest.mark.cluster
SHUFFLES, BATCHES, PARTITIONS, ROWS = 64, 10_000, 1_000, 40
DRIVER_BYTES = 150 << 20  # beyond what the first shuffles needed


@pytest.fixture
def session() -> Iterator[headrace.Session]:
    with small_ray(), headrace.Session(ranks=2, memory_limit="64MiB") as opened:
        yield opened


def values_of(number: int, batch: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.arange(batch * ROWS, (batch + 1) * ROWS, dtype=np.int64) + (number << 40)


def run_one(session: headrace.Session, number: int, batches: int, partitions: int, barrier: threading.Barrier) -> None:
    with session.shuffle(keys=["k"], num_partitions=partitions, timeout="10min") as shuffle:
        barrier.wait(60)  # all are open at the same time
        for batch in range(batches):
            values = values_of(number, batch)
            shuffle.insert(pa.table({"k": values % 97, "v": values}))
        shuffle.finish()
        got, keys = [], []
        for _, table in shuffle:
            got.append(table["v"].to_numpy())
            keys.append(np.unique(table["k"].to_numpy()))
    expected = np.concatenate([values_of(number, batch) for batch in range(batches)])
    assert np.array_equal(np.sort(np.concatenate(got)), expected)
    assert sum(map(len, keys)) == len(np.unique(np.concatenate(keys)))


@pytest.mark.timeout(900)
def test_should_run_many_shuffles_at_once_in_a_small_driver(session: headrace.Session) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    dice = random.Random(seed)
    sizes = [dice.randrange(1, 3) for _ in range(SHUFFLES)]
    barrier = threading.Barrier(SHUFFLES)
    failures: list[BaseException] = []

    def run(number: int) -> None:
        try:
            partitions = sizes[number] * PARTITIONS // sum(sizes)
            run_one(session, number, BATCHES // SHUFFLES, max(1, partitions), barrier)
        except BaseException as error:  # noqa: BLE001 - shown by the test
            failures.append(error)

    process = psutil.Process()
    before = process.memory_info().rss - process.memory_info().shared
    threads = [threading.Thread(target=run, args=(number,)) for number in range(SHUFFLES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = process.memory_info().rss - process.memory_info().shared
    assert failures == []
    assert after - before < DRIVER_BYTES
    statistics = session.statistics()
    assert statistics["shuffle-batches"] == BATCHES // SHUFFLES * SHUFFLES
    assert statistics["shuffle-rows-out"] == statistics["shuffle-rows-in"]
    assert statistics["driver-bytes-in-flight-peak"] <= statistics["driver-bytes-granted-peak"]
