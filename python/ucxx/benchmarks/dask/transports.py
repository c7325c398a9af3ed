# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The sets of transports that clusters are measured with, by name.

UCX reads its settings once in a process, so each set is measured in processes of its own (`drivers`).
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_ANY = frozenset({"self"})  # what a process has to itself


def _here() -> str:
    return ""


def devices() -> Any:
    """Return `ucxx.dask.devices`; not by an import, since that folder already knows this one, by the style of pictures."""
    return importlib.import_module("ucxx.dask.devices")


def _without_rdma() -> str:
    return "" if devices().of_rdma() else "this machine has no InfiniBand or RoCE device"


def _without_links() -> str:
    machine = devices().this_machine()
    return "" if machine.links else f"no two GPUs of this machine have a link; it has {len(machine.gpus)} GPUs"


@dataclasses.dataclass(frozen=True)
class Transports:
    """A scheme, and settings under which one transport carries all payloads.

    Attributes:
        scheme: that of addresses.
        environment: what scheduler, client and workers have in their environment.
        carrier: how the name of the transport begins that endpoints must have; empty: any.
        beside: how the names of others begin that they may have as well.
        missing: says what the machine lacks; empty: nothing.
    """

    scheme: str
    environment: Mapping[str, str] = dataclasses.field(default_factory=dict)
    carrier: str = ""
    beside: tuple[str, ...] = ()
    missing: Callable[[], str] = _here

    def require(self, used: Iterable[str]) -> None:
        """Check the names of the transports that endpoints have.

        Raises:
            ValueError: the payloads went another way than this set says.
        """
        names = sorted(set(used) - _ANY)
        allowed = (self.carrier, *self.beside)
        if self.carrier and not any(name.startswith(self.carrier) for name in names):
            raise ValueError(f"the workers' endpoints use {', '.join(names) or 'no transport'}, not {self.carrier}")
        if self.carrier and (others := [name for name in names if not name.startswith(allowed)]):
            raise ValueError(f"the workers' endpoints use {', '.join(others)} beside {self.carrier}")


# UCX meets its peers over TCP, whatever carries the payloads.
SETS = {
    "ucx": Transports("ucx"),
    "ucxx": Transports("ucxx"),
    "tcp": Transports("tcp"),
    "ucx-local": Transports("ucx", {"UCXX_LOCAL": "only"}, "local"),
    "ucx-tcp": Transports("ucx", {"UCXX_LOCAL": "off", "UCX_TLS": "tcp,self"}, "tcp"),
    "ucx-ib": Transports("ucx", {"UCXX_LOCAL": "off", "UCX_TLS": "rc,tcp,self"}, "rc", ("tcp",), _without_rdma),
    "ucx-nvlink": Transports(
        "ucx", {"UCX_TLS": "cuda_ipc,cuda_copy,tcp,self"}, "cuda_ipc", ("cuda_copy", "tcp", "local"), _without_links
    ),
}  # fmt: skip


def named(name: str) -> Transports:
    """Return a set. Raises ValueError where there is none of that name."""
    if name not in SETS:
        raise ValueError(f"there is no set of transports {name!r}; there are: {', '.join(SETS)}")
    return SETS[name]


def carriers(comm: Any) -> tuple[str, ...]:
    """Return the names of the transports that carry a comm of Dask; none of tcp://."""
    endpoint = getattr(comm, "endpoint", None)
    return () if endpoint is None else tuple(endpoint.transports)
