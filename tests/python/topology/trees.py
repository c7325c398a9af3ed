# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Trees of sysfs, as Linux lays them out: devices in the folders of their bridges, and links to them."""

import os

CPU = "sys/devices/system/cpu"
NODE = "sys/devices/system/node"
PCI = "sys/bus/pci/devices"


def write(root, files):
    """Write files by their paths below a folder."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"{text}\n")


def link(root, path, target):
    """Link a path below a folder to another one there, as sysfs does: relative."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to(os.path.relpath(root / target, (root / path).parent))


def plant_cores(root, packages=2, cores=2):
    """Plant cores with two threads each, numbered as Linux does, and a NUMA node for each package."""
    count = packages * cores
    write(root, {f"{CPU}/online": f"0-{2 * count - 1}"})
    for cpu in range(2 * count):
        core = cpu % count
        write(root, {
            f"{CPU}/cpu{cpu}/topology/core_cpus_list": f"{core},{core + count}",
            f"{CPU}/cpu{cpu}/topology/physical_package_id": core // cores,
        })  # fmt: skip
    for node in range(packages):
        first = node * cores
        write(root, {
            f"{NODE}/node{node}/cpulist": f"{first}-{first + cores - 1},{first + count}-{first + count + cores - 1}",
            f"{NODE}/node{node}/meminfo": f"Node {node} MemTotal:       1048576 kB\nNode {node} MemFree: 5 kB",
        })  # fmt: skip


def plant_device(root, *chain, kind, vendor="0x15b3", node=0, cpus="0-1"):
    """Plant a PCI device: the names of its host bridge, its bridges, and itself; return its folder."""
    folder = "/".join(["sys/devices", *chain])
    for end in range(2, len(chain) + 1):  # the host bridge is no PCI device
        inner = "/".join(["sys/devices", *chain[:end]])
        if not (root / inner).exists():
            write(root, {f"{inner}/class": "0x060400", f"{inner}/vendor": "0x8086"})
            link(root, f"{PCI}/{chain[end - 1]}", inner)
    write(root, {
        f"{folder}/class": kind, f"{folder}/vendor": vendor,
        f"{folder}/numa_node": node, f"{folder}/local_cpulist": cpus,
    })  # fmt: skip
    return folder


def plant_rdma(root, name, device, ports=1, **files):
    """Plant an RDMA device with its ports."""
    texts = {"state": "4: ACTIVE", "rate": "100 Gb/sec (4X EDR)", "link_layer": "InfiniBand"} | files
    for port in range(1, ports + 1):
        write(root, {f"{device}/infiniband/{name}/ports/{port}/{file}": text for file, text in texts.items()})
    link(root, f"{device}/infiniband/{name}/device", device)
    link(root, f"sys/class/infiniband/{name}", f"{device}/infiniband/{name}")


def plant_interface(root, name, device, **files):
    """Plant a network interface of a device; without one it is virtual."""
    folder = f"{device or 'sys/devices/virtual'}/net/{name}"
    texts = {"operstate": "up", "type": "1"} | files
    write(root, {f"{folder}/{file}": text for file, text in texts.items()})
    if device:
        link(root, f"{folder}/device", device)
    link(root, f"sys/class/net/{name}", folder)


def plant_server(root):
    """Plant two sockets: a GPU and an InfiniBand card behind a switch of the first, two ports of RoCE on the second."""
    plant_cores(root)
    switch = ("pci0000:10", "0000:10:01.0", "0000:11:00.0")
    plant_device(root, *switch, "0000:12:00.0", "0000:13:00.0", kind="0x030200", vendor="0x10de", cpus="0-1,4-5")
    card = plant_device(root, *switch, "0000:12:01.0", "0000:14:00.0", kind="0x020700", cpus="0-1,4-5")
    plant_rdma(root, "mlx5_0", card)
    plant_interface(root, "ib0", card, type="32", speed="-1")
    second = plant_device(root, "pci0000:80", "0000:80:01.0", "0000:81:00.0", kind="0x020000", node=1, cpus="2-3,6-7")
    plant_rdma(root, "mlx5_1", second, ports=2, link_layer="Ethernet", rate="25 Gb/sec (1X EDR)")
    plant_interface(root, "ens1", second, speed="25000", dev_port="1")
    plant_interface(root, "ens0", second, speed="25000", dev_port="0")
    onboard = plant_device(root, "pci0000:00", "0000:00:03.0", kind="0x020000", node=-1, cpus="0-7")
    plant_interface(root, "eth0", f"{onboard}/virtio2", speed="10000")
    plant_device(root, "pci0000:00", "0000:00:04.0", kind="0x030000", vendor="0x1a03")
    for virtual in ("lo", "docker0", "veth1"):
        plant_interface(root, virtual, None, operstate="unknown")
    write(root, {
        "proc/driver/nvidia/gpus/0000:13:00.0/information":
            "Model: \t\t NVIDIA H200\nIRQ:   \t\t 30\nGPU UUID: \t GPU-1234\nBus Type: \t PCIe",
        "proc/sys/kernel/hostname": "planted",
    })  # fmt: skip
