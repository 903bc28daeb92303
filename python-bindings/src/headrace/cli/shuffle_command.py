"""`headrace shuffle`: files in, one file per partition out."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from headrace.cli import case_command
from headrace.cli.arguments import add_session_arguments, duration, session_of, whole_number
from headrace.cli.files import (
    ARROW,
    PARQUET,
    check_writable,
    file_format,
    input_files,
    output_directory,
    read_batches,
    read_schema,
    read_table,
    write_partition,
)
from headrace.cli.report import Report
from headrace.errors import InvalidInput
from headrace.rules import KINDS, rule_of


def add_to(commands: Any) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser(
        "shuffle",
        help="shuffle Parquet and Arrow files",
        description="Reads Parquet files, Arrow IPC files and streams.",
    )
    parser.add_argument("inputs", nargs="*", metavar="IN", help="files or directories")
    parser.add_argument("--keys", metavar="A,B", default="", help="key columns, separated by commas")
    parser.add_argument("--key", action="append", metavar="NAME", help="one key column, for names with a comma in them")
    parser.add_argument("--partitions", type=whole_number, metavar="P")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="gets part-00000.parquet or .arrow and so on"
    )
    parser.add_argument("--kind", choices=KINDS, default="hash")
    _add_rule_arguments(parser)
    parser.add_argument("--format", choices=[PARQUET, ARROW], help="of the output (default: that of the first input)")
    parser.add_argument(
        "--timeout", type=duration, default="60min", metavar="TIME", help="for the shuffle (default: 60min)"
    )
    parser.add_argument(
        "--case", type=Path, metavar="DIR", help="a directory with case.json, or one with many of those"
    )
    parser.add_argument("--statistics", type=Path, metavar="FILE", help="gets the session's counters as JSON")
    add_session_arguments(parser)
    parser.set_defaults(run=_run)


def _add_rule_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--descending", metavar="A,B", default="", help="keys of a range that descend")
    parser.add_argument("--nulls-first", metavar="A,B", default="", help="keys of a range whose nulls come first")
    parser.add_argument(
        "--boundaries",
        type=Path,
        metavar="FILE",
        help="of a range: row i has the first key of partition i + 1 (default: found from samples of the input)",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="of a random shuffle (default: another one each time)")


def _rule(parsed: argparse.Namespace, keys: list[str]) -> dict[str, Any]:
    """What the arguments say about who gets a row, as a session takes it."""
    return {
        "kind": parsed.kind,
        "keys": keys,
        "descending": _flags("--descending", parsed.descending, keys),
        "nulls_first": _flags("--nulls-first", parsed.nulls_first, keys),
        "boundaries": None if parsed.boundaries is None else read_table(parsed.boundaries),
        "seed": parsed.seed,
    }


def _flags(name: str, text: str, keys: list[str]) -> list[bool]:
    named = [key for key in text.split(",") if key]
    unknown = [key for key in named if key not in keys]
    if unknown:
        raise argparse.ArgumentTypeError(f"{name} names {unknown[0]!r}, which is none of the keys {', '.join(keys)}")
    return [key in named for key in keys]


def _run(parsed: argparse.Namespace) -> int:
    keys = [key for key in parsed.keys.split(",") if key] + (parsed.key or [])
    if parsed.case is not None:
        if parsed.inputs or keys or parsed.partitions:
            raise argparse.ArgumentTypeError("--case brings its own input, keys and partitions")
        return case_command.run(parsed)
    if not parsed.inputs:
        raise argparse.ArgumentTypeError("no input files")
    if parsed.partitions is None:
        raise argparse.ArgumentTypeError("--partitions is missing")
    files, rule = input_files(parsed.inputs), _rule(parsed, keys)
    try:
        rule_of(partitions=parsed.partitions, **rule)
    except InvalidInput as error:
        raise argparse.ArgumentTypeError(error.message) from error
    return _shuffle(parsed, files, rule)


def _shuffle(parsed: argparse.Namespace, files: list[Path], rule: dict[str, Any]) -> int:
    out_format = parsed.format or file_format(files[0])
    schema = read_schema(files[0])
    check_writable(schema, out_format)
    if parsed.statistics is not None:
        parsed.statistics.touch()  # says now that it can't be written
    directory = output_directory(parsed.out)
    with Report() as report:
        report.stage("starting the ranks")
        with session_of(parsed) as session:
            shuffle = session.shuffle(
                num_partitions=parsed.partitions,
                **rule,
                schema=schema if len(files) == 1 else None,
                timeout=parsed.timeout,
            )
            report.begin("rows in", None)
            given = 0
            for file in files:
                for batch in read_batches(file):
                    shuffle.insert(batch)
                    given += 1
                    report.advance(batch.num_rows)
            if given == 0:
                shuffle.insert(schema.empty_table())  # files without a batch have a schema all the same
            shuffle.finish()
            report.begin("partitions out", parsed.partitions)
            for partition, table in shuffle:
                write_partition(directory, partition, table, out_format)
                report.advance(1)
            if parsed.statistics is not None:
                parsed.statistics.write_text(json.dumps(session.statistics(), indent=2) + "\n")
            rows = shuffle.num_rows
    report.say(f"{rows} rows in {parsed.partitions} partitions in {directory}")
    return 0
