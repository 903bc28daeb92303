"""Java actors start from Python in any Ray: with and without java on the PATH it was started with."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import ray
from ray._private import worker as ray_worker

from headrace.cluster import RayConnection
from headrace.crosslanguage import java_calls
from headrace.errors import InvalidInput
from headrace.java import JavaSetup, java_setup
from headrace.placement import Placement, place
from raycluster import path_without_java, ray_started_by_command, small_ray

pytestmark = pytest.mark.cluster
ECHO = "dev.headrace.testing.EchoActor"
MEMORY = 64 << 20


@contextmanager
def closing(placement: Placement) -> Iterator[Placement]:
    try:
        yield placement
    finally:
        placement.close()


def call(actor: ray.actor.ActorHandle, method: str, *arguments: object) -> object:
    with java_calls():
        ref = getattr(actor, method).remote(*arguments)
    return ray.get(ref, timeout=30)


def assert_actor_works(setup: JavaSetup, added_node: bool) -> None:
    with closing(place(setup, 2, MEMORY, ECHO)) as placement:
        assert (placement.added_node is not None) == added_node
        actors = [placement.create(rank, f"rank={rank}\n") for rank in range(2)]
        texts = [call(actor, "describe").decode().split("\n") for actor in actors]  # type: ignore[attr-defined]
        assert [text[0].split(".")[0] for text in texts] == ["25", "25"]
        assert [text[2] for text in texts] == ["rank=0", "rank=1"]
        assert texts[0][1] != texts[1][1]
        batch = ray.put(b"x" * 3_000_000)
        assert call(actors[0], "measure", 5, ["a", "b"], [1, 2, 3], batch) == 3_000_010
        assert call(actors[1], "echo", b"\x00\xff" * 1_000_000) == b"\x00\xff" * 1_000_000
        with pytest.raises(ray.exceptions.CrossLanguageError, match="on purpose"):
            call(actors[0], "fail", "on purpose")
        assert call(actors[0], "echo", b"still alive") == b"still alive"
        for actor in actors:
            ray.kill(actor, no_restart=True)


def test_should_start_java_in_the_embedded_ray_without_any_java_on_the_path(
    echo_setup: JavaSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "local")
    with path_without_java() as path:
        monkeypatch.setenv("PATH", path)
        connection = RayConnection()
        try:
            assert_actor_works(echo_setup, added_node=False)
            assert os.environ["PATH"] == path
        finally:
            connection.close()
    assert not ray.is_initialized()


def test_should_start_java_in_a_ray_that_was_started_without_java(echo_setup: JavaSetup) -> None:
    with path_without_java() as path, ray_started_by_command(path) as address:
        ray.init(address=address)
        try:
            assert_actor_works(echo_setup, added_node=True)
            assert [node["Alive"] for node in ray.nodes()].count(True) == 1
            connection = RayConnection()
            connection.close()
            assert ray.is_initialized(), "a Ray that somebody else connected to was shut down"
        finally:
            ray.shutdown()


class TestOnOneRay:
    @pytest.fixture(scope="class", autouse=True)
    @staticmethod
    def cluster() -> Iterator[None]:
        with small_ray(object_store_bytes=200_000_000):
            yield

    def test_should_start_java_in_a_ray_that_somebody_started(self, echo_setup: JavaSetup) -> None:
        assert_actor_works(echo_setup, added_node=False)

    def test_should_say_at_once_which_option_the_jvm_does_not_know(self, echo_setup: JavaSetup) -> None:
        began = time.monotonic()
        with pytest.raises(InvalidInput, match="Unrecognized VM option 'NoSuchThing'"):
            place(java_setup(extra_options=("-XX:+NoSuchThing",)), 1, MEMORY, ECHO)
        assert time.monotonic() - began < 30

    def test_should_export_functions_of_other_threads_while_java_is_called(self, echo_setup: JavaSetup) -> None:
        worker = ray_worker.global_worker
        inside, leave = threading.Event(), threading.Event()

        def hold() -> None:
            with java_calls():
                inside.set()
                leave.wait(60)
                assert bool(worker.load_code_from_local)

        holder = threading.Thread(target=hold)
        holder.start()
        try:
            assert inside.wait(10)
            assert not worker.load_code_from_local
            # A local function travels by value: workers can't import this module.
            assert ray.get(ray.remote(lambda number: number + 1).options(num_cpus=0).remote(41), timeout=60) == 42
        finally:
            leave.set()
            holder.join()
        assert worker._load_code_from_local is False

    def test_should_keep_the_flag_true_where_the_job_set_it(self, echo_setup: JavaSetup) -> None:
        worker = ray_worker.global_worker
        worker.set_load_code_from_local(True)
        try:
            with java_calls(), java_calls():
                pass
            assert worker._load_code_from_local is True
        finally:
            worker.set_load_code_from_local(False)
