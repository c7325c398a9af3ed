# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The plan of a cluster: which worker has which cores, GPU, card and transports, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Set
from typing import Any

from ucxx.topology import priors, wording
from ucxx.topology.machine import Machine, format_cpus
from ucxx.topology.placement import Place
from ucxx.topology.priors import Prior


@dataclasses.dataclass(frozen=True)
class PlannedWorker:
    """A row of the plan.

    Args:
        name: of the worker in the cluster.
        place: its cores, NUMA nodes, GPU and card.
        nthreads: of the worker.
        visible: CUDA_VISIBLE_DEVICES of its process; None: that of the cluster's.
        net_devices: network devices of UCX; None: UCX decides.
        interface: where it listens; None: as the cluster.
        transports: what may carry its payloads, the quickest first.
        memory_binding: to the NUMA nodes of its place: bind, preferred, or None.
        options: of `Nanny` and `Worker`, for it alone.
        why: what decided, for people.
    """

    name: Any
    place: Place
    nthreads: int
    visible: str | None
    net_devices: str | None
    interface: str | None
    transports: tuple[str, ...]
    memory_binding: str | None
    options: dict[str, Any]
    why: str


class Plan(Set[Any]):
    """The workers of a cluster, in their order. Printed it is a table.

    It is the set of their names, as the plan of each cluster of Dask, and `plan[name]` the row of one.
    """

    def __init__(self, machine: Machine, workers: Iterable[PlannedWorker]) -> None:
        """Keep the rows; the machine is the one that they were planned for."""
        self.machine = machine
        self.workers = tuple(workers)
        self._by_name = {worker.name: worker for worker in self.workers}

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a worker of this name."""
        return name in self._by_name

    def __iter__(self) -> Iterator[Any]:
        """Give the names of the workers."""
        return iter(self._by_name)

    def __len__(self) -> int:
        """Return how many workers there are."""
        return len(self._by_name)

    def __getitem__(self, name: Any) -> PlannedWorker:
        """Return the row of a worker; KeyError where there is none."""
        return self._by_name[name]

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> set[Any]:
        """Return what `plan - others` and its like are: a set of names."""
        return set(it)

    def prior(self, one: Any, other: Any, *, on_gpus: bool = False) -> Prior:
        """Return what is believed of the way between two workers until it has been measured.

        Args:
            one, other: names of workers.
            on_gpus: of payloads in the memory of GPUs, not of the host.
        """
        first, second = self[one].place, self[other].place
        if not on_gpus or (first.gpu is None and second.gpu is None):
            return priors.inside()
        if first.gpu is None or second.gpu is None:
            return priors.staged()
        return priors.between_gpus(self.machine, first.gpu.index, second.gpu.index, (first.card, second.card))

    def rows(self) -> list[dict[str, str]]:
        """Return the rows of the table as texts; columns in which nothing stands are left out."""
        rows = [_texts(worker) for worker in self.workers]
        columns = [name for name in rows[0] if any(row[name] not in ("", "-") for row in rows)] if rows else []
        return [{name: row[name] for name in columns} for row in rows]

    def __str__(self) -> str:
        """Return the table: a line for each worker."""
        rows = self.rows()
        if not rows:
            return "no workers"
        columns = list(rows[0])
        widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in columns}
        lines = [dict(zip(columns, columns, strict=True)), *rows]
        return "\n".join("  ".join(line[name].ljust(widths[name]) for name in columns).rstrip() for line in lines)

    def __repr__(self) -> str:
        """Return the table: Dask prints a plan in its own messages."""
        return f"<Plan of {len(self)} workers on {wording.clean(self.machine.name) or 'a machine'}>\n{self}"


def _texts(worker: PlannedWorker) -> dict[str, str]:
    place = worker.place
    return {
        "worker": str(worker.name),
        "cpus": format_cpus(place.cpus) + ("" if place.is_pinned else " (not pinned)"),
        "node": ",".join(map(str, place.nodes)),
        "threads": str(worker.nthreads),
        "memory": worker.memory_binding or "-",
        "GPU": (worker.visible or "").partition(",")[0] if place.gpu is not None else "-",
        "card": "-" if place.card is None else wording.clean(place.card.ucx_name),
        "net devices": wording.clean(worker.net_devices or "-"),
        "interface": wording.clean(worker.interface or "-"),
        "transports": ", ".join(worker.transports),
        "why": wording.clean(worker.why),
    }
