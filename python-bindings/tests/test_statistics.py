"""The driver knows what the ranks' counters count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from headrace.rounds import Rounds
from headrace.statistics import BYTES, PEAKS, merged, readable, unit

ENUM = Path(__file__).parents[2] / "shuffle-engine/src/main/java/dev/headrace/metrics/Statistic.java"
CONSTANT = re.compile(r'^    [A-Z_]+\("([a-z-]+)", Unit\.([A-Z]+), "[^"]*"(, true)?\)', re.M)


def test_should_agree_with_the_enum_of_the_ranks() -> None:
    constants = CONSTANT.findall(ENUM.read_text())
    assert len(constants) > 20
    assert {name: unit(name) for name, _, _ in constants} == {name: kind.lower() for name, kind, _ in constants}
    assert {name for name, _, peak in constants if peak} == PEAKS
    assert {name for name in BYTES if not name.startswith("driver-")} <= {name for name, _, _ in constants}


def test_should_add_up_ranks_and_take_the_largest_peak() -> None:
    total = merged([{"shuffle-rows-in": 3, "peak-host": 5, "time-pack": 0.5}, {"shuffle-rows-in": 4, "peak-host": 2}])
    assert total == {"shuffle-rows-in": 7, "peak-host": 5, "time-pack": 0.5}


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("peak-host", 1023, "1023 B"),
        ("peak-host", 268435456, "256.0 MiB"),
        ("shuffle-input", 5 << 40, "5120.0 GiB"),
        ("time-pack", 1.234, "1.23 s"),
        ("shuffle-rows-in", 6001215, "6,001,215"),
    ],
)
def test_should_show_units(name: str, value: float, text: str) -> None:
    assert readable(name, value) == text


def test_should_know_the_driver_s_own_counters() -> None:
    units = {name: unit(name) for name in Rounds([1]).statistics()}
    assert units == {name: "bytes" if "bytes" in name else "count" for name in units}
