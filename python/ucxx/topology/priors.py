# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is believed of the way between two places until something has been measured.

All figures stand in `figures`, with their source. What a pair gets is the quickest of the ways that UCX
takes: no payload is relayed by a third GPU, so a relay is named in the reason and not counted.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from ucxx.topology import paths, wording
from ucxx.topology.figures import LATENCIES, OF_ETHERNET, OF_RDMA, RATES, rate_of_card, rate_of_link
from ucxx.topology.machine import Closeness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ucxx.topology.machine import Card, Gpu, Link, Machine


@dataclasses.dataclass(frozen=True)
class Prior:
    """A bandwidth in one direction (1e9 bytes a second), the latency of a message, and why.

    `link` names what carries it. It is the same for all pairs of which the same is believed.
    """

    gb_per_s: float
    latency_us: float
    why: str
    link: str


# The key in RATES, which is also the name of the link, and what stands in the reason.
_PCIE = {
    Closeness.PIX: ("PIX", "one PCIe switch (PIX)"),
    Closeness.PXB: ("PIX", "several PCIe switches (PXB)"),
    Closeness.PHB: ("PHB", "PCIe through the host bridge (PHB)"),
    Closeness.NODE: ("PHB", "PCIe inside a NUMA node (NODE)"),
    Closeness.SYS: ("SYS", "PCIe across sockets (SYS)"),
}


SHARED_MEMORY = "shared memory"


def inside() -> Prior:
    """Return what is believed of two processes of one machine whose payloads are in host memory."""
    return Prior(RATES["shared memory"].value, LATENCIES["inside"].value, "shared memory", SHARED_MEMORY)


def staged() -> Prior:
    """Return what is believed between a worker with a GPU and one without."""
    why = "through the host's memory: one of the two has no GPU"
    return Prior(RATES["PIX"].value, LATENCIES["staged"].value, why, "host and GPU")


def between_machines(one: Card | None, other: Card | None) -> Prior:
    """Return what is believed of two processes of two machines that use these cards."""
    rates = [rate for card in (one, other) if card is not None and (rate := rate_of_card(card)) is not None]
    rate = min(rates, default=RATES["Ethernet"].value)
    names = " and ".join(wording.clean(card.name) for card in (one, other) if card is not None)
    why = names or "a network that nothing is known of"
    return Prior(rate, LATENCIES["between machines"].value, why, _network(one, other, rate))


def _network(one: Card | None, other: Card | None, rate: float) -> str:
    """Return the name of what lies between two cards: network, Ethernet 1 GB/s, Ethernet and InfiniBand 1 GB/s."""
    kinds = sorted({wording.kind(card) for card in (one, other) if card is not None and card.kind})
    return f"{' and '.join(kinds)} {rate:.3g} GB/s" if kinds else "network"


def between_gpus(machine: Machine, one: int, other: int, cards: tuple[Card | None, Card | None] = (None, None)) -> Prior:
    """Return what is believed of payloads in the memory of two GPUs of a machine.

    Args:
        machine: where they are.
        one, other: indices of the GPUs, which may be the same.
        cards: what each of the two uses; two RDMA cards carry what has no link.

    Raises:
        KeyError: there is no such GPU.
    """
    first, second = machine.gpu(one), machine.gpu(other)
    return max(_ways(machine, first, second, cards), key=lambda prior: prior.gb_per_s)


def _ways(machine: Machine, one: Gpu, other: Gpu, cards: tuple[Card | None, Card | None]) -> Iterator[Prior]:
    """Give the ways between two GPUs; of equal ones the first is taken."""
    latency = LATENCIES["inside"].value
    if one == other:
        yield Prior(RATES["one GPU"].value, latency, "one GPU, two processes", "one GPU")
        return
    link = machine.link(one.index, other.index)
    if link is not None:
        yield Prior(rate_of_link(link), latency, _links_text(link), wording.link(link))
    key, text = _PCIE[machine.closeness(one, other)]
    why = text if link else f"no link; {text}{_relays_text(machine, one, other)}"
    yield Prior(RATES[key].value, latency, why, f"PCIe ({key})")
    if (through_cards := _through(cards, "" if link else "no link; ")) is not None:
        yield through_cards


def _links_text(link: Link) -> str:
    if link.width is None:
        return link.kind
    return f"{link.width} {link.kind}{'s' if link.width > 1 and link.kind == 'NVLink' else ''}"


def _relays_text(machine: Machine, one: Gpu, other: Gpu) -> str:
    relays = paths.relays(machine, one.index, other.index)
    if not relays:
        return ""
    return f"; {' or '.join(f'GPU{relay}' for relay in relays)} could relay, which nothing does"


def _through(cards: tuple[Card | None, Card | None], why: str) -> Prior | None:
    one, other = cards
    if one is None or other is None or not {one.kind, other.kind} <= {"infiniband", "roce"}:
        return None
    rates = [rate for card in (one, other) if (rate := rate_of_card(card)) is not None]
    if len(rates) < 2:
        return None
    names = " and ".join(wording.clean(card.name) for card in (one, other))
    rate = min(rates)
    return Prior(rate, LATENCIES["between machines"].value, f"{why}cards {names}", _network(one, other, rate))


def table() -> str:
    """Return all figures as a table of Markdown."""
    lines = ["| of what | figure | from where |", "|---|--:|---|"]
    lines += [f"| {row.what} | {row.value:g} GB/s | {row.source} |" for row in RATES.values()]
    lines.append(f"| InfiniBand and RoCE | {OF_RDMA:.0%} of the port's rate | the card, by sysfs |")
    lines.append(f"| Ethernet | {OF_ETHERNET:.0%} of its speed | the card, by sysfs |")
    for row in LATENCIES.values():
        lines.append(f"| latency {row.what} | {row.value:g} us | {row.source} |")
    return "\n".join(lines)
