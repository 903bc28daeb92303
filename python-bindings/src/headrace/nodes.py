"""Which nodes of the running Ray can start Java workers.

A raylet that found no `java` on its PATH when it was started doesn't refuse a Java actor: the raylet itself
ends ("Required Language isn't supported: JAVA"), and the node is lost. That holds for the node an actor is
placed on and for the node of its creator. So a node is looked at before any Java actor is created.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from headrace.errors import Deadline
from headrace.java import JavaSetup, java_problem

JAVA_COMMAND = "--java_worker_command="


@dataclass(frozen=True)
class JavaNode:
    """What was found on one node; `problem` says why its Java workers can't run, None if they can."""

    node_id: str
    address: str
    java_workers: bool
    problem: str | None


def look_at_nodes(setup: JavaSetup, timeout_seconds: float) -> list[JavaNode]:
    """Looks at every live node: at this one directly, at others through one Python task each."""
    here = ray.get_runtime_context().get_node_id()
    calls = {}
    found = []
    for node in ray.nodes():
        if not node["Alive"]:
            continue
        if node["NodeID"] == here:
            found.append(_java_node(node, _look(setup, here)))
        else:
            at = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            calls[node["NodeID"]] = (node, _look_remotely.options(scheduling_strategy=at).remote(setup))
    for node, call in calls.values():
        found.append(_java_node(node, _answer(node, call, timeout_seconds)))
    return found


def _answer(node: dict[str, object], call: ray.ObjectRef, timeout_seconds: float) -> tuple[bool, str | None]:
    address = node["NodeManagerAddress"]
    try:
        look: tuple[bool, str | None] = ray.get(call, timeout=timeout_seconds)
    except ray.exceptions.GetTimeoutError as error:
        raise Deadline(f"node {address} started no Python task within {timeout_seconds:g} s") from error
    except ray.exceptions.RayError as error:
        return False, f"a Python task failed: {error}"
    return look


def _java_node(node: dict[str, object], look: tuple[bool, str | None]) -> JavaNode:
    return JavaNode(str(node["NodeID"]), str(node["NodeManagerAddress"]), *look)


def _look(setup: JavaSetup, node_id: str) -> tuple[bool, str | None]:
    command = _command_of_raylet(node_id)
    if command is None:
        return False, "the command line of its raylet can't be read, so nobody knows whether Java workers are on"
    if not any(word.startswith(JAVA_COMMAND) and len(word) > len(JAVA_COMMAND) for word in command):
        return False, "its Ray was started where no `java` is on the PATH, so Java workers are off on that node"
    return True, java_problem(setup)


def _command_of_raylet(node_id: str) -> list[str] | None:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:  # it has ended, or belongs to somebody else
            continue
        if Path(words[0]).name == "raylet" and f"--node_id={node_id}" in words:
            return words
    return None


def _look_here(setup: JavaSetup) -> tuple[bool, str | None]:
    return _look(setup, ray.get_runtime_context().get_node_id())


_look_remotely = ray.remote(num_cpus=0, max_retries=1)(_look_here)
