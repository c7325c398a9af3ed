# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of CuPy between two workers of a LocalCUDACluster that share the first GPU: dask_cluster.py."""

import os
import sys
from typing import Any

import arrays

SIZES = (1 << 10, 1 << 20, 64 << 20)
PATIENCE_S = 40


def made(size: int) -> Any:
    """Return an array on the worker's GPU."""
    import cupy  # type: ignore[import-not-found]

    return cupy.arange(size, dtype="u1")


def looked_at(array: Any) -> tuple[str, int, str]:
    """Return what arrived: the module of its type, its sum, and the GPUs that this worker sees."""
    return type(array).__module__.partition(".")[0], int(array.sum(dtype="u8")), os.environ["CUDA_VISIBLE_DEVICES"]


def main() -> None:
    """Send arrays from one worker to the other, and tell what arrived and how the workers are pinned."""
    from distributed import Client

    from ucxx.dask import LocalCUDACluster

    with LocalCUDACluster(CUDA_VISIBLE_DEVICES=[0, 0], dashboard_address=None) as cluster, Client(cluster) as client:
        arrays.fact("plan", str(cluster.plan).splitlines())
        first, second = client.scheduler_info(n_workers=-1)["workers"]
        for size in SIZES:
            array = client.submit(made, size, workers=[first], pure=False)
            module, total, seen = client.submit(looked_at, array, workers=[second]).result(PATIENCE_S)
            wanted = sum(range(256)) * (size // 256)
            arrays.check(f"{size} bytes", (module, total) == ("cupy", wanted))
            arrays.fact(f"{size} bytes: sees", seen)
        pinned = client.run(os.sched_getaffinity, 0)
        wanted_cpus = sorted(sorted(worker.place.cpus) for worker in cluster.plan.workers)
        arrays.check("pinned as planned", sorted(sorted(cpus) for cpus in pinned.values()) == wanted_cpus)


if __name__ == "__main__":
    main()
    sys.exit(arrays.errors > 0)
