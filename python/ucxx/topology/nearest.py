# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The nearest network card of each worker."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ucxx.topology.machine import Closeness

if TYPE_CHECKING:
    from ucxx.topology.machine import Card, Gpu, Machine


class Nearest(NamedTuple):
    """A card and what lies between; both None where no card can be used."""

    card: Card | None
    closeness: Closeness | None


def usable(machine: Machine) -> list[Card]:
    """Return the cards that UCX would use between machines: those of RDMA where there are any, that are not down."""
    up = [card for card in machine.cards if card.is_up is not False]
    return [card for card in up if card.kind != "ethernet"] or [card for card in up if card.interface]


def nearest_cards(machine: Machine, wanted: Iterable[tuple[Gpu | None, frozenset[int]]]) -> list[Nearest]:
    """Return the card of each worker: of the nearest ones the one that the fewest have, of these the first.

    Of cards of other NUMA nodes those of the same package are nearer.

    Args:
        machine: where they are.
        wanted: of each worker its GPU, from which it is near or far; without one, its CPUs.
    """
    cards = usable(machine)
    near_cpus = [card.cpus or (machine.cpus_of(card.node) if card.node is not None else frozenset()) for card in cards]
    users: collections.Counter[str] = collections.Counter()
    found = []
    for gpu, cpus in wanted:
        near = [
            (*_distance(machine, gpu, card, cpus, near_cpus[number]), users[card.ucx_name], number)
            for number, card in enumerate(cards)
        ]
        if not near:
            found.append(Nearest(None, None))
            continue
        closeness, _, _, number = min(near)
        users[cards[number].ucx_name] += 1
        found.append(Nearest(cards[number], closeness))
    return found


def distance(machine: Machine, gpu: Gpu, card: Card) -> tuple[Closeness, bool]:
    """Return how far a card is from a GPU: what lies between, and whether it is not known to be of its package."""
    return machine.closeness(gpu, card), _is_apart(machine, machine.packages_of(gpu.cpus, gpu.node), card)


def _distance(
    machine: Machine, gpu: Gpu | None, card: Card, cpus: frozenset[int], near_cpus: frozenset[int]
) -> tuple[Closeness, bool]:
    if gpu is not None:
        return distance(machine, gpu, card)
    is_near = machine.has_one_node or not cpus.isdisjoint(near_cpus)
    return Closeness.NODE if is_near else Closeness.SYS, _is_apart(machine, machine.packages_of(cpus), card)


def _is_apart(machine: Machine, packages: frozenset[int], card: Card) -> bool:
    return packages.isdisjoint(machine.packages_of(card.cpus, card.node))
