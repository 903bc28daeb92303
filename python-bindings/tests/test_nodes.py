"""Ranks on two nodes that reach each other over a network only: two network namespaces, one raylet in each."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from headrace.java import java_home

HEAD, OTHER = "10.77.0.1", "10.77.0.2"
PORT = 6399
IP = shutil.which("ip") or ""
PROGRAM = f"""
import pyarrow as pa
import ray

import headrace

ray.init(address="{HEAD}:{PORT}", log_to_driver=False)
table = pa.table({{"k": [i % 1009 for i in range(200_000)], "v": list(range(200_000))}})
with headrace.Session(ranks=2, memory_limit="64MiB") as session:
    with session.shuffle(keys=["k"], num_partitions=8) as shuffle:
        for _ in range(4):
            shuffle.insert(table)
        shuffle.finish()
        parts = [part for _, part in shuffle]
    crossed = session.statistics()
keys = [set(part["k"].to_pylist()) for part in parts]
assert sum(part.num_rows for part in parts) == 800_000
assert sum(len(each) for each in keys) == len(set().union(*keys)) == 1009
assert crossed["transport-ucx"] + crossed["transport-shared-slab"] > 1_000_000
nodes = {{node["NodeManagerAddress"] for node in ray.nodes()}}
assert nodes == {{"{HEAD}", "{OTHER}"}}, nodes
print("proved")
"""


def _ip(*words: str) -> str:
    return subprocess.run([IP, *words], check=True, capture_output=True, text=True).stdout


def _namespaces_can_be_made() -> bool:
    if not IP:
        return False
    name = f"headrace-try-{os.getpid()}"
    made = subprocess.run([IP, "netns", "add", name], capture_output=True).returncode == 0
    if made:
        _ip("netns", "del", name)
    return made


@pytest.fixture
def namespaces() -> Iterator[tuple[str, str]]:
    """Two network namespaces, joined by one line; what still runs in them is ended with them."""
    names = (f"headrace-a-{os.getpid()}", f"headrace-b-{os.getpid()}")
    ends = (f"hra{os.getpid()}", f"hrb{os.getpid()}")
    with ExitStack() as undo:
        for name in names:
            _ip("netns", "add", name)
            undo.callback(_end, name)
        _ip("link", "add", ends[0], "netns", names[0], "type", "veth", "peer", "name", ends[1], "netns", names[1])
        for name, end, address in zip(names, ends, (HEAD, OTHER), strict=True):
            _ip("-n", name, "addr", "add", f"{address}/24", "dev", end)
            _ip("-n", name, "link", "set", end, "up")
            _ip("-n", name, "link", "set", "lo", "up")
        yield names


def _end(name: str) -> None:
    for pid in _ip("netns", "pids", name).split():
        os.kill(int(pid), signal.SIGKILL)
    _ip("netns", "del", name)


@pytest.mark.skipif(not _namespaces_can_be_made(), reason="network namespaces can't be made here (needs root and ip)")
def test_should_shuffle_between_nodes_that_share_only_a_network(
    namespaces: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{java_home() / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    common = ["--num-cpus=1", "--object-store-memory=200000000", "--disable-usage-stats"]
    _inside(
        namespaces[0],
        *("ray", "start", "--head", f"--node-ip-address={HEAD}", f"--port={PORT}", "--include-dashboard=false"),
        *common,
    )
    _inside(namespaces[1], "ray", "start", f"--address={HEAD}:{PORT}", f"--node-ip-address={OTHER}", *common)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    assert "proved" in _inside(namespaces[0], sys.executable, str(program))


def _inside(name: str, *command: str) -> str:
    done = subprocess.run([IP, "netns", "exec", name, *command], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout
