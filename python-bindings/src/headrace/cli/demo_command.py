"""`headrace demo`: TPC-H lineitem through two ranks that are too small for it, with proof.

Everything lives in one temporary directory and one Ray of its own; both are gone afterwards, however it ends.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import ray

from headrace.cli import signals
from headrace.cli.files import PARQUET, read_batches, write_partition
from headrace.cli.proof import Checksum, checksum, differences
from headrace.cli.report import Report
from headrace.errors import Internal, InvalidInput
from headrace.java import java_home
from headrace.javanode import java_on_path
from headrace.session import Session
from headrace.settings import parse_bytes
from headrace.statistics import readable
from headrace.units import readable_bytes

KEY = "l_orderkey"
TABLES = ("lineitem", "orders")
RANKS, MEMORY_LIMIT, PARTITIONS = 2, "256MiB", 32
OBJECT_STORE_BYTES = 1 << 30
GENERATOR_SECONDS = 600


def add_to(commands: Any) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("demo", help="shuffle TPC-H data on a Ray of its own, and prove the result")
    parser.add_argument("--scale-factor", type=float, default=1.0, metavar="F", help="of TPC-H (default: 1)")
    parser.add_argument("--cache", type=Path, default=default_cache(), metavar="DIR", help="for the data")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the partitions here (default: they are removed)")
    parser.add_argument("--memory-limit", default=MEMORY_LIMIT, metavar="SIZE", help="per rank (default: 256MiB)")
    parser.set_defaults(run=run)


def default_cache() -> Path:
    """Where users' caches lie."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "headrace"


def run(parsed: argparse.Namespace) -> int:
    """Generates, shuffles, proves, reports."""
    parse_bytes("--memory-limit", parsed.memory_limit)
    with Report() as report, _folder() as folder:
        data = tpch_data(parsed.scale_factor, parsed.cache, report)
        report.stage("starting Ray and two Java ranks")
        out = parsed.out or folder / "partitions"
        out.mkdir(parents=True, exist_ok=True)
        (folder / "spill").mkdir()
        with _own_ray(folder):
            began = time.monotonic()
            with Session(
                ranks=RANKS, memory_limit=parsed.memory_limit, spill_directories=[folder / "spill"]
            ) as session:
                started = time.monotonic()
                wanted, input_bytes = _shuffle(session, data / "lineitem.parquet", out, report)
                seconds = time.monotonic() - started
                statistics = session.statistics()
        report.stage("reading the files back and proving them")
        prove(wanted, out, PARTITIONS)
        sums = f"checksums of {len(wanted.columns)} columns"
        report.say(f"proved: {wanted.rows:,} rows, {sums}, every {KEY} in one partition only")
        report.table("Statistics", statistics_rows(statistics, input_bytes, seconds, started - began))
    return 0


def tpch_data(scale_factor: float, cache: Path, report: Report) -> Path:
    """The directory with the tables as Parquet; generates them once."""
    folder = cache / f"tpch-sf{scale_factor:g}"
    if all((folder / f"{table}.parquet").is_file() for table in TABLES):
        report.say(f"data: {folder}")
        return folder
    program = shutil.which("tpchgen-cli", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if program is None:
        raise InvalidInput("tpchgen-cli, which makes the data, is not installed: pip install 'headrace[demo]'")
    report.say(f"generating TPC-H data of scale factor {scale_factor:g} in {folder}")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix="unfinished-") as unfinished:
        command = [program, "parquet", f"--scale-factor={scale_factor:g}", f"--tables={','.join(TABLES)}"]
        subprocess.run(
            [*command, f"--output-dir={unfinished}"],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            timeout=GENERATOR_SECONDS,
        )
        folder.mkdir(exist_ok=True)
        for table in TABLES:
            (Path(unfinished) / f"{table}.parquet").rename(folder / f"{table}.parquet")
    return folder


def _shuffle(session: Session, source: Path, out: Path, report: Report) -> tuple[Checksum, int]:
    rows = pq.read_metadata(source).num_rows
    wanted, input_bytes = Checksum(), 0
    with session.shuffle(keys=[KEY], num_partitions=PARTITIONS) as shuffle:
        report.begin("rows in", rows)
        for batch in read_batches(source):
            shuffle.insert(batch)
            wanted.add(batch)
            input_bytes += batch.nbytes
            report.advance(batch.num_rows)
        shuffle.finish()
        report.begin("partitions out", PARTITIONS)
        for partition, table in shuffle:
            write_partition(out, partition, table, PARQUET)
            report.advance(1)
    return wanted, input_bytes


def prove(wanted: Checksum, out: Path, partitions: int) -> None:
    """Reads the files and raises if rows were lost, doubled or changed, or a key is in two partitions."""
    files = sorted(out.glob("part-*.parquet"))
    if len(files) != partitions:
        raise Internal(f"{partitions} partitions were asked for, {len(files)} files were written")
    wrong = differences(wanted, checksum(batch for file in files for batch in read_batches(file)))
    keys = [np.unique(pq.read_table(file, columns=[KEY]).column(KEY).to_numpy()) for file in files]
    alone, together = sum(map(len, keys)), len(np.unique(np.concatenate(keys)))
    if alone != together:
        wrong.append(f"{alone - together} keys are in more than one partition")
    if wrong:
        raise Internal("the result is wrong: " + "; ".join(wrong))


def statistics_rows(
    statistics: dict[str, float], input_bytes: int, seconds: float, start_seconds: float
) -> list[tuple[str, str]]:
    """Names and values as people read them; throughput is the table's bytes over wall time."""
    rows = [(name, readable(name, value)) for name, value in statistics.items()]
    rows.append(("starting the ranks", f"{start_seconds:.2f} s"))
    rows.append(("shuffle, wall time", f"{seconds:.2f} s"))
    rows.append(("input", readable_bytes(input_bytes)))
    rows.append(("throughput, global", f"{readable_bytes(input_bytes / seconds)}/s"))
    rows.append(("throughput, local (per rank)", f"{readable_bytes(input_bytes / seconds / RANKS)}/s"))
    return rows


@contextmanager
def _folder() -> Iterator[Path]:
    # Short, as the paths of Ray's sockets have at most 107 characters.
    folder = Path(tempfile.mkdtemp(prefix=f"hr-demo-{os.getpid()}-", dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _own_ray(folder: Path) -> Iterator[None]:
    with java_on_path(java_home()):
        ray.init(
            address="local",
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="WARNING",
            object_store_memory=OBJECT_STORE_BYTES,
            _temp_dir=str(folder / "ray"),
        )
    signals.arm()
    try:
        yield
    finally:
        ray.shutdown()
