"""The contract of all drivers (tests/contract/README.md): the Python driver and the Java driver on one Ray."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pytest
import ray

import headrace
from conftest import jdk_program
from headrace.errors import HeadraceError, Internal
from headrace.java import java_setup, native_directory
from raycluster import small_ray

pytestmark = pytest.mark.cluster

REPOSITORY = Path(__file__).parents[2]
SCENARIOS = REPOSITORY / "tests" / "contract" / "scenarios.txt"
JAVA_TESTS = REPOSITORY / "ray-actors" / "target" / "test-classes"
FAILS_WITHIN_SECONDS = 5.0


@dataclass
class Scenario:
    name: str
    ranks: int = 2
    memory_mib: int = 64
    lines: list[str] = field(default_factory=list)


def scenarios() -> list[Scenario]:
    found: list[Scenario] = []
    for line in SCENARIOS.read_text().splitlines():
        verb, _, words = line.split("#")[0].rstrip().partition(" ")
        if verb == "scenario":
            found.append(Scenario(words.strip()))
        elif verb == "ranks":
            found[-1].ranks = int(words)
        elif verb == "memory":
            found[-1].memory_mib = int(words)
        elif line.split("#")[0].strip():
            found[-1].lines.append(line.split("#")[0].rstrip())
    return found


class Sessions:
    """One session at a time; ranks like those before are used again, unless a scenario killed some."""

    def __init__(self) -> None:
        self._undo = ExitStack()
        self._session: headrace.Session | None = None
        self._shape: tuple[int, int] | None = None

    def get(self, ranks: int, memory_mib: int) -> headrace.Session:
        if self._session is None or self._shape != (ranks, memory_mib):
            self.close()
            self._session = self._undo.enter_context(headrace.Session(ranks=ranks, memory_limit=f"{memory_mib}MiB"))
            self._shape = (ranks, memory_mib)
        return self._session

    def close(self) -> None:
        self._undo.close()
        self._session = None


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[str]:
    with small_ray() as address:
        yield address


@pytest.fixture(scope="module")
def sessions(cluster: str) -> Iterator[Sessions]:
    opened = Sessions()
    yield opened
    opened.close()


class Run:
    """One scenario: every line is an action of the Python driver."""

    def __init__(self, session: headrace.Session) -> None:
        self.session = session
        self.shuffles: dict[str, headrace.Shuffle] = {}
        self.kinds: dict[str, str] = {}
        self.fed: Counter[str] = Counter()
        self.seen: dict[tuple[str, int], pa.Table] = {}
        self.killed = False

    def run(self, lines: list[str]) -> None:
        for start, line in enumerate(lines):
            if line.startswith("fails"):
                end = start + 1
                while end < len(lines) and lines[end].startswith(" "):
                    end += 1
                self.expect_failure(shlex.split(line)[1:], lines[start + 1 : end])
            elif not line.startswith(" "):
                self.act(shlex.split(line))

    def expect_failure(self, expected: list[str], lines: list[str]) -> None:
        began = time.monotonic()
        with pytest.raises(HeadraceError) as raised:
            self.act_all(lines)
        assert time.monotonic() - began < FAILS_WITHIN_SECONDS
        assert raised.value.category.value == expected[0], raised.value
        assert all(word in str(raised.value) for word in expected[1:]), (expected, raised.value)

    def act_all(self, lines: list[str]) -> None:
        for line in lines:
            self.act(shlex.split(line))

    def act(self, words: list[str]) -> None:
        verb, name, rest = words[0], words[1], words[2:]
        if verb == "open":
            keys = [] if rest[1] == "-" else rest[1].split(",")
            seed = 7 if rest[0] == "random" else None
            self.shuffles[name] = self.session.shuffle(kind=rest[0], keys=keys, num_partitions=int(rest[2]), seed=seed)
            self.kinds[name] = rest[0]
        elif verb == "kill":
            os.kill(int(self.session.ranks[int(name)]["pid"]), signal.SIGKILL)
            self.killed = True
        else:
            getattr(self, f"do_{verb}")(name, self.shuffles[name], *rest)

    def do_insert(self, name: str, shuffle: headrace.Shuffle, batch: str, count: str = "0") -> None:
        values = np.arange(self.fed[name], self.fed[name] + int(count))
        if batch == "corrupt":
            shuffle.insert_stream(b"\x55" * int(count))
        elif batch == "nothing":
            shuffle.insert_stream(b"")
        else:
            keys = pa.array(values % 100)
            shuffle.insert(pa.table({"k": keys.cast(pa.string()) if batch == "other-type" else keys, "v": values}))
            self.fed[name] += len(values) if batch == "good" else 0

    def do_finish(self, name: str, shuffle: headrace.Shuffle) -> None:
        shuffle.finish()

    def do_rows(self, name: str, shuffle: headrace.Shuffle, rows: str) -> None:
        assert shuffle.num_rows == int(rows)

    def do_all(self, name: str, shuffle: headrace.Shuffle) -> None:
        parts = dict(shuffle)
        assert sorted(parts) == list(range(shuffle.num_partitions))
        assert all(table.column_names == ["k", "v"] for table in parts.values())
        values = np.concatenate([table.column("v").to_numpy() for table in parts.values()])
        assert np.array_equal(np.sort(values), np.arange(self.fed[name]))
        if self.kinds[name] in ("hash", "range"):
            keys = [set(table.column("k").to_pylist()) for table in parts.values()]
            assert sum(map(len, keys)) == len(set().union(*keys))

    def do_read(self, name: str, shuffle: headrace.Shuffle, partition: str) -> None:
        table = shuffle.partition(int(partition))
        assert self.seen.setdefault((name, int(partition)), table).equals(table)

    def do_release(self, name: str, shuffle: headrace.Shuffle, partition: str) -> None:
        shuffle.release(int(partition))

    def do_abort(self, name: str, shuffle: headrace.Shuffle, *words: str) -> None:
        shuffle.fail(Internal(" ".join(words)))

    def do_close(self, name: str, shuffle: headrace.Shuffle) -> None:
        shuffle.close()


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.name)
def test_should_do_what_the_scenario_says_in_python(sessions: Sessions, scenario: Scenario) -> None:
    run = Run(sessions.get(scenario.ranks, scenario.memory_mib))
    try:
        run.run(scenario.lines)
    finally:
        for shuffle in run.shuffles.values():
            shuffle.close()
        if run.killed:
            sessions.close()


def test_should_do_what_the_scenarios_say_in_java(sessions: Sessions, cluster: str, tmp_path: Path) -> None:
    if not JAVA_TESTS.exists():
        pytest.skip(f"the Java tests are not compiled: no {JAVA_TESTS}")
    sessions.close()
    setup = java_setup()
    jars = [Path(ray.__file__).parent / "jars" / "ray_dist.jar", setup.jar, JAVA_TESTS]
    command = [str(jdk_program("java")), "-Xmx512m", "-cp", ":".join(map(str, jars))]
    command += ["dev.headrace.ray.ContractProgram", cluster, str(native_directory()), str(tmp_path)]
    environment = {**os.environ, "JDK_JAVA_OPTIONS": setup.options_text}
    done = subprocess.run(
        command, cwd=REPOSITORY / "ray-actors", env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok" in done.stdout
    assert psutil.pid_exists(os.getpid())
