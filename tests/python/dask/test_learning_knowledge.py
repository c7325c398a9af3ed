# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a scheduler knows of the ways between its workers, and what it forgets."""

import pytest
from learning import FIRST, SECOND, THIRD

from ucxx.dask.learning import knowledge as module
from ucxx.dask.learning.kinds import DEVICE, HOST, PICKLED
from ucxx.dask.learning.knowledge import Knowledge

FOURTH = "ucx://10.0.0.1:6000"  # on the host of the first
MEGABYTE = 1_000_000
SLOW = (40, 40 * MEGABYTE, 40 * 1.0)  # a megabyte a second
NVLINK = {"1": ["NV2", 40.0, 20.0]}


@pytest.fixture
def known():
    """Return what is known of workers of three machines."""
    made = Knowledge()
    for address, machine in ((FIRST, "a"), (FOURTH, "a"), (SECOND, "b"), (THIRD, "c")):
        made.put(address, {"machine": machine})
    return made


def seconds(known, holder, receiver, kind=HOST):
    """Return what a megabyte from one worker to another takes."""
    return known.way(known.place(holder), known.place(receiver), kind).seconds(MEGABYTE)


def test_what_nothing_is_known_of_is_as_its_prior_says(known):
    assert seconds(known, FIRST, FOURTH) == pytest.approx(20e-6 + 1e-4)
    assert seconds(known, FIRST, SECOND) == pytest.approx(60e-6 + 1e-3)


def test_machines_have_values_in_each_direction_and_the_class_learns_too(known):
    before = seconds(known, SECOND, FIRST)
    known.learn(FIRST, SECOND, HOST, SLOW)
    assert seconds(known, FIRST, SECOND) > 0.5
    assert seconds(known, FOURTH, SECOND) > 0.5  # another worker of that machine
    known.learn(SECOND, FIRST, HOST, (40, 40 * MEGABYTE, 40 * before))
    assert seconds(known, SECOND, FIRST) < 0.1 < seconds(known, FIRST, SECOND)
    assert seconds(known, FIRST, FOURTH) < 1e-3
    assert seconds(known, FIRST, SECOND, PICKLED) == pytest.approx(60e-6 + 1e-3)


def test_machines_without_transfers_have_what_their_class_has_learnt(known):
    known.learn(FIRST, SECOND, HOST, SLOW)
    assert seconds(known, SECOND, THIRD) == seconds(known, THIRD, SECOND) > 0.5


def test_a_way_inside_a_machine_is_that_of_its_class(known):
    known.put(SECOND, {"machine": "a"})
    known.learn(FIRST, FOURTH, HOST, SLOW)
    assert seconds(known, FIRST, SECOND) > 0.5
    assert [(link, kind) for link, kind, estimate in known.classes([FIRST]) if estimate.samples] == [("shared memory", HOST)]


def test_a_worker_that_moves_is_somewhere_else_at_once(known):
    assert seconds(known, FIRST, SECOND) > 1e-3
    known.put(SECOND, {"machine": "a"})
    assert seconds(known, FIRST, SECOND) < 1e-3


def test_before_the_first_heartbeat_the_host_decides():
    known = Knowledge()
    assert seconds(known, FIRST, FOURTH) < 1e-3 < seconds(known, FIRST, SECOND)
    known.put(FIRST, {"machine": "a"})
    assert seconds(known, FIRST, FOURTH) < 1e-3
    assert known.place(FOURTH).group == ("host 10.0.0.1", None, None)


def test_what_a_worker_tells_wrongly_changes_nothing(known):
    before = known.place(FIRST)
    with pytest.raises(ValueError, match="no index of a GPU"):
        known.put(FIRST, {"machine": "x", "gpu": "y"})
    assert known.place(FIRST) == before


def test_gpus_have_a_class_of_their_own_for_what_is_on_them():
    known = Knowledge()
    known.put(FIRST, {"machine": "a", "gpu": 0, "links": NVLINK})
    known.put(FOURTH, {"machine": "a", "gpu": 1, "links": {}})
    assert seconds(known, FIRST, FOURTH, DEVICE) == pytest.approx(20e-6 + 1e-3 / 40)
    assert seconds(known, FIRST, FOURTH) == pytest.approx(20e-6 + 1e-4)
    known.learn(FOURTH, FIRST, DEVICE, SLOW)
    assert seconds(known, FIRST, FOURTH, DEVICE) > 0.5 > seconds(known, FIRST, FOURTH)
    links = {(link, kind): estimate.samples for link, kind, estimate in known.classes([FIRST, FOURTH])}
    assert links[("NV2", DEVICE)] == 40
    assert ("NV2", HOST) not in links


def test_the_table_has_what_may_lie_between_workers(known):
    rows = [(link, kind) for link, kind, _ in known.classes([FIRST, FOURTH, SECOND])]
    assert rows == [(link, kind) for link in ("network", "shared memory") for kind in (HOST, PICKLED)]
    assert [link for link, _, _ in Knowledge().classes([])] == []


def test_who_has_gone_is_forgotten_and_what_was_learnt_of_the_link_is_not(known):
    for one, other in ((FIRST, SECOND), (SECOND, FIRST), (SECOND, THIRD)):
        known.learn(one, other, HOST, SLOW)
    known.forget(FIRST)
    known.forget(FIRST)
    assert [pair[:2] for pair in known.pairs()] == [(SECOND, THIRD)]
    assert known.place(FIRST).machine == ""
    known.put(FIRST, {"machine": "a"})  # it comes back
    assert seconds(known, FIRST, SECOND) > 0.5


def test_what_is_not_used_fades_and_what_is_used_does_not(known):
    known.learn(FIRST, SECOND, HOST, SLOW)
    known.fade(60)
    learnt = seconds(known, FIRST, SECOND)
    assert learnt > 0.5
    for _ in range(600):
        known.learn(SECOND, THIRD, PICKLED, SLOW)
        known.fade(1)
    assert seconds(known, FIRST, SECOND) == pytest.approx(60e-6 + 1e-3, rel=0.01)
    assert seconds(known, SECOND, THIRD, PICKLED) > 0.5


def test_classes_have_a_limit_and_one_over_it_is_still_a_way(known, monkeypatch):
    monkeypatch.setattr(module, "_MOST_CLASSES", 5)
    for number in range(20):
        known.put(FIRST, {"machine": "a", "card": ["x", "infiniband", 1.0 + number]})
        known.learn(SECOND, FIRST, HOST, SLOW)
        assert seconds(known, SECOND, FIRST) > 0.5
    assert len(list(known.classes([FIRST]))) == 5


def test_pairs_of_workers_and_of_machines_have_a_limit_and_the_latest_stay(known, monkeypatch):
    monkeypatch.setattr(module, "_MOST_PAIRS", 10)
    known.learn(FIRST, SECOND, HOST, SLOW)
    for number in range(30):
        other = f"ucx://10.0.1.{number}:1"
        known.put(other, {"machine": f"made up {number}"})
        known.learn(other, THIRD, HOST, SLOW)
        known.learn(FIRST, SECOND, HOST, SLOW)
    pairs = list(known.pairs())
    assert len(pairs) == 10
    assert pairs[-1][:3] == (FIRST, SECOND, HOST)
    assert pairs[-1][3].samples == 40 * 31
    assert len(known._machines) == 10
    assert seconds(known, FIRST, SECOND) > 0.5


def test_ways_have_a_limit(known, monkeypatch):
    monkeypatch.setattr(module, "_MOST_WAYS", 10)
    for number in range(50):
        seconds(known, FIRST, f"ucx://10.0.1.{number}:1")
    assert len(known._ways) <= 10
