"""The operator that gives Ray Data's blocks to the ranks, in the place of Ray's own map side of a shuffle."""

from __future__ import annotations

import functools
import queue
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import ray
from ray.data._internal.execution.block_ref_counter import BlockRefCounter
from ray.data._internal.execution.interfaces import (
    BlockEntry,
    ExecutionOptions,
    ExecutionResources,
    PhysicalOperator,
    RefBundle,
)
from ray.data._internal.execution.interfaces.physical_operator import MetadataOpTask
from ray.data._internal.execution.operators.shuffle_operators.shuffle_map_operator import (
    ShuffleMapOp,
    make_partition_sentinel,
)
from ray.data.block import BlockMetadata, BlockStats, to_stats
from ray.data.context import DataContext

from headrace.ray_data.blocks import Conversion, remote_streams_of
from headrace.ray_data.feed import Exchanged, Feed
from headrace.ray_data.fetch import FetchingReduce, ticket
from headrace.ray_data.options import Options
from headrace.session import Session
from headrace.shuffle import Shuffle

STREAM_BYTES = 16 << 20
LEAST_TASKS, MOST_TASKS = 3, 64
WAIT_SECONDS = 0.05  # for the ranks' last words, once nothing but they is under way


# The rule of a shuffle, as arguments of `Session.shuffle`, for streams of a schema; the operator's input may know more.
RuleOf = Callable[[pa.Schema, PhysicalOperator], dict[str, Any]]


@dataclass(frozen=True)
class Exchange:
    """What an operator does to its input: how blocks become streams, and the rule of the shuffle they go through."""

    name: str
    options: Options
    conversion: Conversion
    partitions: int
    rule: RuleOf


@dataclass(frozen=True, eq=False)
class TicketBundle(RefBundle):  # type: ignore[misc]
    """What stands for one partition; says when the reduce operator is done with it."""

    on_done: Callable[[], None] = field(default=lambda: None)

    def destroy_if_owned(self) -> None:
        """Called once the task that reduced the partition has ended."""
        self.on_done()


@dataclass
class _Group:
    """Blocks that one task makes streams of."""

    bundles: list[RefBundle] = field(default_factory=list)
    size: int = 0


@dataclass
class _Task:
    """A running task and what it was given."""

    task: MetadataOpTask
    bundles: list[RefBundle]
    ended: bool = False


class ExchangeOperator(ShuffleMapOp):  # type: ignore[misc]
    """Takes bundles of blocks; when all are with the ranks, gives one ticket per partition.

    On the executor's thread, which it never keeps waiting; a subclass of Ray's operator since Ray's reduce operator,
    its allocator and its autoscaler know that class by name.
    """

    def __init__(
        self,
        input_op: PhysicalOperator,
        data_context: DataContext,
        exchange: Exchange,
        reduce: FetchingReduce,
        input_number: int = 0,
    ) -> None:
        super().__init__(
            input_op,
            data_context,
            num_partitions=exchange.partitions,
            partition_fn=_never,
            name=exchange.name,
        )
        self._exchange = exchange
        self._reduce = reduce
        self._input_number = input_number
        self._feed: Feed | None = None
        self._most_tasks = LEAST_TASKS
        self._group = _Group()
        self._groups = 0
        self._tasks: dict[int, _Task] = {}
        self._done: queue.SimpleQueue[tuple[int, int, int]] = queue.SimpleQueue()
        self._exchanged: Exchanged | None = None
        self._ticket: ray.ObjectRef | None = None
        self._schema_out: pa.Schema | None = None

    def start(self, options: ExecutionOptions, block_ref_counter: BlockRefCounter) -> None:
        """Lets the ranks come up in the background."""
        super().start(options, block_ref_counter)
        cpus = int(ray.cluster_resources().get("CPU", 1))
        self._most_tasks = max(LEAST_TASKS, min(MOST_TASKS, cpus + 1))
        self._feed = Feed(self._exchange.options, self._open_shuffle, self._most_tasks)
        self._feed.begin()

    def _open_shuffle(self, session: Session, schema: pa.Schema) -> Shuffle:
        exchange = self._exchange
        rule = exchange.rule(schema, self.input_dependencies[0])
        return session.shuffle(num_partitions=exchange.partitions, timeout=exchange.options.timeout, **rule)

    # Blocks in

    def can_add_input(self) -> bool:
        """As long as ranks take what tasks make: a task counts until its last stream was granted."""
        return len(self._tasks) < self._most_tasks

    def _add_input_inner(self, refs: RefBundle, input_index: int) -> None:  # noqa: ARG002 - Ray calls it so
        if self._exchange.conversion.checks is not None:
            self._exchange.conversion.checks.validate_schema(refs.schema)
        self._group.bundles.append(refs)
        self._group.size += refs.size_bytes()
        if self._group.size >= self._exchange.conversion.group_bytes:
            self._submit()

    def all_inputs_done(self) -> None:
        """Called by the executor when no more bundles come."""
        PhysicalOperator.all_inputs_done(self)
        self._submit()
        self._running_feed().end()

    def _submit(self) -> None:
        group, self._group = self._group, _Group()
        entries = [entry for bundle in group.bundles for entry in bundle.blocks]
        if not entries:
            return
        number, self._groups = self._groups, self._groups + 1
        resources = {"num_cpus": self._exchange.conversion.cpus}
        streams = remote_streams_of.options(name=self.name, **resources).remote(
            self._exchange.conversion,
            self.data_context,
            STREAM_BYTES,
            *[entry.ref for entry in entries],
        )
        task = MetadataOpTask(
            task_index=number,
            object_ref=streams._generator_ref,
            task_done_callback=functools.partial(self._task_ended, number),
            task_resource_bundle=ExecutionResources.from_resource_dict(resources),
        )
        self._tasks[number] = _Task(task, group.bundles)
        done = functools.partial(_tell, self._done, number)
        self._running_feed().add(number, streams, done)
        self._metrics.on_task_submitted(
            number, RefBundle(tuple(entries), schema=None, owns_blocks=False), task_id=task.get_task_id()
        )

    def _task_ended(self, number: int) -> None:
        if number in self._tasks:
            self._tasks[number].ended = True

    def _drain(self) -> None:
        """Takes note of the tasks whose streams the ranks have."""
        while not self._done.empty():
            number, rows, size = self._done.get()
            task = self._tasks.pop(number, None)
            if task is None:
                continue
            self._total_input_rows += rows
            self._total_input_bytes += size
            for bundle in task.bundles:
                self._map_blocks_stats.extend(to_stats(bundle.metadata))
                bundle.destroy_if_owned()
            self._metrics.on_task_finished(number, None, task_exec_stats=None, task_exec_driver_stats=None)
            if self._map_bar is not None:
                self._map_bar.update(increment=rows, total=self._total_input_rows)

    def _running_feed(self) -> Feed:
        if self._feed is None:
            raise RuntimeError(f"{self.name} was not started")
        return self._feed

    # Tickets out

    def refresh_state(self) -> None:
        """Called by the executor in each of its rounds."""
        self._drain()
        if self._feed is None or self._partition_bundles_emitted:
            return
        if self._inputs_complete and not self.get_active_tasks():
            self._feed.wait(WAIT_SECONDS)
        exchanged = self._feed.result
        if exchanged is not None:
            self._drain()
            self._emit(exchanged)

    def has_next(self) -> bool:
        """Whether a ticket can be taken."""
        if not self._output_queue.has_next():
            self.refresh_state()
        return bool(self._output_queue.has_next())

    def _emit(self, exchanged: Exchanged) -> None:
        self._partition_bundles_emitted = True
        self._exchanged = exchanged
        if not exchanged.rows and not exchanged.schema.names and self._exchange.conversion.route is None:
            return  # as Ray Data's own, which has no schema to give to empty blocks either
        self._reduce.sources[self._input_number] = exchanged.sources
        self._reduce.schemas[self._input_number] = exchanged.schema
        self._reduce.pandas = self._exchange.conversion.keeps_kind and not exchanged.arrow
        self._schema_out = self._reduce.outgoing(exchanged.schema)
        rows = exchanged.rows or [[0] * self._num_partitions]
        self._ticket = ray.put(ticket(exchanged.rows or []))
        for partition, counts in enumerate(zip(*rows, strict=True)):
            self._emit_partition(partition, sum(counts), exchanged)

    def _emit_partition(self, partition: int, rows: int, exchanged: Exchanged) -> None:
        size = exchanged.size * rows // max(1, exchanged.total_rows)
        self._partition_bytes[partition] = size
        metadata = BlockMetadata(
            num_rows=rows, size_bytes=size, exec_stats=None, input_files=make_partition_sentinel(partition)
        )
        feed = self._running_feed()
        bundle = TicketBundle(
            (BlockEntry(ref=self._ticket, metadata=metadata),),
            schema=self._schema_out,
            owns_blocks=False,
            on_done=lambda: feed.release(partition),
        )
        self._output_queue.add(bundle)
        self._metrics.on_output_queued(bundle)

    # What the executor asks

    def get_active_tasks(self) -> list[MetadataOpTask]:
        """The tasks that still make streams."""
        return [task.task for task in self._tasks.values() if not task.ended]

    def has_execution_finished(self) -> bool:
        """Whether all tickets were taken."""
        if self._is_execution_marked_finished:
            return True
        return self._inputs_complete and self._partition_bundles_emitted and not self._output_queue.has_next()

    def current_logical_usage(self) -> ExecutionResources:
        """What the tasks under way have asked for; ranks ask for none of the executor's share."""
        return ExecutionResources(cpu=self._exchange.conversion.cpus * len(self._tasks))

    def incremental_resource_usage(self) -> ExecutionResources:
        """What one more task would ask for."""
        return ExecutionResources(cpu=self._exchange.conversion.cpus)

    def progress_str(self) -> str:
        """How many tasks' streams the ranks have."""
        return f"to ranks: {self._groups - len(self._tasks)}/{self._groups}"

    def get_stats(self) -> dict[str, list[BlockStats]]:
        """The blocks that went in."""
        return {self._name: self._map_blocks_stats}

    def _extra_metrics(self) -> dict[str, Any]:
        exchanged = self._exchanged
        return {} if exchanged is None else {"headrace-rows": exchanged.total_rows, "headrace-bytes": exchanged.size}

    def _do_shutdown(self, force: bool = False) -> None:
        if self._feed is not None:
            self._feed.close()
        super()._do_shutdown(force)
        self._tasks.clear()
        self._group = _Group()


def _never(_: object) -> dict[int, Any]:
    raise RuntimeError("the ranks partition, not this function")


def _tell(done: queue.SimpleQueue[tuple[int, int, int]], number: int, rows: int, size: int) -> None:
    done.put((number, rows, size))
