# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Makes the plan of a cluster out of settings and a machine."""

from __future__ import annotations

import collections
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import dask.system
from distributed.deploy.utils import nprocesses_nthreads

from ucxx import topology
from ucxx.dask import devices
from ucxx.dask.clusters import here, network
from ucxx.dask.clusters.arguments import require_known_of_worker
from ucxx.dask.clusters.configuration import configuration
from ucxx.dask.clusters.plan import Plan, PlannedWorker
from ucxx.dask.clusters.settings import Settings
from ucxx.dask.clusters.transports import check_flags, transports_of
from ucxx.dask.options import Options
from ucxx.topology import wording
from ucxx.topology.machine import Machine
from ucxx.topology.placement import Place, number_by_core, place
from ucxx.topology.visible import Visible, turned, visible

_OF_PLACE = ("gpu", "cpu_affinity", "ucx_net_devices", "interface")  # in the options of one worker


def plan(settings: Settings, section: Mapping[str, Any] | None = None, machine: Machine | None = None) -> Plan:
    """Return the plan of a cluster.

    It is for the machine that `settings.topology` describes, else for the one that the program runs on. Of its CPUs
    workers get those that this process may use, and what the environment and Dask's configuration say of devices
    counts. With a description and `dry_run` neither does: the plan is of that machine alone.

    Args:
        settings: what the user says.
        section: what `configuration` returned for them, where it is known already.
        machine: the one that it is for, where it was read already.

    Raises:
        ValueError: the machine has not what the settings ask for.
        OSError: the file of the topology cannot be read.
    """
    section = configuration(settings) if section is None else section
    return _Planning(settings, section, topology.read(settings.topology) if machine is None else machine).plan()


class _Planning:
    """The steps to a plan, and what each has found: the machine, its GPUs, how workers are placed, the workers."""

    def __init__(self, settings: Settings, section: Mapping[str, Any], machine: Machine) -> None:
        self.settings = settings
        self.machine = machine
        self.is_here = settings.topology is None
        self.is_dry = settings.dry_run and not self.is_here
        if not self.is_here and not self.is_dry:
            here.require_same(self.machine)
        self.configured = Options() if self.is_dry else here.configured(settings, section)
        self.allowed = None if self.is_dry else frozenset(os.sched_getaffinity(0))
        self.seen = self._seen()
        self.by = self._placed_by()
        self.each = self._options_of_each()
        self.gpus = self._gpus_of_each()
        self.of_workers = [gpu for gpu in self.gpus if gpu is not None]
        self.visible = {gpu: turned(self.of_workers, self.of_workers.index(gpu)) for gpu in dict.fromkeys(self.of_workers)}

    def plan(self) -> Plan:
        self.places = place(
            self.machine, self.by, n_workers=len(self.each), gpus=[None if found is None else found.gpu for found in self.gpus],
            cores_each=self.settings.threads_per_worker or 1, allowed=self.allowed, affinity=self._affinity(),
        )  # fmt: skip
        self.interfaces = self._interfaces()
        names, notes = self._names(), self._notes()
        made = Plan(self.machine, (self._row(number, names[number], notes) for number in range(len(self.places))))
        _require_own_names(made)
        check_flags(self.settings, made)
        return made

    def _seen(self) -> tuple[Visible, ...]:
        """Return the GPUs that CUDA_VISIBLE_DEVICES leaves."""
        missing, wanted = self._why_no_gpu(), self.settings.CUDA_VISIBLE_DEVICES
        if missing is None:
            if wanted is None and not self.is_dry:
                wanted = os.environ.get("CUDA_VISIBLE_DEVICES")
            found = visible(self.machine, wanted)
            missing = None if found else f"CUDA_VISIBLE_DEVICES={wanted!r} leaves none"
        else:
            found = () if wanted is None or self.settings.placement == "gpu" else visible(Machine(), wanted)
        if missing is not None and self.settings.placement == "gpu":
            hint = "" if self.is_dry else ", and topology=FILE with dry_run=True plans for another machine"
            raise ValueError(
                f"{wording.clean(self.machine.name) or 'the machine'} has no GPU to place workers by ({missing}); LocalUCXCluster places "
                f"them by NUMA nodes or cores{hint}"
            )
        return found

    def _why_no_gpu(self) -> str | None:
        if not self.machine.gpus:
            return "it has none"
        return None if self.is_dry or devices.has_driver() else "CUDA's driver is not there"

    def _placed_by(self) -> str:
        by = self.settings.placement
        return ("gpu" if self.seen else "numa") if by == "auto" else by

    def _options_of_each(self) -> list[Mapping[str, Any]]:
        given, n_workers = self.settings.worker_options, self.settings.n_workers
        if given is None:
            return [{}] * (n_workers or self._default_number())
        if n_workers not in (None, 0, len(given)):  # 0: they start later
            raise ValueError(f"worker_options has {len(given)} mappings, and n_workers is {n_workers}")
        for number, options in enumerate(given):
            require_known_of_worker(number, options, _OF_PLACE)
        return list(given)

    def _default_number(self) -> int:
        if self.by == "gpu":
            return len(self.seen)
        cpus = self.machine.cpus if self.allowed is None else self.machine.cpus & self.allowed
        cores = [core for core in self.machine.cores if core.cpus & cpus]
        quota = len(cpus) if self.is_dry else dask.system.CPU_COUNT  # a cgroup may give less time than CPUs
        if self.by == "core":
            each = self.settings.threads_per_worker or 1
            return max(1, min(number_by_core(self.machine, each, self.allowed), quota // each))
        if self.settings.placement == "numa":
            return max(1, len({core.node for core in cores}))
        if self.settings.threads_per_worker:
            return max(1, quota // self.settings.threads_per_worker)
        return int(nprocesses_nthreads(max(1, quota))[0])

    def _gpus_of_each(self) -> list[Visible | None]:
        if self.by != "gpu":
            if named := [options["gpu"] for options in self.each if options.get("gpu") is not None]:
                raise ValueError(f"worker_options has gpu={named[0]!r}, and workers are placed by {self.by}, not by gpu")
            return [None] * len(self.each)
        return [
            self._gpu(number, options["gpu"]) if "gpu" in options else self.seen[number % len(self.seen)]
            for number, options in enumerate(self.each)
        ]

    def _gpu(self, number: int, wanted: Any) -> Visible | None:
        """Return the GPU that the options of a worker name, None for a worker without one."""
        if wanted is None:
            return None
        found = [seen for seen in self.seen if wanted in (seen.gpu.index, seen.text) and not isinstance(wanted, bool)]
        if not found:
            there = ", ".join(seen.text for seen in self.seen)
            raise ValueError(f"worker_options has gpu={wanted!r} for worker {number}; the GPUs of the cluster are: {there}")
        return found[0]

    @property
    def _has_less_time_than_cpus(self) -> bool:
        """Tell whether a cgroup limits the time, not the CPUs: others on the machine would be pinned to the same ones."""
        return self.is_here and self.settings.cpu_affinity == "auto" and dask.system.CPU_COUNT < len(self.allowed or ())

    def _affinity(self) -> Any:
        affinity: Any = self.settings.cpu_affinity
        if self._has_less_time_than_cpus:  # a worker of a GPU stays near it
            affinity = [self._near(found) for found in self.gpus]
        if not any("cpu_affinity" in options for options in self.each):
            return affinity
        base: Sequence[Any] = affinity if _is_list(affinity) else [affinity] * len(self.each)
        if len(base) != len(self.each):
            return base  # which `place` refuses
        return [options.get("cpu_affinity", one) for options, one in zip(self.each, base, strict=True)]

    def _near(self, found: Visible | None) -> frozenset[int] | None:
        return (found.gpu.cpus or None) if found is not None else None

    def _names(self) -> list[int]:
        """Return the indices of the GPUs where each has one worker, as dask-cuda does, else numbers."""
        indices = [found.gpu.index for found in self.gpus if found is not None]
        return indices if len(set(indices)) == len(self.gpus) else list(range(len(self.gpus)))

    def _notes(self) -> list[str]:
        """Return what is to be said of all workers."""
        notes = []
        if self.settings.placement == "auto" and self.machine.gpus and (why := self._why_no_gpu()) is not None:
            notes.append(f"no GPU: {why}")
        for name in ("UCX_NET_DEVICES", "UCX_TLS"):
            if self.settings.is_ucx and not self.is_dry and name in os.environ:
                notes.append(f"{name}={os.environ[name]} of the environment")
        return notes

    def _quota_note(self, number: int) -> list[str]:
        if not self._has_less_time_than_cpus or "cpu_affinity" in self.each[number]:
            return []
        how = "pinned to all CPUs near its GPU" if self.places[number].is_pinned else "not pinned"
        return [f"{how}: a cgroup gives less time than CPUs"]

    def _row(self, number: int, name: int, notes: list[str]) -> PlannedWorker:
        found, own = self.places[number], self.gpus[number]
        options = {key: value for key, value in self.each[number].items() if key not in _OF_PLACE}
        net_devices = self._net_devices(number)
        given = options.pop("name", None)
        return PlannedWorker(
            name=name if given is None else given,
            place=found,
            nthreads=options.pop("nthreads", None) or self._threads(found),
            visible=self._visible(own),
            net_devices=net_devices,
            interface=self.interfaces[number],
            transports=transports_of(
                self.settings, self.machine, found.gpu, [seen.gpu for seen in self.visible],
                network.carries_rdma(net_devices, found.card, self.machine) and found.card or None,
                None if self.is_dry else os.environ.get("UCX_TLS"),
            ),
            memory_binding=self.settings.memory_binding,
            options=options,
            why="; ".join([found.why, *self._quota_note(number), *notes]),
        )  # fmt: skip

    def _visible(self, own: Visible | None) -> str | None:
        """Return CUDA_VISIBLE_DEVICES of a worker; None: that of the environment."""
        if own is not None:
            return self.visible[own]
        if self.by == "gpu":
            return ""
        return None if self.settings.CUDA_VISIBLE_DEVICES is None else ",".join(seen.text for seen in self.seen)

    def _threads(self, found: Place) -> int:
        if self.settings.threads_per_worker is not None:
            return self.settings.threads_per_worker
        if found.gpu is not None or self.by == "core":
            return 1
        limit = len(found.cpus) if self.is_dry else math.ceil(dask.system.CPU_COUNT / len(self.each))
        return max(1, min(len(found.cpus), limit))

    def _net_devices(self, number: int) -> str | None:
        wanted = self.each[number].get("ucx_net_devices", self.settings.ucx_net_devices)
        if wanted is None:
            wanted = self.configured.net_devices
        found = network.devices_of(wanted, number, self.places[number], self.machine, not self.is_dry)
        if self.settings.is_ucx and not self.is_dry:
            return os.environ.get("UCX_NET_DEVICES", found)
        return found

    def _interfaces(self) -> list[str | None]:
        wanted = [options.get("interface", self.settings.interface) for options in self.each]
        found = {
            one: network.interfaces_of(one, self.places, self.machine, not self.is_dry)
            for one in dict.fromkeys(wanted) if one is not None
        }  # fmt: skip
        return [None if one is None else found[one][number] for number, one in enumerate(wanted)]


def _require_own_names(plan: Plan) -> None:
    ((name, times),) = collections.Counter(worker.name for worker in plan.workers).most_common(1)
    if times > 1:
        raise ValueError(f"worker_options has the name {name!r} for {times} workers; one without a name has its number")


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
