# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Prepares a process that is no worker, a client or a scheduler, for the flags of its cluster."""

from __future__ import annotations

import importlib
import ipaddress
import logging
from collections.abc import Mapping
from typing import Any

import dask
from distributed.utils import get_ip_interface

from ucxx.dask import devices
from ucxx.dask.clusters.configuration import configuration
from ucxx.dask.clusters.pinning import ucx_has_started
from ucxx.dask.clusters.settings import Settings

logger = logging.getLogger("distributed.comm.ucxx")


def initialize(
    create_cuda_context: bool = True,
    enable_tcp_over_ucx: bool | None = None,
    enable_infiniband: bool | None = None,
    enable_nvlink: bool | None = None,
    enable_rdmacm: bool | None = None,
    net_devices: str | None = None,
    cuda_device_index: int | None = None,
) -> None:
    """Set what UCX will start with in this process, when it first listens or connects over ucx://.

    A client needs it only where its cluster has flags; `LocalUCXCluster` does it for its own process.

    Args:
        create_cuda_context: make the context of the first visible GPU before UCX starts, where there is a GPU.
        enable_tcp_over_ucx, enable_infiniband, enable_nvlink, enable_rdmacm: as of `LocalUCXCluster`.
        net_devices: network devices of UCX, or "auto" for the nearest card; empty: UCX decides.
        cuda_device_index: accepted for programs of old; the first visible GPU is taken.

    Where UCX has started already, a warning says that this comes too late.

    Raises:
        ValueError: flags that exclude each other.
    """
    del cuda_device_index
    if ucx_has_started():
        logger.warning("initialize() comes too late: UCX has started in this process; call it before Client(...)")
    settings = Settings(
        enable_tcp_over_ucx=enable_tcp_over_ucx, enable_infiniband=enable_infiniband, enable_nvlink=enable_nvlink,
        enable_rdmacm=enable_rdmacm,
    )  # fmt: skip
    section = configuration(settings)
    if net_devices:
        section["net-devices"] = net_devices
    if create_cuda_context and devices.has_cuda():
        section["create-cuda-context"] = True
    dask.config.set({"ucxx": section})


def start_with(settings: Settings, configured: Mapping[str, Any], scheduler: Mapping[str, Any]) -> None:
    """Start UCX in the process of a cluster's scheduler as the cluster's flags say; without a flag its listener does.

    Args:
        settings: of the cluster.
        configured: what `configuration` has returned.
        scheduler: the options of the scheduler, of which `host` or `interface` says where UCX opens its ports.
    """
    if not settings.flags:
        return
    if ucx_has_started():
        logger.warning("%s: not for this process, UCX has started in it; for the workers alone", settings.flags)
        return
    host = scheduler.get("host") or (get_ip_interface(scheduler["interface"]) if scheduler.get("interface") else "")
    try:
        ipaddress.ip_address(host)
    except ValueError:  # a name, or nothing
        host = ""
    importlib.import_module("ucxx.dask.backend")  # gives UCX what it reads while it is loaded
    config = importlib.import_module("ucxx.dask.config")
    with dask.config.set({"ucxx": dict(configured)}):
        config.start(host)
