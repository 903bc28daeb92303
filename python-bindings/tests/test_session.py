"""Sessions on a real Ray, with Java actors that stand in for ranks: what Ray does to calls, objects and processes."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pytest
import ray

import headrace
from headrace import InvalidInput, PeerLost
from headrace.cluster import check_ray_version
from headrace.errors import Deadline

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(address="local", num_cpus=1, include_dashboard=False, object_store_memory=400_000_000)
    yield
    ray.shutdown()


@pytest.fixture(autouse=True)
def stand_in(echo_jar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADRACE_JAR", str(echo_jar))


@pytest.fixture
def session() -> Iterator[headrace.Session]:
    with headrace.Session(ranks=2, memory_limit="64MiB") as opened:
        yield opened


def one_row(number: int, size: int = 10) -> pa.Table:
    return pa.table({"k": [number], "bytes": [os.urandom(size)]})


def test_should_carry_batches_of_every_kind_and_size_to_ranks_and_back(session: headrace.Session) -> None:
    tables = [one_row(n, size) for n, size in enumerate((1, 200_000, 5_000_000))] + [one_row(3), one_row(4)]
    with session.shuffle(keys=["k"], num_partitions=10, schema=tables[0].schema) as shuffle:
        shuffle.insert(tables[0])
        shuffle.insert(tables[1].to_batches()[0])
        shuffle.insert(ray.put(tables[2]))
        shuffle.insert(ray.remote(make_table).options(num_cpus=0).remote(3))
        shuffle.insert(ray.put(tables[4].to_batches()[0]))
        shuffle.finish()
        got = dict(shuffle)
    assert sorted(got) == list(range(10))
    assert all(each.schema.equals(tables[0].schema) for each in got.values())
    rows = {row["k"]: row["bytes"] for each in got.values() for row in each.to_pylist()}
    assert len(rows) == 5
    assert all(rows[n] == tables[n]["bytes"][0].as_py() for n in (0, 1, 2, 4))
    statistics = session.statistics()
    assert statistics["peak-host"] == 7
    assert statistics["time-pack"] == 1.0
    assert statistics["driver-batches-sent"] == 5


def make_table(number: int) -> pa.Table:
    return one_row(number)


def break_down() -> pa.Table:
    raise ValueError("broken on purpose")


def test_should_say_what_is_wrong_with_a_reference(session: headrace.Session) -> None:
    shuffle = session.shuffle(keys=["k"], num_partitions=1)
    with pytest.raises(InvalidInput, match="broken on purpose"):
        shuffle.insert(ray.remote(break_down).options(num_cpus=0).remote())
    with pytest.raises(InvalidInput, match="not dict"):
        shuffle.insert(ray.put({"k": 1}))


def test_should_pass_a_rank_s_refusal_on(session: headrace.Session) -> None:
    with pytest.raises(InvalidInput, match="no such column: missing"):
        session.shuffle(keys=["missing"], num_partitions=3)


def test_should_check_what_is_asked_for(session: headrace.Session) -> None:
    for wrong, words in (
        ({"num_partitions": 0}, "num_partitions is 0"),
        ({"keys": "k"}, "keys is 'k'"),
        ({"kind": "sideways"}, "kind is 'sideways'"),
        ({"keys": []}, "needs at least one key column"),
        ({"kind": "random"}, "takes no key columns"),
        ({"seed": 7}, "only a random shuffle takes one"),
        ({"kind": "random", "keys": [], "seed": 2**64}, "seed is 18446744073709551616"),
        ({"descending": True}, "for kind 'range'"),
        ({"kind": "range", "descending": [True, False]}, "for 1 keys"),
        ({"kind": "range", "boundaries": pa.table({"k": [1, 2]})}, "2 rows for 2 partitions, which take 1"),
        ({"kind": "range", "boundaries": pa.table({"q": [1]})}, "no column 'k', only"),
        ({"plan": "three-step"}, "plan is 'three-step'"),
        ({"recovery": "replay"}, "recovery is 'replay'"),
        ({"timeout": "soon"}, "timeout is 'soon'"),
        ({"schema": 7}, "schema is a pyarrow.Schema, not int"),
    ):
        with pytest.raises(InvalidInput, match=words):
            session.shuffle(**{"keys": ["k"], "num_partitions": 2, **wrong})


def test_should_tell_waiters_soon_that_a_rank_was_killed(session: headrace.Session) -> None:
    shuffle = session.shuffle(keys=["k"], num_partitions=2, timeout="60s")
    shuffle.insert(one_row(1))
    shuffle.finish()
    os.kill(int(session.ranks[1]["pid"]), signal.SIGKILL)
    began = time.monotonic()
    with pytest.raises(PeerLost, match="rank 1 died") as raised:
        session.statistics()
    assert time.monotonic() - began < 5
    assert raised.value.rank == 1
    with pytest.raises(PeerLost, match="rank 1 died"):
        shuffle.partition(0)


def test_should_leave_no_process_and_no_thread(echo_jar: Path) -> None:
    before = {thread.name for thread in threading.enumerate()}
    with headrace.Session(ranks=2, memory_limit="64MiB") as session:
        pids = [int(rank["pid"]) for rank in session.ranks]
        left_open = session.shuffle(keys=["k"], num_partitions=2)
    deadline = time.monotonic() + 10
    while any(psutil.pid_exists(pid) for pid in pids) and time.monotonic() < deadline:
        threading.Event().wait(0.05)
    assert not [pid for pid in pids if psutil.pid_exists(pid)]
    assert {thread.name for thread in threading.enumerate()} - before == set()
    with pytest.raises(InvalidInput, match="session was closed"):
        left_open.insert(one_row(1))
    with pytest.raises(InvalidInput, match="the session is closed"):
        session.shuffle(keys=["k"], num_partitions=2)
    session.close()
    assert ray.is_initialized()


def test_should_say_that_no_node_has_the_memory() -> None:
    began = time.monotonic()
    with pytest.raises((Deadline, InvalidInput), match=r"no resources.*bytes of memory"):
        headrace.Session(ranks=1, memory_limit="100TiB")
    assert time.monotonic() - began < 31


def test_should_refuse_an_untested_ray() -> None:
    with pytest.raises(InvalidInput, match=r"Ray 2\.47\.1 was never tested with this package; tested: 2\.60"):
        check_ray_version("2.47.1")


def test_should_keep_the_driver_s_memory_flat(session: headrace.Session) -> None:
    process = psutil.Process()
    table = pa.table({"k": [1], "bytes": [np.zeros(4_000_000, np.uint8).tobytes()]})
    with session.shuffle(keys=["k"], num_partitions=2, schema=table.schema) as shuffle:
        shuffle.insert(table)
        before = process.memory_info().rss - process.memory_info().shared
        for _ in range(40):
            shuffle.insert(table)
        shuffle.finish()
        after = process.memory_info().rss - process.memory_info().shared
    assert after - before < 60_000_000


def test_should_shuffle_in_one_call() -> None:
    tables = headrace.shuffle([one_row(0), one_row(1)], keys=["k"], num_partitions=2, memory_limit="64MiB")
    assert sorted(row["k"] for each in tables for row in each.to_pylist()) == [0, 1]
    assert ray.is_initialized()
