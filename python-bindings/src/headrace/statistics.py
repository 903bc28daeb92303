"""Counters of ranks and driver: what their values count, and how those of several ranks add up.

The ranks' names are those of the enum `dev.headrace.metrics.Statistic`; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from headrace.units import readable_bytes

BYTES = frozenset(
    {
        *("shuffle-input", "shuffle-packed", "shuffle-output", "shuffle-payload-local", "shuffle-payload-send"),
        *("shuffle-payload-recv", "transport-shared-slab", "transport-ucx", "credit-granted", "credit-used"),
        *("copy-host-to-disk", "copy-disk-to-host", "peak-device", "peak-host", "peak-disk"),
        *("driver-bytes-sent", "driver-bytes-in-flight-peak", "driver-bytes-granted-peak"),
    }
)
PEAKS = frozenset({"peak-device", "peak-host", "peak-disk"})
SECONDS_PREFIXES = ("time-", "event-loop-")


def unit(name: str) -> str:
    """What a counter's value is: bytes, seconds or count."""
    if name in BYTES:
        return "bytes"
    return "seconds" if name.startswith(SECONDS_PREFIXES) else "count"


def merged(snapshots: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The sums over ranks; of a peak the largest, as the limit is per rank."""
    total: dict[str, float] = {}
    for snapshot in snapshots:
        for name, value in snapshot.items():
            total[name] = max(total.get(name, 0), value) if name in PEAKS else total.get(name, 0) + value
    return total


def readable(name: str, value: float) -> str:
    """The value with its unit, for people."""
    if unit(name) == "bytes":
        return readable_bytes(value)
    return f"{value:.2f} s" if unit(name) == "seconds" else f"{value:,.0f}"
