"""Objects of Ray's store as they lie there: what `ray.get` would copy."""

from __future__ import annotations

import ray
from ray._private import worker as ray_worker

RAW = b"RAW"


def object_view(ref: ray.ObjectRef, timeout_seconds: float) -> memoryview:
    """The bytes of an object that is bytes, in place; the store keeps it as long as the view is there.

    Raises what the object stands for, if that is an error, as `ray.get` does.
    """
    found = ray_worker.global_worker.core_worker.get_objects([ref], int(timeout_seconds * 1000))
    data, metadata, _ = found[0]
    if metadata != RAW or data is None:
        return memoryview(ray.get(ref, timeout=timeout_seconds))
    return memoryview(data)
