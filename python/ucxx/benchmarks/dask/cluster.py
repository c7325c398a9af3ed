# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Clusters of two workers, each a process with one thread."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from distributed import Client, LocalCluster

from ucxx.benchmarks.measure import BenchmarkError

WORKERS = 2
SECONDS = 120  # the longest that a task may take


@contextlib.contextmanager
def running(protocol: str) -> Iterator[Client]:
    """Start a cluster; give a client of it once all of its workers are there.

    Raises:
        BenchmarkError: it does not start, or what is done with it fails.
    """
    try:
        with (
            LocalCluster(
                protocol=protocol,
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
    except BenchmarkError:
        raise
    except Exception as error:
        raise BenchmarkError(f"{protocol}: {type(error).__name__}: {error}") from error


@contextlib.contextmanager
def running_all(protocols: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Start a cluster for each protocol, all at the same time: those that are not measured wait."""
    with contextlib.ExitStack() as stack:
        yield {protocol: stack.enter_context(running(protocol)) for protocol in protocols}
