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
            (_closeness(machine, gpu, card, not cpus.isdisjoint(near_cpus[number])), users[card.ucx_name], number)
            for number, card in enumerate(cards)
        ]
        if not near:
            found.append(Nearest(None, None))
            continue
        closeness, _, number = min(near)
        users[cards[number].ucx_name] += 1
        found.append(Nearest(cards[number], closeness))
    return found


def _closeness(machine: Machine, gpu: Gpu | None, card: Card, is_near: bool) -> Closeness:
    if gpu is not None:
        return machine.closeness(gpu, card)
    return Closeness.NODE if is_near or len(machine.nodes) < 2 else Closeness.SYS
