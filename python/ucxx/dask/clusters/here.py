# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the machine that the program runs on says of a plan: whether it is for it, and what its settings change."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import dask

from ucxx import topology
from ucxx.dask import devices
from ucxx.dask.clusters.settings import Settings
from ucxx.dask.options import Options
from ucxx.topology import wording
from ucxx.topology.machine import Machine, format_cpus


def require_same(machine: Machine) -> None:
    """Refuse to start workers by the description of another machine.

    Raises:
        ValueError: it has CPUs or GPUs that are not here.
    """
    what = f"the topology ({wording.clean(machine.name or machine.source)})"
    advice = "it describes another one; dry_run=True plans for it"
    there = {gpu.index: gpu for gpu in topology.read().gpus} if machine.gpus else {}
    for gpu in machine.gpus:
        found = there.get(gpu.index)
        if found is None:
            names = ", ".join(gpu.name for gpu in there.values()) or "no GPU"
            raise ValueError(f"{what} has {gpu.name}, and this machine has {names}: {advice}")
        for one, other in ((gpu.address, found.address), (gpu.uuid, found.uuid)):
            if one and other and one != other:
                raise ValueError(f"{what} has {gpu.name} as {wording.clean(one)}, and this machine as {other}: {advice}")
    if missing := machine.cpus - set(range(os.sysconf("SC_NPROCESSORS_CONF"))):
        raise ValueError(f"{what} has the CPUs {format_cpus(missing)}, which this machine has not: {advice}")


def configured(settings: Settings, section: Mapping[str, Any]) -> Options:
    """Return what Dask's configuration and the flags make of UCX's options in a process of this machine.

    Raises:
        ValueError: a key is unknown or asks for what is not here, or the environment names a device that is not.
    """
    with dask.config.set({"ucxx": dict(section)}):
        options = Options.read()
    options.transports()
    if settings.is_ucx and (wanted := os.environ.get("UCX_NET_DEVICES")):
        devices.require(wanted)
    return options
