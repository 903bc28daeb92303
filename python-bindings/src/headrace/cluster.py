"""The Ray that a session works on: one that is there, or one that is started for it and ended with it."""

from __future__ import annotations

import os
import threading

import ray

from headrace.errors import InvalidInput
from headrace.java import java_home
from headrace.javanode import java_on_path

TESTED_RAY = ("2.60",)
_lock = threading.Lock()
_sessions_on_own_ray = 0


def check_ray_version(version: str = ray.__version__) -> None:
    """Raises for a Ray that this package was never tested with."""
    if ".".join(version.split(".")[:2]) not in TESTED_RAY:
        raise InvalidInput(f"Ray {version} was never tested with this package; tested: {', '.join(TESTED_RAY)}.*")


def current_ray() -> object:
    """Stands for the connection of this process to Ray: another one after `ray.shutdown()` and `ray.init()`."""
    return ray._private.worker.global_worker.current_cluster_and_job if ray.is_initialized() else None


def ray_is_gone() -> InvalidInput:
    """The error of who calls a session whose Ray is not there any more."""
    return InvalidInput("Ray is not initialised: ray.shutdown() was called while a session was open")


def _start_ray() -> None:
    try:
        ray.init(include_dashboard=False, log_to_driver=False)
    except ConnectionError as error:
        where = os.environ.get("RAY_ADDRESS") or "the address that `ray start` left behind"
        remedy = "RAY_ADDRESS=local in the environment starts one"
        raise InvalidInput(f"no Ray answers at {where}, and {remedy}: {error}") from error


class RayConnection:
    """Connects this process to Ray and keeps it so; the last close ends what the first one began."""

    def __init__(self) -> None:
        global _sessions_on_own_ray
        check_ray_version()
        if ray.util.client.ray.is_connected():
            raise InvalidInput("Ray Client (ray://…) can't call Java actors: run on a node of the cluster")
        with _lock:
            self._counted = _sessions_on_own_ray > 0 or not ray.is_initialized()
            if not ray.is_initialized():
                _sessions_on_own_ray = 0
                with java_on_path(java_home()):
                    # The JVMs' start is noisy, and nobody asked for this Ray's log.
                    _start_ray()
            _sessions_on_own_ray += self._counted

    def close(self) -> None:
        """Ends a Ray, or the connection to one, that a session began, once no session needs it."""
        global _sessions_on_own_ray
        with _lock:
            if not self._counted:
                return
            self._counted = False
            _sessions_on_own_ray -= 1
            if _sessions_on_own_ray == 0 and ray.is_initialized():
                ray.shutdown()
