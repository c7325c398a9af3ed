# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Latency and bandwidth follow what is measured, and one transfer that had to wait changes little."""

import datetime
import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ucxx.dask.learning import heartbeats
from ucxx.dask.learning.estimate import QUICKEST, SHORTEST, Estimate

LATENCY, PER_BYTE = 20e-6, 1e-10  # what is true of a link here
SIZES = [100, 10_000, 1_000_000, 100_000_000]


def takes(nbytes, factor=1.0):
    """Return the seconds that a transfer takes, or one of a link that is so many times slower."""
    return factor * (LATENCY + nbytes * PER_BYTE)


def taught(estimate, nbytes, times, factor=1.0):
    """Have an estimate learn from equal transfers, one by one, and return it."""
    for _ in range(times):
        estimate.learn(1, nbytes, takes(nbytes, factor))
    return estimate


def is_near(value, wanted, factor):
    """Tell whether a value is another one but for a factor."""
    return abs(math.log(value / wanted)) <= math.log(factor)


@pytest.mark.parametrize("nbytes", SIZES)
@pytest.mark.parametrize("wrong", [1000, 1 / 1000])
def test_a_wrong_prior_is_corrected_within_20_transfers(wrong, nbytes):
    estimate = taught(Estimate((LATENCY * wrong, PER_BYTE * wrong)), nbytes, 20)
    assert is_near(estimate.seconds(nbytes), takes(nbytes), 1.25)
    assert estimate.prior == pytest.approx((max(LATENCY * wrong, 1e-7), PER_BYTE * wrong))  # latencies have a least
    assert estimate.samples == 20


@pytest.mark.parametrize("nbytes", SIZES)
@pytest.mark.parametrize("factor", [100, 1 / 100])
def test_a_link_that_changes_is_seen_within_20_transfers_and_that_it_is_as_before(factor, nbytes):
    estimate = taught(Estimate((LATENCY, PER_BYTE)), nbytes, 100)
    taught(estimate, nbytes, 20, factor)
    assert is_near(estimate.seconds(nbytes), max(takes(nbytes, factor), 1e-7), 1.25)
    taught(estimate, nbytes, 20)
    assert is_near(estimate.seconds(nbytes), takes(nbytes), 1.25)


@pytest.mark.parametrize("nbytes", SIZES)
@pytest.mark.parametrize("factor", [1000, 1 / 1000])
def test_one_transfer_that_had_to_wait_changes_little(factor, nbytes):
    estimate = taught(Estimate((LATENCY, PER_BYTE)), nbytes, 20)
    taught(estimate, nbytes, 1, factor)
    assert is_near(estimate.seconds(nbytes), takes(nbytes), 1.4)
    assert not is_near(estimate.seconds(nbytes), takes(nbytes), 1.05)  # and it is not without a trace


@pytest.mark.parametrize("wrong", [(30, 1), (1, 30), (1 / 30, 30)])
def test_latency_and_bandwidth_are_told_apart_by_small_and_large_transfers(wrong):
    estimate = Estimate((LATENCY * wrong[0], PER_BYTE * wrong[1]))
    for _ in range(40):
        taught(estimate, 100, 1)
        taught(estimate, 100_000_000, 1)
    assert is_near(estimate.latency, LATENCY, 1.1)
    assert is_near(estimate.per_byte, PER_BYTE, 1.1)


def test_sums_of_many_transfers_teach_as_much_as_each_of_them():
    singly, at_once = (taught(Estimate((1.0, 1e-6)), 10_000, 5) for _ in range(2))
    taught(singly, 10_000, 30)
    at_once.learn(30, 300_000, takes(10_000) * 30)
    assert (at_once.latency, at_once.per_byte) == pytest.approx((singly.latency, singly.per_byte), rel=0.02)
    assert at_once.samples == singly.samples == 35


def test_a_sum_of_a_million_transfers_takes_no_longer_than_one_of_a_hundred():
    estimate = Estimate((1.0, 1e-6))
    begin = time.process_time()
    estimate.learn(1_000_000, 10_000 * 1_000_000, takes(10_000) * 1_000_000)
    assert time.process_time() - begin < 0.1  # a correction for each would take a second
    assert is_near(estimate.seconds(10_000), takes(10_000), 1.02)
    assert estimate.samples == 1_000_000


def test_spread_is_the_factor_by_which_transfers_miss():
    steady, restless = (taught(Estimate((LATENCY, PER_BYTE)), 1_000_000, 1) for _ in range(2))
    for number in range(100):
        taught(steady, 1_000_000, 1)
        taught(restless, 1_000_000, 1, (2, 1 / 2)[number % 2])
    assert steady.spread == pytest.approx(1, abs=0.01)
    assert 1.7 < restless.spread < 2.5


def test_a_prior_that_was_wrong_is_no_spread():
    estimate = Estimate((LATENCY, PER_BYTE))
    for _ in range(3):
        estimate.learn(30, 30 * 1_000_000, 30 * takes(1_000_000, 10))
    assert estimate.spread == pytest.approx(1, abs=0.05)


def test_spread_of_sums_is_that_of_what_they_say_on_average():
    estimate = taught(Estimate((LATENCY, PER_BYTE)), 1_000_000, 1)
    for number in range(100):
        estimate.learn(50, 50_000_000, 50 * takes(1_000_000, (2, 1 / 2)[number % 2]))
    assert estimate.spread > 2


def test_what_is_not_used_goes_back_to_what_was_believed_first():
    estimate = taught(Estimate((LATENCY, PER_BYTE)), 1_000_000, 50, 100)
    slow = estimate.seconds(1_000_000)
    for _ in range(60):
        estimate.fade(1.0)
    assert takes(1_000_000) * 2 < estimate.seconds(1_000_000) < slow / 5
    estimate.fade(600.0)
    assert is_near(estimate.seconds(1_000_000), takes(1_000_000), 1.01)
    assert estimate.samples == 50
    taught(estimate, 1_000_000, 3, 100)  # and learns as quickly as at the beginning
    assert estimate.seconds(1_000_000) > 10 * takes(1_000_000)


def test_an_estimate_begins_with_another_one():
    first = taught(Estimate((1.0, 1e-6)), 1_000_000, 50)
    second = Estimate(first)
    assert second.prior == (second.latency, second.per_byte) == (first.latency, first.per_byte)
    assert (second.samples, second.spread) == (0, 1.0)
    taught(second, 1_000_000, 20, 100)
    assert is_near(first.seconds(1_000_000), takes(1_000_000), 1.1)


SUMS = st.integers(1, heartbeats._MOST_TRANSFERS).flatmap(lambda count: st.tuples(
    st.just(count), st.integers(0, heartbeats._MOST_BYTES),
    st.floats(0, heartbeats._MOST_SECONDS * count, exclude_min=True),
))  # fmt: skip
POSITIVE = st.floats(0, exclude_min=True, allow_infinity=False)


@settings(deadline=datetime.timedelta(seconds=2), max_examples=150, derandomize=True, database=None)
@given(st.tuples(POSITIVE, POSITIVE), st.lists(SUMS, max_size=30), st.lists(st.floats(0, 1e9), max_size=3))
def test_whatever_a_heartbeat_may_say_leaves_positive_numbers(prior, sums, pauses):
    estimate = Estimate(prior)
    for count, nbytes, seconds in sums:
        one = (count, nbytes, max(seconds, count * SHORTEST, nbytes * QUICKEST))
        assert list(heartbeats.transfers([("a", "pickled", *one)], ["a"]))  # valid
        estimate.learn(*one)
        for pause in pauses:
            estimate.fade(pause)
        for value in (estimate.latency, estimate.per_byte, estimate.seconds(1 << 50), estimate.spread):
            assert math.isfinite(value)
            assert value > 0
    assert estimate.samples == sum(count for count, _, _ in sums)
