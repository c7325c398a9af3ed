# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Prepares a process that is no worker, a client or a scheduler, for the flags of its cluster."""

from __future__ import annotations

import logging
from typing import Any

import dask

from ucxx.dask import devices
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
    section: dict[str, Any] = {**(dask.config.get("ucxx", None) or {}), **settings.flags}
    if net_devices:
        section["net-devices"] = net_devices
    if create_cuda_context and devices.has_cuda():
        section["create-cuda-context"] = True
    dask.config.set({"ucxx": section})
