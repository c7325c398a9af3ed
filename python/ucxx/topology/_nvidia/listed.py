# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What `nvidia-smi -L` prints: GPUs with their models and UUIDs, and the MIG devices of each."""

from __future__ import annotations

import dataclasses
import re

from ucxx.topology import faults

_GPU = re.compile(r"GPU ([0-9]{1,4}): (.*?) *\(UUID: (GPU-[0-9A-Za-z\-]{1,64})\)")
_SLICE = re.compile(r"MIG .*\(UUID: (MIG-[0-9A-Za-z\-/]{1,80})\)")


@dataclasses.dataclass(frozen=True)
class Listed:
    """A GPU of the list; `slices` are the UUIDs of its MIG devices."""

    index: int
    model: str
    uuid: str
    slices: tuple[str, ...] = ()


def parse(text: str, name: str) -> tuple[Listed, ...]:
    """Read the list.

    Raises:
        TopologyError: for a line that is no part of it.
    """
    found: dict[int, Listed] = {}
    last = None
    for number, line in enumerate(text.split("\n"), 1):
        said = line.strip()
        if gpu := _GPU.fullmatch(said):
            last = Listed(int(gpu[1]), gpu[2], gpu[3])
            if last.index in found:
                raise faults.at(name, number, f"GPU {last.index} is there twice")
        elif last is not None and (piece := _SLICE.fullmatch(said)):
            last = dataclasses.replace(last, slices=(*last.slices, piece[1]))
        elif said:
            expected = "GPU 0: NVIDIA H200 (UUID: GPU-...), or a MIG device below one"
            raise faults.at(name, number, f"{faults.shown(said)}; expected a line as {expected}")
        if last is not None:
            found[last.index] = last
    return tuple(found[index] for index in sorted(found))
