# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a worker does when it has started: plugins of Dask."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dask.utils import parse_bytes
from distributed import WorkerPlugin

from ucxx.dask.clusters import pinning

if TYPE_CHECKING:
    from ucxx.dask.clusters.settings import Settings

logger = logging.getLogger("distributed.worker")


class CPUAffinity(WorkerPlugin):
    """Pins a worker to CPUs once it runs, for programs that register it themselves.

    UCX has ranked the network cards by then, so `LocalUCXCluster(cpu_affinity=...)`, which pins before, is better.
    """

    def __init__(self, cores: Iterable[int]) -> None:
        """Take the CPUs, as Linux numbers them."""
        self.cores = sorted(cores)

    def setup(self, worker: Any = None) -> None:
        """Pin the worker's threads; what the system refuses is logged."""
        del worker
        try:
            pinning.pin_threads(self.cores)
        except OSError as error:
            logger.warning(
                "CPUAffinity: the CPUs %s cannot be set: %s; this process may use %s",
                self.cores, error.strerror, sorted(os.sched_getaffinity(0)),
            )  # fmt: skip


class PreImport(WorkerPlugin):
    """Imports modules, so that the first task does not wait for them."""

    def __init__(self, names: str | Iterable[str]) -> None:
        """Take the names, as a list or with commas."""
        self.names = [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]

    def setup(self, worker: Any = None) -> None:
        """Import them; a worker without one does not start."""
        del worker
        for name in self.names:
            importlib.import_module(name)


class RMMSetup(WorkerPlugin):
    """Makes RMM's allocator of a worker, which libraries of RAPIDS take memory of the GPU from. Not run: needs a GPU."""

    def __init__(self, settings: Settings) -> None:
        """Take what the settings say of RMM; `require` has looked whether it is installed."""
        self.pool = settings.rmm_pool_size
        self.most = settings.rmm_maximum_pool_size
        self.managed = settings.rmm_managed_memory
        self.is_async = settings.rmm_async
        self.release = settings.rmm_release_threshold
        self.log_directory = settings.rmm_log_directory
        self.tracks = settings.rmm_track_allocations

    def setup(self, worker: Any = None) -> None:
        """Make it."""
        import rmm  # type: ignore[import-not-found]

        _, total = rmm.mr.available_device_memory()
        pool, most, release = (_bytes_of(size, total) for size in (self.pool, self.most, self.release))
        log = None if self.log_directory is None else os.path.join(self.log_directory, f"rmm_{worker.name}_{os.getpid()}.log")
        if self.is_async:
            resource = rmm.mr.CudaAsyncMemoryResource(initial_pool_size=pool, release_threshold=release)
            if most is not None:
                resource = rmm.mr.LimitingResourceAdaptor(resource, allocation_limit=most)
            rmm.mr.set_current_device_resource(resource)
            if log is not None:
                rmm.enable_logging(log_file_name=log)
        elif pool is not None or self.managed:
            rmm.reinitialize(
                pool_allocator=pool is not None, managed_memory=self.managed, initial_pool_size=pool,
                maximum_pool_size=most, logging=log is not None, log_file_name=log,
            )  # fmt: skip
        if self.tracks:
            rmm.mr.set_current_device_resource(rmm.mr.TrackingResourceAdaptor(rmm.mr.get_current_device_resource()))


def _bytes_of(size: Any, total: int) -> int | None:
    """Return a size in bytes, in whole blocks of 256: a number up to 1 with a point is a part of the GPU's memory."""
    if size is None:
        return None
    wanted = int(size * total) if isinstance(size, float) and size <= 1 else int(parse_bytes(size))
    return wanted // 256 * 256


def require(settings: Settings) -> None:
    """Refuse settings of RMM where it is not installed.

    Raises:
        ValueError: it is not.
    """
    if _wants_rmm(settings) and importlib.util.find_spec("rmm") is None:
        raise ValueError("the settings rmm_... need RMM, which is not installed: pip install rmm-cu12 (or -cu13)")


def _wants_rmm(settings: Settings) -> bool:
    return settings.rmm_pool_size is not None or any(
        (settings.rmm_managed_memory, settings.rmm_async, settings.rmm_track_allocations)
    )


def of(settings: Settings) -> list[WorkerPlugin]:
    """Return the plugins that the settings ask for."""
    found: list[WorkerPlugin] = []
    if settings.pre_import:
        found.append(PreImport(settings.pre_import))
    if _wants_rmm(settings):
        found.append(RMMSetup(settings))
    return found
