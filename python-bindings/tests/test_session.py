"""Sessions on a real Ray, with Java actors that stand in for ranks: what Ray does to calls, objects and processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
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
from headrace.ipc import stream_bytes
from raycluster import small_ray

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    with small_ray():
        yield


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


def wait_long() -> pa.Table:
    threading.Event().wait(60)
    return one_row(0)


def test_should_not_wait_longer_for_a_reference_than_the_shuffle_has(session: headrace.Session) -> None:
    shuffle = session.shuffle(keys=["k"], num_partitions=1, timeout="2s")
    began = time.monotonic()
    with pytest.raises(Deadline, match="a batch was not there within 2 s"):
        shuffle.insert(ray.remote(wait_long).options(num_cpus=0).remote())
    assert time.monotonic() - began < 4


def test_should_wake_who_waits_for_a_reference_when_the_shuffle_is_aborted(session: headrace.Session) -> None:
    shuffle = session.shuffle(keys=["k"], num_partitions=1)
    threading.Timer(0.5, shuffle.abort, ["enough"]).start()
    began = time.monotonic()
    with pytest.raises(headrace.errors.Internal, match="enough"):
        shuffle.insert(ray.remote(wait_long).options(num_cpus=0).remote())
    assert time.monotonic() - began < 3


def test_should_give_the_error_of_a_reference_as_its_own_class(session: headrace.Session) -> None:
    shuffle = session.shuffle(keys=["k"], num_partitions=1)
    with pytest.raises(InvalidInput) as raised:
        shuffle.insert(ray.put(7))
    assert type(raised.value) is InvalidInput
    assert str(raised.value.again()) == raised.value.message


def test_should_end_everything_when_ray_is_shut_down_and_start_none(echo_jar: Path) -> None:
    ray.shutdown()
    program = """
import threading, time
import pyarrow as pa, pytest, ray, headrace
ray.init(address="local", num_cpus=1, include_dashboard=False, object_store_memory=200_000_000)
session = headrace.Session(ranks=2, memory_limit="64MiB")
shuffle = session.shuffle(keys=["k"], num_partitions=2, timeout="60s", schema=pa.schema({"k": pa.int64()}))
threading.Timer(0.5, ray.shutdown).start()
began = time.monotonic()
with pytest.raises(headrace.InvalidInput, match="Ray is not initialised"):
    while time.monotonic() - began < 20:
        shuffle.insert(pa.table({"k": [1]}))
for ask in (session.statistics, lambda: shuffle.partition(0), lambda: session.shuffle(keys=["k"], num_partitions=1)):
    with pytest.raises(headrace.InvalidInput, match="Ray is not initialised"):
        ask()
session.close()
assert time.monotonic() - began < 10, time.monotonic() - began
assert not ray.is_initialized()
print("as it should")
"""
    try:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        assert "as it should" in done.stdout, done.stderr[-3000:]
    finally:
        ray.init(address="local", num_cpus=1, include_dashboard=False, object_store_memory=400_000_000)


def test_should_pass_a_rank_s_refusal_on(session: headrace.Session) -> None:
    with pytest.raises(InvalidInput, match="no such column: missing"):
        session.shuffle(keys=["missing"], num_partitions=3)


def test_should_check_what_is_asked_for(session: headrace.Session) -> None:
    for wrong, words in (
        ({"num_partitions": 0}, "num_partitions is 0"),
        ({"num_partitions": 1 << 63}, "num_partitions is 9223372036854775808"),
        ({"num_partitions": 1.5}, "num_partitions is 1.5"),
        ({"num_partitions": True}, "num_partitions is True"),
        ({"keys": "k"}, "keys is 'k'"),
        ({"keys": None}, "keys is None"),
        ({"keys": 5}, "keys is 5"),
        ({"keys": ["\ud800"]}, "no text that a column could be named with"),
        ({"timeout": "9" * 400 + "h"}, "timeout is '999"),
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


def test_should_take_whole_numbers_and_iterables_of_any_kind(session: headrace.Session) -> None:
    with session.shuffle(
        keys=(name for name in ["k"]), num_partitions=np.int64(2), schema=one_row(0).schema, timeout=np.float64(1e1)
    ) as shuffle:
        shuffle.insert(one_row(1))
        shuffle.finish()
        assert sum(shuffle.partition(np.int64(number)).num_rows for number in range(2)) == 1
        wrongs: list[object] = [1.0, None, [], "1"]
        for wrong in wrongs:
            with pytest.raises(InvalidInput, match="partition is "):
                shuffle.partition(wrong)  # type: ignore[arg-type]
            with pytest.raises(InvalidInput, match="partition is "):
                shuffle.release(wrong)  # type: ignore[arg-type]
        shuffle.release(np.int64(0))
        shuffle.release(0)
        assert [number for number, _ in shuffle] == [1]


def test_should_take_a_stream_from_any_buffer(session: headrace.Session) -> None:
    stream = stream_bytes(one_row(4))
    with session.shuffle(keys=["k"], num_partitions=4) as shuffle:
        for number, buffer in enumerate((bytes, bytearray, memoryview, pa.py_buffer)):
            shuffle.insert_stream(buffer(stream_bytes(one_row(number))))
        for wrong in (7, "text", [stream]):
            with pytest.raises(
                InvalidInput, match=f"a stream is bytes or a buffer of them, not {type(wrong).__name__}"
            ):
                shuffle.insert_stream(wrong)
        shuffle.finish()
        assert sum(table.num_rows for _, table in shuffle) == 4


def test_should_say_at_finish_that_there_is_no_schema(session: headrace.Session) -> None:
    with session.shuffle(keys=["k"], num_partitions=2) as shuffle:
        with pytest.raises(InvalidInput, match="no batch was inserted and no schema was declared"):
            shuffle.finish()
        shuffle.insert(one_row(1))
        shuffle.finish()


@pytest.mark.parametrize("batches", [None, 7, one_row(1), one_row(1).to_batches()[0]])
def test_should_say_before_anything_starts_that_batches_are_a_list(batches: object) -> None:
    began = time.monotonic()
    with pytest.raises(InvalidInput, match="it has to be a list, or another iterable, of tables"):
        headrace.shuffle(batches, keys=["k"], num_partitions=1)  # type: ignore[arg-type]
    assert time.monotonic() - began < 1


def test_should_end_inserts_that_wait_when_the_session_is_closed() -> None:
    session = headrace.Session(ranks=2, memory_limit="64MiB")
    shuffle = session.shuffle(keys=["k"], num_partitions=2)
    raised: list[BaseException] = []

    def insert() -> None:
        try:
            while True:
                shuffle.insert(one_row(1, 1_000_000))
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test looks at it
            raised.append(error)

    threads = [threading.Thread(target=insert) for _ in range(4)]
    for thread in threads:
        thread.start()
    threading.Event().wait(0.5)
    session.close()
    for thread in threads:
        thread.join(timeout=5)
    assert not any(thread.is_alive() for thread in threads)
    assert [type(error) for error in raised] == [InvalidInput] * 4, raised


def test_should_not_wait_for_a_stopped_rank_once_its_peers_have_given_it_up(session: headrace.Session) -> None:
    shuffle = session.shuffle(keys=["k"], num_partitions=2)
    other = session.shuffle(keys=["k"], num_partitions=2)
    pid = int(session.ranks[1]["pid"])
    os.kill(pid, signal.SIGSTOP)
    try:
        shuffle.fail(PeerLost("rank 1 is silent", rank=1))
        began = time.monotonic()
        shuffle.close()
        with pytest.raises(PeerLost, match="rank 1 is silent"):
            session.statistics()
        with pytest.raises(PeerLost, match="rank 1 is silent"):
            other.insert(one_row(1))
        session.close()
        assert time.monotonic() - began < 5
    finally:
        if psutil.pid_exists(pid):
            os.kill(pid, signal.SIGCONT)


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
