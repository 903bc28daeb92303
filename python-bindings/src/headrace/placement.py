"""Where the ranks of a session live, and the creation of their actors there."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from headrace.cluster import current_ray
from headrace.crosslanguage import java_calls
from headrace.errors import InvalidInput
from headrace.java import ACTOR_CLASS, JavaSetup
from headrace.javanode import JavaNodeProcess
from headrace.nodes import JavaNode, look_at_nodes

CONCURRENT_CALLS = 16  # data calls stay below this, so that control calls always run
LOOK_SECONDS = 25.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Placement:
    """The nodes of the ranks, and who creates their actors; owns the added node, if one was needed."""

    setup: JavaSetup
    node_ids: tuple[str, ...]
    memory_bytes: int
    creator: ray.actor.ActorHandle | None = None
    added_node: JavaNodeProcess | None = None
    actor_class: str = ACTOR_CLASS
    made_in: object = field(default_factory=current_ray)

    def create(self, rank: int, settings: str) -> ray.actor.ActorHandle:
        """Submits the actor of a rank; says nothing about whether it will start."""
        arguments = (self.actor_class, self.setup, self.node_ids[rank], self.memory_bytes, settings)
        if self.creator is None:
            return create_actor(*arguments)
        return ray.get(self.creator.create.remote(*arguments), timeout=LOOK_SECONDS)

    def close(self) -> None:
        """Ends what was started to place the ranks; the ranks are ended before."""
        if self.creator is not None and current_ray() == self.made_in:
            ray.kill(self.creator, no_restart=True)
        if self.added_node is not None:
            self.added_node.stop()


def place(setup: JavaSetup, ranks: int, memory_bytes: int, actor_class: str = ACTOR_CLASS) -> Placement:
    """Spreads the ranks over the nodes that can run them, round about; adds a node if there is none."""
    found = look_at_nodes(setup, LOOK_SECONDS)
    usable = [node for node in found if node.java_workers and node.problem is None]
    if not usable:
        return _on_added_node(setup, ranks, memory_bytes, actor_class, found)
    here = ray.get_runtime_context().get_node_id()
    usable.sort(key=lambda node: (node.node_id != here, node.node_id))
    node_ids = tuple(usable[rank % len(usable)].node_id for rank in range(ranks))
    placement = Placement(setup, node_ids, memory_bytes, actor_class=actor_class)
    if any(node.node_id == here and node.java_workers for node in found):
        return placement
    return replace(placement, creator=_creator_on(node_ids[0]))


def _on_added_node(
    setup: JavaSetup, ranks: int, memory_bytes: int, actor_class: str, found: list[JavaNode]
) -> Placement:
    if any(node.java_workers for node in found):  # Java workers are on, but this setup can't run: no node would help
        raise InvalidInput("; ".join(f"node {node.address}: {node.problem}" for node in found))
    log.info("Java workers are off in the running Ray; adding a node that has them, for this session")
    added = JavaNodeProcess(ranks * memory_bytes)
    try:
        creator = _creator_on(added.node_id)
        return Placement(setup, (added.node_id,) * ranks, memory_bytes, creator, added, actor_class)
    except BaseException:
        added.stop()
        raise


def create_actor(
    actor_class: str, setup: JavaSetup, node_id: str, memory_bytes: int, settings: str
) -> ray.actor.ActorHandle:
    """Submits a Java actor onto a node that is known to have Java workers.

    It asks for memory and no CPU: an actor that asks for nothing at all is handed to a raylet chosen at
    random, and one without Java workers would not survive that.
    """
    with java_calls():
        return (
            ray.cross_language.java_actor_class(actor_class)
            .options(
                num_cpus=0,
                memory=memory_bytes,
                max_concurrency=CONCURRENT_CALLS,
                max_restarts=0,
                max_task_retries=0,
                runtime_env=setup.runtime_env(),
                scheduling_strategy=NodeAffinitySchedulingStrategy(node_id, soft=False),
            )
            .remote(settings)
        )


def _creator_on(node_id: str) -> ray.actor.ActorHandle:
    at = NodeAffinitySchedulingStrategy(node_id, soft=False)
    return ray.remote(_Creator).options(num_cpus=0, scheduling_strategy=at).remote()


class _Creator:
    """Creates Java actors from a node that has Java workers: Ray asks the creator's own raylet first."""

    create: Callable[..., ray.actor.ActorHandle] = staticmethod(create_actor)
