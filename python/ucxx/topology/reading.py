# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""One way in to the readers: this machine, or a file whose content tells which reader it is for."""

from __future__ import annotations

import dataclasses
import os

from ucxx.topology import faults, files, hwloc, joining, nvidia_smi, sysfs
from ucxx.topology.machine import Machine, TopologyError

_MOST_BYTES = 16 << 20


def read(source: Machine | str | os.PathLike[str] | None = None) -> Machine:
    """Read a machine.

    Args:
        source: None for this machine; the path of a file that `lstopo --of xml`, `nvidia-smi topo -m` or
            `python -m ucxx topology --json` has written; the path of a folder that holds a copy of `sys`; or a
            machine, which is returned as it is.

    Raises:
        TopologyError: for a file that is none of these; it names the line.
        OSError: for a file that cannot be read.
    """
    if source is None:
        return live()
    if isinstance(source, Machine):
        return source
    path = os.fspath(source)
    if os.path.isdir(path):
        machine = sysfs.from_tree(path)
        return machine if machine.name else dataclasses.replace(machine, name=_short(path))
    machine = from_text(_content(path), path)
    return dataclasses.replace(machine, name=_short(path)) if machine.name == path else machine


def from_text(text: str, name: str = "") -> Machine:
    """Read a machine out of the text of a file that `read` knows.

    Args:
        text: what lstopo, nvidia-smi or `python -m ucxx topology --json` has written.
        name: of the text, for errors, and for a machine that the text does not name.

    Raises:
        TopologyError: for what is none of these; it names the line.
    """
    start = text.lstrip()[:1]
    if not start:
        raise TopologyError(f"{name or 'the text'}: empty; expected a machine")
    if start == "<":
        return hwloc.from_xml(text, name)
    if start in "{[":
        from ucxx.topology import jsons  # it is seldom needed

        return jsons.from_text(text, name)
    return nvidia_smi.from_text(text, name)


def live() -> Machine:
    """Read this machine: by hwloc where it is installed, else by sysfs; GPUs and their links also by nvidia-smi.

    Raises:
        TopologyError: where the kernel says of its cores what it cannot.
    """
    machine = hwloc.live()
    if machine is None:
        machine = sysfs.live()
    else:
        machine = joining.with_cards(dataclasses.replace(machine, source="hwloc"), sysfs.live_cards())
    told = nvidia_smi.live()
    if told is not None:
        machine = joining.with_gpus(machine, told)
    return machine if machine.name else dataclasses.replace(machine, name=os.uname().nodename)


def _short(path: str) -> str:
    return os.path.basename(os.path.abspath(path))


def _content(path: str) -> str:
    try:
        with files.opened(path, may_be_pipe=True) as file:
            content = file.read(_MOST_BYTES + 1)
    except files.NotAFile:
        raise TopologyError(f"{path}: a device; expected the file of a machine") from None
    if len(content) > _MOST_BYTES:
        raise TopologyError(f"{path}: over {_MOST_BYTES >> 20} MiB; expected the description of a machine")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise faults.at(path, line, f"the byte 0x{content[error.start]:02x}; expected text (UTF-8)") from None
