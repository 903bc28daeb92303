"""The Java example programs on a real Ray, as a user would start them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
import ray

from headrace.java import java_setup, native_directory
from raycluster import ray_started_by_command

pytestmark = pytest.mark.cluster

REPOSITORY = Path(__file__).parents[2]
EXAMPLES = REPOSITORY / "examples" / "target"
SECONDS = 240


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A Ray that was started with a java on its PATH: without one, a Java driver that connects ends its raylet."""
    path = os.pathsep.join([str(java_setup().home / "bin"), os.environ["PATH"]])
    with ray_started_by_command(path) as started:
        yield started


def token_mode() -> dict[str, str]:
    """Ray's own programs turn tokens on as soon as the machine has one; a Java program has to be told."""
    found = (Path.home() / ".ray" / "auth_token").exists()
    return {"RAY_AUTH_MODE": os.environ.get("RAY_AUTH_MODE", "token" if found else "disabled")}


def run_example(name: str, *arguments: str) -> None:
    """Runs a program of examples/ with Ray's jar first on its class path."""
    jars = sorted(EXAMPLES.glob("examples-*.jar"))
    if not jars:
        pytest.skip(f"not built: the jar in {EXAMPLES}; `mvn verify` makes it")
    setup = java_setup()
    ray_jar = Path(ray.__file__).parent / "jars" / "ray_dist.jar"
    class_path = os.pathsep.join(str(place) for place in [ray_jar, setup.jar, jars[0]])
    command = [str(setup.program), "-Xmx512m", "-cp", class_path, f"dev.headrace.examples.{name}", *arguments]
    done = subprocess.run(
        command,
        cwd=REPOSITORY,
        env={**os.environ, **token_mode()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def write(table: pa.Table, path: Path) -> str:
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=1000)
    return str(path)


def read(path: Path) -> pa.Table:
    with pa.ipc.open_stream(path) as reader:
        return reader.read_all()


def test_should_shuffle_files_by_key(address: str, tmp_path: Path) -> None:
    batches = [pa.table({"k": [n % 50 for n in range(b, 4000)], "v": list(range(b, 4000))}) for b in (0, 2000)]
    files = ",".join(write(batch, tmp_path / f"in-{number}.arrow") for number, batch in enumerate(batches))
    out = tmp_path / "out"
    run_example(
        "ShuffleFiles",
        *("--address", address, "--in", files, "--keys", "k", "--partitions", "5", "--out", str(out)),
        *("--memory-mib", "64", "--spill", str(tmp_path), "--ucx", str(native_directory())),
    )
    parts = [read(path) for path in sorted(out.iterdir())]
    assert len(parts) == 5
    keys = [set(part["k"].to_pylist()) for part in parts]
    assert sum(map(len, keys)) == len(set.union(*keys)) == 50
    given = pa.concat_tables(batches).sort_by([("k", "ascending"), ("v", "ascending")])
    assert pa.concat_tables(parts).sort_by([("k", "ascending"), ("v", "ascending")]).equals(given)


def test_should_join_two_tables_on_two_keys(address: str, tmp_path: Path) -> None:
    pairs = [(part, supplier) for part in range(100) for supplier in range(4)]
    partsupp = pa.table(
        {
            "ps_partkey": pa.array([part for part, _ in pairs], pa.int32()),  # joins with int64: keys match by value
            "ps_suppkey": pa.array([supplier for _, supplier in pairs], pa.int64()),
            "ps_availqty": pa.array([1000 * part + supplier for part, supplier in pairs], pa.int32()),
        }
    )
    lines = list(range(3000))
    lineitem = pa.table(
        {
            "l_orderkey": pa.array(lines, pa.int64()),
            "l_linenumber": pa.array([1] * len(lines), pa.int32()),
            "l_partkey": pa.array([line % 120 for line in lines], pa.int64()),  # parts from 100 on have no supplier
            "l_suppkey": pa.array([line % 4 for line in lines], pa.int64()),
            "l_comment": [f"line {line}" for line in lines],
        }
    )
    out = tmp_path / "out"
    run_example(
        "JoinFiles",
        *("--address", address, "--partitions", "3", "--out", str(out)),
        *("--partsupp", write(partsupp, tmp_path / "ps.arrow"), "--lineitem", write(lineitem, tmp_path / "l.arrow")),
        *("--memory-mib", "64", "--spill", str(tmp_path), "--ucx", str(native_directory())),
    )
    joined = sorted(
        tuple(int(word) for word in row.split(",")) for path in out.iterdir() for row in path.read_text().split()
    )
    expected = [(n, 1, n % 120, n % 4, 1000 * (n % 120) + n % 4) for n in lines if n % 120 < 100]
    assert joined == expected
