# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs of Dask's users behave on a machine whose links are all alike as they do without learning.

Their results are the same. Where idle workers hold as many objects of a task, it goes to the same worker. In programs that
keep workers busy, tasks go where there is room first, by chance: there the transfers of three runs are as many but for half.
"""

import operator
import os
import random
import time

import numpy as np
import pytest
from distributed import Client, wait
from pins import QUIET

import ucxx
from ucxx.dask import LocalUCXCluster, bandwidths, learn_bandwidths
from ucxx.dask.learning.transfers import NAME

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")]

HERE = os.path.dirname(__file__)
SECONDS = 30
RUNS = 3
WORKERS = 3


@pytest.fixture(autouse=True, scope="module")
def quiet():
    """Leave nothing initialised at the end; until then a cluster of this module uses it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{HERE}:{os.environ.get('PYTHONPATH', '')}")
        yield
    ucxx.reset()


@pytest.fixture(scope="module")
def cluster(quiet):
    """Return the cluster of all programs."""
    with LocalUCXCluster(n_workers=WORKERS, threads_per_worker=1, cpu_affinity=None, **QUIET) as made:
        yield made


@pytest.fixture(scope="module")
def client(cluster):
    """Return a client of it."""
    with Client(cluster) as made:
        made.wait_for_workers(WORKERS, timeout=SECONDS)
        yield made


def arrays(client):
    """Multiply a matrix by its transpose."""
    da = pytest.importorskip("dask.array")
    x = da.arange(1_000_000, chunks=1_000_000).reshape(1000, 1000).rechunk((250, 250)) % 97
    return int((x @ x.T + x).sum().compute())


def frames(client):
    """Merge frames and group them."""
    pd = pytest.importorskip("pandas")
    dd = pytest.importorskip("dask.dataframe")
    data = pd.DataFrame({"k": np.arange(20_000) % 100, "v": np.arange(20_000)})
    left, right = dd.from_pandas(data, npartitions=6), dd.from_pandas(data.iloc[::50], npartitions=3)
    return int(left.merge(right, on="k").groupby("k").v_x.sum().sum().compute())


def bags(client):
    """Fold words of a bag by their lengths."""
    db = pytest.importorskip("dask.bag")
    numbers = db.from_sequence(range(10_000), npartitions=16).map(lambda value: (value % 7, value))
    return sorted(numbers.foldby(0, lambda total, one: total + one[1], 0, operator.add, 0).compute())


def futures(client):
    """Add arrays up in pairs."""
    made = client.map(np.full, [50_000] * 16, range(16), pure=False)
    while len(made) > 1:
        made = [client.submit(np.add, one, other, pure=False) for one, other in zip(made[::2], made[1::2], strict=True)]
    return made[0].result(SECONDS).tolist()


class Sum:
    """An actor that adds arrays up."""

    def __init__(self):
        self.total = 0

    def add(self, array):
        """Add an array, and return the sum of all."""
        self.total += int(array.sum())
        return self.total


def actors(client):
    """Have actors add up what workers have made."""
    made = [client.submit(Sum, actor=True, pure=False).result(SECONDS) for _ in range(3)]
    return [[actor.add(np.full(1000, value)).result(SECONDS) for value in range(5)] for actor in made]


def fetched(dask_worker):
    """Return how many messages a worker has fetched since the last call."""
    log = dask_worker.transfer_incoming_log
    count = len(log)
    log.clear()
    return count


def runs(client, program):
    """Return the results of some runs, and how many messages with data workers have sent to each other."""
    client.run(fetched)
    results = [program(client) for _ in range(RUNS)]
    return results, sum(client.run(fetched).values())


@pytest.mark.parametrize("program", [arrays, frames, bags, futures, actors])
def test_a_program_does_the_same(cluster, client, program):
    learn_bandwidths(cluster, on=False)
    program(client)  # what is imported and connected once
    results, transfers = runs(client, program)
    learn_bandwidths(cluster)
    learning, transfers_learning = runs(client, program)
    assert bandwidths(cluster).classes
    assert learning == results
    assert results == [results[0]] * RUNS
    assert transfers_learning <= 1.5 * transfers + 6
    assert transfers <= 1.5 * transfers_learning + 6


def placed(client, sizes):
    """Return the name of the worker that gets a task, which needs objects of these sizes, as many of each worker."""
    parts = [
        client.submit(bytes, size, workers=[worker], pure=False) for worker, held in enumerate(sizes) for size in held
    ]
    wait(parts, SECONDS)
    task = client.submit(lambda *parts: len(parts), *parts, pure=False)
    assert task.result(SECONDS) == len(parts)
    (address,) = client.who_has(task)[task.key]
    return client.scheduler_info(n_workers=-1)["workers"][address]["name"]


def until_all_have_told(cluster):
    """Wait until the scheduler knows of all workers where they are: those that have not told may be elsewhere."""
    deadline, known = time.monotonic() + SECONDS, cluster.scheduler.plugins[NAME].knowledge
    while not all(known.place(address).machine for address in cluster.scheduler.workers):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("each", [1, 3])
def test_idle_workers_that_hold_as_many_objects_get_the_same_tasks(cluster, client, each):
    choose = random.Random(each)
    graphs = [[[choose.randrange(1, 1_000_000) for _ in range(each)] for _ in range(WORKERS)] for _ in range(10)]
    found = {}
    for on in (False, True):
        learn_bandwidths(cluster, on)
        if on:
            until_all_have_told(cluster)
        found[on] = [placed(client, sizes) for sizes in graphs]
    assert found[True] == found[False] == [max(range(WORKERS), key=lambda worker: sum(sizes[worker])) for sizes in graphs]
    assert len(set(found[True])) > 1
