"""Ray Data on Headrace: its shuffles run on ranks instead of through Ray's object store, with the same results.

`enable()` counts for datasets made afterwards, `disable()` ends that; `enabled()` is both around a block of code.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ray.data.context import DataContext

from headrace.cluster import check_ray_version
from headrace.ray_data.options import CONFIG_KEY, Options
from headrace.ray_data.planning import install
from headrace.ray_data.pool import POOL

__all__ = ["Options", "disable", "enable", "enabled", "release_ranks"]


def enable(**options: Any) -> None:
    """Runs the shuffles of datasets that are made from now on on ranks; the names of options are those of `Options`."""
    check_ray_version()
    checked = Options.of(options)
    install()
    DataContext.get_current().set_config(CONFIG_KEY, checked)


def disable() -> None:
    """Leaves the shuffles of datasets that are made from now on to Ray Data."""
    DataContext.get_current().remove_config(CONFIG_KEY)


@contextmanager
def enabled(**options: Any) -> Iterator[None]:
    """`enable` for the datasets that are made inside; what was before is there again afterwards."""
    context = DataContext.get_current()
    former = context.get_config(CONFIG_KEY)
    enable(**options)
    try:
        yield
    finally:
        if former is None:
            context.remove_config(CONFIG_KEY)
        else:
            context.set_config(CONFIG_KEY, former)


def release_ranks() -> None:
    """Ends the ranks that this process keeps for Ray Data, without waiting for `idle_timeout`."""
    POOL.close()
