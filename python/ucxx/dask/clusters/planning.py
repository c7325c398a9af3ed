# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Makes the plan of a cluster out of settings and a machine."""

from __future__ import annotations

import collections
import dataclasses
import fnmatch
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import dask.system
from distributed.deploy.utils import nprocesses_nthreads

from ucxx import topology
from ucxx.dask import devices
from ucxx.dask.clusters.plan import Plan, PlannedWorker
from ucxx.dask.clusters.settings import Settings
from ucxx.dask.clusters.transports import cards_text, check_flags, transports_of
from ucxx.topology.machine import Machine
from ucxx.topology.nearest import nearest_cards
from ucxx.topology.placement import Place, place
from ucxx.topology.visible import Visible, turned, visible

_LESS_TIME = "not pinned: a cgroup gives less time than CPUs"
_OF_PLACE = ("gpu", "cpu_affinity", "ucx_net_devices", "interface")  # in the options of one worker


def plan(settings: Settings) -> Plan:
    """Return the plan of a cluster.

    It is for the machine that `settings.topology` describes, else for the one that the program runs on. Of its CPUs
    workers get those that this process may use; of a description with `dry_run`, all.

    Raises:
        ValueError: the machine has not what the settings ask for.
        OSError: the file of the topology cannot be read.
    """
    return _Planning(settings).plan()


class _Planning:
    """What is asked for on the way to a plan."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.machine = topology.read(settings.topology)
        self.is_here = settings.topology is None
        self.allowed = frozenset(os.sched_getaffinity(0)) if self.is_here or not settings.dry_run else None
        if not self.is_here and not settings.dry_run:
            _require_gpus(self.machine)
        self.seen = self._seen()
        self.by = self._placed_by()
        # A cgroup's quota without a set of CPUs: who else is on the machine would be pinned to the same ones.
        self.has_less_time_than_cpus = (
            self.is_here and self.settings.cpu_affinity == "auto" and dask.system.CPU_COUNT < len(self.allowed or ())
        )
        self.each: list[Mapping[str, Any]] = self._options_of_each()
        self.gpus = self._gpus_of_each()
        self.names = self._names()
        self.of_workers = [gpu for gpu in self.gpus if gpu is not None]
        self.interfaces: dict[str, list[str | None]] = {}  # of all workers, by what was asked for

    def plan(self) -> Plan:
        affinity: Any = None if self.has_less_time_than_cpus else self.settings.cpu_affinity
        if any("cpu_affinity" in options for options in self.each):
            base: Sequence[Any] = affinity if _is_list(affinity) else [affinity] * len(self.each)
            if len(base) == len(self.each):  # else `place` refuses it
                affinity = [options.get("cpu_affinity", one) for options, one in zip(self.each, base, strict=True)]
        self.places = place(
            self.machine, self.by, n_workers=len(self.each), gpus=[None if found is None else found.gpu for found in self.gpus],
            cores_each=self.settings.threads_per_worker or 1, allowed=self.allowed, affinity=affinity,
        )  # fmt: skip
        made = Plan(self.machine, (self._row(number, found) for number, found in enumerate(self.places)))
        _require_own_names(made)
        check_flags(self.settings, made)
        return made

    def _seen(self) -> tuple[Visible, ...]:
        """Return the GPUs that CUDA_VISIBLE_DEVICES leaves."""
        missing, wanted = self._why_no_gpu(), self.settings.CUDA_VISIBLE_DEVICES
        if missing is None:
            if wanted is None and self.is_here:
                wanted = os.environ.get("CUDA_VISIBLE_DEVICES")
            found = visible(self.machine, wanted)
            missing = None if found else f"CUDA_VISIBLE_DEVICES={wanted!r} leaves none"
        else:
            found = () if wanted is None or self.settings.placement == "gpu" else visible(Machine(), wanted)
        if missing is not None and self.settings.placement == "gpu":
            raise ValueError(
                f"{self.machine.name or 'the machine'} has no GPU to place workers by ({missing}); LocalUCXCluster places "
                "them by NUMA nodes or cores, and topology=FILE with dry_run=True plans for another machine"
            )
        return found

    def _why_no_gpu(self) -> str | None:
        if not self.machine.gpus:
            return "it has none"
        is_plan_alone = self.settings.dry_run and not self.is_here
        return None if is_plan_alone or devices.has_driver() else "CUDA's driver is not there"

    def _placed_by(self) -> str:
        by = self.settings.placement
        return ("gpu" if self.seen else "numa") if by == "auto" else by

    def _options_of_each(self) -> list[Mapping[str, Any]]:
        given, n_workers = self.settings.worker_options, self.settings.n_workers
        if given is None:
            return [{}] * (n_workers or self._default_number())
        if n_workers not in (None, len(given)):
            raise ValueError(f"worker_options has {len(given)} mappings, and n_workers is {n_workers}")
        return list(given)

    def _default_number(self) -> int:
        if self.by == "gpu":
            return len(self.seen)
        cpus = self.machine.cpus if self.allowed is None else self.machine.cpus & self.allowed
        cores = [core for core in self.machine.cores if core.cpus & cpus]
        quota = dask.system.CPU_COUNT if self.is_here else len(cpus)  # a cgroup may give less time than CPUs
        if self.by == "core":
            return max(1, min(len(cores), quota) // (self.settings.threads_per_worker or 1))
        if self.settings.placement == "numa":
            return max(1, len({core.node for core in cores}))
        if self.settings.threads_per_worker:
            return max(1, quota // self.settings.threads_per_worker)
        return int(nprocesses_nthreads(max(1, quota))[0])

    def _names(self) -> list[int]:
        """Return the indices of the GPUs where each has one worker, as dask-cuda does, else numbers."""
        indices = [found.gpu.index for found in self.gpus if found is not None]
        return indices if len(set(indices)) == len(self.gpus) else list(range(len(self.gpus)))

    def _gpus_of_each(self) -> list[Visible | None]:
        if self.by != "gpu":
            if named := [options["gpu"] for options in self.each if options.get("gpu") is not None]:
                raise ValueError(f"worker_options has gpu={named[0]!r}, and workers are placed by {self.by}, not by gpu")
            return [None] * len(self.each)
        found: list[Visible | None] = []
        for number, options in enumerate(self.each):
            if "gpu" not in options:
                found.append(self.seen[number % len(self.seen)])
            elif options["gpu"] is None:
                found.append(None)
            else:
                found.append(visible(self.machine, [options["gpu"]])[0])
        return found

    def _row(self, number: int, found: Place) -> PlannedWorker:
        options = dict(self.each[number])
        special = {name: options.pop(name) for name in _OF_PLACE if name in options}
        devices_wanted = special.get("ucx_net_devices", self.settings.ucx_net_devices)
        own = self.gpus[number]
        return PlannedWorker(
            name=options.pop("name", self.names[number]),
            place=found,
            nthreads=options.pop("nthreads", None) or self._threads(found),
            visible=turned(self.of_workers, self.of_workers.index(own)) if own is not None else "",
            net_devices=self._net_devices(devices_wanted, number, found),
            interface=self._interface(special.get("interface", self.settings.interface), number),
            transports=transports_of(self.settings, self.machine, found.gpu, found.card),
            options=options,
            why=found.why if found.is_pinned or not self.has_less_time_than_cpus else f"{found.why}; {_LESS_TIME}",
        )

    def _threads(self, found: Place) -> int:
        if self.settings.threads_per_worker is not None:
            return self.settings.threads_per_worker
        if found.gpu is not None or self.by == "core":
            return 1
        limit = math.ceil(dask.system.CPU_COUNT / len(self.each)) if self.is_here else len(found.cpus)
        return max(1, min(len(found.cpus), limit))

    def _net_devices(self, wanted: Any, number: int, found: Place) -> str | None:
        if callable(wanted):
            wanted = wanted(number if found.gpu is None else found.gpu.index)
        if wanted == "auto":
            return None if found.card is None else found.card.ucx_name
        if wanted is None:
            return None
        if not isinstance(wanted, str):
            raise TypeError(f"the devices of worker {number} must be a text as mlx5_0:1, or None, not {wanted!r}")
        require_devices(wanted, self.machine, self.is_here)
        return wanted

    def _interface(self, wanted: str | None, number: int) -> str | None:
        """Return the interface of a worker: the one that is named, or of the nearest card whose interface fits."""
        if wanted is None or (wanted != "auto" and "*" not in wanted):
            return wanted
        if wanted not in self.interfaces:
            pattern = "*" if wanted == "auto" else wanted
            cards = [card for card in self.machine.cards if card.interface and fnmatch.fnmatch(card.interface, pattern)]
            if not cards and wanted != "auto":
                there = ", ".join(card.interface for card in self.machine.cards if card.interface) or "none"
                raise ValueError(f"no network card of the plan has an interface like {wanted!r}; there are: {there}")
            found = nearest_cards(
                dataclasses.replace(self.machine, cards=tuple(cards)), [(place.gpu, place.cpus) for place in self.places]
            )
            self.interfaces[wanted] = [near.card.interface if near.card is not None else None for near in found]
        return self.interfaces[wanted][number]


def _require_own_names(plan: Plan) -> None:
    ((name, times),) = collections.Counter(worker.name for worker in plan.workers).most_common(1)
    if times > 1:
        raise ValueError(f"worker_options has the name {name!r} for {times} workers; one without a name has its number")


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def require_devices(wanted: str, machine: Machine, is_here: bool) -> None:
    """Check names of network devices, as UCX_NET_DEVICES has them, before a worker is started with them.

    Raises:
        ValueError: there is no such device, or it is down; it lists those that there are.
    """
    known = {name: card for card in machine.cards for name in (card.ucx_name, card.name, card.interface) if name}
    more = {"all", *(devices.names() if is_here else ())}
    for name in wanted.removeprefix("^").split(","):
        meant = fnmatch.filter([*known, *more], name.strip())
        if not meant:
            raise ValueError(f"there is no network device {name.strip()!r}; there are: {cards_text(machine.cards)}")
        if not wanted.startswith("^") and all(one in known and known[one].is_up is False for one in meant):
            raise ValueError(f"the network device {name.strip()!r} is down; there are: {cards_text(machine.cards)}")


def _require_gpus(machine: Machine) -> None:
    """Refuse to start workers on GPUs that a description has and this machine has not."""
    there = {gpu.index for gpu in topology.read().gpus}
    if missing := [gpu.name for gpu in machine.gpus if gpu.index not in there]:
        raise ValueError(
            f"the topology ({machine.name or machine.source}) has {', '.join(missing)}, and this machine has "
            f"{', '.join(f'GPU{index}' for index in sorted(there)) or 'no GPU'}: it describes another one; "
            "dry_run=True plans for it"
        )
