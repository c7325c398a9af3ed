# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What may carry a worker's payloads, by the flags and by what its machine has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ucxx.dask.clusters.network import cards_text
from ucxx.topology.nearest import usable

if TYPE_CHECKING:
    from ucxx.dask.clusters.plan import Plan
    from ucxx.dask.clusters.settings import Settings
    from ucxx.topology.machine import Card, Gpu, Machine

_RDMA = {"infiniband": "InfiniBand", "roce": "RoCE"}


def transports_of(
    settings: Settings, machine: Machine, gpu: Gpu | None, peers: Sequence[Gpu], card: Card | None, tls: str | None = None
) -> tuple[str, ...]:
    """Return what a worker's payloads may go by, the quickest first.

    Host memory goes by shared memory inside the machine whatever the flags say; they choose UCX's transports.

    Args:
        settings: of the cluster.
        machine: of the plan.
        gpu: the worker's.
        peers: the GPUs of the cluster.
        card: the RDMA card that it uses.
        tls: UCX_TLS of the environment, which goes before the flags.
    """
    if not settings.is_ucx:
        return (settings.scheme,)
    if tls is not None:
        return ("shared memory", f"UCX_TLS={tls}")
    may = _allowed(settings)
    found = ["shared memory"]
    if gpu is not None and may["nvlink"] and any(peer.index != gpu.index for peer in peers):
        found.append(_between_gpus(machine, gpu, peers) or "CUDA IPC")
    if card is not None and may["infiniband"]:
        found.append(_RDMA.get(card.kind, "InfiniBand"))
    if may["tcp"] or len(found) == 1:  # as `Options.transports`: something has to be left
        found.append("TCP")
    return tuple(found)


def _allowed(settings: Settings) -> dict[str, bool]:
    """Return which of UCX's transports the flags leave: without a flag all; TCP stays where it is not switched off."""
    flags = {name: settings.flags.get(name) for name in ("tcp", "infiniband", "nvlink")}
    if True not in flags.values():
        return {name: value is not False for name, value in flags.items()}
    return {name: value is True or (name == "tcp" and value is None) for name, value in flags.items()}


def _between_gpus(machine: Machine, gpu: Gpu, peers: Iterable[Gpu]) -> str | None:
    links = [machine.link(gpu.index, peer.index) for peer in peers if peer.index != gpu.index]
    return ", ".join(sorted({link.kind for link in links if link is not None})) or None


def check_flags(settings: Settings, plan: Plan) -> None:
    """Refuse flags for what the machine has not. One GPU alone has no peer, so it needs no link.

    Raises:
        ValueError: with the plan.
    """
    machine = plan.machine
    gpus = {worker.place.gpu.index for worker in plan.workers if worker.place.gpu is not None}
    are_linked = any(one in gpus and other in gpus for one, other in machine.links)
    if settings.enable_nvlink and not are_linked and len(gpus) != 1:
        raise ValueError(
            "enable_nvlink=True, and no two GPUs of the plan have a link; leave the flag out, and UCX takes what "
            f"there is:\n{plan}"
        )
    if settings.enable_infiniband and not any(card.kind != "ethernet" for card in usable(machine)):
        raise ValueError(
            "enable_infiniband=True, and the machine of the plan has no such card that is up "
            f"({cards_text(machine)}); leave the flag out, and UCX takes what there is:\n{plan}"
        )
