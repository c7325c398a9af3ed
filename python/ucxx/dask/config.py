# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Starts UCXX as Dask's configuration says."""

from __future__ import annotations

import errno
import logging
import os
import threading
from typing import Any

import dask
from dask.utils import parse_timedelta
from distributed.utils import parse_ports

import ucxx
from ucxx._asyncio.runtime import known_runtime, runtime
from ucxx.dask import devices, serialize
from ucxx.dask.options import Options, too_late
from ucxx.exceptions import UCXBusyError

logger = logging.getLogger("distributed.comm.ucxx")

_lock = threading.Lock()  # loops of several threads


def start(host: str = "", ports: Any = None) -> None:
    """Initialise UCXX as Dask's configuration says, unless the program has done so.

    Args:
        host: the address that a server listens at; UCX's own ports are opened only there, unless the
            configuration names devices.
        ports: the ports of which the server takes one, as `--worker-port` has them; UCX's own are among
            them, unless the configuration gives UCX a range.

    Raises:
        ValueError: the configuration names what is unknown, or not there.
    """
    if known_runtime() is not None:
        return
    with _lock:
        if known_runtime() is None:
            _start(host, ports)


def start_worker() -> None:
    """Have a worker for the running loop. With UCXX_LOCAL=off UCX opens its own ports now.

    Raises:
        OSError: its range has no free port. The errno is not EADDRINUSE: Dask would try its next port.
    """
    try:
        runtime().worker()
    except UCXBusyError as error:
        raise OSError(errno.EADDRNOTAVAIL, f"no port of UCX's range (UCX_TCP_PORT_RANGE) is free: {error}") from error


def _patience() -> str:
    """Return for how long a network may be silent, as Dask says of tcp://: a lost worker is recomputed."""
    seconds = parse_timedelta(dask.config.get("distributed.comm.timeouts.tcp"), default="seconds")
    return f"{min(max(seconds, 1), 600):g}"


_FEWEST_PORTS = 4  # of a range that UCX shares with Dask


def range_of(ports: Any) -> str:
    """Return the ports that UCX takes of those that Dask gives a server; empty: any.

    Dask takes the first that is free, so UCX gets the upper half. Dask deals a range out to the workers of a
    command by turns: the half of one worker spans ports of the others.
    """
    numbers = sorted(set(parse_ports(ports))) if ports else []
    if len(numbers) < _FEWEST_PORTS or numbers != list(range(numbers[0], numbers[-1] + 1, numbers[1] - numbers[0])):
        return ""
    return f"{numbers[len(numbers) // 2]}-{numbers[-1]}"


def _take_nearest_card(settings: dict[str, str]) -> None:
    """Replace the devices `auto` by the nearest card; without one UCX decides."""
    del settings["NET_DEVICES"]
    card = devices.nearest_card()
    if card is not None:
        settings["NET_DEVICES"] = card


def _start(host: str, ports: Any) -> None:
    options = Options.read()
    settings = options.settings()
    if settings.get("NET_DEVICES") == "auto":
        _take_nearest_card(settings)
    wanted = settings.get("NET_DEVICES", os.environ.get("UCX_NET_DEVICES"))
    if wanted is not None:
        devices.require(wanted)
    elif derived := devices.at(host, settings.get("UCXX_LOCAL", os.environ.get("UCXX_LOCAL"))):
        settings["NET_DEVICES"] = ",".join(derived)
    if "UCX_TCP_PORT_RANGE" not in os.environ and (ports_of_ucx := range_of(ports)):
        settings.setdefault("TCP_PORT_RANGE", ports_of_ucx)
    if "UCXX_PATIENCE" not in os.environ:
        settings.setdefault("UCXX_PATIENCE", _patience())
    too_late(options.environment)
    if options.create_cuda_context:
        devices.create_cuda_context()
    ucxx.init(settings)
    serialize.prepare()
    logger.debug("ucxx starts with %s", settings or "UCX's defaults")
