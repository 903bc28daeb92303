"""The benchmark as a user starts it: options, libraries and exit codes; the Java program has tests of its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "headrace", "bench", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False)


@pytest.mark.parametrize("communicator", ["in-process", "ucx"])
def test_should_end_with_one_json_object(communicator: str) -> None:
    done = bench("-C", communicator, "--rows=2000", "--output-partitions=2", "--runs=2", "--warmups=0", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert len(result["elapsed_s"]) == 2
    assert result["shuffle-rows-out"] == 4000
    assert result["of_roofline"] > 0
    assert not done.stderr


def test_should_leave_every_argument_to_the_program() -> None:
    done = bench("--help")
    assert done.returncode == 0
    assert "--output-partitions" in done.stdout
    wrong = bench("--ranks=0")
    assert wrong.returncode == 2
    assert wrong.stderr.splitlines() == ["headrace bench: --ranks is 0, must be at least 1"]
