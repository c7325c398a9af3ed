# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Which GPUs CUDA_VISIBLE_DEVICES means: indices, UUIDs and MIG devices, in any order."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ucxx.topology import wording

if TYPE_CHECKING:
    from ucxx.topology.machine import Gpu, Machine

_ENDS = ("-1", "NoDevFiles")  # no GPU, and nothing that follows


@dataclasses.dataclass(frozen=True)
class Visible:
    """A GPU, or a part of one, and the text by which CUDA_VISIBLE_DEVICES has it."""

    gpu: Gpu
    text: str


def visible(machine: Machine, wanted: str | int | Iterable[str | int] | None) -> tuple[Visible, ...]:
    """Return the GPUs that are meant, in their order; one that is named twice is there twice. None: all, and of one
    that is cut into MIG devices these.

    Args:
        machine: where they are.
        wanted: as CUDA_VISIBLE_DEVICES has it ("0,2", "GPU-8d6b...", "MIG-..."; the first digits of a UUID are enough,
            if no other one begins so), or a list of such words, or of indices. CUDA stops at -1 and at NoDevFiles.

    Raises:
        ValueError: there is no such GPU, or it is not clear which; it lists those that are there.
    """
    if wanted is None:
        return tuple(Visible(gpu, text) for gpu in machine.gpus for text in gpu.slices or (str(gpu.index),))
    if isinstance(wanted, int):
        wanted = [wanted]
    words = wanted.split(",") if isinstance(wanted, str) else [str(word) for word in wanted]
    words = list(itertools.takewhile(lambda word: word not in _ENDS, (word.strip() for word in words)))
    if words == [""]:
        return ()
    return tuple(Visible(_meant(machine, word), word) for word in words)


def _meant(machine: Machine, word: str) -> Gpu:
    if word.isascii() and word.isdigit():
        found = [gpu for gpu in machine.gpus if f"{gpu.index}" == (word.lstrip("0") or "0")]
    elif word.startswith("MIG-GPU-"):  # of drivers before 470: MIG-GPU-<UUID>/<instance>/<compute instance>
        found = [gpu for gpu in machine.gpus if gpu.uuid == word.removeprefix("MIG-").partition("/")[0]]
    elif word.startswith("MIG-"):
        found = [gpu for gpu in machine.gpus for uuid in gpu.slices if uuid.startswith(word)]
    elif word.startswith("GPU-"):
        found = [gpu for gpu in machine.gpus if gpu.uuid.startswith(word)]
    else:
        raise ValueError(
            f"CUDA_VISIBLE_DEVICES has {word!r}, which is no GPU: an index, or a UUID that begins with GPU- or MIG-"
        )
    if len(found) != 1:
        what = "several begin so" if found else "there is no such GPU"
        raise ValueError(f"CUDA_VISIBLE_DEVICES has {word!r}, and {what}; there are: {_there(machine)}")
    return found[0]


def _there(machine: Machine) -> str:
    names = []
    for gpu in machine.gpus:
        more = ", ".join(wording.clean(name) for name in (gpu.uuid, *gpu.slices) if name)
        names.append(f"{gpu.index} ({more})" if more else f"{gpu.index}")
    return ", ".join(names) or "none"


def turned(seen: Sequence[Visible], number: int) -> str:
    """Return CUDA_VISIBLE_DEVICES of a worker: its own GPU first, then the others of the cluster, each once.

    A process sees its peers' GPUs, so CUDA may join them. Of MIG devices CUDA takes one alone.
    """
    own = seen[number]
    if own.text.startswith("MIG-"):
        return own.text
    order = [*seen[number:], *seen[:number]]
    others = {found.gpu.index: found.text for found in reversed(order) if not found.text.startswith("MIG-")}
    rest = [found.text for found in order if others.get(found.gpu.index) == found.text]
    return ",".join(dict.fromkeys([own.text, *rest]))
