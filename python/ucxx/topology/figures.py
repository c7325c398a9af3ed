# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The figures that are believed until something has been measured, and by which links are compared."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ucxx.topology.machine import Card, Link


@dataclasses.dataclass(frozen=True)
class Figure:
    """A row of the table: a figure, what it is of, and where it comes from."""

    value: float
    what: str
    source: str


# In 1e9 bytes a second, and microseconds.
RATES = {
    "shared memory": Figure(10, "two processes of one machine, in host memory", "assumed"),
    "one GPU": Figure(100, "two processes of one GPU, in its memory", "assumed"),
    "NVLink": Figure(20, "each NVLink of a pair, where the machine does not tell", "NVLink 1; later ones have 25"),
    "XGMI": Figure(40, "each XGMI link of a pair, where the machine does not tell", "assumed"),
    "PIX": Figure(6, "two GPUs behind PCIe switches (PIX, PXB)", "half of what PCIe 3 x16 has"),
    "PHB": Figure(4, "two GPUs of one socket (PHB, NODE)", "a third of what PCIe 3 x16 has"),
    "SYS": Figure(1, "two GPUs of two sockets (SYS)", "assumed"),
    "Ethernet": Figure(1, "an Ethernet card whose speed is not told", "10 Gb/s, rounded down"),
}
LATENCIES = {
    "inside": Figure(20, "inside a machine", "assumed"),
    "between machines": Figure(60, "between machines, and through a card", "assumed"),
    "staged": Figure(300, "through the host's memory on the way to or from a GPU", "assumed"),
}
# Of what a port promises, this part arrives.
OF_RDMA, OF_ETHERNET = 0.85, 0.9


def rate_of_link(link: Link) -> float:
    """Return the bandwidth of a pair's direct links: what the machine tells of it, else so much for each of them."""
    if link.gb_per_s is not None:
        return link.gb_per_s
    return RATES[link.kind].value * (link.width or 1)


def rate_of_card(card: Card) -> float | None:
    """Return what a card carries, None for an RDMA device whose rate is not told."""
    if card.kind == "ethernet":
        return RATES["Ethernet"].value if card.gb_per_s is None else card.gb_per_s * OF_ETHERNET
    return None if card.gb_per_s is None else card.gb_per_s * OF_RDMA
