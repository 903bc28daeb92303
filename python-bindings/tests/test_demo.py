"""The demo as a user runs it: it proves its result, and leaves nothing behind however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.cluster
SECONDS = 120.0
GONE_SECONDS = 15.0


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def shared_memory() -> set[str]:
    return {path.name for path in Path("/dev/shm").iterdir()}


@pytest.fixture(autouse=True)
def no_traces() -> Iterator[None]:
    before = shared_memory()
    yield
    assert shared_memory() <= before


@contextmanager
def running_demo(cache: Path, scale_factor: float, memory_limit: str) -> Iterator[subprocess.Popen[str]]:
    """The demo in a process group of its own, as a terminal starts it."""
    command = [sys.executable, "-m", "headrace", "demo", f"--cache={cache}", f"--scale-factor={scale_factor}"]
    with subprocess.Popen(
        [*command, f"--memory-limit={memory_limit}"],
        env={**os.environ, "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def descendants(process: subprocess.Popen[str]) -> list[psutil.Process]:
    try:
        found: list[psutil.Process] = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
    return found


def await_ranks(process: subprocess.Popen[str], found: Callable[[list[psutil.Process]], bool]) -> list[psutil.Process]:
    """Waits until the demo's processes look that way."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        children = descendants(process)
        if found(children):
            return children
        time.sleep(0.05)  # nothing tells when a grandchild starts
    output = process.stdout.read() if process.stdout and process.poll() is not None else ""
    raise AssertionError(f"the demo did not come so far: {output}")


def java_processes(children: list[psutil.Process]) -> list[psutil.Process]:
    found = []
    for child in children:
        try:
            if Path(child.exe()).name == "java":
                found.append(child)
        except psutil.Error:  # it ended while it was looked at
            continue
    return found


def has_engine(java: psutil.Process) -> bool:
    """Whether the engine in that JVM has its memory."""
    try:
        return any("memfd:" in str(link.readlink()) for link in Path(f"/proc/{java.pid}/fd").iterdir())
    except OSError:  # it ended, or the descriptor did
        return False


def assert_gone(process: subprocess.Popen[str], children: list[psutil.Process]) -> None:
    assert list(Path("/tmp").glob(f"hr-demo-{process.pid}-*")) == []
    _, alive = psutil.wait_procs(children, timeout=GONE_SECONDS)
    assert [child.pid for child in alive if child.status() != psutil.STATUS_ZOMBIE] == []


def test_should_prove_its_result_and_leave_nothing(cache: Path) -> None:
    with running_demo(cache, 0.05, "20MiB") as process:
        children = await_ranks(process, lambda found: len(java_processes(found)) == 2)
        output, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, output
    assert "proved: 299,814 rows, checksums of 16 columns, every l_orderkey in one partition only" in output
    for name in ("shuffle-input", "copy-host-to-disk", "peak-host", "time-pack", "throughput, global"):
        assert name in output
    spilled = next(line for line in output.splitlines() if "copy-host-to-disk" in line)
    assert " 0 B" not in spilled
    assert_gone(process, children)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_should_leave_nothing_when_it_is_interrupted(cache: Path, number: signal.Signals) -> None:
    with running_demo(cache, 0.05, "20MiB") as process:
        children = await_ranks(process, lambda found: len(java_processes(found)) == 2)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does it, twice in a row
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        output, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, output
    assert "headrace: interrupted" in output
    assert "Traceback" not in output
    assert_gone(process, children)


def test_should_leave_nothing_when_a_rank_is_killed(cache: Path) -> None:
    with running_demo(cache, 0.2, "20MiB") as process:
        children = await_ranks(process, lambda found: sum(map(has_engine, java_processes(found))) == 2)
        java_processes(children)[0].kill()
        output, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 1, output
    assert "headrace: PEER_LOST" in output, output
    assert "died" in output
    assert_gone(process, children)
