"""The driver's side of a shuffle against ranks that answer with the bytes of the contract."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pyarrow as pa
import pytest

from fakeranks import FakeCluster, Faults
from headrace.errors import (
    Action,
    Category,
    CorruptData,
    Deadline,
    DiskFull,
    HeadraceError,
    Internal,
    InvalidInput,
    PeerLost,
)

MakeCluster = Callable[..., FakeCluster]


@pytest.fixture
def make_cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeCluster]:
    monkeypatch.setattr("headrace.intake.ray.put", lambda stream: stream)
    made: list[FakeCluster] = []

    def make(ranks: int = 2, room: int = 1 << 20, **faults: object) -> FakeCluster:
        made.append(FakeCluster(ranks, room, Faults(**faults)))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for cluster in made:
        cluster.close()


def table(first: int, rows: int) -> pa.Table:
    return pa.table({"k": range(first, first + rows), "v": [f"value {n}" for n in range(first, first + rows)]})


def rows_of(tables: dict[int, pa.Table]) -> list[tuple[int, str]]:
    return sorted((row["k"], row["v"]) for each in tables.values() for row in each.to_pylist())


@pytest.mark.parametrize(("ranks", "partitions"), [(1, 1), (2, 5), (3, 2), (5, 64)])
def test_should_deliver_every_row_once_whatever_the_ranks(
    make_cluster: MakeCluster, ranks: int, partitions: int
) -> None:
    shuffle = make_cluster(ranks).shuffle(partitions)
    for first in range(0, 1000, 100):
        shuffle.insert(table(first, 100))
    shuffle.insert(table(1000, 7).to_batches()[0])
    shuffle.finish()
    tables = dict(shuffle)
    assert sorted(tables) == list(range(partitions))
    assert rows_of(tables) == [(n, f"value {n}") for n in range(1007)]
    assert all(key % partitions == number for number, each in tables.items() for key in each["k"].to_pylist())


def test_should_release_a_partition_when_the_next_is_asked_for(make_cluster: MakeCluster) -> None:
    cluster = make_cluster()
    shuffle = cluster.shuffle(4)
    shuffle.insert(table(0, 100))
    shuffle.finish()
    seen: list[int] = []
    for number, _ in shuffle:
        assert number not in cluster.released
        seen.append(number)
    assert cluster.released == set(seen)
    assert list(shuffle) == []
    with pytest.raises(InvalidInput, match="partition 3 was released"):
        shuffle.partition(3)


def test_should_keep_a_partition_until_it_is_released(make_cluster: MakeCluster) -> None:
    shuffle = make_cluster().shuffle(3)
    shuffle.insert(table(0, 30))
    shuffle.finish()
    assert shuffle.partition(2).equals(shuffle.partition(2))
    shuffle.release(2)
    with pytest.raises(InvalidInput, match="released"):
        shuffle.partition(2)
    with pytest.raises(InvalidInput, match="no partition 3: they are 0 to 2"):
        shuffle.partition(3)
    assert sorted(number for number, _ in shuffle) == [0, 1]


def test_should_go_on_where_an_iteration_was_left(make_cluster: MakeCluster) -> None:
    shuffle = make_cluster().shuffle(8)
    shuffle.insert(table(0, 80))
    shuffle.finish()
    tables = {}
    for number, each in shuffle:
        tables[number] = each
        if len(tables) == 3:
            break
    tables |= dict(shuffle)
    assert rows_of(tables) == [(n, f"value {n}") for n in range(80)]


def test_should_take_batches_from_many_threads(make_cluster: MakeCluster) -> None:
    shuffle = make_cluster(room=3000).shuffle(4)

    def insert(first: int) -> None:
        for i in range(10):
            shuffle.insert(table(first + i * 10, 10))

    threads = [threading.Thread(target=insert, args=(t * 100,)) for t in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shuffle.finish()
    assert [key for key, _ in rows_of(dict(shuffle))] == list(range(800))


def test_should_offer_a_refused_batch_to_the_same_rank_again(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(refuse_first=5)
    shuffle = cluster.shuffle()
    for first in range(0, 60, 10):
        shuffle.insert(table(first, 10))
    shuffle.finish()
    assert len(rows_of(dict(shuffle))) == 60
    ranks_of = {arguments[1]: set() for arguments in cluster.called("insert")}  # type: ignore[var-annotated]
    for rank, method, arguments in cluster.calls:
        if method == "insert":
            ranks_of[arguments[1]].add(rank)
    assert all(len(ranks) == 1 for ranks in ranks_of.values())
    assert len(cluster.called("insert")) == 11
    assert cluster.feeder.rounds.statistics()["driver-batches-refused"] == 5


def test_should_have_one_batch_at_a_time_at_ranks_without_room(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(room=10, insert_seconds=0.01)
    shuffle = cluster.shuffle()
    for first in range(0, 100, 10):
        shuffle.insert(table(first, 10))
    shuffle.finish()
    assert cluster.running_peak <= 2
    statistics = cluster.feeder.rounds.statistics()
    assert statistics["driver-bytes-in-flight-peak"] <= statistics["driver-bytes-granted-peak"]


def test_should_cut_a_large_table_into_batches_in_order(make_cluster: MakeCluster) -> None:
    cluster = make_cluster()
    shuffle = cluster.shuffle(2, batch_bytes=2000)
    shuffle.insert(table(0, 1000))
    shuffle.finish()
    assert len(cluster.called("insert")) > 8
    for _, each in shuffle:
        keys = each["k"].to_pylist()
        assert keys == sorted(keys)


def test_should_fail_where_the_ranks_promise_other_rows(make_cluster: MakeCluster) -> None:
    shuffle = make_cluster(lose_rows=3).shuffle()
    shuffle.insert(table(0, 100))
    with pytest.raises(Internal, match="100 rows went in, the ranks promise 97"):
        shuffle.finish()
    with pytest.raises(Internal, match="promise 97"):
        next(iter(shuffle))


def test_should_give_a_rank_s_error_to_everybody_and_abort_the_others(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(error=("insert", Category.DISK_FULL, "no directory takes 5 bytes"))
    shuffle = cluster.shuffle()
    shuffle.insert(table(0, 10))
    with pytest.raises(DiskFull, match="no directory takes 5 bytes") as raised:
        shuffle.finish()
    assert raised.value.rank == 0
    assert raised.value.action is Action.FAIL_SHUFFLE
    with pytest.raises(DiskFull):
        shuffle.insert(table(0, 10))
    with pytest.raises(DiskFull):
        shuffle.partition(0)
    assert {arguments[1] for arguments in cluster.called("abort")} == {"DISK_FULL"}
    assert len(cluster.called("abort")) == 2


def test_should_tell_every_waiter_soon_when_a_rank_dies(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(3, silent={"completed"})
    shuffle = cluster.shuffle()
    shuffle.insert(table(0, 10))
    shuffle.finish()
    errors: list[HeadraceError] = []

    def wait(partition: int) -> None:
        try:
            shuffle.partition(partition)
        except HeadraceError as error:
            errors.append(error)

    waiters = [threading.Thread(target=wait, args=(number,)) for number in range(4)]
    for waiter in waiters:
        waiter.start()
    cluster.faults.dead.add(1)
    began = time.monotonic()
    cluster.ranks[1].room()
    for waiter in waiters:
        waiter.join(5)
    assert time.monotonic() - began < 5
    assert [(type(error), error.rank) for error in errors] == [(PeerLost, 1)] * 4
    assert errors[0].action is Action.REPLACE_RANK
    assert "killed by the test" in errors[0].message


def test_should_have_a_deadline_on_every_wait(make_cluster: MakeCluster) -> None:
    stuck = make_cluster(silent={"insert"}).shuffle(timeout_seconds=0.3)
    stuck.insert(table(0, 10))
    with pytest.raises(Deadline, match=r"1 batches were not taken within 0\.3 s"):
        stuck.finish()
    never = make_cluster(silent={"completed"}).shuffle(timeout_seconds=0.3)
    never.insert(table(0, 10))
    never.finish()
    with pytest.raises(Deadline, match="4 of 4 partitions were not complete"):
        list(never)
    full = make_cluster(1, room=0, silent={"insert"}).shuffle(timeout_seconds=0.3)
    full.insert(table(0, 10))
    with pytest.raises(Deadline, match=r"no rank took batch 1 of \d+ bytes within 0\.3 s"):
        full.insert(table(0, 10))


def test_should_refuse_calls_in_the_wrong_order(make_cluster: MakeCluster) -> None:
    shuffle = make_cluster().shuffle()
    shuffle.insert(table(0, 10))
    shuffle.finish()
    with pytest.raises(InvalidInput, match="insert after finish"):
        shuffle.insert(table(0, 10))
    with pytest.raises(InvalidInput, match="finish was called before"):
        shuffle.finish()
    shuffle.close()
    shuffle.close()
    with pytest.raises(InvalidInput, match="is closed"):
        shuffle.partition(0)


def test_should_refuse_what_is_no_batch(make_cluster: MakeCluster) -> None:
    with pytest.raises(InvalidInput, match=r"a batch is a pyarrow\.Table, .* not dict"):
        make_cluster().shuffle().insert({"k": [1]})


def test_should_not_trust_a_rank_that_completes_what_it_does_not_own(make_cluster: MakeCluster) -> None:
    shuffle = make_cluster(strange_partition=9).shuffle()
    shuffle.insert(pa.table({"k": [1]}))
    shuffle.finish()
    with pytest.raises(Internal, match=r"owns partitions 0 to 1 and completed \[9\]"):
        list(shuffle)


def test_should_say_that_a_partition_is_no_arrow(make_cluster: MakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = make_cluster()
    monkeypatch.setattr(cluster, "_fetch", lambda *_: b"\1" + b"no arrow stream at all, not even close")
    shuffle = cluster.shuffle()
    shuffle.insert(table(0, 10))
    shuffle.finish()
    with pytest.raises(CorruptData, match="no Arrow stream"):
        list(shuffle)
