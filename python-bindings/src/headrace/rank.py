"""One rank as the driver sees it. The only place that knows the methods of the Java actor.

Calls wait in lanes, so that no kind of call takes the threads that another one needs: the actor runs
`placement.CONCURRENT_CALLS` at a time, and long waits are few.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass, field

import ray

from headrace import replies
from headrace.cluster import current_ray, ray_is_gone
from headrace.crosslanguage import java_calls
from headrace.errors import Category, Deadline, HeadraceError, Internal, PeerLost
from headrace.objects import object_view
from headrace.rules import Rule
from headrace.settings import parse_properties

FETCHES, FINISHES, POLLS, CONTROLS = 4, 2, 2, 3  # with the inserts of `rounds` below CONCURRENT_CALLS
GRACE_SECONDS = 10.0  # what a call may take beyond the time that its work is given

Payload = memoryview


@dataclass
class _Lane:
    """Starts calls in order, at most so many at a time. Any thread."""

    limit: int
    running: int = 0
    waiting: deque[Callable[[], None]] = field(default_factory=deque)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, call: Callable[[], None]) -> None:
        with self.lock:
            if self.running >= self.limit:
                self.waiting.append(call)
                return
            self.running += 1
        call()

    def ended(self) -> None:
        with self.lock:
            following = self.waiting.popleft() if self.waiting else None
            self.running -= following is None
        if following is not None:
            following()


class Rank:
    """Calls the actor of one rank; every error comes out as a HeadraceError. Any thread."""

    def __init__(
        self, number: int, actor: ray.actor.ActorHandle, on_lost: Callable[[PeerLost], None] = lambda _: None
    ) -> None:
        self.number = number
        self.actor = actor
        self.on_lost = on_lost
        self.lost: PeerLost | None = None
        self._ray = current_ray()
        self._controls, self._finishes = _Lane(CONTROLS), _Lane(FINISHES)
        self._polls, self._inserts = _Lane(POLLS), _Lane(1 << 30)
        self._fetches = threading.Semaphore(FETCHES)

    def is_of_this_ray(self) -> bool:
        """Whether the Ray that it was made in is still the one of this process."""
        return current_ray() == self._ray

    def lose(self, error: PeerLost) -> None:
        """The rank is gone, or silent to its peers: calls fail at once from now on, and `on_lost` is told."""
        first, self.lost = self.lost is None, self.lost or error
        if first:
            self.on_lost(error)

    # Start and end

    def describe(self, timeout_seconds: float) -> dict[str, str]:
        """What the rank says of itself; the first answer comes when its JVM is up."""
        return parse_properties(_text(self._ask("describe", timeout_seconds)))

    def address(self, timeout_seconds: float) -> bytes:
        """Where other ranks reach this one."""
        return bytes(self._ask("address", timeout_seconds))

    def connect_peer(self, rank: int, incarnation: int, address: bytes) -> Future[Payload]:
        """Tells the rank where another one is."""
        return self._call(self._controls, "connectPeer", rank, incarnation, address)

    def await_connected(self, timeout_nanos: int) -> Future[Payload]:
        """Completes when the rank has reached all its peers; an error names those that are missing."""
        return self._call(self._controls, "awaitConnected", timeout_nanos)

    def shutdown(self) -> Future[Payload]:
        """Frees what the rank holds; its process is ended afterwards."""
        return self._call(self._controls, "shutdown")

    # A shuffle

    def open(self, wire_id: int, rule: Rule, partitions: int, schema: bytes, timeout_nanos: int) -> Future[Payload]:
        """Opens a shuffle; all ranks have to have it open before the first insert."""
        words = rule.kind, list(rule.keys), rule.order, rule.boundaries, rule.seed
        return self._call(self._controls, "open", wire_id, *words, partitions, schema, timeout_nanos)

    def sample(self, keys: tuple[str, ...], batch: int, rows: int, stream: ray.ObjectRef) -> Future[Payload]:
        """Draws rows of a batch that is for no shuffle yet; the answer is for `boundaries`."""
        return self._call(self._finishes, "sample", list(keys), batch, rows, stream)

    def boundaries(self, rule: Rule, partitions: int, samples: bytes) -> Future[Payload]:
        """Finds the boundaries of a range from samples of all batches."""
        return self._call(self._finishes, "boundaries", list(rule.keys), rule.order, partitions, samples)

    def insert(self, wire_id: int, batch: int, stream: ray.ObjectRef) -> Future[Payload]:
        """Gives a batch; `rounds` says when."""
        return self._call(self._inserts, "insert", wire_id, batch, stream)

    def finish(self, wire_id: int, batches: list[int], rows: int) -> Future[Payload]:
        """Says which batches and how many rows the rank must have had; answers with the rows it promises."""
        return self._call(self._finishes, "finish", wire_id, batches, rows)

    def completed(self, wire_id: int, after: int, timeout_nanos: int) -> Future[Payload]:
        """Completes when more than `after` partitions of this rank are complete, or the time is over."""
        return self._call(self._polls, "completed", wire_id, after, timeout_nanos)

    def rows(self, wire_id: int) -> Future[Payload]:
        """Asks for the rows of each partition that the rank owns, in ascending order, once all ranks have finished."""
        return self._call(self._controls, "rows", wire_id)

    def fetch(self, wire_id: int, partition: int, page: int, timeout_seconds: float) -> replies.Page:
        """One page of a partition, copied out of the object store by the calling thread."""
        with self._fetches:
            return replies.page(self._answer(self._submit("fetch", wire_id, partition, page), "fetch", timeout_seconds))

    def fetch_in_place(self, wire_id: int, partition: int, page: int, timeout_seconds: float) -> replies.Page:
        """One page of a partition where it lies in the object store, which keeps it as long as somebody holds it."""
        with self._fetches:
            ref = self._submit("page", wire_id, partition, page)
            try:
                return replies.page_in_place(object_view(ref, timeout_seconds))
            except HeadraceError:
                raise
            except Exception as error:
                raise self._error(error, "page") from error

    def release(self, wire_id: int, partition: int) -> Future[Payload]:
        """Says that the partition is delivered; its memory goes back."""
        return self._call(self._controls, "release", wire_id, partition)

    def close_shuffle(self, wire_id: int) -> Future[Payload]:
        """Ends a shuffle and frees what is left of it."""
        return self._call(self._controls, "closeShuffle", wire_id)

    def abort(self, wire_id: int, category: Category, message: str) -> Future[Payload]:
        """Fails a shuffle on the rank."""
        return self._call(self._controls, "abort", wire_id, category.value, message)

    def room(self) -> Future[Payload]:
        """Asks how many bytes the rank can take."""
        return self._call(self._controls, "room")

    def statistics(self) -> Future[Payload]:
        """Asks for the counters, as JSON."""
        return self._call(self._controls, "statistics")

    # How calls are made

    def _check_callable(self) -> None:
        if self.lost is not None:
            raise self.lost.again()
        if not self.is_of_this_ray():
            raise ray_is_gone()

    def _submit(self, method: str, *arguments: object) -> ray.ObjectRef:
        self._check_callable()
        return self._call_actor(method, *arguments)

    def _call_actor(self, method: str, *arguments: object) -> ray.ObjectRef:
        with java_calls():
            return getattr(self.actor, method).remote(*arguments)

    def _get(self, ref: ray.ObjectRef, timeout_seconds: float) -> bytes:
        reply: bytes = ray.get(ref, timeout=timeout_seconds)
        return reply

    def _call(self, lane: _Lane, method: str, *arguments: object) -> Future[Payload]:
        answer: Future[Payload] = Future()

        def start() -> None:
            try:
                self._submit(method, *arguments).future().add_done_callback(done)
            except Exception as error:  # noqa: BLE001 - whatever it is belongs to the caller's future
                lane.ended()
                answer.set_exception(self._error(error, method))

        def done(reply: Future[bytes]) -> None:
            lane.ended()
            try:
                answer.set_result(replies.payload(reply.result()))
            except Exception as error:  # noqa: BLE001
                answer.set_exception(self._error(error, method))

        lane.start(start)
        return answer

    def _ask(self, method: str, timeout_seconds: float) -> Payload:
        return self._answer(self._submit(method), method, timeout_seconds)

    def _answer(self, ref: ray.ObjectRef, method: str, timeout_seconds: float) -> Payload:
        try:
            return replies.payload(self._get(ref, timeout_seconds))
        except HeadraceError:
            raise
        except Exception as error:
            raise self._error(error, method) from error

    def _error(self, error: BaseException, method: str) -> HeadraceError:
        if isinstance(error, HeadraceError):
            return error
        if isinstance(error, ray.exceptions.RayActorError):
            lost = PeerLost(f"rank {self.number} died: {_first_lines(error)}", rank=self.number)
            self.lose(lost)
            return lost
        if isinstance(error, (ray.exceptions.GetTimeoutError, TimeoutError)):
            return Deadline(f"rank {self.number} did not answer {method} in time", rank=self.number)
        if isinstance(error, ray.exceptions.ActorUnschedulableError):
            return Deadline(f"rank {self.number} fits on no node", rank=self.number)
        return Internal(f"calling {method} on rank {self.number} failed: {_first_lines(error)}", rank=self.number)


def await_answers(answers: dict[int, Future[Payload]], what: str, timeout_seconds: float) -> dict[int, Payload]:
    """The answers of several ranks; raises the first error as soon as there is one, or names who did not answer."""
    done, waiting = wait(answers.values(), timeout_seconds, FIRST_EXCEPTION)
    for answer in done:
        answer.result()
    if waiting:
        late = [rank for rank, answer in answers.items() if answer in waiting]
        message = f"{what}: no answer from rank {', '.join(map(str, late))} within {timeout_seconds:g} s"
        raise Deadline(message, rank=late[0])
    return {rank: answer.result() for rank, answer in answers.items()}


def _text(body: Payload) -> str:
    return bytes(body).decode(errors="replace")


def _first_lines(error: BaseException, lines: int = 6) -> str:
    return " | ".join(line.strip() for line in str(error).splitlines()[:lines] if line.strip()) or repr(error)
