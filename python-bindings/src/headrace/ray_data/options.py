"""What a user can set for Ray Data, and how it travels: inside the DataContext, to wherever a plan is made."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ray.data.context import DataContext

from headrace.errors import InvalidInput
from headrace.settings import TRANSPORTS, one_of, parse_bytes, parse_nanos, positive, spill_paths

CONFIG_KEY = "headrace.ray_data"


@dataclass(frozen=True)
class Options:
    """How Ray Data's shuffles run; a value that was checked.

    `ranks` and `memory_limit`, which is per rank, are chosen from the cluster where they are None. Ranks that no
    shuffle has used for `idle_timeout` are given back. `timeout` is what one shuffle has from its first block until
    the last partition was consumed.
    """

    ranks: int | None = None
    memory_limit: str | int | None = None
    spill_directories: tuple[str, ...] | None = None
    transport: str = "ucx"
    idle_timeout: str | float = "60s"
    timeout: str | float = "24h"

    def __post_init__(self) -> None:
        if self.ranks is not None:
            positive("ranks", self.ranks)
        if self.memory_limit is not None:
            parse_bytes("memory_limit", self.memory_limit)
        if self.spill_directories is not None:
            paths = spill_paths(self.spill_directories)
            object.__setattr__(self, "spill_directories", tuple(map(str, paths)))
        one_of("transport", self.transport, TRANSPORTS)
        parse_nanos("idle_timeout", self.idle_timeout)
        parse_nanos("timeout", self.timeout)

    @staticmethod
    def of(values: dict[str, Any]) -> Options:
        """The options with these names; an unknown name is an error that lists those that there are."""
        known = list(Options.__dataclass_fields__)
        for name in values:
            if name not in known:
                raise InvalidInput(f"there is no option {name!r}: there are {', '.join(known)}")
        return Options(**values)

    @staticmethod
    def current(context: DataContext) -> Options | None:
        """The options that the context carries; None where Ray Data runs without this package."""
        found = context.get_config(CONFIG_KEY)
        return found if isinstance(found, Options) else None

    @property
    def idle_seconds(self) -> float:
        """How long unused ranks are kept."""
        return parse_nanos("idle_timeout", self.idle_timeout) / 1e9

    def __reduce__(self) -> tuple[object, ...]:
        # A plan may be made in another process, as `streaming_split` does; reading the options there installs the hook.
        return _arrived, (asdict(self),)


def _arrived(values: dict[str, Any]) -> Options:
    from headrace.ray_data.planning import install

    install()
    return Options(**values)
