# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Where workers belong on a machine: cores, NUMA node, GPU and network card of each. Pure functions of the machine.

    places = place(machine, "gpu")

A worker has a region, the cores that it may get: those nearest to its GPU, or those of NUMA nodes. The cores of a
region are shared out evenly, and none is given twice as long as there are enough.
"""

from __future__ import annotations

import dataclasses
import itertools
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Union

from ucxx.topology import nearest, sharing, wording
from ucxx.topology.machine import Core, format_cpus, parse_cpus

if TYPE_CHECKING:
    from ucxx.topology.machine import Card, Gpu, Machine

Cpus = Union[str, Iterable[int]]
One = Union[str, None, Iterable[int], Callable[[int], Cpus]]
Affinity = Union[One, Sequence[One]]

BY = ("gpu", "numa", "core")


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a worker belongs. `cpus` are its share of the machine, to which it is pinned or not; `why` is for people."""

    cpus: frozenset[int]
    is_pinned: bool
    nodes: tuple[int, ...]
    gpu: Gpu | None
    card: Card | None
    why: str


@dataclasses.dataclass(frozen=True)
class _Region:
    """Cores that some workers share, by their places in the list of those that may be used."""

    cores: tuple[int, ...]
    gpu: Gpu | None = None


def place(
    machine: Machine,
    by: str,
    *,
    n_workers: int | None = None,
    gpus: Sequence[Gpu | None] | None = None,
    cores_each: int = 1,
    allowed: frozenset[int] | None = None,
    affinity: Affinity = "auto",
) -> tuple[Place, ...]:
    """Return the places of all workers, in their order.

    Args:
        machine: where they will be.
        by: a worker for each GPU ("gpu"), for each NUMA node ("numa"), or for so many cores ("core").
        n_workers: how many; None: one for each of these. If there are more, they share them; with fewer than NUMA nodes
            each has several neighbouring ones.
        gpus: the GPU of each worker, by "gpu"; one that is there twice has two workers, None stands for a worker without
            one. Without it: all GPUs.
        cores_each: how many cores a worker gets, by "core"; fewer where there are too few for `n_workers`. They are of
            one NUMA node, whose rest may stay without a worker, unless that gives too few workers, or none.
        allowed: the hardware threads that workers may use; None: all.
        affinity: "auto" to pin each worker to its cores; None to pin none; a function of the index of its GPU (without
            one, of its number) that returns its CPUs, "0-19,40-59" or numbers; or a list that has one of these, or
            CPUs, for each worker.

    Raises:
        ValueError: there is none of what workers are placed by, or no CPU that they may use.
    """
    if n_workers is not None and n_workers < 1:
        raise ValueError(f"n_workers must be at least 1, not {n_workers}")
    cores = _usable(machine, allowed)
    regions = _regions(machine, by, cores, machine.gpus if gpus is None else gpus, cores_each, n_workers)
    workers = range(len(regions) if n_workers is None else n_workers)
    wanted = [regions[worker % len(regions)] for worker in (workers if by != "numa" else _blocks(workers, regions))]
    given = _given(wanted, cores)
    usable = _cpus(cores)
    pinned = [
        None if one is None else _pinned(one, number, wanted[number].gpu, given[number], usable)
        for number, one in enumerate(_each(affinity, len(wanted)))
    ]
    where = [_cpus(own) if cpus is None else cpus for cpus, own in zip(pinned, given, strict=True)]
    cards = nearest.nearest_cards(machine, [(region.gpu, cpus) for region, cpus in zip(wanted, where, strict=True)])
    reasons, node_of = _shared(wanted, where), {cpu: core.node for core in cores for cpu in core.cpus}
    return tuple(
        Place(
            cpus=where[worker],
            is_pinned=pinned[worker] is not None,
            nodes=tuple(sorted({node_of[cpu] for cpu in where[worker] & node_of.keys()})),
            gpu=wanted[worker].gpu,
            card=cards[worker].card,
            why="; ".join([_card_text(cards[worker]), *reasons[worker]]),
        )
        for worker in workers
    )


def number_by_core(machine: Machine, cores_each: int, allowed: frozenset[int] | None = None) -> int:
    """Return how many workers `place` makes by "core" where nobody says how many.

    Raises:
        ValueError: no CPU may be used, or a worker would have no core.
    """
    return len(_regions(machine, "core", _usable(machine, allowed), (), cores_each, None))


def _usable(machine: Machine, allowed: frozenset[int] | None) -> list[Core]:
    """Return the cores with those of their hardware threads that may be used."""
    cores = sorted(machine.cores, key=lambda core: (core.package, core.node, min(core.cpus)))
    if allowed is not None:
        cut = [dataclasses.replace(core, cpus=core.cpus & allowed) for core in cores if core.cpus & allowed]
        if not cut:
            raise ValueError(
                f"the machine of the plan has the CPUs {format_cpus(machine.cpus) or 'none'}, and this process may use "
                f"{format_cpus(allowed) or 'none'} (its affinity and its cgroup): no worker would have a CPU"
            )
        cores = cut
    if not cores:
        raise ValueError(f"the description of {_name(machine)} has no CPU, so no worker can be placed")
    return cores


def _name(machine: Machine) -> str:
    return wording.clean(machine.name) or "the machine"


def _regions(
    machine: Machine, by: str, cores: list[Core], gpus: Sequence[Gpu | None], cores_each: int, n_workers: int | None
) -> list[_Region]:
    if by == "gpu":
        if not gpus:
            raise ValueError(f"{_name(machine)} has no GPU to place workers by")
        near = {gpu: _near(machine, gpu, cores) for gpu in dict.fromkeys(gpus)}
        return [_Region(near[gpu], gpu) for gpu in gpus]
    if by == "numa":
        return _of_nodes(_by_node(cores), n_workers)
    if by == "core":
        if cores_each < 1:
            raise ValueError(f"a worker needs at least one core, not {cores_each}")
        return _of_cores(cores, cores_each, n_workers or 1)
    raise ValueError(f"workers are placed by one of {', '.join(BY)}, not by {by!r}")


def _by_node(cores: list[Core]) -> list[list[int]]:
    """Return the cores of each NUMA node; those of a package are neighbours."""
    found: dict[int, list[int]] = {}
    for number, core in enumerate(cores):
        found.setdefault(core.node, []).append(number)
    return list(found.values())


def _of_nodes(nodes: list[list[int]], n_workers: int | None) -> list[_Region]:
    """Return a region for each node, or, of fewer workers than nodes, neighbouring nodes for each worker."""
    count = min(n_workers or len(nodes), len(nodes))
    ends = [number * len(nodes) // count for number in range(count + 1)]
    return [_Region(tuple(itertools.chain(*nodes[first:end]))) for first, end in itertools.pairwise(ends)]


def _of_cores(cores: list[Core], cores_each: int, least: int) -> list[_Region]:
    """Return blocks of so many cores, each of one node; if these are fewer than wanted, of neighbours, or all cores."""
    everything = tuple(range(len(cores)))
    each = min(cores_each, len(cores))
    inside = [block for node in _by_node(cores) for block in _cut(node, each)]
    for blocks in (inside, _cut(everything, each)):
        if len(blocks) >= least:
            return list(map(_Region, blocks))
    return [_Region(everything)]  # not enough for all: they share all cores evenly


def _cut(cores: Sequence[int], each: int) -> list[tuple[int, ...]]:
    return [tuple(cores[at : at + each]) for at in range(0, len(cores) - each + 1, each)]


def _near(machine: Machine, gpu: Gpu | None, cores: list[Core]) -> tuple[int, ...]:
    """Return the cores near a GPU: its own, else those of its NUMA node, and all where nothing is known of it."""
    near = gpu.cpus if gpu is not None else frozenset()
    if gpu is not None and gpu.node is not None and not near:
        near = machine.cpus_of(gpu.node)
    if not near or gpu is None:
        return tuple(range(len(cores)))
    found = tuple(number for number, core in enumerate(cores) if core.cpus & near)
    if not found:
        raise ValueError(
            f"{gpu.name} is near the CPUs {format_cpus(near)}, and workers may use {format_cpus(_cpus(cores))} (the "
            "machine, and this process's affinity and cgroup): its worker would have none"
        )
    return found


def _blocks(workers: range, regions: list[_Region]) -> list[int]:
    """Return the region of each worker, neighbours in one, so that they share a NUMA node."""
    return [worker * len(regions) // len(workers) if len(workers) > len(regions) else worker for worker in workers]


def _given(wanted: list[_Region], cores: list[Core]) -> list[list[Core]]:
    regions = list({region.cores: None for region in wanted})
    number = {region: at for at, region in enumerate(regions)}
    return [[cores[at] for at in own] for own in sharing.share(regions, [number[region.cores] for region in wanted])]


def _each(affinity: Affinity, n_workers: int) -> list[One]:
    if affinity is None or isinstance(affinity, str) or callable(affinity):
        return [affinity] * n_workers
    try:
        each = list(affinity)
    except TypeError:
        raise ValueError(f"cpu_affinity is {affinity!r}; it is 'auto', None, a function, or a list for all workers") from None
    if len(each) != n_workers:
        raise ValueError(f"cpu_affinity has {len(each)} lists of CPUs, and there are {n_workers} workers")
    for one in each:
        if isinstance(one, int):
            raise ValueError(f"cpu_affinity has {one!r} where a worker's CPUs are wanted, as '0-3' or [0, 1, 2, 3]")
    return each  # type: ignore[return-value]


def _pinned(one: One, number: int, gpu: Gpu | None, own: list[Core], usable: frozenset[int]) -> frozenset[int]:
    if isinstance(one, str) and one == "auto":
        return _cpus(own)
    given = one(number if gpu is None else gpu.index) if callable(one) else one
    return _given_cpus(given, number, usable)


def _given_cpus(given: Cpus | None, number: int, usable: frozenset[int]) -> frozenset[int]:
    try:
        if isinstance(given, bytes):
            raise TypeError("bytes are no numbers of CPUs")
        cpus = parse_cpus(given) if isinstance(given, str) else frozenset(map(_number_of_cpu, () if given is None else given))
    except (TypeError, ValueError) as error:
        raise ValueError(f"cpu_affinity of worker {number} is {given!r}, which are no CPUs: {error}") from None
    if not cpus:
        raise ValueError(f"cpu_affinity of worker {number} has no CPU; None pins no worker")
    if not cpus & usable:
        raise ValueError(
            f"cpu_affinity of worker {number} is {format_cpus(cpus)}, and workers may use "
            f"{format_cpus(usable)} (the machine, and this process's affinity and cgroup): it would have no CPU"
        )
    return cpus & usable


def _number_of_cpu(cpu: object) -> int:
    if isinstance(cpu, bool):
        raise ValueError(f"{cpu!r} is no number of a CPU")
    return operator.index(cpu)  # type: ignore[arg-type]


def _cpus(cores: Iterable[Core]) -> frozenset[int]:
    return frozenset().union(*(core.cpus for core in cores))


def _card_text(found: nearest.Nearest) -> str:
    if found.card is None or found.closeness is None:
        return "no card"
    return f"{wording.clean(found.card.name)} is nearest ({found.closeness.name})"


def _shared(wanted: list[_Region], where: list[frozenset[int]]) -> list[list[str]]:
    """Return what each worker shares with one before it."""
    reasons: list[list[str]] = [[] for _ in wanted]
    first_of_gpu: dict[int, int] = {}
    first_of_cpu: dict[int, int] = {}
    for number, (region, cpus) in enumerate(zip(wanted, where, strict=True)):
        if region.gpu is not None and (first := first_of_gpu.setdefault(region.gpu.index, number)) != number:
            reasons[number].append(f"shares {region.gpu.name} with worker {first}")
        others = {first_of_cpu.setdefault(cpu, number) for cpu in cpus} - {number}
        reasons[number] += [f"shares cores with worker {other}" for other in sorted(others)[:1]]
    return reasons
