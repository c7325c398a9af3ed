# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Network devices and interfaces of planned workers, by what the settings ask for."""

from __future__ import annotations

import dataclasses
import fnmatch
from collections.abc import Sequence
from typing import Any

import psutil

from ucxx.dask import devices
from ucxx.topology.machine import Card, Machine
from ucxx.topology.nearest import nearest_cards
from ucxx.topology.placement import Place

_IS_PATTERN = frozenset("*?[")


def devices_of(wanted: Any, number: int, found: Place, machine: Machine, is_here: bool) -> str | None:
    """Return the network devices of a worker, as UCX_NET_DEVICES has them; None: UCX decides.

    Args:
        wanted: names, "auto" for the nearest card, a function of the GPU's index (without one, of the number), or None.
        number: of the worker.
        found: its place.
        machine: of the plan.
        is_here: whether it is the one that the program runs on.

    Raises:
        TypeError: the function returns no text.
        ValueError: there is no such device, or it is down.
    """
    if callable(wanted):
        wanted = wanted(number if found.gpu is None else found.gpu.index)
    if wanted == "auto":
        return None if found.card is None else found.card.ucx_name
    if wanted is None:
        return None
    if not isinstance(wanted, str):
        raise TypeError(f"the devices of worker {number} must be a text as mlx5_0:1, or None, not {wanted!r}")
    _require_devices(wanted, machine, is_here)
    return wanted


def _require_devices(wanted: str, machine: Machine, is_here: bool) -> None:
    known = {name: card for card in machine.cards for name in (card.ucx_name, card.name, card.interface) if name}
    more = {"all", *(devices.names() if is_here else ())}
    for name in wanted.removeprefix("^").split(","):
        meant = fnmatch.filter([*known, *more], name.strip())
        if not meant:
            raise ValueError(f"there is no network device {name.strip()!r}; there are: {cards_text(machine)}")
        if not wanted.startswith("^") and all(one in known and known[one].is_up is False for one in meant):
            raise ValueError(f"the network device {name.strip()!r} is down; there are: {cards_text(machine)}")


def carries_rdma(names: str | None, card: Card | None, machine: Machine) -> bool:
    """Tell whether UCX has an RDMA device among those names; without names, whether the nearest card is one."""
    if names is None:
        return card is not None and card.kind != "ethernet"
    given = names.split(",")
    return any(
        card.kind != "ethernet" and name.strip() in (card.ucx_name, card.name) and name.strip() != card.interface
        for card in machine.cards
        for name in given
    )


def interfaces_of(wanted: str, places: Sequence[Place], machine: Machine, is_here: bool) -> list[str | None]:
    """Return the interface of each worker: the one that is named, or that of the nearest card whose name fits.

    Args:
        wanted: a name, a pattern as ib*, or "auto" for any.
        places: of the workers.
        machine: of the plan.
        is_here: whether it is the one that the program runs on: then an interface needs an address.

    Raises:
        ValueError: there is no such interface, or it is down. With "auto" a worker has None then.
    """
    is_pattern = bool(_IS_PATTERN & set(wanted))
    cards = [card for card in machine.cards if card.interface]
    if is_here:
        there = psutil.net_if_addrs()
        if wanted in there:  # a bond, the loopback, and what else is no card
            return [wanted] * len(places)
        cards = [card for card in cards if card.interface in there]
    pattern = "*" if wanted == "auto" else wanted
    fitting = [card for card in cards if fnmatch.fnmatchcase(card.interface, pattern)]
    if not is_here and not is_pattern and wanted != "auto" and not fitting:
        return [wanted] * len(places)  # a bond, perhaps: descriptions have cards alone
    if wanted != "auto" and not any(card.is_up is not False for card in fitting):
        why = "is down" if fitting else "is not there"
        names = ", ".join(_with_state(card.interface, card) for card in cards)
        hint = names or "none; the description tells no interface"
        raise ValueError(f"the interface {wanted!r} {why}; network cards have these: {hint}")
    if not is_pattern and wanted != "auto":
        return [wanted] * len(places)
    found = nearest_cards(
        dataclasses.replace(machine, cards=tuple(fitting)), [(place.gpu, place.cpus) for place in places]
    )
    return [near.card.interface if near.card is not None else None for near in found]


def cards_text(machine: Machine) -> str:
    """Return the cards of a machine, for errors."""
    return ", ".join(_with_state(card.ucx_name, card) for card in machine.cards) or "no card"


def _with_state(name: str, card: Card) -> str:
    return f"{name} (down)" if card.is_up is False else name
