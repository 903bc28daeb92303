"""Settings as users write them, and as ranks read them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from headrace.errors import InvalidInput
from headrace.settings import (
    RankSettings,
    one_of,
    parse_bytes,
    parse_nanos,
    parse_properties,
    positive,
    properties_text,
    spill_paths,
)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("256MiB", 256 << 20),
        ("1.5 GiB", 3 << 29),
        ("10kb", 10_000),
        ("7", 7),
        (42, 42),
        ("3g", 3 << 30),
        ("1TB", 10**12),
    ],
)
def test_should_read_sizes(text: str | int, size: int) -> None:
    assert parse_bytes("memory_limit", text) == size


@pytest.mark.parametrize("text", ["", "MiB", "-1", "0", "1 furlong", "1e9", True, 0, "nan"])
def test_should_refuse_what_is_no_size(text: str | int) -> None:
    with pytest.raises(InvalidInput, match=f"memory_limit is {text!r}"):
        parse_bytes("memory_limit", text)


@pytest.mark.parametrize(
    ("text", "nanos"), [("10min", 600 * 10**9), ("500ms", 5 * 10**8), (2.5, 25 * 10**8), ("1h", 3600 * 10**9)]
)
def test_should_read_times(text: str | float, nanos: int) -> None:
    assert parse_nanos("timeout", text) == nanos


@pytest.mark.parametrize("text", ["soon", "0s", "1000000d", None])
def test_should_refuse_what_is_no_time(text: str) -> None:
    with pytest.raises(InvalidInput, match="timeout is"):
        parse_nanos("timeout", text)


def test_should_check_numbers_and_choices() -> None:
    assert positive("ranks", 3) == 3
    for wrong in (0, -1, True, 1.5, "2"):
        with pytest.raises(InvalidInput, match="ranks is"):
            positive("ranks", wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"kind is 'range': it has to be one of hash, round_robin"):
        one_of("kind", "range", ("hash", "round_robin"))


def test_should_want_a_list_of_spill_directories() -> None:
    assert spill_paths(["/a", Path("/b")]) == (Path("/a"), Path("/b"))
    for wrong in ("/tmp", [], ["/a:b"]):
        with pytest.raises(InvalidInput, match="spill"):
            spill_paths(wrong)


def test_should_write_what_java_properties_read() -> None:
    text = properties_text({"a": " x\\y\n=#!", "b": "größe 🚰"})
    assert text == "a=\\ x\\\\y\\n=#!\nb=gr\\u00f6\\u00dfe \\ud83d\\udeb0\n"


def test_should_hand_all_settings_to_a_rank() -> None:
    settings = RankSettings(1, 2, 0, 5, (Path("/a"), Path("/b")), "ucx", Path("/n"), "lo", b"\x01\xff", 6, 7, True)
    read = parse_properties(settings.text())
    assert read.keys() == {field.name for field in dataclasses.fields(RankSettings)}
    assert read["spill_directories"] == "/a:/b"
    assert read["job_key"] == "01ff"
    assert read["shared_slabs"] == "true"
