"""Ray Data switched to ranks from outside, by an environment variable, and a Python that starts whatever it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from headrace_autostart import options_of

SOURCES = Path(__file__).parents[1] / "src"
LINE = (SOURCES / "headrace.pth").read_text()
SAYS = "from ray.data import DataContext; print(DataContext.get_current().get_config('headrace.ray_data'))"


def python(program: str, value: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: text for name, text in os.environ.items() if name != "HEADRACE_RAY_DATA"}
    environment["PYTHONPATH"] = os.pathsep.join([str(SOURCES), environment.get("PYTHONPATH", "")])
    if value is not None:
        environment["HEADRACE_RAY_DATA"] = value
    # Where the wheel is installed, Python has run the line already.
    command = [sys.executable, "-c", f"exec({LINE!r})\nexec({LINE!r})\n{program}"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)


def test_should_be_one_line_that_python_runs_at_its_start() -> None:
    assert LINE.startswith("import ")
    assert LINE.count("\n") == 1


@pytest.mark.parametrize("value", [None, "", "0", "off"])
def test_should_do_nothing_unless_asked(value: str | None) -> None:
    done = python(f"import sys; print('headrace' in sys.modules); {SAYS}", value)
    assert done.stdout == "False\nNone\n"


def test_should_import_nothing_before_the_program_does() -> None:
    assert python("import sys; print('ray' in sys.modules, 'pyarrow' in sys.modules)", "1").stdout == "False False\n"


def test_should_switch_ray_data_on() -> None:
    assert "ranks=None" in python(SAYS, "1").stdout
    found = python(SAYS, "ranks=3, memory_limit=1GiB,spill_directories=/tmp:/var/tmp").stdout
    assert "ranks=3" in found
    assert "'/var/tmp'" in found


@pytest.mark.parametrize("value", ["ranks=many", "sideways", "colour=red"])
def test_should_let_the_program_go_on_where_the_value_is_wrong(value: str) -> None:
    done = python(SAYS, value)
    assert done.stdout == "None\n"
    assert done.stderr.count("Ray Data runs without ranks") == 1


def test_should_read_options() -> None:
    assert options_of("yes") == {}
    assert options_of("ranks=2,timeout=1h") == {"ranks": 2, "timeout": "1h"}
