"""A node that can run Java workers, added to a Ray that can't.

Where Ray was started without `java` on the PATH, its raylet never starts a Java worker (see `nodes`). So the
driver's machine gets a second raylet of the same cluster, with the Java of this package on its PATH, no CPUs,
and the memory of the ranks. It serves one session and ends with it, or with this process.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ray
from ray._private import worker as ray_worker
from ray._private.node import Node
from ray._private.parameter import RayParams

from headrace.errors import Internal
from headrace.java import java_home

OBJECT_STORE_BYTES = 512 << 20
_path_lock = threading.Lock()


class JavaNodeProcess:
    """Owns the processes of the added node; any thread may stop it, twice is once."""

    def __init__(self, memory_bytes: int) -> None:
        parameters = RayParams(
            gcs_address=ray.get_runtime_context().gcs_address,
            node_ip_address=ray_worker.global_worker.node_ip_address,
            num_cpus=0,
            num_gpus=0,
            memory=memory_bytes,
            object_store_memory=OBJECT_STORE_BYTES,
            include_log_monitor=False,
            node_manager_port=0,
            min_worker_port=0,
            max_worker_port=0,
        )
        try:
            with java_on_path(java_home()):
                node = Node(parameters, head=False, shutdown_at_exit=True, spawn_reaper=True)
        except Exception as error:
            raise Internal(f"a Ray node with Java workers could not be added on this machine: {error}") from error
        self.node_id = str(node.node_id)
        self._node: Node | None = node

    def stop(self) -> None:
        """Ends the node's processes and waits until they are gone."""
        node, self._node = self._node, None
        if node is not None:
            node.kill_all_processes(check_alive=False, allow_graceful=True, wait=True)


@contextmanager
def java_on_path(home: Path) -> Iterator[None]:
    """Programs started meanwhile find a `java`: the one on the PATH, else that of the given home."""
    with _path_lock:
        former = os.environ.get("PATH", "")
        os.environ["PATH"] = f"{former}{os.pathsep}{home / 'bin'}" if former else str(home / "bin")
        try:
            yield
        finally:
            os.environ["PATH"] = former
