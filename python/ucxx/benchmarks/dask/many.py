# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a cluster of many workers takes: until they are there, to talk to each other, to come and go."""

from __future__ import annotations

import contextlib
import functools
import statistics
import time
from collections.abc import Callable, Sequence

from distributed import Client

from ucxx.benchmarks.dask import drivers
from ucxx.benchmarks.dask.figures import Figure, Found, Outcome, outcome
from ucxx.benchmarks.dask.many_cluster import SECONDS, Cluster, running
from ucxx.benchmarks.dask.many_pairs import Pairs
from ucxx.benchmarks.dask.many_use import Machine, Use
from ucxx.benchmarks.dask.transports import Transports
from ucxx.benchmarks.pair import in_turn

FEW = 10  # workers that are left when the cluster is scaled down
_CALLS, _TASKS, _TIMES = 20, 1000, 3


def measure(
    protocols: Sequence[str],
    workers: int,
    processes: int,
    runs: int,
    on_run: Callable[[], object] = lambda: None,
) -> Outcome:
    """Measure a new cluster of each protocol, in turn.

    Args:
        protocols: sets of transports; the others are compared with the last.
        workers: how many, more than FEW.
        processes: how many run them, not more than `workers`.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """
    once = functools.partial(_once, workers=workers, processes=processes)
    with drivers.driving(protocols, contextlib.nullcontext) as those:
        return outcome(in_turn(protocols, runs, lambda name: those[name].call(once), on_run))


def _once(transports: Transports, workers: int, processes: int) -> Found:
    unused = Machine.now()
    with (
        running(transports.scheme, workers, processes) as cluster,
        Client(cluster.address, timeout=SECONDS) as client,
    ):
        figures = _figures(cluster, client, unused)
        return drivers.checked(Found(figures), client, transports)


def _figures(cluster: Cluster, client: Client, unused: Machine) -> list[Figure]:
    """Return the figures of one cluster; `unused`: what the machine uses without it."""
    figures = [Figure(f"until {cluster.workers} workers are there", _seconds(lambda: cluster.fill(client)), "s")]
    pairs = Pairs(client)
    before = _use(cluster, "before", unused)
    count = cluster.workers * (cluster.workers - 1)
    figures += [
        Figure(f"all {count} pairs, the first time", _seconds(pairs.talk), "s"),
        Figure(f"all {count} pairs, again", _seconds(pairs.talk), "s"),
    ]
    after = _use(cluster, "after", unused)
    return [
        *figures,
        Figure("client.run of nothing", 1e3 * _median(_CALLS, lambda: client.run(int)), "ms"),
        Figure(f"{_TASKS} small tasks", _median(_TIMES, lambda: _tasks(client)), "s"),
        Figure(f"down to {FEW} workers", _seconds(lambda: cluster.retire(client, FEW)), "s"),
        Figure(f"up to {cluster.workers} workers again", _seconds(lambda: cluster.fill(client)), "s"),
        *before,
        *after,
    ]


def _use(cluster: Cluster, when: str, unused: Machine) -> list[Figure]:
    """Return what the scheduler's process, one process of workers and all of them use, before or after all pairs."""
    worker = next(iter(cluster.processes))
    whole = sum(Use.of(peer.pid).pss for peer in (cluster.scheduler, *cluster.processes))
    return [
        *Use.of(cluster.scheduler.pid).figures(f"the scheduler {when}"),
        *Use.of(worker.pid).figures(f"a process of workers {when}"),
        Figure(f"all processes {when}: memory (PSS)", whole, "MiB"),
        *Machine.now().figures(unused, f"the machine {when}"),
    ]


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _median(times: int, work: Callable[[], object]) -> float:
    return statistics.median(_seconds(work) for _ in range(times))


def _tasks(client: Client) -> None:
    found = client.gather(client.map(int, range(_TASKS), pure=False))
    if found != list(range(_TASKS)):
        raise ValueError("a task has returned something else")
