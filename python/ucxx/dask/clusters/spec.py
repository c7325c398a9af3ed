# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the nanny of each planned worker gets: environment, configuration, preload and plugins."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import dask
from distributed import Nanny, Worker

from ucxx.dask.clusters import pinning, plugins
from ucxx.dask.clusters.arguments import level_of, require_known
from ucxx.dask.clusters.configuration import configuration, hyphened
from ucxx.dask.clusters.missing import without_what_is_not_here
from ucxx.dask.clusters.plan import Plan, PlannedWorker
from ucxx.dask.clusters.planning import plan
from ucxx.dask.clusters.settings import Settings
from ucxx.dask.learning import places

PRELOAD = "ucxx.dask.clusters.preload"


def options_of(
    planned: Plan, name: Any, settings: Settings, configured: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options of a worker's nanny.

    Args:
        planned: all workers of the machine.
        name: of the worker.
        settings: of the cluster.
        configured: what `configuration` has returned.
        given: options that are the same for all workers; those of the row go before them.
    """
    worker = planned[name]
    options = {**given, **worker.options, "nthreads": worker.nthreads}
    config = dict(options.get("config") or {})
    if worker.interface is not None:
        options.update(interface=worker.interface, host=None)
    section = {**configured, **hyphened(config.pop("ucxx", None) or {})}
    if worker.net_devices not in (None, os.environ.get("UCX_NET_DEVICES")):
        section["net-devices"] = worker.net_devices
    if worker.place.gpu is not None:
        section.setdefault("create-cuda-context", True)
    pins = pinning.environment(
        worker.place.cpus if worker.place.is_pinned else (), settings.memory_binding, worker.place.nodes
    )
    place = places.environment(planned, worker)
    options["env"] = {**_seen(worker), **pins, **place, **(given.get("env") or {}), **(worker.options.get("env") or {})}
    options["config"] = {"ucxx": section, **config}
    options["preload"] = [PRELOAD, *_list(options.get("preload"), "distributed.worker.preload")]
    argv = options.get("preload_argv") or dask.config.get("distributed.worker.preload-argv") or []
    options["preload_argv"] = [[], *argv] if argv and not isinstance(argv[0], str) else argv
    options["plugins"] = [*(options.get("plugins") or ()), *plugins.of(settings)]
    return options


def _seen(worker: PlannedWorker) -> dict[str, str]:
    """Return which GPUs a worker sees. The plan counts them as the PCI bus does, and CUDA has to count so, too."""
    if worker.visible is None:
        return {}
    return {"CUDA_VISIBLE_DEVICES": worker.visible, **({"CUDA_DEVICE_ORDER": "PCI_BUS_ID"} if worker.visible else {})}


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
    options = without_what_is_not_here("worker_spec", options)
    require_known("worker_spec", options, Nanny, Worker)
    options = {
        "protocol": "ucx" if protocol is None and settings.flags else protocol,
        "dashboard_address": dashboard_address, "dashboard": dashboard_address is not None,
        "silence_logs": level_of(silence_logs), **options,
    }  # fmt: skip
    configured = configuration(settings)
    planned = plan(settings, configured)
    return {
        name: {"cls": Nanny, "options": options_of(planned, name, settings, configured, options)} for name in planned
    }
