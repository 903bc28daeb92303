"""`headrace bench`: becomes the benchmark, a Java program in this package's jar, with the arguments as they are."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from headrace.errors import InvalidInput
from headrace.java import java_setup, native_directory

MAIN_CLASS = "dev.headrace.bench.BenchCommand"
HEAP_BYTES = 1 << 30  # of the process that may hold many ranks; with UCX each rank is a process with a heap of its own

# The logger comes with Ray's jar, whose own settings print pages about the logger itself.
LOGGING = (
    "-Dlog4j2.loggerContextFactory=org.apache.logging.log4j.simple.SimpleLoggerContextFactory",
    "-Dorg.apache.logging.log4j.simplelog.level=WARN",
)


def add_to(commands: Any) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser(
        "bench",
        help="measure a shuffle of random tables against a copy of the same bytes; --help says more",
        add_help=False,
        prefix_chars="\0",  # nothing is an option here: the Java program reads them all
    )
    parser.add_argument("arguments", nargs="*")
    parser.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """Replaces this process, so that signals and exit codes are those of the benchmark."""
    setup = java_setup(HEAP_BYTES)
    options = [option.strip('"') for option in setup.options]
    class_path = f"{setup.jar}:{logging_jar()}"
    command = [str(setup.program), *options, *LOGGING, "-cp", class_path, MAIN_CLASS, *parsed.arguments]
    environment = {**os.environ, "HEADRACE_UCX": os.environ.get("HEADRACE_UCX") or str(native_directory())}
    sys.stdout.flush()
    os.execve(command[0], command, environment)  # noqa: S606 no shell is wanted


def logging_jar() -> Path:
    """Ray's jar, which brings the logger that the engine writes to."""
    spec = importlib.util.find_spec("ray")
    if spec is None or spec.origin is None:
        raise InvalidInput("the package ray is not installed")
    return Path(spec.origin).parent / "jars" / "ray_dist.jar"
