# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Clusters with a worker for each GPU, by the names and arguments that programs for dask-cuda have."""

from __future__ import annotations

import os
from typing import Any

from ucxx.dask.clusters.local import LocalUCXCluster
from ucxx.dask.clusters.settings import Settings

# What dask-cuda has and this package has not, the values that ask for nothing, and what else there is.
_NOT_HERE: dict[str, tuple[tuple[Any, ...], str]] = {
    "device_memory_limit": (
        (None, 0, "0", "auto", "default"),
        "nothing spills arrays from a GPU to the host here; RMM's managed memory (rmm_managed_memory=True) does the like",
    ),
    "enable_cudf_spill": ((None, False), "call cudf.set_option('spill', True) in each process (client.run)"),
    "cudf_spill_stats": ((None, 0), "call cudf.set_option('spill_stats', ...) in each process (client.run)"),
    "rmm_allocator_external_lib_list": ((None, "", [], ()), "call the library's own function for it (client.run)"),
    "log_spilling": ((None, False), "nothing spills arrays from a GPU to the host here"),
    "jit_unspill": ((None, False), "dask-cuda has given it up, too"),
}


class LocalCUDACluster(LocalUCXCluster):
    """A cluster of this machine with a worker for each GPU, over ucx://: pinned to the cores near it, with its card.

    Takes the arguments of dask-cuda's class of this name and those of `LocalUCXCluster`. A worker sees all GPUs of
    the cluster, its own first. Without a GPU it is an error; `topology=FILE, dry_run=True` plans all the same.
    """

    @classmethod
    def _split(
        cls, CUDA_VISIBLE_DEVICES: Any = None, n_workers: int | None = None, threads_per_worker: int = 1, **given: Any
    ) -> tuple[Settings, dict[str, Any]]:
        for name, (nothing, instead) in _NOT_HERE.items():
            if given.pop(name, None) not in nothing:
                raise ValueError(f"{cls.__name__} has no {name}: {instead}")
        os.environ.setdefault("RAPIDS_NO_INITIALIZE", "True")  # cuDF's import would take GPU 0 in each worker
        return super()._split(**{
            "placement": "gpu", **given, "CUDA_VISIBLE_DEVICES": CUDA_VISIBLE_DEVICES, "n_workers": n_workers,
            "threads_per_worker": threads_per_worker,
        })  # fmt: skip


class DGX(LocalCUDACluster):
    """A `LocalCUDACluster` whose workers listen at the interface of their nearest card, as dask-cuda's DGX of old.

    Args:
        interface: how these interfaces begin: "ib" takes ib0 for one worker and ib2 for another.
        dashboard_address, threads_per_worker, silence_logs, CUDA_VISIBLE_DEVICES: as of a `LocalCUDACluster`.
    """

    @classmethod
    def _split(  # type: ignore[override]
        cls, interface: str | None = None, dashboard_address: str | None = ":8787", threads_per_worker: int = 1,
        silence_logs: Any = True, CUDA_VISIBLE_DEVICES: Any = None, **given: Any,
    ) -> tuple[Settings, dict[str, Any]]:  # fmt: skip
        if interface not in (None, "auto") and "*" not in interface:
            interface += "*"
        return super()._split(
            CUDA_VISIBLE_DEVICES, threads_per_worker=threads_per_worker, interface=interface,
            dashboard_address=dashboard_address, silence_logs=silence_logs, **given,
        )  # fmt: skip
