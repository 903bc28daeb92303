"""Ranks without Ray and Java: they answer with the bytes of the contract, from threads of their own.

Rows go to the partition `hash(key) % P`; a partition's stream is cut into small pages. Faults are settings.
"""

from __future__ import annotations

import io
import struct
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import ray

from headrace.delivery import owned
from headrace.errors import ACTIONS, CATEGORIES, Action, Category
from headrace.feeder import Feeder
from headrace.loop import Loop
from headrace.rank import Rank
from headrace.rounds import Rounds
from headrace.rules import Rule
from headrace.shuffle import Request, Shuffle

PAGE_BYTES = 700


@dataclass
class Faults:
    """What the fake ranks do wrong or slowly."""

    refuse_first: int = 0
    insert_seconds: float = 0.0
    lose_rows: int = 0
    dead: set[int] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    error: tuple[str, Category, str] | None = None  # method, category, message
    strange_partition: int | None = None


class FakeRef:
    def __init__(self, future: Future[bytes]) -> None:
        self._future = future

    def future(self) -> Future[bytes]:
        return self._future


class FakeRank(Rank):
    def __init__(self, number: int, cluster: FakeCluster) -> None:
        super().__init__(number, None)
        self._cluster = cluster

    def _call_actor(self, method: str, *arguments: object) -> Any:
        self._cluster.calls.append((self.number, method, arguments))
        if method in self._cluster.faults.silent:
            return FakeRef(Future())
        return FakeRef(self._cluster.threads.submit(self._cluster.answer, self.number, method, arguments))

    def _get(self, ref: Any, timeout_seconds: float) -> bytes:
        return bytes(ref.future().result(timeout_seconds))


class FakeCluster:
    def __init__(self, ranks: int, room: int = 1 << 20, faults: Faults | None = None) -> None:
        self.faults = faults or Faults()
        self.room = room
        self.threads = ThreadPoolExecutor(16)
        self.loop = Loop("test-loop")
        self.calls: list[tuple[int, str, tuple[object, ...]]] = []
        self.ranks = [FakeRank(number, self) for number in range(ranks)]
        self.feeder = Feeder(self.loop, list(self.ranks), Rounds([room] * ranks))
        self.schema: pa.Schema | None = None
        self.partitions: dict[int, list[tuple[int, pa.Table]]] = {}
        self.finished: set[int] = set()
        self.released: set[int] = set()
        self.lock = threading.Lock()
        self.running = 0
        self.running_peak = 0
        self.request: Request | None = None

    def shuffle(self, partitions: int = 4, timeout_seconds: float = 10.0, batch_bytes: int = 1 << 20) -> Shuffle:
        self.request = Request(7, Rule("hash", ("k",)), partitions, b"", int(timeout_seconds * 1e9), batch_bytes)
        self.partitions = {number: [] for number in range(partitions)}
        self.finished, self.released, self.schema = set(), set(), None
        shuffle = Shuffle(self.request, self.loop, list(self.ranks), self.feeder)
        for rank in self.ranks:
            rank.on_lost = shuffle.fail
        shuffle.open(lambda _: None)
        return shuffle

    def close(self) -> None:
        self.loop.close()
        self.threads.shutdown(wait=False, cancel_futures=True)

    def called(self, method: str) -> list[tuple[object, ...]]:
        return [arguments for _, name, arguments in self.calls if name == method]

    def answer(self, rank: int, method: str, arguments: tuple[Any, ...]) -> bytes:
        if rank in self.faults.dead:
            raise ray.exceptions.RayActorError(error_msg="killed by the test")
        if self.faults.error is not None and self.faults.error[0] == method:
            _, category, message = self.faults.error
            head = struct.pack("<BBBi", 1, CATEGORIES.index(category), ACTIONS.index(Action.FAIL_SHUFFLE), rank)
            return head + message.encode()
        handlers: dict[str, Callable[..., bytes]] = {
            "insert": self._insert,
            "finish": self._finish,
            "completed": self._completed,
            "fetch": self._fetch,
            "release": self._release,
        }
        handler = handlers.get(method)
        return b"\0" + (handler(rank, *arguments) if handler else b"")

    def _insert(self, rank: int, _wire_id: int, batch: int, stream: bytes) -> bytes:
        with self.lock:
            self.running += 1
            self.running_peak = max(self.running_peak, self.running)
            refused = self.faults.refuse_first > 0
            self.faults.refuse_first -= refused
        time.sleep(self.faults.insert_seconds)
        table = pa.ipc.open_stream(stream).read_all()
        with self.lock:
            self.running -= 1
            if refused:
                return struct.pack("<Bqq", 0, 0, 0)
            self.schema = self.schema or table.schema
            keys = table.column("k").to_pylist()
            count = len(self.partitions)
            for number in self.partitions:
                picked = [row for row, key in enumerate(keys) if hash(key) % count == number]
                self.partitions[number].append((batch, table.take(pa.array(picked, pa.int64()))))
        return struct.pack("<Bqq", 1, self.room, table.num_rows)

    def _finish(self, rank: int, _wire_id: int, _batches: list[int], rows: int) -> bytes:
        with self.lock:
            self.finished.add(rank)
            lost = self.faults.lose_rows if rank == 0 else 0
        return struct.pack("<q", rows - lost)

    def _completed(self, rank: int, _wire_id: int, after: int, _nanos: int) -> bytes:
        with self.lock:
            ready = len(self.finished) == len(self.ranks)
        if not ready:
            return struct.pack("<i", 0)
        numbers = list(owned(rank, len(self.ranks), len(self.partitions)))[::-1][after:]
        if self.faults.strange_partition is not None:
            numbers = [self.faults.strange_partition]
        return struct.pack(f"<i{len(numbers)}i", len(numbers), *numbers)

    def _fetch(self, rank: int, _wire_id: int, partition: int, page: int) -> bytes:
        assert partition in owned(rank, len(self.ranks), len(self.partitions))
        assert partition not in self.released
        assert self.schema is not None
        sink = io.BytesIO()
        with pa.ipc.new_stream(sink, self.schema) as writer:
            for _, table in sorted(self.partitions[partition], key=lambda entry: entry[0]):
                for batch in table.to_batches():
                    writer.write_batch(batch)
        stream = sink.getvalue()
        body = stream[page * PAGE_BYTES : (page + 1) * PAGE_BYTES]
        return bytes([(page + 1) * PAGE_BYTES >= len(stream)]) + body

    def _release(self, _rank: int, _wire_id: int, partition: int) -> bytes:
        self.released.add(partition)
        return b""
