# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What workers tell is checked: a heartbeat that has something wrong changes nothing, and is said once."""

import asyncio
import logging
import math
import pickle
import time
import types

import pytest
from learning import FIRST, SECOND, THIRD, Scheduler, told, worker

from ucxx.dask.learning import heartbeats, transfers
from ucxx.dask.learning.plugin import LearnBandwidths
from ucxx.dask.learning.transfers import NAME

GOOD = (SECOND, "pickled", 3, 3000, 0.25)
DEEP = []
for _ in range(50_000):
    DEEP = [DEEP]


@pytest.fixture
def scheduler():
    """Return a scheduler of two workers."""
    return Scheduler(FIRST, SECOND)


@pytest.fixture
def plugin(scheduler):
    """Return its plugin, which has learnt something."""
    made = scheduler.learns_with(LearnBandwidths())
    made.heartbeat(scheduler.workers[FIRST], told(GOOD, machine="a"))
    made.heartbeat(scheduler.workers[SECOND], told(machine="b"))
    return made


def changed(line, place, value):
    """Return transfers with another value at a place."""
    return (*line[:place], value, *line[place + 1 :])


LINES = [
    None, 5, "text", b"bytes", {}, DEEP, (), GOOD[:4], (*GOOD, 1), dict(enumerate(GOOD)),
    *(changed(GOOD, 0, value) for value in (None, 5, [], b"ucx://10.0.0.2:5000", DEEP)),
    *(changed(GOOD, 1, value) for value in (None, 5, [], "", "host", "Pickled", b"pickled", "x" * 10**6, DEEP)),
    *(changed(GOOD, 2, value) for value in (0, -1, 1.0, True, "1", None, 10**7, 10**400, math.nan, [1], DEEP)),
    *(changed(GOOD, 3, value) for value in (-1, 1.0, True, "1", None, 1 << 60, 10**400, math.inf, [1], DEEP)),
    (SECOND, "pickled", 1, 1 << 50, 112.0), (SECOND, "pickled", 1_000_000, 1 << 50, 1e-300),
    *(changed(GOOD, 4, value) for value in (
        0.0, -1.0, 5e-324, 1e-7, 1, True, "1", None, 1e30, math.nan, math.inf, -math.inf, [1.0], 86_400.0 * 3 + 1, DEEP,
    )),
]  # fmt: skip
HEARTBEATS = [
    None, 5, "text", [], DEEP, {}, {"place": {}}, {"transfers": []}, {5: 6},
    {"place": None, "transfers": []}, {"place": {"gpu": "x"}, "transfers": [GOOD]}, {"place": DEEP, "transfers": [GOOD]},
    {"place": {}, "transfers": None}, {"place": {}, "transfers": "text"}, {"place": {}, "transfers": {}},
    {"place": {}, "transfers": [GOOD] * (transfers.MOST + 1)}, {"place": {}, "transfers": [GOOD] * 5000},
    *({"place": {"machine": "changed"}, "transfers": [GOOD, line]} for line in LINES),
]  # fmt: skip


def known(plugin):
    """Return all that a plugin knows."""
    return pickle.dumps(plugin.told()), plugin.knowledge.place(FIRST), plugin.knowledge.place(SECOND)


@pytest.mark.parametrize("number", range(len(HEARTBEATS)))
def test_a_heartbeat_with_something_wrong_changes_nothing_and_is_said_once(scheduler, plugin, caplog, number):
    before = known(plugin)
    for _ in range(3):
        plugin.heartbeat(scheduler.workers[FIRST], HEARTBEATS[number])
    assert known(plugin) == before
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("distributed.scheduler.ucxx", "WARNING")
    assert f"What worker {FIRST} tells of its transfers is not used: " in record.message
    assert len(record.message) < 400
    plugin.heartbeat(scheduler.workers[FIRST], told(GOOD, machine="a"))
    assert known(plugin) != before


def test_each_worker_has_a_line_and_one_that_comes_again_too(scheduler, plugin, caplog):
    for _ in range(2):
        for address in (FIRST, SECOND):
            plugin.heartbeat(scheduler.workers[address], None)
    assert len(caplog.records) == 2
    plugin.remove_worker(scheduler, FIRST, stimulus_id="x", more=1)
    plugin.heartbeat(scheduler.workers[FIRST], None)
    assert len(caplog.records) == 3


def test_transfers_from_workers_that_are_not_there_are_left_out(scheduler, plugin, caplog):
    before = known(plugin)
    plugin.heartbeat(scheduler.workers[FIRST], told(changed(GOOD, 0, THIRD), changed(GOOD, 0, "x" * 10**6), machine="a"))
    assert known(plugin) == before
    assert not caplog.records
    plugin.heartbeat(scheduler.workers[FIRST], told(changed(GOOD, 0, THIRD), GOOD, machine="a"))
    assert plugin.told()["pairs"][0]["samples"] == 6


@pytest.mark.parametrize("line", [
    changed(GOOD, 4, 3e-7), (SECOND, "pickled", 1_000_000, 0, 0.1), (SECOND, "pickled", 1_000_000, 1 << 50, 8.64e10),
    (SECOND, "pickled", 1, 1 << 50, 113.0), list(GOOD),
], ids=str)  # fmt: skip
def test_the_smallest_and_the_largest_that_is_valid_does_no_harm(scheduler, plugin, caplog, line):
    plugin.heartbeat(scheduler.workers[FIRST], told(line, machine="a"))
    assert not caplog.records
    (pair,) = plugin.told()["pairs"]
    assert all(math.isfinite(value) and value > 0 for value in pair.values() if isinstance(value, float))


def test_a_full_heartbeat_is_quick(scheduler, plugin):
    full = told(*[changed(GOOD, 2, 10)] * transfers.MOST, machine="a")
    begin = time.process_time()
    plugin.heartbeat(scheduler.workers[FIRST], full)
    assert time.process_time() - begin < 0.5
    assert plugin.told()["pairs"][0]["samples"] == 3 + 10 * transfers.MOST


def test_a_worker_that_knows_no_place_is_where_its_host_is(scheduler, plugin):
    plugin.heartbeat(scheduler.workers[FIRST], {"place": {}, "transfers": []})
    assert plugin.knowledge.place(FIRST).group == ("host 10.0.0.1", None, None)


def test_reading_gives_nothing_before_all_is_read():
    with pytest.raises(ValueError, match="five values"):
        heartbeats.transfers([GOOD, None], [SECOND])
    assert list(heartbeats.transfers([GOOD], [SECOND])) == [(SECOND, "pickled", (3, 3000, 0.25))]


def test_starting_and_putting_back(scheduler, caplog):
    own = scheduler.get_comm_cost(job(100), None)
    plugin = scheduler.learns_with(LearnBandwidths())
    assert "get_comm_cost" in vars(scheduler)
    assert scheduler.extensions == {NAME: plugin}
    plugin.put_back()
    plugin.put_back()
    assert "get_comm_cost" not in vars(scheduler)
    assert scheduler.get_comm_cost(job(100), None) == own
    plugin.heartbeat(worker(FIRST), None)  # it is not read
    assert plugin.told() == {"why_not": "it was switched off"}
    assert not caplog.records


def job(nbytes):
    """Return a task with a dependency of so many bytes."""
    return types.SimpleNamespace(dependencies=[types.SimpleNamespace(nbytes=nbytes)])


def test_a_plugin_that_dask_starts_twice_goes_on(scheduler, caplog):
    """Dask does so with one that a preload has registered."""
    plugin = scheduler.learns_with(LearnBandwidths())
    scheduler.learns_with(plugin)
    plugin.heartbeat(scheduler.workers[FIRST], told(GOOD))
    assert plugin.told()["pairs"]
    assert not caplog.records


def test_one_that_dask_has_removed_gives_way_to_the_next(scheduler, plugin, caplog):
    del scheduler.plugins[NAME]
    second = scheduler.learns_with(LearnBandwidths())
    assert not caplog.records
    assert scheduler.get_comm_cost is second._cost
    plugin.heartbeat(scheduler.workers[FIRST], told(GOOD))
    assert scheduler.get_comm_cost is second._cost
    second.heartbeat(scheduler.workers[FIRST], told(GOOD))
    assert second.told()["pairs"][0]["samples"] == 3


class OtherArguments(Scheduler):
    """A scheduler whose method has other arguments."""

    def get_comm_cost(self, ts, ws, more=None):
        """Return something."""
        return 0.0


class NoMethod(Scheduler):
    """A scheduler that has no such method."""

    get_comm_cost = None


class OverTcp(Scheduler):
    """A scheduler whose transfers are not measured."""

    address = "tcp://10.0.0.9:8786"


@pytest.mark.parametrize(("cls", "why"), [
    (OtherArguments, "Scheduler.get_comm_cost has the arguments self, ts, ws, more"),
    (NoMethod, "Scheduler.get_comm_cost is not there"), (OverTcp, "only transfers over ucx:// are measured"),
], ids=["arguments", "none", "tcp"])  # fmt: skip
def test_a_scheduler_that_is_not_as_expected_is_left_alone_with_one_line(caplog, cls, why):
    scheduler = cls(FIRST)
    with caplog.at_level(logging.DEBUG):
        plugin = scheduler.learns_with(LearnBandwidths())
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert why in record.message
    assert "get_comm_cost" not in vars(scheduler)
    assert not scheduler.extensions
    assert not scheduler.worker_plugins
    assert why in plugin.told()["why_not"]
    plugin.heartbeat(worker(FIRST), told(GOOD))
    plugin.put_back()


def test_a_method_that_somebody_has_replaced_stays(scheduler, caplog):
    scheduler.get_comm_cost = len
    plugin = scheduler.learns_with(LearnBandwidths())
    assert "somebody has replaced" in caplog.text
    plugin.put_back()
    assert scheduler.get_comm_cost is len


def test_what_somebody_replaces_later_stays_when_it_is_put_back(scheduler, plugin):
    scheduler.get_comm_cost = len
    plugin.put_back()
    assert scheduler.get_comm_cost is len


def test_a_plugin_that_dask_removes_ends_with_the_next_heartbeat(scheduler, plugin):
    del scheduler.plugins[NAME]  # as `unregister_scheduler_plugin` does
    plugin.heartbeat(scheduler.workers[FIRST], told(GOOD))
    assert plugin.told() == {"why_not": "it was switched off"}
    assert "get_comm_cost" not in vars(scheduler)


def test_starting_waits_for_nothing(scheduler):
    """Dask registers a plugin when its start has returned: a heartbeat in between would take it for one that was removed."""

    async def start():
        plugin = LearnBandwidths()
        with pytest.raises(StopIteration):
            plugin.start(scheduler).send(None)
        assert scheduler.worker_plugins == {}
        await plugin.told_workers()
        assert list(scheduler.worker_plugins) == [NAME]

    asyncio.run(start())
