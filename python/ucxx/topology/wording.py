# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The words for what a machine has, which its text and its picture share."""

from __future__ import annotations

from collections.abc import Iterable

from ucxx.topology.machine import Card, Link, Machine, format_cpus

#: Stands where the description does not say.
UNKNOWN = "-"

_KINDS = {"infiniband": "InfiniBand", "roce": "RoCE", "ethernet": "Ethernet"}
_STATES = {None: UNKNOWN, True: "up", False: "down"}
_UNITS = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


def clean(text: str) -> str:
    """Return a text of a description as one that a terminal may show: one line without control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))


def count(number: int, thing: str) -> str:
    """Return '1 GPU', '8 GPUs', 'no GPU'."""
    return f"{number or 'no'} {thing}{'s' if number > 1 else ''}"


def link(link: Link) -> str:
    """Return 'NV2' for two NVLinks, 'XGMI1', 'NVLink 50 GB/s' where only the bandwidth is known, else 'NVLink'."""
    if link.width is not None:
        return f"{'NV' if link.kind == 'NVLink' else clean(link.kind)}{link.width}"
    rate = f" {link.gb_per_s:.4g} GB/s" if link.gb_per_s is not None else ""
    return f"{clean(link.kind)}{rate}"


def kind(card: Card) -> str:
    """Return 'InfiniBand', 'RoCE' or 'Ethernet'."""
    return _KINDS.get(card.kind, clean(card.kind) or UNKNOWN)


def rate(card: Card) -> str:
    """Return '100 Gb/s': bits, as cards are sold."""
    if card.gb_per_s is None:
        return UNKNOWN
    gigabits = card.gb_per_s * 8
    return f"{gigabits:.4g} Gb/s" if gigabits >= 1 else f"{gigabits * 1000:.4g} Mb/s"


def state(card: Card) -> str:
    """Return 'up' or 'down'."""
    return _STATES[card.is_up]


def memory(size: int | None) -> str:
    """Return '252 GiB' with three digits."""
    if size is None:
        return UNKNOWN
    for unit, name in _UNITS:
        if size >= unit:
            number = size / unit
            return f"{number:.3g} {name}" if number < 999.5 else f"{number:.0f} {name}"
    return f"{size} B"


def cpus(numbers: Iterable[int]) -> str:
    """Return '0-19,40-59'."""
    return format_cpus(numbers) or UNKNOWN


def indices(numbers: Iterable[int]) -> str:
    """Return '1,2' for two numbers that follow each other, and '4-7' for more."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)


def title(machine: Machine) -> str:
    """Return the name of a machine, and what was read."""
    name, source = clean(machine.name) or "this machine", clean(machine.source)
    return f"{name} ({source})" if source else name


def summary(machine: Machine) -> str:
    """Return '2 packages, 2 NUMA nodes, 40 cores, 8 GPUs (Tesla V100), 4 network cards'."""
    cores = {"package": len(machine.packages), "NUMA node": len(machine.nodes), "core": len(machine.cores)}
    parts = [count(number, thing) for thing, number in cores.items() if number]
    models = ", ".join(sorted({clean(gpu.model) for gpu in machine.gpus if gpu.model}))
    parts.append(count(len(machine.gpus), "GPU") + (f" ({models})" if models else ""))
    parts.append(count(len(machine.cards), "network card"))
    return ", ".join(parts)
