"""What the Java side needs is looked at before Ray is asked for anything: each lack has a sentence of its own."""

from __future__ import annotations

import dataclasses
import zipfile
from pathlib import Path

import pytest

from headrace import java
from headrace.errors import InvalidInput
from headrace.java import ACTOR_CLASS, JavaSetup, class_version, java_problem, java_setup, java_version


def jar_for(folder: Path, version: int) -> Path:
    jar = folder / "built.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr(ACTOR_CLASS.replace(".", "/") + ".class", b"\xca\xfe\xba\xbe\0\0" + version.to_bytes(2, "big"))
    return jar


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JavaSetup:
    monkeypatch.setenv("HEADRACE_JAR", str(jar_for(tmp_path, 69)))
    return java_setup(heap_bytes=32 << 20)


def test_should_find_nothing_wrong_with_the_java_of_the_wheel(setup: JavaSetup) -> None:
    assert java_problem(setup) is None


def test_should_say_that_the_classes_are_newer_than_java(setup: JavaSetup, tmp_path: Path) -> None:
    newer = dataclasses.replace(setup, jar=jar_for(tmp_path, 70))
    problem = java_problem(newer)
    assert problem is not None
    assert problem.endswith("is Java 25, but built.jar is built for Java 26 (class version 70)")


def test_should_name_the_option_that_java_does_not_know(setup: JavaSetup) -> None:
    problem = java_problem(dataclasses.replace(setup, options=("-XX:+NoSuchThing",)))
    assert problem is not None
    assert "doesn't start with the options '-XX:+NoSuchThing'" in problem
    assert "Unrecognized VM option 'NoSuchThing'" in problem


def test_should_name_what_is_missing(setup: JavaSetup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "there is no java at /no/java/bin/java" in str(
        java_problem(dataclasses.replace(setup, home=Path("/no/java")))
    )
    assert "there is no jar at /no.jar" in str(java_problem(dataclasses.replace(setup, jar=Path("/no.jar"))))
    monkeypatch.setenv("HEADRACE_JAR", str(tmp_path / "none.jar"))
    with pytest.raises(InvalidInput, match=r"there is no jar at .*none\.jar: install the wheel"):
        java_setup()
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(InvalidInput, match="pip install libucx-cu12"):
        java.native_directory()


def test_should_not_run_what_is_no_java(setup: JavaSetup, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'this is tea' >&2\n")
    program.chmod(0o755)
    assert "doesn't say its version: this is tea" in str(java_problem(dataclasses.replace(setup, home=tmp_path)))


@pytest.mark.parametrize(
    ("said", "version"),
    [('openjdk version "25.0.2" 2026-01-20', 25), ('java version "1.8.0_412"', 8), ("openjdk 25", None)],
)
def test_should_read_versions(said: str, version: int | None) -> None:
    assert java_version(said) == version


def test_should_read_the_class_version_of_a_jar(tmp_path: Path) -> None:
    assert class_version(jar_for(tmp_path, 65)) == 65
    assert class_version(jar_for(tmp_path, 65), "other.Class") is None


def test_should_hand_java_to_an_actor_whatever_ray_was_started_with(setup: JavaSetup) -> None:
    environment = setup.runtime_env()
    assert environment["java_jars"] == [setup.jar.as_uri()]
    variables = environment["env_vars"]
    assert isinstance(variables, dict)
    assert variables["PATH"] == f"{setup.home}/bin:${{PATH}}"
    assert variables["JDK_JAVA_OPTIONS"].startswith('"@')
    assert "-Xmx32m" in variables["JDK_JAVA_OPTIONS"]
