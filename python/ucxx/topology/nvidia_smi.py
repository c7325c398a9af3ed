# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The reader of `nvidia-smi topo -m`, in its old and new forms; of this machine with what `nvidia-smi -L` tells."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping

from ucxx.topology import programs
from ucxx.topology._nvidia import affinity, listed, matrix, table
from ucxx.topology._nvidia.affinity import Affinities
from ucxx.topology._nvidia.listed import Listed
from ucxx.topology.machine import Card, Closeness, Gpu, Link, Machine, TopologyError, pair_of

LIMIT_S = 5.0  # for each run of it
_PROGRAM = "nvidia-smi"
_INTERFACE = re.compile(r"ib[0-9]+")
_RDMA = re.compile(r"mlx[45]_[0-9]+")
_Pairs = Mapping[tuple[str, str], Link | Closeness]


def from_text(text: str, name: str = "") -> Machine:
    """Read a machine out of what `nvidia-smi topo -m` prints.

    The text tells only of cores that are near a GPU. A set of two runs of one length, as 0-19,40-59, is read as
    cores with two threads each.

    Raises:
        TopologyError: for what is no such text; it names the line.
    """
    cells = table.parse(text, name or f"the text of {_PROGRAM}")
    devices = matrix.devices(cells)
    pairs = matrix.pairs(cells, devices)
    near = affinity.read(cells, filter(matrix.is_gpu, devices))
    names = {device: cells.cards.get(device, device) for device in devices}
    if len(set(names.values())) < len(names):
        raise TopologyError(f"{cells.name}: a name of the NIC legend is also that of a column")
    gpus = [_gpu(device, near) for device in devices if matrix.is_gpu(device)]
    return Machine(
        name=name,
        source=_PROGRAM,
        cores=near.cores(),
        nodes=near.all_nodes(),
        gpus=tuple(sorted(gpus, key=lambda gpu: gpu.index)),
        cards=tuple(
            _card(names[device], _nearest(device, gpus, pairs), is_legend=device in cells.cards)
            for device in devices
            if not matrix.is_gpu(device)
        ),
        links=_links(pairs),
        between={
            pair_of(names[one], names[other]): value
            for (one, other), value in pairs.items()
            if isinstance(value, Closeness)
        },
    )


def _gpu(device: str, near: Affinities) -> Gpu:
    return Gpu(int(device.removeprefix("GPU")), near.cpus[device], near.node(device))


def _links(pairs: _Pairs) -> dict[tuple[int, int], Link]:
    found = {}
    for (one, other), value in pairs.items():
        if isinstance(value, Link):
            indices = sorted((int(one.removeprefix("GPU")), int(other.removeprefix("GPU"))))
            found[indices[0], indices[1]] = value
    return found


def _nearest(card: str, gpus: Iterable[Gpu], pairs: _Pairs) -> Gpu | None:
    """Return the nearest GPU of the NUMA node of a card: nothing else tells where the card is."""
    found = []
    for gpu in gpus:
        near = pairs.get((gpu.name, card)) or pairs.get((card, gpu.name))
        if isinstance(near, Closeness) and near < Closeness.SYS:
            found.append((near, gpu.index, gpu))
    return min(found)[2] if found else None


def _card(name: str, near: Gpu | None, *, is_legend: bool) -> Card:
    is_interface = _INTERFACE.fullmatch(name) is not None and not is_legend  # the legend names RDMA devices
    return Card(
        name,
        cpus=frozenset() if near is None else near.cpus,
        node=None if near is None else near.node,
        kind="infiniband" if is_interface else "",
        interface=name if is_interface else "",
        port=1 if is_legend or _RDMA.fullmatch(name) else None,
    )


def live() -> Machine | None:
    """Read the GPUs of this machine by `nvidia-smi`.

    None where it is not installed, or where it fails, hangs or prints something else, which is logged once.
    """
    if programs.find(_PROGRAM) is None:
        return None
    try:
        machine = from_text(programs.output(_PROGRAM, "topo", "-m", limit_s=LIMIT_S), f"{_PROGRAM} topo -m")
    except (programs.Failed, TopologyError) as error:
        programs.warn_once(f"{_PROGRAM} topo -m is left out: {error}")
        return None
    return dataclasses.replace(machine, name="", gpus=_with_details(machine.gpus))


def _with_details(gpus: tuple[Gpu, ...]) -> tuple[Gpu, ...]:
    try:
        found = listed.parse(programs.output(_PROGRAM, "-L", limit_s=LIMIT_S), f"{_PROGRAM} -L")
    except (programs.Failed, TopologyError) as error:
        programs.warn_once(f"{_PROGRAM} -L is left out: {error}")
        return gpus
    listed_gpus = {each.index: each for each in found}
    return tuple(_detailed(gpu, listed_gpus.get(gpu.index)) for gpu in gpus)


def _detailed(gpu: Gpu, told: Listed | None) -> Gpu:
    if told is None:
        return gpu
    return dataclasses.replace(gpu, model=told.model, uuid=told.uuid, slices=told.slices)
