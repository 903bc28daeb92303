"""Switches Ray Data to ranks in programs that can't be edited: read at Python's start through a `.pth` file.

HEADRACE_RAY_DATA=1 turns it on; options may stand there instead, as in `ranks=4,memory_limit=2GiB`. Nothing is
imported until the program imports `ray.data`, and whatever goes wrong here is said on stderr and nothing else.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

VARIABLE = "HEADRACE_RAY_DATA"
OFF = ("", "0", "false", "no", "off")
ON = ("1", "true", "yes", "on")
NUMBERS = ("ranks",)
LISTS = ("spill_directories",)


def start() -> None:
    """Waits for the import of `ray.data`, if the environment asks for it. Raises nothing, and twice is once."""
    waits = any(isinstance(finder, _WaitForRayData) for finder in sys.meta_path)
    if not waits and os.environ.get(VARIABLE, "").strip().lower() not in OFF:
        sys.meta_path.insert(0, _WaitForRayData())


def options_of(text: str) -> dict[str, Any]:
    """The options that the variable's value names."""
    if text.strip().lower() in ON:
        return {}
    options: dict[str, Any] = {}
    for word in text.split(","):
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            raise ValueError(f"{VARIABLE} is {text!r}: it has to be 1 or options such as ranks=4,memory_limit=2GiB")
        options[name] = int(value) if name in NUMBERS else tuple(value.split(":")) if name in LISTS else value
    return options


class _WaitForRayData(importlib.abc.MetaPathFinder):
    """Finds `ray.data` as the others do, and adds a step to the end of its import."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - a finder is asked like this
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of `ray.data`, once; of nothing else."""
        if fullname != "ray.data":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _ThenSwitchOn(spec.loader)
        return spec


class _ThenSwitchOn(importlib.abc.Loader):
    """A loader that does what another one does, and then switches on."""

    def __init__(self, loader: importlib.abc.Loader) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """As the other loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """As the other loader, and then switches on."""
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _switch_on()


def _switch_on() -> None:
    try:
        import headrace.ray_data

        headrace.ray_data.enable(**options_of(os.environ[VARIABLE]))
    except Exception as error:  # noqa: BLE001 - the program goes on without ranks
        sys.stderr.write(f"headrace: Ray Data runs without ranks, since {VARIABLE} can't be followed: {error}\n")
