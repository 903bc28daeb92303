"""Brings the ranks of a session up and connects them, or says why that can't be."""

from __future__ import annotations

import secrets
import time
from concurrent import futures
from dataclasses import dataclass
from pathlib import Path

import ray
from ray._private import state as ray_state

from headrace.errors import Action, Deadline, PeerLost
from headrace.java import native_directory
from headrace.placement import Placement
from headrace.rank import GRACE_SECONDS, Rank, await_answers
from headrace.settings import RankSettings

START_SECONDS = 30.0
CONNECT_NANOS = 20 * 10**9
PEER_TIMEOUT_NANOS = 3 * 10**9
LOG_LINES = 12
FIRST_INCARNATION = 1


@dataclass(frozen=True)
class RankPlan:
    """What is the same for all ranks of a session."""

    ranks: int
    memory_limit_bytes: int
    spill_directories: tuple[Path, ...]
    transport: str

    def settings(self, job_key: bytes) -> list[RankSettings]:
        """The settings of each rank."""
        return [
            RankSettings(
                rank=rank,
                ranks=self.ranks,
                incarnation=FIRST_INCARNATION,
                memory_limit_bytes=self.memory_limit_bytes,
                spill_directories=self.spill_directories,
                transport=self.transport,
                native_directory=native_directory(),
                net_devices="",  # the network that Ray uses, found by each rank
                job_key=job_key,
                peer_timeout_nanos=PEER_TIMEOUT_NANOS,
                connect_timeout_nanos=CONNECT_NANOS,
                shared_slabs=True,
            )
            for rank in range(self.ranks)
        ]


def start_ranks(placement: Placement, plan: RankPlan) -> tuple[list[Rank], list[dict[str, str]]]:
    """The ranks, up and connected to each other, and what each says of itself; ends them all if one fails."""
    deadline = time.monotonic() + START_SECONDS
    settings = plan.settings(secrets.token_bytes(32))
    ranks: list[Rank] = []
    try:
        ranks.extend(Rank(each.rank, placement.create(each.rank, each.text())) for each in settings)
        described = [_describe(rank, placement, max(1.0, deadline - time.monotonic())) for rank in ranks]
        connect(ranks, [rank.address(GRACE_SECONDS) for rank in ranks])
    except BaseException:
        end_ranks(ranks)
        raise
    return ranks, described


def connect(ranks: list[Rank], addresses: list[bytes]) -> None:
    """Tells every rank about every other one, and waits until all pairs are connected."""
    for rank in ranks:
        told = {
            peer.number: rank.connect_peer(peer.number, FIRST_INCARNATION, addresses[peer.number])
            for peer in ranks
            if peer is not rank
        }
        await_answers(told, f"connecting rank {rank.number}", GRACE_SECONDS)
    waits = {rank.number: rank.await_connected(CONNECT_NANOS) for rank in ranks}
    await_answers(waits, "connecting the ranks", CONNECT_NANOS / 1e9 + GRACE_SECONDS)


def end_ranks(ranks: list[Rank], wait_seconds: float = 0.0) -> None:
    """Frees what the ranks hold, if they still answer in that time, and ends their processes."""
    ranks = [rank for rank in ranks if rank.is_of_this_ray()]
    if wait_seconds > 0:
        answers = [rank.shutdown() for rank in ranks]
        futures.wait(answers, timeout=wait_seconds)
    for rank in ranks:
        ray.kill(rank.actor, no_restart=True)


def _describe(rank: Rank, placement: Placement, seconds: float) -> dict[str, str]:
    try:
        return rank.describe(seconds)
    except Deadline as error:
        why = why_not_started(rank, placement)
        message = f"rank {rank.number} did not start within {START_SECONDS:g} s: {why}"
        raise Deadline(message, action=Action.RETRY, rank=rank.number) from error
    except PeerLost as error:
        message = f"rank {rank.number} died while it started: {error.message}; {worker_log()}"
        raise PeerLost(message, rank=rank.number) from error


def why_not_started(rank: Rank, placement: Placement) -> str:
    """What Ray knows about an actor that does not come up; for a person to read."""
    node_id = placement.node_ids[rank.number]
    free = ray_state.available_resources_per_node().get(node_id, {}).get("memory", 0.0)
    total = ray_state.total_resources_per_node().get(node_id, {}).get("memory", 0.0)
    actor = ray_state.actors(rank.actor._actor_id.hex()) or {}
    state = actor.get("State", "unknown")
    if state != "ALIVE" and free < placement.memory_bytes:
        return (
            f"no resources: it asks for {placement.memory_bytes} bytes of memory, and its node has {free:.0f} of "
            f"{total:.0f} free; lower memory_limit or end what holds the memory"
        )
    return f"its actor is {state}; {worker_log()}"


def worker_log() -> str:
    """The last lines that Java workers of this node wrote before they had a log of their own."""
    node = ray._private.worker.global_worker.node
    path = Path(node.get_logs_dir_path()) / "raylet.err" if node is not None else None
    try:
        lines = path.read_text(errors="replace").splitlines() if path else []
    except OSError:
        lines = []
    said = [line.strip() for line in lines if line.strip() and "NOTE: Picked up" not in line]
    return "its node's log says nothing" if not said else "its node's log ends: " + " | ".join(said[-LOG_LINES:])
