"""`headrace shuffle --case`: runs exported shuffle cases and leaves what a checker reads."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pyarrow as pa

from headrace.cli.arguments import session_of
from headrace.cli.files import ARROW, write_partition
from headrace.errors import HeadraceError
from headrace.rules import RANDOM
from headrace.session import Session


def run(parsed: argparse.Namespace) -> int:
    """Runs the case in the directory, or all cases below it, in one session; 1 if one ended otherwise than expected."""
    folders = case_folders(parsed.case)
    with session_of(parsed) as session:
        ended = [run_case(session, folder, output_folder(parsed.out, folder), parsed.timeout) for folder in folders]
    return 0 if all(ended) else 1


def case_folders(directory: Path) -> list[Path]:
    """The directory itself if it is a case, else the cases in it."""
    if (directory / "case.json").is_file():
        return [directory]
    found = sorted(path.parent for path in directory.glob("*/case.json"))
    if not found:
        raise argparse.ArgumentTypeError(f"there is no case.json in {directory} or in a directory of it")
    return found


def output_folder(out: Path, case: Path) -> Path:
    """A directory named as the case is; `out` itself if it has that name."""
    return out if out.name == case.resolve().name else out / case.resolve().name


def run_case(session: Session, folder: Path, out: Path, timeout: str) -> bool:
    """Leaves part-*.arrow, or error.txt with the message; true if the case expects that."""
    request = json.loads((folder / "case.json").read_text())
    out.mkdir(parents=True, exist_ok=True)
    for old in [*out.glob("part-*.arrow"), *out.glob("error.txt")]:
        old.unlink()
    try:
        _shuffle(session, folder, request, out, timeout)
    except HeadraceError as error:
        for part in out.glob("part-*.arrow"):
            part.unlink()
        (out / "error.txt").write_text(error.message + "\n")
        return str(request["expect"]).startswith("error")
    return bool(request["expect"] != "error")


def _shuffle(session: Session, folder: Path, request: dict[str, Any], out: Path, timeout: str) -> None:
    kind, boundaries = request["kind"], folder / "boundaries.arrow"
    batches = sorted(folder.glob("batch-*.arrow"))
    with session.shuffle(
        keys=request["keys"],
        num_partitions=request["num_partitions"],
        kind=kind,
        descending=request.get("descending", ()),
        nulls_first=request.get("nulls_first", ()),
        boundaries=pa.ipc.open_stream(boundaries.read_bytes()).read_all() if boundaries.exists() else None,
        seed=request.get("seed") if kind == RANDOM else None,
        schema=None if batches else pa.ipc.open_stream((folder / "schema.arrow").read_bytes()).schema,
        timeout=timeout,
    ) as shuffle:
        for batch in batches:
            shuffle.insert_stream(batch.read_bytes())  # as it stands: pyarrow might write it in another way
        shuffle.finish()
        for partition, table in shuffle:
            write_partition(out, partition, table, ARROW)
