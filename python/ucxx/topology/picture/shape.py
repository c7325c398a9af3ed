# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the layout of a machine follows from: how its GPUs are linked, and how much room each column needs."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ucxx.topology import neighbours, wording
from ucxx.topology.machine import Card, Machine
from ucxx.topology.picture.groups import Group
from ucxx.topology.picture.sheet import BAND, GPU, cut_inside, width_of

LANE = 0.13  # from one line that goes around boxes to the next
CARD_GAP = 0.3  # between a card and a GPU
_COLUMN_GAP = 0.5
_LEAST_FOR_BAR = 5  # GPUs that are all linked alike; fewer are drawn with a line for each pair
_BAR_ROOM = 0.8
_CARD_PAD = 0.1
_LEAST_CARD = 0.76
_MOST_CARD = {1: 1.0, 2: 0.86}  # by columns of GPUs
_MOST_PASSING = 5  # lines beside a column

Part = tuple[Group, ...]  # what stands in one column


@dataclasses.dataclass(frozen=True)
class Shape:
    """How devices stand in a column: GPUs in one or two columns, how far apart; inches."""

    columns: int
    card_width: float
    has_cards: bool  # beside GPUs
    gutter: float  # between the halves of the sheet
    row_gap: float  # between GPUs of a column
    group_gap: float  # between what is around those that share a switch
    inner: float  # at the side of the other half, for lines that go around
    headroom: float  # above and below the rows, for lines that cross over
    has_bar: bool

    @classmethod
    def of(cls, machine: Machine, stacks: Sequence[Sequence[Part]], is_nested: bool) -> Shape:
        """Return the shape of a machine.

        Args:
            machine: what is drawn.
            stacks: of each column what stands in it, from top to bottom.
            is_nested: whether NUMA nodes have frames within those of packages.
        """
        parts = [part for stack in stacks for part in stack]
        has_bar = len(machine.gpus) >= _LEAST_FOR_BAR and neighbours.link_of_all(machine) is not None
        has_lines = bool(machine.links) and not has_bar
        columns = 2 if has_lines and not is_nested and _are_quads(parts) else 1
        crosses = has_lines and _crosses(machine, stacks)
        return cls(
            columns=columns,
            card_width=_card_width(machine.cards, _MOST_CARD[columns]),
            has_cards=any(_has_gpus(part) and any(group.cards for group in part) for part in parts),
            gutter=1.3 if has_bar or (crosses and columns == 1) else 0.74 if crosses else 0.3,
            row_gap=0.74 if columns == 2 else 0.5 if has_lines else 0.18,
            group_gap=0.6 if columns == 2 else 0.36 if has_lines else 0.18,
            inner=_inner(machine, stacks, has_bar) if columns == 1 else 0.0,
            headroom=0.22 if crosses and columns == 2 else 0.0,
            has_bar=has_bar,
        )

    def width(self) -> float:
        """Return how wide a column has to be for its devices."""
        cards = self.card_width + CARD_GAP if self.has_cards else 0.0
        return 2 * BAND + cards + self.columns * (GPU[0] + _COLUMN_GAP) - _COLUMN_GAP + self.inner


def words_of(card: Card, width: float) -> tuple[str, str]:
    """Return the two lines of a card that is so wide: its name, and its rate or that it is down."""
    rate = wording.rate(card)
    second = "down" if card.is_up is False else "" if rate == wording.UNKNOWN else rate
    return cut_inside(card.name if card.port == 1 else card.ucx_name, width - _CARD_PAD), second


def _card_width(cards: Sequence[Card], most: float) -> float:
    widths = [width_of(word) + _CARD_PAD for card in cards for word in words_of(card, most)]
    return min(max(_LEAST_CARD, *widths), most) if cards else 0.0


def _are_quads(parts: Sequence[Part]) -> bool:
    """Tell whether GPUs can stand in pairs: each column has four or more, by even numbers behind each switch."""
    with_gpus = [part for part in parts if _has_gpus(part)]
    return all(
        sum(len(group.gpus) for group in part) >= 4
        and all(len(group.gpus) % 2 == 0 or not group.is_switch for group in part)
        for part in with_gpus
    )


def _has_gpus(part: Part) -> bool:
    return any(group.gpus for group in part)


def _crosses(machine: Machine, stacks: Sequence[Sequence[Part]]) -> bool:
    """Tell whether links lead from one column to another."""
    column_of = {index: number for number, stack in enumerate(stacks) for index in _indices(stack)}
    return any(column_of[one] != column_of[other] for one, other in machine.links)


def _indices(stack: Sequence[Part]) -> list[int]:
    """Return the GPUs of a column from top to bottom."""
    return [gpu.index for part in stack for group in part for gpu in group.gpus]


def _inner(machine: Machine, stacks: Sequence[Sequence[Part]], has_bar: bool) -> float:
    """Return the room for lines that pass GPUs of their column, or for a bar at the side of the only one."""
    orders = [order for order in map(_indices, stacks) if order]
    if has_bar:
        return _BAR_ROOM if len(orders) == 1 else 0.0
    most = max((_passing(machine, order) for order in orders), default=0)
    return 0.12 + LANE * min(most, _MOST_PASSING) if most else 0.0


def _passing(machine: Machine, order: Sequence[int]) -> int:
    """Return how many links of a column are between GPUs that do not follow each other."""
    return sum(machine.link(one, other) is not None
               for place, one in enumerate(order) for other in order[place + 2 :])  # fmt: skip
