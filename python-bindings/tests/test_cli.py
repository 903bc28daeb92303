"""The command line: its arguments, its files and its exit codes; shuffles are run by a session that is a fake."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fakeranks import FakeCluster
from headrace.cli import case_command, doctor_command, files, main, proof, shuffle_command
from headrace.rules import Rule, rule_of
from headrace.shuffle import Shuffle

ROWS = 1000


class FakeSession:
    """A session on fake ranks, made with whatever arguments; notes the rules that it was asked for."""

    rules: ClassVar[list[Rule]] = []

    def __init__(self, *_: object, **__: object) -> None:
        self.cluster = FakeCluster(2)

    def shuffle(self, *, num_partitions: int, schema: pa.Schema | None, timeout: str, **rule: Any) -> Shuffle:
        FakeSession.rules.append(rule_of(partitions=num_partitions, **rule))
        return self.cluster.shuffle(num_partitions)

    def statistics(self) -> dict[str, float]:
        return {"rows": 3}

    def __enter__(self) -> FakeSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.cluster.close()


@pytest.fixture(autouse=True)
def fake_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headrace.intake.ray.put", lambda stream: stream)
    monkeypatch.setattr(shuffle_command, "session_of", FakeSession)
    monkeypatch.setattr(case_command, "session_of", FakeSession)


def data() -> pa.Table:
    return pa.table({"k": pa.array(range(ROWS)), "v": pa.array([f"v{n % 7}" for n in range(ROWS)])})


def write(path: Path, table: pa.Table) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(table, path)
        return path
    compression = {"lz4": "lz4", "zstd": "zstd"}.get(path.stem.split("-")[-1])
    options = pa.ipc.IpcWriteOptions(compression=compression)
    make = pa.ipc.new_file if path.stem.startswith("file") else pa.ipc.new_stream
    with pa.OSFile(str(path), "wb") as sink, make(sink, table.schema, options=options) as writer:
        for batch in table.to_batches(max_chunksize=100):
            writer.write_batch(batch)
    return path


NAMES = ["t.parquet", "file.arrow", "stream.arrow", "file-lz4.arrow", "stream-zstd.arrows"]


@pytest.mark.parametrize("name", NAMES)
def test_should_shuffle_files_of_every_format(tmp_path: Path, name: str) -> None:
    source = write(tmp_path / name, data())
    out = tmp_path / "out"
    numbers = tmp_path / "s.json"
    code = main(["shuffle", str(source), "--keys", "k", "--partitions", "3", f"--out={out}", f"--statistics={numbers}"])
    assert code == 0
    suffix = "parquet" if name.endswith("parquet") else "arrow"
    assert sorted(path.name for path in out.iterdir()) == [f"part-0000{n}.{suffix}" for n in range(3)]
    got = pa.concat_tables(pa.Table.from_batches(files.read_batches(path)) for path in sorted(out.iterdir()))
    assert got.sort_by("k").equals(data())
    assert json.loads(numbers.read_text()) == {"rows": 3}


def test_should_take_directories_and_write_the_format_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for n in range(3):
        write(folder / f"t{n}.parquet", data())
    out = tmp_path / "out"
    assert main(["shuffle", str(folder), "--key", "k", "--partitions=2", f"--out={out}", "--format=arrow"]) == 0
    assert sum(files.read_schema(path) == data().schema for path in out.iterdir()) == 2
    assert sum(batch.num_rows for path in out.iterdir() for batch in files.read_batches(path)) == 3 * ROWS


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["unknown"],
        ["shuffle", "--out=o"],
        ["shuffle", "no-such-file", "--keys=k", "--partitions=2", "--out=o"],
        ["shuffle", "t.parquet", "--partitions=2", "--out=o"],
        ["shuffle", "t.parquet", "--keys=k", "--out=o"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=0", "--out=o"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=two", "--out=o"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=o", "--memory-limit=much"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=o", "--kind=sideways"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=o", "--kind=random"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=o", "--seed=7"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=o", "--descending=k"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=o", "--kind=range", "--descending=q"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=o", "--kind=range", "--boundaries=none"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=o", "--kind=range", "--boundaries=t.parquet"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=used"],
        ["shuffle", "t.parquet", "--keys=k", "--partitions=2", "--out=t.parquet"],
        ["shuffle", "empty", "--keys=k", "--partitions=2", "--out=o"],
        ["shuffle", "--case=empty", "--out=o"],
        ["shuffle", "t.parquet", "--case=empty", "--out=o"],
    ],
    ids=" ".join,
)
def test_should_exit_with_2_on_wrong_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "t.parquet", data())
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "part-00000.arrow").touch()
    (tmp_path / "empty").mkdir()
    assert main(arguments) == 2
    assert capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_should_exit_with_1_and_leave_no_half_written_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "t.parquet", data())

    def broken(path: Path, _: pa.Table) -> None:
        path.write_bytes(b"half")
        raise OSError("no space left on this device")

    monkeypatch.setitem(files._WRITERS, "parquet", broken)
    out = tmp_path / "out"
    assert main(["shuffle", str(source), "--keys=k", "--partitions=2", f"--out={out}"]) == 1
    assert "no space left on this device" in capsys.readouterr().err
    assert list(out.iterdir()) == []


def test_should_exit_with_1_on_a_file_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "t.arrow"
    source.write_bytes(b"neither Arrow nor Parquet, just words")
    assert main(["shuffle", str(source), "--keys=k", "--partitions=2", f"--out={tmp_path / 'o'}"]) == 1
    assert "headrace: " in capsys.readouterr().err


def test_should_pass_the_rule_on(tmp_path: Path) -> None:
    source = write(tmp_path / "t.parquet", data())
    write(tmp_path / "b.arrow", pa.table({"v": ["v3"], "k": [7]}))
    begin = ["shuffle", str(source), "--partitions=2"]
    by = ["--kind=range", "--keys=k,v", "--descending=v", "--nulls-first=k,v", f"--boundaries={tmp_path / 'b.arrow'}"]
    assert main([*begin, *by, f"--out={tmp_path / 'one'}"]) == 0
    assert main([*begin, "--kind=random", "--seed=-7", f"--out={tmp_path / 'two'}"]) == 0
    by_range, by_chance = FakeSession.rules[-2:]
    assert (by_range.kind, by_range.keys, by_range.order) == ("range", ("k", "v"), b"\x02\x03")
    assert pa.ipc.open_stream(by_range.boundaries).read_all() == pa.table({"k": [7], "v": ["v3"]})
    assert by_chance == Rule("random", (), seed=-7)


def export(folder: Path, **settings: object) -> Path:
    folder.mkdir(parents=True)
    request = {"kind": "hash", "keys": ["k"], "num_partitions": 2, "expect": "ok", **settings}
    (folder / "case.json").write_text(json.dumps(request))
    for number in range(2):
        write(folder / f"batch-000{number}.arrow", data())
    return folder


def test_should_run_one_case_or_a_directory_of_them(tmp_path: Path) -> None:
    export(tmp_path / "cases" / "a")
    export(tmp_path / "cases" / "b")
    assert main(["shuffle", f"--case={tmp_path / 'cases'}", f"--out={tmp_path / 'o'}"]) == 0
    assert main(["shuffle", f"--case={tmp_path / 'cases' / 'a'}", f"--out={tmp_path / 'one'}"]) == 0
    assert main(["shuffle", f"--case={tmp_path / 'cases' / 'b'}", f"--out={tmp_path / 'two' / 'b'}"]) == 0
    for folder in ("o/a", "o/b", "one/a", "two/b"):
        parts = sorted((tmp_path / folder).iterdir())
        assert [part.name for part in parts] == ["part-00000.arrow", "part-00001.arrow"]
        assert sum(batch.num_rows for part in parts for batch in files.read_batches(part)) == 2 * ROWS


def test_should_leave_the_message_of_a_failed_case(tmp_path: Path) -> None:
    export(tmp_path / "c" / "sideways", kind="sideways")
    export(tmp_path / "c" / "expected", kind="sideways", expect="error")
    assert main(["shuffle", f"--case={tmp_path / 'c' / 'sideways'}", f"--out={tmp_path / 'o'}"]) == 1
    assert main(["shuffle", f"--case={tmp_path / 'c' / 'expected'}", f"--out={tmp_path / 'o'}"]) == 0
    for name in ("sideways", "expected"):
        assert [path.name for path in (tmp_path / "o" / name).iterdir()] == ["error.txt"]
        assert "kind is 'sideways'" in (tmp_path / "o" / name / "error.txt").read_text()


# The demo's proof


def found(wanted: pa.Table, got: pa.Table) -> list[str]:
    return proof.differences(proof.checksum(wanted.to_batches()), proof.checksum(got.to_batches(max_chunksize=77)))


def many_types(numbers: npt.NDArray[np.int64]) -> pa.Table:
    text = [None if n % 5 == 0 else f"text {n}" for n in numbers]
    return pa.table(
        {
            "int": pa.array(numbers, pa.int32()),
            "decimal": pa.array([int(n) for n in numbers], pa.decimal128(15, 2)),
            "date": pa.array(numbers.astype(np.int32), pa.date32()),
            "view": pa.array(text, pa.string_view()),
            "text": pa.array(text, pa.string()),
            "flag": pa.array([None if n % 3 == 0 else n % 2 == 0 for n in numbers]),
            "name": pa.array(text).dictionary_encode(),
            "empty": pa.array([""] * len(numbers), pa.large_string()),
        }
    )


def test_should_prove_the_same_rows_in_any_order_and_cut() -> None:
    table = many_types(np.arange(ROWS))
    assert found(table, many_types(np.random.default_rng(3).permutation(ROWS))) == []
    sums = proof.checksum(table.to_batches())
    assert sums.rows == ROWS
    assert sums.columns["text"] == sums.columns["view"] == sums.columns["name"] != sums.columns["empty"]


def test_should_see_lost_doubled_and_changed_values() -> None:
    numbers = np.arange(ROWS)
    table = many_types(numbers)
    assert "1000 rows went in, 999 came out" in found(table, table.slice(1))
    doubled = numbers.copy()
    doubled[7] = 8
    assert found(table, many_types(doubled)) == [f"column {name} differs" for name in sorted(table.column_names[:-1])]
    assert found(pa.table({"t": ["ab", "ba"]}), pa.table({"t": ["ab", "ab"]})) == ["column t differs"]
    assert found(pa.table({"t": ["ab", "c"]}), pa.table({"t": ["a", "bc"]})) == ["column t differs"]


# Doctor


def test_should_say_a_line_for_everything_and_a_remedy_where_it_fails(
    echo_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEADRACE_JAR", str(echo_jar))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    assert main(["doctor", f"--spill-directory={tmp_path / 'missing'}"]) == 1
    lines = capsys.readouterr().out.splitlines()
    subjects = [line.removeprefix("ok   ").removeprefix("FAIL ").partition(":")[0] for line in lines]
    assert subjects == ["java on PATH", "java of ranks", "Ray", "jar", "UCX", "/dev/shm", "spill space", "GPU"]
    assert lines[1].startswith("ok   java of ranks: 25 ")
    assert "tcp" in lines[4]
    assert lines[6] == (
        f"FAIL spill space: can't write to {tmp_path / 'missing'} -> name another one with spill_directories"
    )
    assert all(("->" in line) == line.startswith("FAIL") for line in lines)


def test_should_report_a_missing_part_as_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADRACE_JAR", "/no/such.jar")
    findings = list(doctor_command.examine(["/tmp"]))
    assert [finding.subject for finding in findings if finding.remedy] == ["java of ranks", "jar"]
