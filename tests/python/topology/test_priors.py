# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is believed of two places until something has been measured."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_machines import KINDS, RATES, any_machine, checked, dgx1, linked, machine

from ucxx.topology import Card, Closeness, Gpu, Link, priors
from ucxx.topology.machine import pair_of

CARDS = st.none() | st.builds(Card, st.sampled_from(["a", "b"]), kind=st.sampled_from(KINDS), gb_per_s=RATES)
# What 200 Gb/s are in 1e9 bytes a second.
FAST = Card("mlx5_0", kind="infiniband", gb_per_s=25), Card("mlx5_1", kind="roce", gb_per_s=25)


def two(closeness=Closeness.PIX, **links):
    """Return a machine of two GPUs with this between them, and perhaps a link."""
    more = {"links": {(0, 1): Link(**links)}} if links else {}
    return machine(gpus=(Gpu(0), Gpu(1)), between={pair_of("GPU0", "GPU1"): closeness}, **more)


def figures(prior):
    """Return what a scheduler takes of a prior."""
    return prior.gb_per_s, prior.latency_us


@checked(max_examples=60)
@given(any_machine(least_gpus=1), CARDS, CARDS)
def test_priors_of_gpus_are_symmetric_and_have_a_reason(made, card, other_card):
    for one, other in itertools.product([gpu.index for gpu in made.gpus], repeat=2):
        there = priors.between_gpus(made, one, other, (card, other_card))
        back = priors.between_gpus(made, other, one, (other_card, card))
        assert figures(there) == figures(back)
        assert there.gb_per_s > 0 and there.latency_us > 0 and there.why
        link = made.link(one, other)
        assert link is None or there.gb_per_s >= priors.rate_of_link(link)


@checked(max_examples=60)
@given(any_machine(least_gpus=2))
def test_reason_says_whether_there_is_a_link(made):
    for one, other in itertools.combinations([gpu.index for gpu in made.gpus], 2):
        why = priors.between_gpus(made, one, other).why
        assert ("no link" in why) == (made.link(one, other) is None)


def test_reason_names_cards_that_are_quicker_than_the_link():
    prior = priors.between_gpus(two(width=1), 0, 1, FAST)
    assert prior.gb_per_s == 25 * 0.85
    assert "cards mlx5_0 and mlx5_1" in prior.why and "no link" not in prior.why


@checked()
@given(CARDS, CARDS)
def test_priors_between_machines_are_symmetric_and_have_a_reason(one, other):
    there, back = priors.between_machines(one, other), priors.between_machines(other, one)
    assert figures(there) == figures(back)
    assert there.gb_per_s > 0 and there.latency_us == 60 and there.why
    rates = [rate for card in (one, other) if card and (rate := priors.rate_of_card(card))]
    assert all(there.gb_per_s <= rate for rate in rates)


@pytest.mark.parametrize(("closeness", "rate"), [
    (Closeness.PIX, 6), (Closeness.PXB, 6), (Closeness.PHB, 4), (Closeness.NODE, 4), (Closeness.SYS, 1),
])  # fmt: skip
def test_gpus_without_a_link_have_pcie(closeness, rate):
    prior = priors.between_gpus(two(closeness), 0, 1)
    assert figures(prior) == (rate, 20)
    assert prior.why.startswith("no link; ") and prior.why.endswith(f"({closeness.name})")


@pytest.mark.parametrize(("link", "rate", "why"), [
    ({"width": 1}, 20, "1 NVLink"), ({"width": 2}, 40, "2 NVLinks"), ({"width": 18}, 360, "18 NVLinks"),
    ({"width": 2, "gb_per_s": 46.0}, 46, "2 NVLinks"), ({"gb_per_s": 450.0}, 450, "NVLink"),
    ({"kind": "XGMI"}, 40, "XGMI"), ({"kind": "XGMI", "width": 2}, 80, "2 XGMI"), ({"kind": "NVLink"}, 20, "NVLink"),
])  # fmt: skip
def test_links_count_by_their_bandwidth_else_by_their_number(link, rate, why):
    prior = priors.between_gpus(two(**link), 0, 1)
    assert (figures(prior), prior.why) == ((rate, 20), why)


def test_slow_link_counts_as_pcie():
    prior = priors.between_gpus(two(width=1, gb_per_s=2.0), 0, 1)
    assert (prior.gb_per_s, prior.why) == (6, "one PCIe switch (PIX)")


@pytest.mark.parametrize(("card", "rate"), [
    (Card("ib0", kind="infiniband", gb_per_s=12.5), 12.5 * 0.85), (Card("mlx5_0", kind="roce", gb_per_s=25), 25 * 0.85),
    (Card("ib0", kind="infiniband"), None), (Card("eth0", kind="ethernet", gb_per_s=1.25), 1.25 * 0.9),
    (Card("eth0", kind="ethernet"), 1),
])  # fmt: skip
def test_cards_carry_a_part_of_their_rate(card, rate):
    assert priors.rate_of_card(card) == rate


@pytest.mark.parametrize(("one", "other", "prior"), [
    (None, None, priors.Prior(1, 60, "a network that nothing is known of", "network")),
    (FAST[0], None, priors.Prior(25 * 0.85, 60, "mlx5_0", "InfiniBand 21.2 GB/s")),
    (FAST[0], Card("eth0", kind="ethernet"), priors.Prior(1, 60, "mlx5_0 and eth0", "Ethernet and InfiniBand 1 GB/s")),
    (Card("ib0", kind="infiniband"), None, priors.Prior(1, 60, "ib0", "InfiniBand 1 GB/s")),
])  # fmt: skip
def test_slower_card_counts_between_machines(one, other, prior):
    assert priors.between_machines(one, other) == prior


def test_cards_carry_what_has_no_link():
    prior = priors.between_gpus(two(), 0, 1, FAST)
    assert (figures(prior), prior.why) == ((25 * 0.85, 60), "no link; cards mlx5_0 and mlx5_1")


def test_slower_card_counts_between_gpus():
    prior = priors.between_gpus(two(), 0, 1, (Card("ib0", kind="infiniband", gb_per_s=12.5), FAST[1]))
    assert figures(prior) == (12.5 * 0.85, 60)


@pytest.mark.parametrize("card", [None, Card("eth0", kind="ethernet", gb_per_s=50), Card("ib0", kind="infiniband")])
def test_cards_that_are_not_known_to_be_quick_carry_nothing(card):
    assert priors.between_gpus(two(), 0, 1, (FAST[0], card)).gb_per_s == 6


def test_relays_are_named_and_not_counted():
    prior = priors.between_gpus(linked(4, {(0, 1): 1, (1, 2): 1, (0, 3): 2, (2, 3): 2}), 0, 2)
    assert prior.gb_per_s < 20
    assert prior.why.startswith("no link; ") and prior.why.endswith("; GPU3 or GPU1 could relay, which nothing does")


def test_one_gpu_is_quicker_than_two():
    assert priors.between_gpus(two(width=4), 1, 1).gb_per_s > priors.between_gpus(two(width=4), 0, 1).gb_per_s


def test_gpu_that_is_not_there_is_refused():
    with pytest.raises(KeyError, match="2"):
        priors.between_gpus(two(), 0, 2)


def test_host_memory():
    assert priors.inside() == priors.Prior(10, 20, "shared memory", "shared memory")
    assert priors.staged().latency_us == 300 and "one of the two has no GPU" in priors.staged().why


def test_table_has_every_figure():
    said = priors.table()
    rows = said.splitlines()
    for figure in [*priors.RATES.values(), *priors.LATENCIES.values()]:
        assert figure.value > 0 and figure.what and figure.source
        assert any(figure.what in row and f" {figure.value:g} " in row for row in rows)
    assert "85%" in said and "90%" in said
    assert len(rows) == 2 + len(priors.RATES) + 2 + len(priors.LATENCIES)
    assert {row.count("|") for row in rows} == {4}


def test_dgx1_believes_in_its_links_and_its_sockets():
    made = dgx1()
    rates = {pair: priors.between_gpus(made, *pair).gb_per_s for pair in itertools.combinations(range(8), 2)}
    assert {rates[pair] for pair, link in made.links.items() if link.width == 2} == {40}
    assert {rates[pair] for pair, link in made.links.items() if link.width == 1} == {20}
    assert {rate for pair, rate in rates.items() if pair not in made.links} == {1}


def test_names_of_cards_steer_no_terminal():
    cards = (Card("\x1b[31m", kind="roce", gb_per_s=25), Card("\x9b", kind="roce", gb_per_s=25))
    assert priors.between_machines(*cards).why == "?[31m and ?"
    assert priors.between_gpus(two(), 0, 1, cards).why.endswith("cards ?[31m and ?")
