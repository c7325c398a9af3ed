# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Dask over UCXX: the schemes ucx:// and ucxx://, which `pip install ucxx[dask]` brings along.

    LocalCluster(protocol="ucx")
    dask scheduler --protocol ucx

Programs need import nothing of this package: Dask finds it by its entry points. How it works:
`comm` is a connection, `frames` what is sent, `listener` and `connector` how two processes meet,
`options` the settings, `config` the start, `serialize` arrays of devices, `security` what is refused.

Clusters that know their machine (`clusters`), and schedulers that learn how fast links are (`learning`), are imported where
they are first used:

    from ucxx.dask import LocalUCXCluster
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ucxx.dask.clusters.gpus import DGX, LocalCUDACluster
    from ucxx.dask.clusters.initialize import initialize
    from ucxx.dask.clusters.local import LocalUCXCluster
    from ucxx.dask.clusters.plan import Plan
    from ucxx.dask.clusters.plugins import CPUAffinity
    from ucxx.dask.clusters.spec import worker_spec
    from ucxx.dask.learning.records import Bandwidths
    from ucxx.dask.learning.switch import bandwidths, learn_bandwidths

# Where each name is at home. Dask imports this package for ucx:// alone, and need not load clusters for it.
_HOMES = {
    "Bandwidths": "learning.records", "CPUAffinity": "clusters.plugins", "DGX": "clusters.gpus",
    "LocalCUDACluster": "clusters.gpus", "LocalUCXCluster": "clusters.local", "Plan": "clusters.plan",
    "bandwidths": "learning.switch", "initialize": "clusters.initialize", "learn_bandwidths": "learning.switch",
    "worker_spec": "clusters.spec",
}  # fmt: skip

__all__ = [
    "DGX", "Bandwidths", "CPUAffinity", "LocalCUDACluster", "LocalUCXCluster", "Plan", "bandwidths", "initialize",
    "learn_bandwidths", "worker_spec",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a name where it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"ucxx.dask.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """Return all names, also those that are not imported yet."""
    return sorted({*globals(), *_HOMES})
