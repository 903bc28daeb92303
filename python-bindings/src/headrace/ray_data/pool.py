"""The ranks that Ray Data's shuffles share: started when the first one needs them, given back when none does."""

from __future__ import annotations

import atexit
import logging
import threading
from dataclasses import dataclass, field

import ray

from headrace.cluster import current_ray
from headrace.java import HEAP_BYTES
from headrace.ray_data.options import Options
from headrace.session import Session
from headrace.settings import parse_bytes

SHARE_OF_MEMORY = 0.2  # of what Ray may hand out on a node; partitions and blocks want the rest
LEAST_LIMIT_BYTES, LARGEST_LIMIT_BYTES = 64 << 20, 16 << 30
log = logging.getLogger(__name__)


@dataclass
class _Ranks:
    """Ranks of one setting on one Ray; guarded by the pool's lock, but for `session` while `ready` is not set."""

    options: Options
    made_in: object  # of the connections to Ray, see `current_ray`
    users: int = 0
    session: Session | None = None
    failure: BaseException | None = None
    ready: threading.Event = field(default_factory=threading.Event)
    idle: threading.Timer | None = None


class RankPool:
    """Sessions by their options. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[Options, _Ranks] = {}

    def acquire(self, options: Options) -> Session:
        """A session for one shuffle; waits while it starts. Every call wants a `give_back`."""
        ranks, starts = self._claim(options)
        if starts:
            self._start(ranks)
        ranks.ready.wait()
        if ranks.failure is not None or ranks.session is None:
            raise ranks.failure or RuntimeError("the ranks were not started")
        return ranks.session

    def give_back(self, options: Options, session: Session) -> None:
        """Says that the shuffle needs its session no more; the last one starts the time after which ranks end."""
        with self._lock:
            ranks = self._known.get(options)
            if ranks is None or ranks.session is not session:
                unused: Session | None = session if not session.is_usable else None
            else:
                unused = None
                ranks.users -= 1
                if ranks.users == 0:
                    ranks.idle = threading.Timer(options.idle_seconds, self._idle, (ranks,))
                    ranks.idle.daemon = True
                    ranks.idle.start()
        if unused is not None:
            unused.close()

    def close(self) -> None:
        """Ends all ranks."""
        with self._lock:
            known = list(self._known.values())
            self._known.clear()
        for ranks in known:
            self._end(ranks)

    def _claim(self, options: Options) -> tuple[_Ranks, bool]:
        """The ranks of these options, one user more, and whether the caller has to start them."""
        here = current_ray()
        stale = None
        with self._lock:
            ranks = self._known.get(options)
            if ranks is not None and not _serves(ranks, here):
                stale = self._known.pop(options)
                ranks = None
            starts = ranks is None
            if ranks is None:
                ranks = self._known[options] = _Ranks(options, here)
            ranks.users += 1
            if ranks.idle is not None:
                ranks.idle.cancel()
                ranks.idle = None
        if stale is not None and stale.made_in == here and stale.users == 0:
            self._end(stale)
        return ranks, starts

    def _start(self, ranks: _Ranks) -> None:
        try:
            ranks.session = _session(ranks.options)
        except BaseException as error:
            ranks.failure = error
            with self._lock:
                if self._known.get(ranks.options) is ranks:
                    del self._known[ranks.options]
            raise
        finally:
            ranks.ready.set()

    def _idle(self, ranks: _Ranks) -> None:
        with self._lock:
            if ranks.users > 0 or self._known.get(ranks.options) is not ranks:
                return
            del self._known[ranks.options]
        self._end(ranks)

    def _end(self, ranks: _Ranks) -> None:
        if ranks.idle is not None:
            ranks.idle.cancel()
        if ranks.session is not None and ranks.made_in == current_ray():
            log.debug("giving %d ranks back", len(ranks.session.actors))
            ranks.session.close()


def _serves(ranks: _Ranks, here: object) -> bool:
    """Whether a new shuffle can use them: they are still starting, or run and belong to the Ray that is there now."""
    starting = not ranks.ready.is_set()
    return ranks.made_in == here and (starting or (ranks.session is not None and ranks.session.is_usable))


def _session(options: Options) -> Session:
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) > 0]
    ranks = options.ranks or max(1, len(nodes))
    limit = options.memory_limit
    if limit is None:
        per_node = -(-ranks // max(1, len(nodes)))
        least = min((node["Resources"].get("memory", 0) for node in nodes), default=0)
        share = int(least * SHARE_OF_MEMORY / per_node) - HEAP_BYTES
        limit = max(LEAST_LIMIT_BYTES, min(LARGEST_LIMIT_BYTES, share))
    return Session(
        ranks=ranks,
        memory_limit=parse_bytes("memory_limit", limit),
        spill_directories=options.spill_directories,
        transport=options.transport,
    )


POOL = RankPool()
atexit.register(POOL.close)
