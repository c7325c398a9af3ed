# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Several prepared transfers that one condition starts, and starts that end when the iteration has begun."""

import gc

import pytest
from conditional import DEADLINE, Pair

import ucxx
from ucxx import core
from ucxx.exceptions import UCXCanceledError, UCXInvalidParamError


@pytest.fixture
def pair(options):
    """Return one, by each channel."""
    return Pair(options)


class Plans:
    """Three prepared transfers of one pair."""

    def __init__(self, pair, partitions=1):
        """Prepare them."""
        self.sources = [bytearray(64) for _ in range(3)]
        self.targets = [bytearray(64) for _ in range(3)]
        self.sends = [pair.left.prepare_send(each, i, partitions=partitions) for i, each in enumerate(self.sources)]
        self.receives = [pair.right.prepare_recv(each, i) for i, each in enumerate(self.targets)]

    def fill(self, value):
        """Change what is sent."""
        for source in self.sources:
            source[:] = bytes([value]) * 64

    def have(self, value):
        """Tell whether that has come."""
        return all(target == bytes([value]) * 64 for target in self.targets)

    def are_done(self, iteration):
        """Tell whether that iteration has ended."""
        return all(plan.iterations == iteration and plan.completed for plan in (*self.sends, *self.receives))


def test_one_trigger_starts_all(pair):
    plans = Plans(pair)
    core.start_all(plans.receives)
    filled = ucxx.cuda.host()
    started = core.start_all(plans.sends, condition=filled)
    plans.fill(7)
    assert not started.completed and [send.iterations for send in plans.sends] == [0, 0, 0]
    filled.trigger()
    pair.until(lambda: started.completed and plans.are_done(1))
    started.check_error()
    assert plans.have(7) and filled.epoch == 1


def test_it_ends_when_all_have_begun(pair):
    plans = Plans(pair, partitions=4)
    again = ucxx.cuda.host(repeat=True)
    started = core.start_all(plans.sends, condition=again, until="begun")
    for value in range(1, 6):
        plans.fill(value)
        again.trigger()
        pair.until(lambda value=value: again.epoch == value)
        assert not any(send.completed for send in plans.sends)
        core.start_all(plans.receives)
        for send in plans.sends:
            send.ready()
        pair.until(lambda value=value: plans.are_done(value))
        assert plans.have(value)
    again.close()
    pair.until(lambda: started.completed)
    assert started.wait(DEADLINE) is None


def test_a_cancel_takes_back_what_has_not_begun(pair):
    plans = Plans(pair)
    later = ucxx.cuda.host()
    started = core.start_all(iter(plans.sends), condition=later)
    started.cancel()
    pair.until(lambda: started.completed)
    with pytest.raises(UCXCanceledError):
        started.wait(DEADLINE)
    core.start_all([*plans.sends, *plans.receives], until="ended")
    pair.until(lambda: plans.are_done(1))


def test_the_others_begin_when_one_is_closed(pair):
    plans = Plans(pair)
    now = ucxx.cuda.host()
    started = core.start_all(plans.receives, condition=now, until="begun")
    closed = plans.receives[0].close()
    pair.until(lambda: closed.completed)
    now.trigger()
    pair.until(lambda: started.completed)
    with pytest.raises(UCXCanceledError, match="closed at this end"):
        started.check_error()
    assert [plan.iterations for plan in plans.receives[1:]] == [1, 1]


def test_they_may_be_dropped(pair):
    plans = Plans(pair)
    now = ucxx.cuda.host()
    started = core.start_all(plans.sends, condition=now)
    del plans
    gc.collect()
    now.trigger()
    pair.until(lambda: started.completed)


def test_wrong_arguments():
    pair, other = Pair({}), Pair({})
    plans, strange = Plans(pair), other.left.prepare_send(b"x", 1)
    now = ucxx.cuda.host()
    sends = plans.sends
    for call, kind, text in (
        (lambda: core.start_all(sends, condition=now, until="end"), ValueError, "\"ended\" or \"begun\", got 'end'"),
        (lambda: core.start_all(sends, until=None), ValueError, '"ended" or "begun", got None'),
        (lambda: sends[0].start(until=1), ValueError, '"ended" or "begun", got 1'),
        (lambda: core.start_all(sends, condition=now, stream=16), TypeError, "a condition or a stream, not both"),
        (lambda: core.start_all(sends, now), TypeError, "positional"),
        (lambda: core.start_all(sends, condition=5), TypeError, "condition"),
        (lambda: core.start_all([*sends, 5], condition=now), TypeError, "number 3 is int"),
        (lambda: core.start_all([], condition=now), UCXInvalidParamError, "there are no plans"),
        (lambda: core.start_all([*sends, sends[1]], condition=now), UCXInvalidParamError, "plan 3 of 4 is plan 1"),
        (lambda: core.start_all([*sends, strange], condition=now), UCXInvalidParamError, "of another worker"),
    ):
        with pytest.raises(kind, match=text):
            call()
    assert [send.iterations for send in sends] == [0, 0, 0]
    now.close()
    with pytest.raises(UCXInvalidParamError, match="condition is closed"):
        core.start_all(sends, condition=now)
    core.start_all([*sends, *plans.receives], until="begun")
    pair.until(lambda: plans.are_done(1))
