# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Clusters with a worker for each GPU, by the names and arguments that programs for dask-cuda have."""

from __future__ import annotations

import os
from typing import Any

from ucxx.dask.clusters.local import LocalUCXCluster
from ucxx.dask.clusters.settings import Settings

class LocalCUDACluster(LocalUCXCluster):
    """A cluster of this machine with a worker for each GPU, over ucx://: pinned to the cores near it, with its card.

    Takes the arguments of dask-cuda's class of this name and those of `LocalUCXCluster`. A worker sees all GPUs of
    the cluster, its own first. Without a GPU it is an error; `topology=FILE, dry_run=True` plans all the same.
    """

    def __init__(self, *arguments: Any, **given: Any) -> None:
        """Plan, and start, as `LocalUCXCluster` does."""
        os.environ.setdefault("RAPIDS_NO_INITIALIZE", "True")  # cuDF's import would take GPU 0 in each worker
        super().__init__(*arguments, **given)

    @classmethod
    def _split(
        cls, CUDA_VISIBLE_DEVICES: Any = None, n_workers: int | None = None, threads_per_worker: int = 1, **given: Any
    ) -> tuple[Settings, dict[str, Any]]:
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
        if isinstance(interface, str) and interface and interface != "auto" and not set("*?[") & set(interface):
            interface += "*"
        return super()._split(
            CUDA_VISIBLE_DEVICES, threads_per_worker=threads_per_worker, interface=interface,
            dashboard_address=dashboard_address, silence_logs=silence_logs, **given,
        )  # fmt: skip
