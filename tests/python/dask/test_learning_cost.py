# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a transfer costs is what an obvious formula says, on random graphs too."""

import dataclasses
import random

import pytest
from learning import Scheduler

from ucxx.dask.learning.cost import CommCost
from ucxx.dask.learning.kinds import kind_of
from ucxx.dask.learning.knowledge import Knowledge

TYPES = ["numpy.ndarray", "builtins.bytes", "cupy.ndarray", "torch.Tensor", None]
ADDRESSES = [f"ucx://10.0.0.{number // 3}:{number}" for number in range(9)]


@dataclasses.dataclass(eq=False)
class Worker:
    """As Dask's `WorkerState`."""

    address: str


@dataclasses.dataclass(eq=False)
class Task:
    """As Dask's `TaskState`."""

    nbytes: int = 0
    type: str | None = None
    who_has: set | None = dataclasses.field(default_factory=set)
    dependencies: set = dataclasses.field(default_factory=set)

    def get_nbytes(self):
        """Return the bytes."""
        return self.nbytes


WORKERS = [Worker(address) for address in ADDRESSES]


@pytest.fixture
def known():
    """Return what is known of three machines, some with GPUs, and some transfers."""
    made, choose = Knowledge(), random.Random(1)
    for number, address in enumerate(ADDRESSES[:7]):  # two have not told
        links = {str(other): [f"L{abs(number - other)}", 1.0 + abs(number - other), 10.0] for other in range(9)}
        made.put(address, {"machine": f"m{number // 3}", **({"gpu": number, "links": links} if number % 3 else {})})
    for _ in range(50):
        one, other = choose.sample(ADDRESSES, 2)
        made.learn(one, other, choose.choice(["host array", "pickled"]), (3, 3_000_000, choose.random()))
    return made


@pytest.fixture
def scheduler():
    """Return a scheduler."""
    return Scheduler()


def obvious(scheduler, known, ts, ws):
    """Return the seconds, one message after the other."""
    messages, lost = {}, 0
    for dependency in ts.dependencies:
        holders = dependency.who_has or ()
        if not holders:
            lost += dependency.nbytes
        elif ws not in holders:
            groups = frozenset(known.place(holder.address).group for holder in holders)
            messages.setdefault((groups, dependency.type), []).append(dependency)
    total = lost / scheduler.bandwidth
    for (_, name), dependencies in messages.items():
        nbytes, ways = sum(dependency.nbytes for dependency in dependencies), []
        for holder in dependencies[0].who_has:
            one, other = known.place(holder.address), known.place(ws.address)
            way = known.way(one, other, kind_of(name, one.gpu is not None))
            ways.append(way.latency + nbytes * way.per_byte)
        total += min(ways)
    return total


@pytest.mark.parametrize("seed", range(30))
def test_random_graphs(scheduler, known, seed):
    choose = random.Random(seed)
    cost = CommCost(scheduler, known)
    things = [
        Task(int(10 ** choose.uniform(0, 10)), choose.choice(TYPES), set(choose.sample(WORKERS, choose.randrange(4))))
        for _ in range(40)
    ]
    for _ in range(20):
        ts = Task(dependencies=set(choose.sample(things, choose.randrange(30))))
        for ws in choose.sample(WORKERS, 5):
            assert cost(ts, ws) == pytest.approx(obvious(scheduler, known, ts, ws), abs=1e-9)
        scheduler.transition_counter += 1


def test_objects_of_one_holder_come_in_one_message(scheduler, known):
    """Ten small objects are no reason to move a large one instead."""
    cost = CommCost(scheduler, known)
    one, other = WORKERS[0], WORKERS[2]
    many = {Task(1_000, "builtins.bytes", {one}) for _ in range(10)}
    ts = Task(dependencies={Task(100_000, "builtins.bytes", {other}), *many})
    assert cost(ts, other) < cost(ts, one)


def test_nothing_to_fetch_costs_nothing(scheduler, known):
    cost = CommCost(scheduler, known)
    assert cost(Task(), WORKERS[0]) == 0
    here = Task(10**9, "numpy.ndarray", {WORKERS[0], WORKERS[1]})
    assert cost(Task(dependencies={here}), WORKERS[0]) == 0
    assert cost(Task(dependencies={here}), WORKERS[2]) > 0


@pytest.mark.parametrize("who_has", [None, set()])
def test_what_nobody_holds_costs_what_dask_says(scheduler, known, who_has):
    lost = Task(10**9, "numpy.ndarray", who_has)
    assert CommCost(scheduler, known)(Task(dependencies={lost}), WORKERS[0]) == pytest.approx(10)


def test_the_nearest_holder_counts(scheduler):
    cost = CommCost(scheduler, Knowledge())  # what a prior says
    near, far = WORKERS[4], WORKERS[7]
    both, one = (Task(10**9, "builtins.bytes", held) for held in ({near, far}, {far}))
    ways = [cost(Task(dependencies={thing}), WORKERS[3]) for thing in (both, one)]
    assert ways[0] < ways[1] / 2


def test_the_answer_follows_what_changes(scheduler, known):
    cost = CommCost(scheduler, known)
    thing = Task(10**6, "builtins.bytes", {WORKERS[7]})
    ts = Task(dependencies={thing})
    before = cost(ts, WORKERS[0])
    known.learn(ADDRESSES[7], ADDRESSES[0], "pickled", (20, 20_000_000, 100.0))
    assert cost(ts, WORKERS[0]) > 2 * before  # what is learnt counts at once
    thing.who_has, thing.nbytes = {WORKERS[0]}, 5
    scheduler.transition_counter += 1  # as Dask has it when a task has changed
    assert cost(ts, WORKERS[0]) == 0
    thing.who_has = {WORKERS[1]}
    assert cost(Task(dependencies={thing}), WORKERS[0]) > 0  # another task


def test_many_dependencies_are_added_up_once_for_all_workers(scheduler, known):
    class Counted(Task):
        asked = 0

        def get_nbytes(self):
            """Count it."""
            Counted.asked += 1
            return self.nbytes

    things = {Counted(number, "numpy.ndarray", {WORKERS[number % 7]}) for number in range(10_000)}
    cost, ts = CommCost(scheduler, known), Task(dependencies=things)
    values = {ws.address: cost(ts, ws) for ws in WORKERS}
    assert Counted.asked == 10_000
    assert len(set(values.values())) > 1
    for ws in WORKERS[:2]:
        assert values[ws.address] == pytest.approx(obvious(scheduler, known, ts, ws))
