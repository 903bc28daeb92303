"""Hands batches to the ranks in rounds. Runs on the session's loop."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field

import ray

from headrace import replies
from headrace.errors import Deadline, HeadraceError, InvalidInput
from headrace.ledger import Ledger
from headrace.loop import Loop
from headrace.rank import Payload, Rank
from headrace.rounds import Rounds

LOOK_AGAIN_SECONDS = 0.5


@dataclass
class Offer:
    """A batch on its way to a rank; `handed` completes when a rank has been chosen."""

    ledger: Ledger
    wire_id: int
    batch: int
    stream: ray.ObjectRef
    size: int
    rows: int | None
    handed: Future[int] = field(default_factory=Future)


class Feeder:
    """Owns the rounds of a session and the queue of batches before them; one shuffle's batches keep their order."""

    def __init__(self, loop: Loop, ranks: list[Rank], rounds: Rounds) -> None:
        self.rounds = rounds
        self._loop = loop
        self._ranks = {rank.number: rank for rank in ranks}
        self._waiting: deque[Offer] = deque()
        self._looking_again = False

    def offer(self, offer: Offer) -> None:
        """Queues a batch. Any thread."""
        if not self._loop.post(lambda: self._arrived(offer)):
            raise InvalidInput(f"{offer.ledger.name}: the session was closed")

    def look(self) -> None:
        """Gives up what waits for shuffles that have failed. Any thread."""
        self._loop.post(self._pump)

    def rank_lost(self, rank: int) -> None:
        """Gives nothing to that rank any more. On the loop."""
        self.rounds.lost(rank)
        self._pump()

    def _arrived(self, offer: Offer) -> None:
        self._waiting.append(offer)
        self._pump()

    def _pump(self) -> None:
        while self._waiting:
            offer = self._waiting[0]
            error = self._hopeless(offer)
            rank = None if error else self.rounds.choose(offer.size)
            if error is None and rank is None:
                break
            self._waiting.popleft()
            if error is not None or rank is None:
                self._give_up(offer, error)
            else:
                self._hand_over(offer, rank)
        if self._waiting and not self._looking_again:
            self._looking_again = True
            self._loop.post_later(LOOK_AGAIN_SECONDS, self._look_again)

    def _look_again(self) -> None:
        self._looking_again = False
        self._pump()

    def _hopeless(self, offer: Offer) -> HeadraceError | None:
        if offer.ledger.failure is not None:
            return offer.ledger.failure.again()
        if offer.ledger.remaining_seconds > 0:
            return None
        ledger = offer.ledger
        return Deadline(
            f"{ledger.name}: no rank took batch {offer.batch} of {offer.size} bytes within {ledger.timeout_seconds:g} s"
        )

    def _give_up(self, offer: Offer, error: HeadraceError | None) -> None:
        if error is not None:
            offer.ledger.fail(error)
            if not offer.handed.done():
                offer.handed.set_exception(error)

    def _hand_over(self, offer: Offer, rank: int) -> None:
        self.rounds.sent(rank, offer.size)
        if not offer.handed.done():
            offer.handed.set_result(rank)
        self._send(offer, rank)

    def _send(self, offer: Offer, rank: int) -> None:
        answer = self._ranks[rank].insert(offer.wire_id, offer.batch, offer.stream)
        answer.add_done_callback(lambda reply: self._loop.post(lambda: self._answered(offer, rank, reply)))

    def _answered(self, offer: Offer, rank: int, reply: Future[Payload]) -> None:
        try:
            said = replies.inserted(reply.result())
        except HeadraceError as error:
            self.rounds.answered(rank, offer.size, None)
            self._give_up(offer, error)
        else:
            self._heard(offer, rank, said)
        self._pump()

    def _heard(self, offer: Offer, rank: int, said: replies.Inserted) -> None:
        error = None if said.accepted else self._hopeless(offer)
        if said.accepted or error is not None:
            self.rounds.answered(rank, offer.size, said.free_bytes)
            self._give_up(offer, error)
            if said.accepted:
                offer.ledger.taken(rank, offer.batch, said.rows, offer.rows)
        else:  # to the same rank, at once: it has waited a while itself, and goes on where it stopped
            self.rounds.refused(rank, said.free_bytes)
            self._send(offer, rank)
