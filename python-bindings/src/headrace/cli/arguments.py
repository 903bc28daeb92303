"""Arguments that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from headrace.cli import signals
from headrace.errors import InvalidInput
from headrace.session import Session
from headrace.settings import parse_bytes, parse_nanos


def add_session_arguments(parser: argparse.ArgumentParser) -> None:
    """What a session is made with."""
    parser.add_argument("--ranks", type=whole_number, default=2, help="how many ranks (default: 2)")
    parser.add_argument(
        "--memory-limit",
        type=_checked(parse_bytes),
        default="256MiB",
        metavar="SIZE",
        help="per rank (default: 256MiB)",
    )
    parser.add_argument(
        "--spill-directory",
        action="append",
        metavar="DIR",
        help="may be given several times (default: that for temporary files)",
    )
    parser.add_argument("--transport", choices=["ucx"], default="ucx")


def session_of(parsed: argparse.Namespace) -> Session:
    """The session that was asked for."""
    session = Session(
        ranks=parsed.ranks,
        memory_limit=parsed.memory_limit,
        spill_directories=parsed.spill_directory,
        transport=parsed.transport,
    )
    signals.arm()
    return session


def whole_number(text: str) -> int:
    """A number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")
    return int(text)


def duration(text: str) -> str:
    """A duration as a session takes it."""
    return _checked(parse_nanos)(text)


def _checked(parse: Callable[[str, str], int]) -> Callable[[str], str]:
    def check(text: str) -> str:
        try:
            parse("it", text)
        except InvalidInput as error:
            raise argparse.ArgumentTypeError(error.message) from error
        return text

    return check
