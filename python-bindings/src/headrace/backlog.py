"""Batches of a range shuffle that has no boundaries yet, and the boundaries that are found from samples of them."""

from __future__ import annotations

import math
import struct
import threading
from concurrent.futures import Future

from headrace.feeder import Offer
from headrace.ledger import Ledger
from headrace.rank import GRACE_SECONDS, Payload, Rank, await_answers
from headrace.rules import Rule

ROWS_PER_PARTITION, LEAST_ROWS, MOST_ROWS_PER_BATCH = 64, 1024, 1 << 20  # as in Java's BoundaryFinder
_SCHEMA_BATCH = 2**63 - 1  # the declared schema goes last, as a batch without rows
_SAMPLE = struct.Struct("<qqi")


class Backlog:
    """Keeps batches in the object store until all are there. Any thread."""

    def __init__(self) -> None:
        self._kept: list[Offer] = []
        self._lock = threading.Lock()

    def add(self, offer: Offer) -> None:
        """Keeps a batch."""
        with self._lock:
            self._kept.append(offer)

    def take(self) -> list[Offer]:
        """All batches, which are the caller's from now on."""
        with self._lock:
            kept, self._kept = self._kept, []
            return kept


def find_boundaries(
    rule: Rule, partitions: int, schema: bytes, batches: list[Offer], ranks: list[Rank], ledger: Ledger
) -> bytes:
    """Boundaries that cut the batches into partitions of about the same size; ranks do the work."""
    all_bytes = sum(batch.size for batch in batches)
    drawn: dict[int, Future[Payload]] = {}
    for number, batch in enumerate(batches):
        rows = sample_rows(partitions, batch.size, all_bytes)
        drawn[batch.batch] = ranks[number % len(ranks)].sample(rule.keys, batch.batch, rows, batch.stream)
    answers = await_answers(drawn, f"{ledger.name}: sampling", ledger.remaining_seconds + GRACE_SECONDS)
    samples = b"".join(answers.values())
    if schema:
        samples += _SAMPLE.pack(_SCHEMA_BATCH, 0, len(schema)) + schema
    asked = {0: ranks[0].boundaries(rule, partitions, samples)}
    found = await_answers(asked, f"{ledger.name}: boundaries", ledger.remaining_seconds + GRACE_SECONDS)
    return bytes(found[0])


def sample_rows(partitions: int, batch_bytes: int, all_bytes: int) -> int:
    """How many rows to draw from a batch of that size."""
    wanted = max(LEAST_ROWS, ROWS_PER_PARTITION * partitions)
    return min(max(1, math.ceil(wanted * batch_bytes / max(1, all_bytes))), MOST_ROWS_PER_BATCH)
