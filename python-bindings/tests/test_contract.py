"""The contract that all drivers keep (tests/contract), run by the Python driver on a real Ray."""

from __future__ import annotations

import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import ray

import headrace
from headrace import Category, HeadraceError, Internal, Shuffle

pytestmark = pytest.mark.cluster
SCENARIOS = Path(__file__).parents[2] / "tests" / "contract" / "scenarios.txt"
FAILURE_SECONDS = 5.0
SCHEMA = pa.schema([("k", pa.int64()), ("v", pa.int64())])

Line = list[str]


def scenarios() -> dict[str, list[Line]]:
    """The lines of every scenario; the first word of an indented line begins with a space."""
    found: dict[str, list[Line]] = {}
    lines: list[Line] = []
    for text in SCENARIOS.read_text().splitlines():
        words = text.split("#")[0].split()
        if not words:
            continue
        if words[0] == "scenario":
            lines = found.setdefault(" ".join(words[1:]), [])
        else:
            lines.append([" " + words[0], *words[1:]] if text.startswith(" ") else words)
    return found


class Sessions:
    """Sessions by size, used again until a rank of one was killed."""

    def __init__(self) -> None:
        self._open: dict[tuple[int, int], headrace.Session] = {}

    def get(self, ranks: int, memory_mib: int) -> headrace.Session:
        size = (ranks, memory_mib)
        if size not in self._open:
            self._open[size] = headrace.Session(ranks=ranks, memory_limit=f"{memory_mib}MiB")
        return self._open[size]

    def close(self, session: headrace.Session) -> None:
        self._open = {size: other for size, other in self._open.items() if other is not session}
        session.close()

    def close_all(self) -> None:
        for session in list(self._open.values()):
            self.close(session)


class Runner:
    """Runs one scenario."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._ranks, self._memory_mib = 2, 64
        self._shuffles: dict[str, Shuffle] = {}
        self._kinds: dict[str, str] = {}
        self._fed: dict[str, int] = defaultdict(int)
        self._seen: dict[tuple[str, int], pa.Table] = {}
        self._killed = False

    @property
    def _session(self) -> headrace.Session:
        return self._sessions.get(self._ranks, self._memory_mib)

    def run(self, lines: list[Line]) -> None:
        try:
            at = 0
            while at < len(lines):
                end = at + 1
                while end < len(lines) and lines[end][0].startswith(" "):
                    end += 1
                if lines[at][0] == "fails":
                    self._fails(lines[at], lines[at + 1 : end])
                else:
                    self._do(lines[at])
                at = end
        finally:
            for shuffle in self._shuffles.values():
                shuffle.close()
            if self._killed:
                self._sessions.close(self._session)

    def _fails(self, line: Line, attempts: list[Line]) -> None:
        _, category, *words = line
        error, seconds = self._first_error(attempts)
        assert error is not None, f"none of {attempts} failed with {category} {words}"
        assert seconds < FAILURE_SECONDS
        assert error.category is Category(category), error.message
        assert [word for word in words if word not in error.message] == [], error.message

    def _first_error(self, attempts: list[Line]) -> tuple[HeadraceError | None, float]:
        for attempt in attempts:
            began = time.monotonic()
            try:
                self._do(attempt)
            except HeadraceError as error:
                return error, time.monotonic() - began
        return None, 0.0

    def _do(self, line: Line) -> None:
        verb: Callable[..., None] = getattr(self, f"_verb_{line[0].strip()}")
        verb(*line[1:])

    def _verb_ranks(self, ranks: str) -> None:
        self._ranks = int(ranks)

    def _verb_memory(self, mib: str) -> None:
        self._memory_mib = int(mib)

    def _verb_open(self, name: str, kind: str, keys: str, partitions: str) -> None:
        names = [] if keys == "-" else keys.split(",")
        self._kinds[name] = kind
        self._shuffles[name] = self._session.shuffle(keys=names, num_partitions=int(partitions), kind=kind)

    def _verb_insert(self, name: str, batch: str, rows: str = "0") -> None:
        shuffle, count = self._shuffles[name], int(rows)
        if batch == "corrupt":
            shuffle.insert_stream(b"\x55" * count)
        elif batch == "nothing":
            shuffle.insert_stream(b"")
        else:
            values = np.arange(self._fed[name], self._fed[name] + count)
            keys = pa.array(values % 100)
            shuffle.insert(pa.table({"k": keys.cast(pa.string()) if batch == "other-type" else keys, "v": values}))
            self._fed[name] += count

    def _verb_finish(self, name: str) -> None:
        self._shuffles[name].finish()

    def _verb_rows(self, name: str, rows: str) -> None:
        assert self._shuffles[name].num_rows == int(rows)

    def _verb_all(self, name: str) -> None:
        shuffle = self._shuffles[name]
        tables = dict(shuffle)
        assert sorted(tables) == list(range(shuffle.num_partitions))
        assert all(table.schema.equals(SCHEMA) for table in tables.values())
        values = np.concatenate([table["v"].to_numpy() for table in tables.values()])
        assert np.array_equal(np.sort(values), np.arange(self._fed[name]))
        if self._kinds[name] == "hash":
            keys = [np.unique(table["k"].to_numpy()) for table in tables.values()]
            assert sum(map(len, keys)) == len(np.unique(np.concatenate(keys)))

    def _verb_read(self, name: str, partition: str) -> None:
        table = self._shuffles[name].partition(int(partition))
        assert table.equals(self._seen.setdefault((name, int(partition)), table))

    def _verb_release(self, name: str, partition: str) -> None:
        self._shuffles[name].release(int(partition))

    def _verb_abort(self, name: str, *words: str) -> None:
        self._shuffles[name].fail(Internal(" ".join(words)))

    def _verb_close(self, name: str) -> None:
        self._shuffles[name].close()

    def _verb_kill(self, rank: str) -> None:
        self._killed = True
        os.kill(int(self._session.ranks[int(rank)]["pid"]), signal.SIGKILL)


@pytest.fixture(scope="module")
def sessions() -> Iterator[Sessions]:
    ray.init(address="local", num_cpus=1, include_dashboard=False, object_store_memory=400_000_000)
    made = Sessions()
    try:
        yield made
        made.close_all()
    finally:
        ray.shutdown()


@pytest.mark.parametrize("name", scenarios())
def test_should_keep_the_contract_of_all_drivers(sessions: Sessions, name: str) -> None:
    Runner(sessions).run(scenarios()[name])
