"""The command `headrace`: demo, shuffle, bench, doctor.

Exit codes: 0 done, 1 failed, 2 wrong arguments, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from headrace.cli import bench_command, demo_command, doctor_command, shuffle_command
from headrace.cli.signals import interruptible
from headrace.errors import HeadraceError

FAILED, WRONG_ARGUMENTS, INTERRUPTED = 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and gives its exit code."""
    parser = argparse.ArgumentParser(prog="headrace", description="Out-of-core shuffles on Ray")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (demo_command, shuffle_command, bench_command, doctor_command):
        module.add_to(commands)
    try:
        parsed = parser.parse_args(arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else WRONG_ARGUMENTS
    with interruptible():
        return _run(parsed)


def _run(parsed: argparse.Namespace) -> int:
    run: Callable[[argparse.Namespace], int] = parsed.run
    try:
        return run(parsed)
    except argparse.ArgumentTypeError as error:
        return _say(str(error), WRONG_ARGUMENTS)
    except HeadraceError as error:
        rank = "" if error.rank is None or f"rank {error.rank}" in error.message else f" (rank {error.rank})"
        return _say(f"{error.category.value}{rank}: {error.message}", FAILED)
    except (OSError, ValueError, RuntimeError) as error:  # files and formats: pyarrow's errors are ValueErrors
        return _say(f"{type(error).__name__}: {error}", FAILED)
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)


def _say(message: str, code: int) -> int:
    sys.stderr.write(f"headrace: {message}\n")
    return code
