# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Clusters of two workers, each a process with one thread."""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Iterator
from typing import Any

from distributed import Client, LocalCluster
from distributed.comm import Comm

from ucxx.benchmarks.dask.transports import Transports, carriers, devices

WORKERS = 2
SECONDS = 120  # the longest that a task may take


@contextlib.contextmanager
def running(transports: Transports, object_type: str) -> Iterator[Client]:
    """Start a cluster; give a client of it once all of its workers are there.

    Args:
        transports: the process has its environment.
        object_type: whose memory is sent: for that of GPUs each worker has one, where there are enough.
    """
    with (
        _kind(object_type)(
            protocol=transports.scheme,
            n_workers=WORKERS,
            threads_per_worker=1,
            dashboard_address=":0",  # None would be port 8787, with a warning where it is taken
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.ERROR,  # a restart is a warning
        ) as cluster,
        Client(cluster, timeout=SECONDS) as client,
    ):
        client.wait_for_workers(WORKERS, timeout=SECONDS)
        yield client


def _kind(object_type: str) -> Any:
    if object_type not in ("cupy", "cudf", "torch") or len(devices().this_machine().gpus) < WORKERS:
        return LocalCluster
    return importlib.import_module("ucxx.dask").LocalCUDACluster


def used(client: Client) -> tuple[str, ...]:
    """Return the names of the transports by which workers are connected; none over tcp://."""
    return tuple(sorted(set().union(*client.run(_transports).values())))


def _transports() -> set[str]:
    return set().union(*map(carriers, Comm._instances))
