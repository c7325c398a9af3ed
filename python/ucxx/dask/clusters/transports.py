# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What may carry a worker's payloads, by the flags and by what its machine has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ucxx.topology.nearest import usable

if TYPE_CHECKING:
    from ucxx.dask.clusters.plan import Plan
    from ucxx.dask.clusters.settings import Settings
    from ucxx.topology.machine import Card, Gpu, Machine

_RDMA = {"infiniband": "InfiniBand", "roce": "RoCE"}


def transports_of(settings: Settings, machine: Machine, gpu: Gpu | None, card: Card | None) -> tuple[str, ...]:
    """Return what a worker's payloads may go by, the quickest first.

    Host memory goes by shared memory inside the machine whatever the flags say; they choose UCX's transports.
    """
    if settings.scheme not in ("ucx", "ucxx"):
        return (settings.scheme,)
    may = _allowed(settings)
    found = ["shared memory"]
    if gpu is not None and may["nvlink"]:
        found.append(_between_gpus(machine, gpu) or "CUDA IPC")
    if card is not None and may["infiniband"] and card.kind != "ethernet":
        found.append(_RDMA.get(card.kind, "InfiniBand"))
    if may["tcp"]:
        found.append("TCP")
    return tuple(found)


def _allowed(settings: Settings) -> dict[str, bool]:
    """Return which of UCX's transports the flags leave: without a flag all; TCP stays where it is not switched off.

    Where all are switched off UCX is told nothing, and so takes all, as `Options.transports` has it.
    """
    flags = {name: settings.flags.get(name) for name in ("tcp", "infiniband", "nvlink")}
    if True not in flags.values():
        return {name: value is not False or set(flags.values()) == {False} for name, value in flags.items()}
    return {name: value is True or (name == "tcp" and value is None) for name, value in flags.items()}


def _between_gpus(machine: Machine, gpu: Gpu) -> str | None:
    kinds = {link.kind for pair, link in machine.links.items() if gpu.index in pair}
    return ", ".join(sorted(kinds)) or None


def check_flags(settings: Settings, plan: Plan) -> None:
    """Refuse flags for what the machine has not.

    Raises:
        ValueError: with the plan.
    """
    machine = plan.machine
    if settings.enable_nvlink and not _are_linked(machine, (worker.place.gpu for worker in plan.workers)):
        raise ValueError(
            "enable_nvlink=True, and no two GPUs of the plan have a link; leave the flag out, and UCX takes what "
            f"there is:\n{plan}"
        )
    if settings.enable_infiniband and not any(card.kind != "ethernet" for card in usable(machine)):
        raise ValueError(
            "enable_infiniband=True, and the machine of the plan has no such card that is up "
            f"({cards_text(machine.cards)}); leave the flag out, and UCX takes what there is:\n{plan}"
        )


def _are_linked(machine: Machine, gpus: Iterable[Gpu | None]) -> bool:
    there = {gpu.index for gpu in gpus if gpu is not None}
    return any(first in there and second in there for first, second in machine.links)


def cards_text(cards: Iterable[Card]) -> str:
    """Return the cards that there are, for errors."""
    return ", ".join(f"{card.ucx_name}{' (down)' if card.is_up is False else ''}" for card in cards) or "no card"
