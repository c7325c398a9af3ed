# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""On which CPUs processes are, seen from outside, and how clusters of tests are made."""

import contextlib
import os
import time

import pytest

from ucxx.testing import DEADLINE
from ucxx.topology.machine import parse_cpus

CPUS = sorted(os.sched_getaffinity(0))
QUIET = {"dashboard_address": None, "scheduler_kwargs": {"dashboard_address": ":0"}}  # not a fixed port for each


def slow(test):
    """Mark a test that starts clusters, as all are marked in `test_cluster.py`."""
    for mark in (pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")):
        test = mark(test)
    return test


def affinities(pid):
    """Return the CPUs of all threads of a process, as the kernel has them: one set where all are the same."""
    found = set()
    for thread in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            with open(f"/proc/{pid}/task/{thread}/status") as file:
                found.add(next(line.split()[1] for line in file if line.startswith("Cpus_allowed_list:")))
    return set(map(parse_cpus, found))


def assert_pinned(cluster):
    """Check that each thread of each worker's process is where the plan says, as soon as all processes are there."""
    deadline = time.monotonic() + DEADLINE
    while set(cluster.workers) != cluster.plan:
        assert time.monotonic() < deadline, (cluster.workers, cluster.plan)
        time.sleep(0.01)
    places = {worker.name: worker.place for worker in cluster.plan.workers}
    found = {name: affinities(nanny.pid) for name, nanny in cluster.workers.items()}
    assert found == {name: {place.cpus if place.is_pinned else frozenset(CPUS)} for name, place in places.items()}
