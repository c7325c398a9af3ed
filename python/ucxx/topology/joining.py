# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What several readers tell of one machine, as one value."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterable, Mapping

from ucxx.topology.machine import Card, Closeness, Core, Gpu, Link, Machine

_logger = logging.getLogger("ucxx.topology")


def with_cards(machine: Machine, cards: Iterable[Card]) -> Machine:
    """Return a machine of hwloc with what sysfs tells of its cards: kind, interface, port, rate and state."""
    known = {card.ucx_name: card for card in cards}
    return dataclasses.replace(machine, cards=tuple(_completed(card, known) for card in machine.cards))


def _completed(card: Card, known: Mapping[str, Card]) -> Card:
    other = known.get(card.ucx_name)
    if other is None:
        return card
    return dataclasses.replace(
        card,
        kind=other.kind or card.kind,
        interface=other.interface or card.interface,
        gb_per_s=card.gb_per_s if other.gb_per_s is None else other.gb_per_s,
        is_up=card.is_up if other.is_up is None else other.is_up,
    )


def with_gpus(machine: Machine, told: Machine) -> Machine:
    """Return a machine with what `nvidia-smi` tells of its GPUs: models, UUIDs, slices, links and closeness.

    Both number GPUs as the PCI bus does. Where they see different numbers of GPUs, nvidia-smi's are the ones that
    CUDA can use.
    """
    if len(machine.gpus) == len(told.gpus):
        gpus = tuple(map(_joined, _by_index(machine), _by_index(told)))
        links = {pair: _both(link, machine.links.get(pair)) for pair, link in told.links.items()}
        kept = dict(machine.between)
    else:
        _logger.info(
            "%s sees %d GPUs, nvidia-smi %d: nvidia-smi's are taken",
            machine.source, len(machine.gpus), len(told.gpus),
        )  # fmt: skip
        gpus = tuple(_placed(gpu, machine.cores) for gpu in told.gpus)
        links = dict(told.links)
        kept = _among(machine.between, {card.name for card in machine.cards})
    names = {gpu.name for gpu in gpus} | {card.name for card in machine.cards}
    return dataclasses.replace(
        machine,
        source=f"{machine.source} and {told.source}",
        gpus=gpus,
        links=links,
        between=kept | _among(told.between, names),
    )


def _by_index(machine: Machine) -> list[Gpu]:
    return sorted(machine.gpus, key=lambda gpu: gpu.index)


def _joined(gpu: Gpu, told: Gpu) -> Gpu:
    return dataclasses.replace(
        gpu,
        index=told.index,
        cpus=gpu.cpus or told.cpus,
        model=told.model or gpu.model,
        uuid=told.uuid or gpu.uuid,
        slices=told.slices,
    )


def _both(told: Link, other: Link | None) -> Link:
    """Return a link with the width of one reader and the bandwidth of another."""
    return told if other is None else dataclasses.replace(told, gb_per_s=other.gb_per_s)


def _placed(gpu: Gpu, cores: Iterable[Core]) -> Gpu:
    nodes = {core.node for core in cores if core.cpus & gpu.cpus}
    return dataclasses.replace(gpu, node=nodes.pop() if len(nodes) == 1 else None)


def _among(between: Mapping[tuple[str, str], Closeness], names: set[str]) -> dict[tuple[str, str], Closeness]:
    return {pair: near for pair, near in between.items() if names.issuperset(pair)}
