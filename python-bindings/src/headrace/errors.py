"""What can go wrong: one class per category, with the names that the Java side uses."""

from __future__ import annotations

import enum
from typing import ClassVar


class Category(str, enum.Enum):
    """What went wrong, in the few kinds that a caller can act on. The order is that of the Java enum."""

    INVALID_INPUT = "INVALID_INPUT"
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    DISK_FULL = "DISK_FULL"
    PEER_LOST = "PEER_LOST"
    CORRUPT_DATA = "CORRUPT_DATA"
    DEADLINE = "DEADLINE"
    INTERNAL = "INTERNAL"


class Action(str, enum.Enum):
    """What a caller may do about it. The order is that of the Java enum."""

    RETRY = "RETRY"
    FAIL_SHUFFLE = "FAIL_SHUFFLE"
    REPLACE_RANK = "REPLACE_RANK"


CATEGORIES = tuple(Category)
ACTIONS = tuple(Action)
NO_RANK = -1


class HeadraceError(Exception):
    """The base of all errors of this package: a category, what to do, and the rank concerned, if it is one."""

    category: ClassVar[Category] = Category.INTERNAL
    default_action: ClassVar[Action] = Action.FAIL_SHUFFLE

    def __init__(self, message: str, *, action: Action | None = None, rank: int | None = None) -> None:
        super().__init__(message)
        self.action = action if action is not None else self.default_action
        self.rank = rank

    @property
    def message(self) -> str:
        """What happened, with the value and the limit."""
        return str(self.args[0])

    def again(self) -> HeadraceError:
        """An equal error for another waiter: each gets a traceback of its own, with this one as its cause."""
        other = type(self)(self.message, action=self.action, rank=self.rank)
        other.__cause__ = self
        return other

    def __reduce__(self) -> tuple[object, ...]:
        return _revived, (type(self), self.message, self.action, self.rank)


class InvalidInput(HeadraceError):  # noqa: N818 - named as the categories are
    """The caller asked for something that can't be: an unknown column, a bad schema, a wrong order of calls."""

    category = Category.INVALID_INPUT


class OutOfMemory(HeadraceError):  # noqa: N818
    """A limit is too small for what one row, one batch or one rank needs."""

    category = Category.OUT_OF_MEMORY


class DiskFull(HeadraceError):  # noqa: N818
    """No spill directory takes another byte."""

    category = Category.DISK_FULL


class PeerLost(HeadraceError):  # noqa: N818
    """A rank died, was cut off, or stopped answering."""

    category = Category.PEER_LOST
    default_action = Action.REPLACE_RANK


class CorruptData(HeadraceError):  # noqa: N818
    """Bytes are not what their checksum, length or layout says."""

    category = Category.CORRUPT_DATA


class Deadline(HeadraceError):  # noqa: N818
    """Something did not happen in the time it was given."""

    category = Category.DEADLINE


class Internal(HeadraceError):  # noqa: N818
    """A fault of Headrace itself."""

    category = Category.INTERNAL


_CLASSES: dict[Category, type[HeadraceError]] = {
    kind.category: kind for kind in (InvalidInput, OutOfMemory, DiskFull, PeerLost, CorruptData, Deadline, Internal)
}


def error_of(
    category: Category, message: str, *, action: Action | None = None, rank: int | None = None
) -> HeadraceError:
    """The error of the class that stands for the category."""
    return _CLASSES[category](message, action=action, rank=rank)


def _revived(kind: type[HeadraceError], message: str, action: Action, rank: int | None) -> HeadraceError:
    return kind(message, action=action, rank=rank)
