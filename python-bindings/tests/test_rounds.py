"""Never more bytes in flight than granted, and every rank gets its turn."""

from __future__ import annotations

import random

import pytest

from headrace.delivery import owned, owner
from headrace.rounds import INSERTS_PER_RANK, RankWindow, Rounds


def test_should_spread_equal_batches_evenly() -> None:
    rounds = Rounds([1000, 1000, 1000])
    chosen = []
    for _ in range(9):
        rank = rounds.choose(100)
        assert rank is not None
        rounds.sent(rank, 100)
        chosen.append(rank)
    assert [chosen.count(rank) for rank in range(3)] == [3, 3, 3]


def test_should_let_one_batch_through_whatever_its_size() -> None:
    rounds = Rounds([10])
    assert rounds.choose(5000) == 0
    rounds.sent(0, 5000)
    assert rounds.choose(1) is None
    with pytest.raises(AssertionError, match="takes no batch"):
        rounds.sent(0, 1)


def test_should_keep_a_refused_batch_in_flight() -> None:
    rounds = Rounds([100])
    rounds.sent(0, 60)
    rounds.refused(0, 0)
    assert rounds.choose(1) is None
    rounds.answered(0, 60, 500)
    assert rounds.choose(400) == 0


def test_should_forget_a_lost_rank() -> None:
    rounds = Rounds([100, 1000])
    rounds.sent(1, 10)
    rounds.lost(1)
    assert rounds.choose(10) == 0
    rounds.answered(1, 10, 1000)
    rounds.refused(1, 1000)
    rounds.lost(0)
    assert rounds.choose(10) is None


def test_should_hold_the_grant_under_random_answers() -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    dice = random.Random(seed)
    rounds = Rounds([dice.randrange(1000) for _ in range(4)])
    in_flight: list[tuple[int, int]] = []
    for _ in range(5000):
        size = dice.randrange(1, 400)
        rank = rounds.choose(size)
        if rank is not None and dice.random() < 0.6:
            rounds.sent(rank, size)  # raises where the grant is passed
            in_flight.append((rank, size))
            assert sum(1 for other, _ in in_flight if other == rank) <= INSERTS_PER_RANK
        elif in_flight:
            rank, size = in_flight.pop(dice.randrange(len(in_flight)))
            if dice.random() < 0.2:
                rounds.refused(rank, dice.randrange(1000))
                in_flight.append((rank, size))
            else:
                rounds.answered(rank, size, dice.randrange(1000))
    statistics = rounds.statistics()
    assert 0 < statistics["driver-bytes-in-flight-peak"] <= statistics["driver-bytes-granted-peak"]


def test_should_notice_an_answer_too_many() -> None:
    window = RankWindow(100)
    with pytest.raises(AssertionError, match="answered more often"):
        window.answered(1, 100)


@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 7])
@pytest.mark.parametrize("partitions", [1, 2, 3, 4, 10, 31, 1000])
def test_should_give_every_partition_one_owner(ranks: int, partitions: int) -> None:
    owners = {number: rank for rank in range(ranks) for number in owned(rank, ranks, partitions)}
    assert owners == {number: owner(number, ranks, partitions) for number in range(partitions)}
