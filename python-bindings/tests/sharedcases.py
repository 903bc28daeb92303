"""The shared shuffle cases and their own checker.

HEADRACE_CASES names their directory (default: ../shared/cases beside the checkout); without it tests are skipped.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CASES = Path(os.environ.get("HEADRACE_CASES") or Path(__file__).parents[2].parent / "shared" / "cases")


def case_names(weight: str, wanted: Callable[[Any], bool] = lambda _: True) -> list[Any]:
    """The wanted cases of that weight; one skipped test where there are none."""
    if not (CASES / "cases.py").is_file():
        reason = f"no shared cases in {CASES}: set HEADRACE_CASES"
        return [pytest.param("", marks=pytest.mark.skip(reason=reason), id="missing")]
    if str(CASES) not in sys.path:
        sys.path.append(str(CASES))
    from cases import CASES as REGISTRY

    return [name for name in REGISTRY.names((weight,)) if wanted(REGISTRY.get(name))]
