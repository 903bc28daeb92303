from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from headrace.java import java_setup

USUAL_JDKS = ("/usr/lib/jvm/*", "/opt/java/*", "/opt/jdk*")
SOURCES = Path(__file__).parent / "java"

# Ray's workers import the functions of tests by name.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]))


def jdk_program(name: str) -> Path:
    """A program of a JDK 25: the runtime in the wheel has no compiler."""
    homes = [Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    homes += [home for pattern in USUAL_JDKS for home in sorted(Path("/").glob(pattern[1:]))]
    for home in homes:
        release = home / "release"
        if (home / "bin" / name).exists() and release.exists() and 'JAVA_VERSION="25' in release.read_text():
            return home / "bin" / name
    found = shutil.which(name)
    assert found is not None, f"no JDK 25 with {name} found: set JAVA_HOME"
    return Path(found)


@pytest.fixture(scope="session")
def echo_jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A jar with the small Java actors of tests/java."""
    folder = tmp_path_factory.mktemp("java")
    sources = [str(path) for path in SOURCES.rglob("*.java")]
    subprocess.run([str(jdk_program("javac")), "--release", "25", "-d", str(folder / "classes"), *sources], check=True)
    jar = folder / "echo.jar"
    subprocess.run([str(jdk_program("jar")), "cf", str(jar), "-C", str(folder / "classes"), "."], check=True)
    return jar


@pytest.fixture
def echo_setup(echo_jar: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("HEADRACE_JAR", str(echo_jar))
    return java_setup(heap_bytes=64 << 20)
