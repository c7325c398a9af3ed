# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""GPUs and cards of a column on the sheet: rows of GPUs, and at the outer side the cards that share their switch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ucxx.topology.machine import Card
from ucxx.topology.picture.boxes import around
from ucxx.topology.picture.groups import Group
from ucxx.topology.picture.shape import CARD_GAP, Shape
from ucxx.topology.picture.sheet import BAND, CARD_HEIGHT, GPU, Half, Sheet

_CARDS_GAP = 0.16
_ABOVE = 0.12


def put(sheet: Sheet, shape: Shape, half: Half, groups: Sequence[Group], y: float) -> float:
    """Put the devices of a column below what is there; return where they end."""
    if not groups:
        return y
    y += _ABOVE
    with_gpus = list(_in_pairs(shape, [group for group in groups if group.gpus]))
    alone = [card for group in groups if not group.gpus for card in group.cards]
    if not with_gpus:
        return _cards_in_rows(sheet, shape, half, alone, y)
    if alone and not any(group.cards for group in with_gpus):
        return _cards_beside(sheet, shape, half, with_gpus, alone, y)
    end = _rows(sheet, shape, half, with_gpus, y)
    return _cards_in_rows(sheet, shape, half, alone, end + shape.group_gap) if alone else end


def _in_pairs(shape: Shape, groups: Sequence[Group]) -> Iterator[Group]:
    """Give the groups; where GPUs stand in two columns, those that share no switch in pairs."""
    waiting: list[Group] = []
    for group in groups:
        if shape.columns == 1 or group.is_switch:
            yield group
        else:
            waiting.append(group)
        if len(waiting) == 2:
            yield Group(waiting[0].gpus + waiting[1].gpus)
            waiting.clear()
    yield from waiting


def _rows(sheet: Sheet, shape: Shape, half: Half, groups: Sequence[Group], y: float) -> float:
    y += shape.headroom
    for number, group in enumerate(groups):
        y = _group(sheet, shape, half, group, y + (shape.group_gap if number else 0))
    return y + shape.headroom


def _group(sheet: Sheet, shape: Shape, half: Half, group: Group, y: float) -> float:
    """Put the GPUs of a group, at their side its cards, around them the switch; return where they end."""
    y += BAND
    rows = math.ceil(len(group.gpus) / shape.columns)
    gpus_height = rows * (GPU[1] + shape.row_gap) - shape.row_gap
    cards_height = len(group.cards) * (CARD_HEIGHT + _CARDS_GAP) - _CARDS_GAP
    height = max(gpus_height, cards_height)
    for number, gpu in enumerate(group.gpus):
        row, column = divmod(number, shape.columns)
        offset = _gpu_offsets(shape, half)[column]
        top = y + (height - gpus_height) / 2 + row * (GPU[1] + shape.row_gap)
        sheet.gpus[gpu.index] = half.box(offset, top, *GPU)
    _cards(sheet, shape, half, group.cards, y + (height - cards_height) / 2, CARD_HEIGHT + _CARDS_GAP)
    if group.cards or (len(group.gpus) > 1 and shape.columns == 1):
        held = [sheet.gpus[gpu.index] for gpu in group.gpus] + [sheet.cards[card.ucx_name] for card in group.cards]
        sheet.switches.append(around(held).grown(BAND))
    return y + height + BAND


def _gpu_offsets(shape: Shape, half: Half) -> list[float]:
    """Return where the columns of GPUs are."""
    inner = half.width - BAND - GPU[0] - shape.inner
    outer = BAND + (shape.card_width + CARD_GAP if shape.has_cards else 0.0)
    return [inner] if shape.columns == 1 else [outer, inner]


def _cards(sheet: Sheet, shape: Shape, half: Half, cards: Sequence[Card], y: float, pitch: float) -> None:
    for number, card in enumerate(cards):
        sheet.cards[card.ucx_name] = half.box(BAND, y + number * pitch, shape.card_width, CARD_HEIGHT)


def _cards_beside(
    sheet: Sheet, shape: Shape, half: Half, groups: Sequence[Group], cards: Sequence[Card], y: float
) -> float:
    """Put GPUs, and beside them cards that are as near to each of them."""
    end = _rows(sheet, shape, half, groups, y)
    pitch = CARD_HEIGHT + _CARDS_GAP
    height = len(cards) * pitch - _CARDS_GAP
    _cards(sheet, shape, half, cards, max(y, (y + end - height) / 2), pitch)
    return max(end, y + height)


def _cards_in_rows(sheet: Sheet, shape: Shape, half: Half, cards: Sequence[Card], y: float) -> float:
    if not cards:
        return y
    pitch = shape.card_width + _CARDS_GAP
    in_row = max(1, int((half.width + _CARDS_GAP) / pitch))
    for number, card in enumerate(cards):
        row, column = divmod(number, in_row)
        offset, top = column * pitch, y + row * (CARD_HEIGHT + _CARDS_GAP)
        sheet.cards[card.ucx_name] = half.box(offset, top, shape.card_width, CARD_HEIGHT)
    return y + math.ceil(len(cards) / in_row) * (CARD_HEIGHT + _CARDS_GAP) - _CARDS_GAP
