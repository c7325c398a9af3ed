# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The devices of this machine: GPUs, RDMA, network interfaces."""

import pathlib
import re
from collections.abc import Iterator

from ucxx.cli.checks import NOTE, OK, PROBLEM, Finding, read

_ETHERNET = 1500


def gpu(root: pathlib.Path, cuda_support: bool | None = None) -> Finding:
    """Tell which NVIDIA devices there are, and which ways lead to their memory."""
    name = "GPU"
    devices = [path for path in (root / "dev").glob("nvidia*") if path.name[6:].isdigit()]
    if not devices:
        return Finding(name, OK, "no NVIDIA device: messages come from host memory")
    text = read(root / "proc/driver/nvidia/version") or ""
    driver = re.search(r"Module\s+(?:for \S+\s+)?(\d[\d.]+)", text)
    found = f"{len(devices)} NVIDIA, driver {driver[1] if driver else 'unknown'}"
    if not (root / "dev/nvidia-uvm").exists():
        return Finding(
            name,
            NOTE,
            f"{found}, without /dev/nvidia-uvm",
            "CUDA does not start",
            "`nvidia-modprobe -u` on the host, or the NVIDIA container toolkit",
        )
    if cuda_support is False:
        return Finding(
            name,
            NOTE,
            f"{found}, which this UCX does not reach",
            "a send from device memory to another machine fails; to this one the library copies it",
            "a UCX with CUDA: pip install libucx-cu12, and the driver's libcuda.so.1",
        )
    if cuda_support is None:
        return Finding(name, OK, found)
    ways = "from device to device by UCX where both have an IPC handle, else copied by the library"
    return Finding(name, OK, f"{found}: {ways}")


def rdma_names(root: pathlib.Path) -> list[str]:
    """Return the names of the RDMA devices."""
    return sorted(path.name for path in (root / "sys/class/infiniband").glob("*"))


def _ports(root: pathlib.Path, device: str) -> Iterator[str]:
    """Return 'mlx5_0:1 Ethernet' of each port of a device that is up."""
    for port in sorted((root / "sys/class/infiniband" / device / "ports").glob("*")):
        if (read(port / "state") or "").endswith("ACTIVE"):
            yield f"{device}:{port.name} {read(port / 'link_layer') or ''}".strip()


def rdma(root: pathlib.Path) -> Finding:
    """Tell which RDMA devices there are, whether a port is up, and whether we may use them."""
    name, names = "RDMA", rdma_names(root)
    if not names:
        return Finding(name, OK, "no device: other machines are reached by TCP")
    if not list((root / "dev/infiniband").glob("uverbs*")):
        return Finding(
            name,
            NOTE,
            f"{', '.join(names)}, without /dev/infiniband/uverbs*",
            "UCX cannot use them, and takes TCP",
            "give the devices to the container: `--device=/dev/infiniband`",
        )
    up = [port for device in names for port in _ports(root, device)]
    if not up:
        return Finding(
            name, NOTE, f"{', '.join(names)}, no port is up", "UCX takes TCP", "cable, switch, SM"
        )
    return Finding(name, OK, ", ".join(up))


def interfaces(root: pathlib.Path) -> Finding:
    """Tell which network interfaces are up, and how large their packets are."""
    name, folder = "interfaces", root / "sys/class/net"
    if not folder.is_dir():
        return Finding(
            name,
            PROBLEM,
            "/sys/class/net is not there",
            "UCX finds no network device: no peer that the local channel does not reach",
            "mount sysfs of this network namespace at /sys",
        )
    packets = {
        path.name: int(read(path / "mtu") or 0)
        for path in sorted(folder.iterdir())
        if read(path / "operstate") == "up" or path.name == "lo"
    }
    found = ", ".join(f"{device} {mtu}" for device, mtu in packets.items())
    others = [mtu for device, mtu in packets.items() if device != "lo"]
    return Finding(name, *_judge(others, f"MTU: {found}" if found else "none is up"))


def _judge(packets: list[int], found: str) -> tuple[str, ...]:
    if not packets:
        cost = "peers on other machines cannot be reached"
        return NOTE, found, cost, "none is needed for this machine alone"
    if min(packets) < _ETHERNET:
        cost = "small packets: more of them, and so more time, for the same bytes"
        return NOTE, found, cost, "a larger MTU, or UCX_NET_DEVICES=NAME of a better interface"
    return OK, found
