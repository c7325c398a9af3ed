# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the nanny of each planned worker gets: environment, configuration, preload and plugins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import dask
from distributed import Nanny

from ucxx.dask.clusters import pinning, plugins
from ucxx.dask.clusters.arguments import level_of, require_known
from ucxx.dask.clusters.plan import PlannedWorker
from ucxx.dask.clusters.planning import plan
from ucxx.dask.clusters.settings import Settings

PRELOAD = "ucxx.dask.clusters.preload"


def configuration(settings: Settings) -> dict[str, Any]:
    """Return what the flags say, as keys of Dask's configuration, for each process of a cluster."""
    return {**(dask.config.get("ucxx", None) or {}), **settings.flags}


def options_of(worker: PlannedWorker, settings: Settings, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a worker's nanny.

    Args:
        worker: its row of the plan.
        settings: of the cluster.
        given: options that are the same for all workers; those of the row go before them.
    """
    options = {**given, **worker.options, "nthreads": worker.nthreads}
    if worker.interface is not None:
        options.update(interface=worker.interface, host=None)
    section = configuration(settings)
    if worker.net_devices is not None:
        section["net-devices"] = worker.net_devices
    if worker.place.gpu is not None:
        section.setdefault("create-cuda-context", True)
    pins = pinning.environment(
        worker.place.cpus if worker.place.is_pinned else (), settings.memory_binding, worker.place.nodes
    )
    seen = {"CUDA_VISIBLE_DEVICES": worker.visible} if worker.visible else {}
    options["env"] = {**seen, **pins, **(given.get("env") or {}), **(worker.options.get("env") or {})}
    options["config"] = {**(options.get("config") or {}), "ucxx": section}
    options["preload"] = [PRELOAD, *_list(options.get("preload"), "distributed.worker.preload")]
    if "preload_argv" not in options or options["preload_argv"] is None:
        options["preload_argv"] = dask.config.get("distributed.worker.preload-argv")
    options["plugins"] = [*(options.get("plugins") or ()), *plugins.of(settings)]
    return options


def _list(given: str | Iterable[str] | None, key: str) -> list[str]:
    if not given:
        given = dask.config.get(key) or ()
    return [given] if isinstance(given, str) else list(given)


def worker_spec(
    interface: str | None = None,
    protocol: str | None = None,
    dashboard_address: str | None = None,
    threads_per_worker: int | None = None,
    silence_logs: Any = True,
    CUDA_VISIBLE_DEVICES: Any = None,
    **given: Any,
) -> dict[Any, dict[str, Any]]:
    """Return the workers of this machine for `SpecCluster(workers=...)`: a name and the options of a nanny for each.

    Args:
        interface: where workers listen, "auto" for that of the nearest card.
        protocol: the scheme; None: the one of the scheduler's address.
        dashboard_address: of each worker.
        threads_per_worker: 1 by GPU, else one for each CPU of the worker.
        silence_logs: the level below which nothing is logged; True is that of warnings.
        CUDA_VISIBLE_DEVICES: the GPUs; their workers have the indices as names.
        given: other settings of a cluster (`LocalUCXCluster`), and options of `Nanny` and `Worker`.

    Raises:
        ValueError: the machine has not what is asked for.
    """
    settings, options = Settings.split({
        **given, "interface": interface, "protocol": protocol, "threads_per_worker": threads_per_worker,
        "CUDA_VISIBLE_DEVICES": CUDA_VISIBLE_DEVICES,
    })  # fmt: skip
    require_known("worker_spec", options)
    options = {
        "protocol": "ucx" if protocol is None and settings.flags else protocol,
        "dashboard_address": dashboard_address, "dashboard": dashboard_address is not None,
        "silence_logs": level_of(silence_logs), **options,
    }  # fmt: skip
    planned = plan(settings)
    return {
        name: {"cls": Nanny, "options": options_of(worker, settings, options)}
        for name, worker in zip(planned, planned.workers, strict=True)
    }
