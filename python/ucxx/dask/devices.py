# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Network devices and GPUs of this machine, as far as the configuration names them."""

from __future__ import annotations

import ctypes
import fnmatch
import functools
import glob
import ipaddress
import math
import os
import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import psutil  # Dask requires it
from distributed.protocol.utils import host_array

if TYPE_CHECKING:
    from ucxx.topology.machine import Machine

_RDMA = "/sys/class/infiniband"


def of_rdma() -> list[str]:
    """Return the ports of InfiniBand and RoCE devices, by the names that UCX has for them."""
    return sorted(
        f"{path.split('/')[-3]}:{path.split('/')[-1]}" for path in glob.glob(f"{_RDMA}/*/ports/*")
    )


def names() -> list[str]:
    """Return all network devices."""
    return sorted(name for _, name in socket.if_nameindex()) + of_rdma()


def require(wanted: str) -> None:
    """Check a list of devices, as UCX_NET_DEVICES has it.

    Raises:
        ValueError: for a device that is not there; it lists those that are.
    """
    there = names()
    known = [*there, "all", *(name.partition(":")[0] for name in there)]
    for name in wanted.removeprefix("^").split(","):
        if not fnmatch.filter(known, name.strip()):
            raise ValueError(
                f"there is no network device {name.strip()!r} (UCX_NET_DEVICES, net-devices); "
                f"there are: {', '.join(there)}"
            )


def at(host: str, local: str | None) -> list[str]:
    """Return the devices for UCX in a process that listens at an address: its interface, and RDMA's.

    None for a wildcard, and for the loopback as long as the local channel (`local`: UCXX_LOCAL) carries
    what is there: then UCX opens no port until the process calls another machine.
    """
    if not host or (address := ipaddress.ip_address(host.partition("%")[0])).is_unspecified:
        return []
    if address.is_loopback and local != "off":
        return []
    for name, entries in psutil.net_if_addrs().items():
        for entry in entries:
            if entry.family in (socket.AF_INET, socket.AF_INET6):
                if ipaddress.ip_address(entry.address.partition("%")[0]) == address:
                    return [name, *([] if address.is_loopback else of_rdma())]
    return ["lo"] if address.is_loopback else []


def this_machine() -> Machine:
    """Return the description of this machine."""
    from ucxx import topology

    return topology.read()


def nearest_card() -> str | None:
    """Return the name, for UCX, of the card nearest to the first visible GPU, without one to the CPUs of this process.

    None: no card is up.
    """
    # These take 26 ms to import, which no other process that uses ucx:// should pay.
    from ucxx.topology.nearest import nearest_cards
    from ucxx.topology.visible import visible

    machine = this_machine()
    cpus = frozenset(os.sched_getaffinity(0))
    try:
        seen = visible(machine, os.environ.get("CUDA_VISIBLE_DEVICES"))
    except ValueError:  # CUDA will say so
        seen = ()
    (found,) = nearest_cards(machine, [(seen[0].gpu if seen else None, cpus)])
    return None if found.card is None else found.card.ucx_name


def has_driver() -> bool:
    """Tell whether CUDA's driver is there."""
    return os.path.exists("/dev/nvidiactl")


@functools.cache
def has_cuda() -> bool:
    """Tell whether the machine has a GPU of NVIDIA that this process may see, when it is asked first."""
    return has_driver() and os.environ.get("CUDA_VISIBLE_DEVICES") not in ("", "-1")


def create_cuda_context() -> None:
    """Make the context of the first visible GPU current, so that UCX finds it.

    Raises:
        RuntimeError: CUDA's driver is not there, or fails.
    """
    context = ctypes.c_void_p()
    _call("cuInit", 0)
    _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    _call("cuCtxSetCurrent", context)


def to_host(interface: Mapping[str, Any]) -> memoryview:
    """Copy a contiguous array of a device, by its `__cuda_array_interface__`, into memory of the host.

    It waits for what was queued on the array's device before.

    Raises:
        RuntimeError: CUDA's driver is not there, or fails.
    """
    nbytes = math.prod(interface["shape"]) * int(interface["typestr"][2:])
    memory = host_array(nbytes)
    if nbytes == 0:
        return memory
    source, context = ctypes.c_void_p(interface["data"][0]), ctypes.c_void_p()
    _call("cuPointerGetAttribute", ctypes.byref(context), _CONTEXT_OF_POINTER, source)
    _call("cuCtxPushCurrent_v2", context)
    try:
        _call("cuCtxSynchronize")
        target = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
        _call("cuMemcpyDtoH_v2", target, source, ctypes.c_size_t(nbytes))
    finally:
        _call("cuCtxPopCurrent_v2", ctypes.byref(context))
    return memory


_CONTEXT_OF_POINTER = 1  # CU_POINTER_ATTRIBUTE_CONTEXT


def _call(function: str, *arguments: Any) -> None:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise RuntimeError(f"CUDA's driver is not there: {error}") from None
    if status := getattr(driver, function)(*arguments):
        raise RuntimeError(f"{function} of CUDA's driver has failed with status {status}")
