"""Ray clusters for tests, each on its own temporary directory and ports; only what was started here is ended."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import ray

OBJECT_STORE_BYTES = 300_000_000


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def small_ray(cpus: int = 1, object_store_bytes: int = 400_000_000) -> Iterator[str]:
    """A small Ray of this process, and its address."""
    context = ray.init(address="local", num_cpus=cpus, include_dashboard=False, object_store_memory=object_store_bytes)
    try:
        yield str(context.address_info["gcs_address"])
    finally:
        ray.shutdown()


@contextmanager
def path_without_java() -> Iterator[str]:
    """A PATH on which every program of the usual directories is found, except java."""
    with tempfile.TemporaryDirectory(prefix="hr-path-") as name:
        folder = Path(name)
        for directory in os.environ["PATH"].split(os.pathsep):
            for program in Path(directory).glob("*") if Path(directory).is_dir() else ():
                link = folder / program.name
                if program.name != "java" and not link.exists() and not link.is_symlink():
                    link.symlink_to(program)
        yield name


@contextmanager
def ray_started_by_command(path: str) -> Iterator[str]:
    """`ray start --head`, as an administrator would do it; gives its address."""
    folder = Path(tempfile.mkdtemp(prefix="hr-", dir="/tmp"))
    port = free_port()
    environment = {**os.environ, "PATH": path}
    command = [str(Path(sys.executable).parent / "ray"), "start", "--head", f"--port={port}", f"--temp-dir={folder}"]
    command += ["--num-cpus=1", f"--object-store-memory={OBJECT_STORE_BYTES}", "--include-dashboard=false"]
    command += ["--disable-usage-stats", "--node-ip-address=127.0.0.1"]
    try:
        subprocess.run(command, env=environment, check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        yield f"127.0.0.1:{port}"
    finally:
        end_processes_of(folder)
        shutil.rmtree(folder, ignore_errors=True)


def end_processes_of(folder: Path) -> None:
    """Ends the processes whose command line names the folder: those of one cluster and of no other."""
    processes = [process for process in psutil.process_iter(["cmdline"]) if _names(process, folder)]
    for process in processes:
        process.terminate()
    for process in psutil.wait_procs(processes, timeout=10)[1]:
        process.kill()


def _names(process: psutil.Process, folder: Path) -> bool:
    return process.pid != os.getpid() and any(f"{folder}/" in word for word in process.info["cmdline"] or ())
