# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Where workers belong: properties of any machine, a DGX-1, what is refused, and a machine of 4,096 cores."""

import itertools
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_machines import any_allowed, any_machine, big, checked, dgx1, machine

from ucxx.topology import Card, Core, Gpu, Machine, format_cpus, parse_cpus
from ucxx.topology.placement import number_by_core, place


@st.composite
def any_request(draw, ways=("gpu", "numa", "core"), *, is_bare=True):
    """Draw a machine and the arguments by which its workers are placed."""
    by = draw(st.sampled_from(ways))
    made = draw(any_machine(least_gpus=by == "gpu", is_bare=is_bare))
    return made, {
        "by": by,
        "n_workers": draw(st.none() | st.integers(1, 12)),
        "cores_each": draw(st.integers(1, 5)),
        "allowed": draw(any_allowed(made)),
    }


def usable(made, allowed):
    """Return the CPUs that workers may use."""
    return made.cpus if allowed is None else made.cpus & allowed


def near(made, gpu):
    """Return the CPUs near a GPU: its own, else those of its node, else all."""
    return gpu.cpus or (frozenset() if gpu.node is None else made.cpus_of(gpu.node)) or made.cpus


def regions_of(made, places, by, allowed):
    """Return the CPUs from which each worker may have some."""
    regions = {"gpu": lambda at: near(made, at.gpu), "numa": lambda at: frozenset().union(*map(made.cpus_of, at.nodes))}
    return [regions[by](at) & usable(made, allowed) for at in places]


def n_cores(made, cpus):
    """Return how many cores have one of these CPUs."""
    return sum(bool(core.cpus & cpus) for core in made.cores)


def placed(made, *, by, allowed, **more):
    """Return the places, and nothing where a GPU is near none of the CPUs that may be used, which must be told."""
    try:
        return place(made, by, allowed=allowed, **more)
    except ValueError as error:
        far = [gpu for gpu in made.gpus if not near(made, gpu) & usable(made, allowed)]
        assert by == "gpu" and far
        assert f"{far[0].name} is near the CPUs {format_cpus(near(made, far[0]))}, and" in str(error)
        return ()


def as_text(places):
    """Return the CPUs of each worker as a text."""
    return [format_cpus(at.cpus) for at in places]


@checked()
@given(any_request(is_bare=False))
def test_every_worker_has_cpus_that_it_may_use(drawn):
    made, how = drawn
    for at in placed(made, **how):
        assert at.cpus and at.cpus <= usable(made, how["allowed"])
        assert set(at.nodes) == {core.node for core in made.cores if core.cpus & at.cpus}
        assert at.is_pinned
        assert at.card is None or at.card in made.cards
        assert ("no card" in at.why) == (at.card is None)


@checked()
@given(any_request(["gpu"]))
def test_each_gpu_has_a_worker(drawn):
    made, how = drawn
    places = placed(made, by="gpu", allowed=how["allowed"])
    assert [at.gpu for at in places] in ([], list(made.gpus))
    places = placed(made, **how)
    if places and how["n_workers"]:
        assert [at.gpu for at in places] == list(itertools.islice(itertools.cycle(made.gpus), how["n_workers"]))


@checked(max_examples=150)
@given(any_request(["gpu", "numa"]))
def test_cores_are_disjoint_where_each_region_has_enough(drawn):
    made, how = drawn
    places = placed(made, **how)
    regions = regions_of(made, places, how["by"], how["allowed"])
    assert all(at.cpus <= region for at, region in zip(places, regions, strict=True))
    if all(sum(other <= region for other in regions) <= n_cores(made, region) for region in regions):
        assert max(Counter(itertools.chain(*(at.cpus for at in places))).values(), default=1) == 1
        assert not any("shares cores" in at.why for at in places)


@checked(max_examples=150)
@given(any_request(["gpu", "numa"]))
def test_cores_of_a_region_are_shared_out_evenly(drawn):
    made, how = drawn
    places = placed(made, **how)
    regions = regions_of(made, places, how["by"], how["allowed"])
    different = set(regions)
    for region in different:
        own = [at for at, wanted in zip(places, regions, strict=True) if wanted == region]
        counts = [n_cores(made, at.cpus) for at in own]
        assert max(counts) - min(counts) <= 1
        if all(region.isdisjoint(other) for other in different - {region}):
            assert frozenset().union(*(at.cpus for at in own)) == region


@checked()
@given(any_request(["core"]))
def test_workers_by_core_get_as_many_cores_each(drawn):
    made, how = drawn
    places = placed(made, **how)
    allowed = usable(made, how["allowed"])
    count = n_cores(made, allowed)
    each = min(how["cores_each"], count)
    inside = sum(n_cores(made, made.cpus_of(node.index) & allowed) // each for node in made.nodes)
    assert len(places) == (how["n_workers"] or inside or count // each)
    if len(places) <= inside:
        assert all(len(at.nodes) == 1 for at in places)
    counts = [n_cores(made, at.cpus) for at in places]
    assert set(counts) <= set(range(1, each + 1))
    if len(places) <= count // each:
        assert set(counts) == {each}
    if len(places) <= count // each * each:
        assert len(frozenset().union(*(at.cpus for at in places))) == sum(len(at.cpus) for at in places)


@checked()
@given(any_request(["numa"]))
def test_workers_by_node_use_all_nodes_in_their_order(drawn):
    made, how = drawn
    places = placed(made, **how)
    nodes = sorted({core.node for core in made.cores if core.cpus & usable(made, how["allowed"])})
    used = [node for at in places for node in at.nodes]
    assert used == sorted(used) and set(used) == set(nodes)
    if how["n_workers"] is None:
        assert used == nodes
    else:
        per_node, per_worker = Counter(used), [len(at.nodes) for at in places]
        assert max(per_node.values()) - min(per_node.values()) <= 1
        assert max(per_worker) - min(per_worker) <= 1
        assert 1 in (max(per_node.values()), max(per_worker))


@checked()
@given(any_request())
def test_shared_cores_are_told(drawn):
    made, how = drawn
    places = placed(made, **how)
    for number, at in enumerate(places):
        others = [other for other in range(number) if places[other].cpus & at.cpus]
        assert ("shares cores with worker" in at.why) == bool(others)
        gpus = [other for other in range(number) if at.gpu is not None and places[other].gpu == at.gpu]
        assert (f"shares {at.gpu.name} with worker {gpus[0]}" in at.why) if gpus else "shares GPU" not in at.why


@checked()
@given(any_request())
def test_workers_that_are_not_pinned_have_the_same_share(drawn):
    made, how = drawn
    for pinned, free in zip(placed(made, **how), placed(made, **how, affinity=None), strict=True):
        assert (free.cpus, free.is_pinned, free.card, free.gpu) == (pinned.cpus, False, pinned.card, pinned.gpu)


def test_dgx1_has_a_quarter_of_a_socket_for_each_gpu():
    places = place(dgx1(), "gpu")
    assert as_text(places) == ["0-4,40-44", "5-9,45-49", "10-14,50-54", "15-19,55-59",
                               "20-24,60-64", "25-29,65-69", "30-34,70-74", "35-39,75-79"]  # fmt: skip
    assert [at.gpu.index for at in places] == list(range(8))
    assert [at.nodes for at in places] == [(0,)] * 4 + [(1,)] * 4
    assert [at.card.name for at in places] == ["ib0", "ib0", "ib2", "ib2", "ib1", "ib1", "ib3", "ib3"]
    assert [at.why for at in places] == [f"{at.card.name} is nearest (PIX)" for at in places]


def test_dgx1_leaves_out_no_core():
    # The fault of old: the cores of GPUs 4 to 7 ended with 78.
    made = dgx1()
    places = place(made, "gpu")
    assert frozenset().union(*(at.cpus for at in places[4:])) == parse_cpus("20-39,60-79")
    assert 79 in places[7].cpus
    assert frozenset().union(*(at.cpus for at in places)) == frozenset(range(80))


@pytest.mark.parametrize("index", range(8))
def test_dgx1_gives_one_gpu_alone_all_cores_near_it(index):
    made = dgx1()
    (at,) = place(made, "gpu", gpus=[made.gpus[index]])
    assert as_text([at]) == ["0-19,40-59" if index < 4 else "20-39,60-79"]


def test_dgx1_with_two_gpus_of_each_socket():
    made = dgx1()
    places = place(made, "gpu", gpus=[made.gpus[index] for index in (6, 1, 4, 3)])
    assert as_text(places) == ["20-29,60-69", "0-9,40-49", "30-39,70-79", "10-19,50-59"]
    assert [at.card.name for at in places] == ["ib3", "ib0", "ib1", "ib2"]


def test_dgx1_by_node_and_by_core():
    made = dgx1()
    assert as_text(place(made, "numa")) == ["0-19,40-59", "20-39,60-79"]
    assert as_text(place(made, "core", cores_each=10)) == ["0-9,40-49", "10-19,50-59", "20-29,60-69", "30-39,70-79"]


def test_nested_regions_have_no_core_in_common():
    made = machine(6, gpus=(Gpu(0), Gpu(1, parse_cpus("0-3")), Gpu(2, parse_cpus("0-1"))))
    assert as_text(place(made, "gpu")) == ["4-5", "2-3", "0-1"]


def test_gpu_that_tells_its_node_alone_has_the_cores_of_the_node():
    made = machine(4, nodes=2, gpus=(Gpu(0, node=1), Gpu(1, node=7), Gpu(2)))
    assert [at.nodes for at in place(made, "gpu", gpus=made.gpus[:1])] == [(1,)]
    assert as_text(place(made, "gpu", gpus=made.gpus[1:2])) == ["0-3"]  # memory of a GPU is a node without a core


def test_threads_of_a_core_stay_together():
    assert as_text(place(machine(4, threads=2), "core")) == ["0,4", "1,5", "2,6", "3,7"]
    assert as_text(place(machine(4, threads=2), "core", allowed=parse_cpus("1-2,4-6"))) == ["4", "1,5", "2,6"]


def test_cores_of_one_node_go_together_however_they_are_numbered():
    made = Machine(cores=tuple(Core(frozenset({cpu}), cpu % 2, cpu % 2) for cpu in range(8)))
    places = place(made, "core", cores_each=2)
    assert [(format_cpus(at.cpus), at.nodes) for at in places] == [
        ("0,2", (0,)), ("4,6", (0,)), ("1,3", (1,)), ("5,7", (1,))]  # fmt: skip


def test_more_workers_than_cores_share_them():
    places = place(machine(2), "core", n_workers=5)
    assert as_text(places) == ["0", "1", "0", "1", "0"]
    assert [at.why.removeprefix("no card") for at in places] == [
        "", "", *(f"; shares cores with worker {other}" for other in (0, 1, 0))]  # fmt: skip
    places = place(machine(2, nodes=2), "numa", n_workers=3)
    assert (as_text(places), [at.nodes for at in places]) == (["0", "0", "1"], [(0,), (0,), (1,)])


def test_two_workers_of_one_gpu_are_told():
    made = machine(4, gpus=(Gpu(0), Gpu(1)))
    places = place(made, "gpu", n_workers=3)
    assert [at.gpu.index for at in places] == [0, 1, 0]
    assert "shares GPU0 with worker 0" in places[2].why and "shares" not in places[0].why + places[1].why
    assert place(made, "gpu", gpus=[*made.gpus, made.gpus[0]]) == places


def test_worker_without_a_gpu_beside_others():
    made = machine(4, nodes=2, gpus=(Gpu(0, parse_cpus("2-3")),), cards=(Card("ib0", node=0), Card("ib1", node=1)))
    places = place(made, "gpu", gpus=[None, made.gpus[0]])
    assert [at.gpu for at in places] == [None, made.gpus[0]]
    assert as_text(places) == ["0-1", "2-3"]


@pytest.mark.parametrize(("affinity", "cpus"), [
    ("0-1", ["0-1"] * 4),
    (["0", "1-2", "3", "0-3"], ["0", "1-2", "3", "0-3"]),
    ([[0], (1, 2), {3}, range(4)], ["0", "1-2", "3", "0-3"]),
    (lambda number: str(3 - number), ["3", "2", "1", "0"]),
    (lambda number: [number, 0], ["0", "0-1", "0,2", "0,3"]),
    ([lambda number: [number], "auto", None, "0-3"], ["0", "1", "2", "0-3"]),
    (iter(["auto"] * 4), ["0", "1", "2", "3"]),
])  # fmt: skip
def test_affinity_that_is_given(affinity, cpus):
    each = affinity if isinstance(affinity, list) else [affinity] * 4
    places = place(machine(4), "core", affinity=affinity)
    assert as_text(places) == cpus
    assert [at.is_pinned for at in places] == [one is not None for one in each]


def test_affinity_is_asked_of_the_index_of_a_gpu():
    made = machine(8, gpus=(Gpu(2), Gpu(5), Gpu(7)))
    places = place(made, "gpu", gpus=[made.gpus[2], None, made.gpus[0]], affinity=str)
    assert as_text(places) == ["7", "1", "2"]


def test_affinity_is_cut_with_what_the_process_may_use():
    assert as_text(place(machine(8), "core", n_workers=1, affinity="0-5", allowed=parse_cpus("4-7"))) == ["4-5"]


def test_nodes_and_card_are_those_of_the_affinity():
    made = machine(4, nodes=2, cards=(Card("ib0", node=0), Card("ib1", node=1)))
    (at,) = place(made, "core", n_workers=1, affinity="3")
    assert (at.nodes, at.card.name) == ((1,), "ib1")


@pytest.mark.parametrize(("affinity", "words"), [
    (["0", "1"], "cpu_affinity has 2 lists of CPUs, and there are 4 workers"),
    ([], "cpu_affinity has 0 lists of CPUs, and there are 4 workers"),
    (["0"] * 5, "cpu_affinity has 5 lists of CPUs, and there are 4 workers"),
    ([0, 1, 2, 3], "cpu_affinity has 0 where a worker's CPUs are wanted, as '0-3' or [0, 1, 2, 3]"),
    (["0", "1", [], "3"], "cpu_affinity of worker 2 has no CPU; None pins no worker"),
    (["0", "", "2", "3"], "cpu_affinity of worker 1 is '', which are no CPUs: '' is no list of CPUs"),
    ("x", "cpu_affinity of worker 0 is 'x', which are no CPUs: 'x' is no list of CPUs; one looks like 0-19,40-59"),
    ("0-", "cpu_affinity of worker 0 is '0-', which are no CPUs"),
    ([["0-1"]] * 4, "cpu_affinity of worker 0 is ['0-1'], which are no CPUs"),
    ([[None]] * 4, "cpu_affinity of worker 0 is [None], which are no CPUs"),
    (lambda number: None, "cpu_affinity of worker 0 has no CPU"),
    (lambda number: number + 1, "cpu_affinity of worker 0 is 1, which are no CPUs"),
    (lambda number: "auto", "cpu_affinity of worker 0 is 'auto', which are no CPUs"),
    ([lambda number: ""] * 4, "cpu_affinity of worker 0 is '', which are no CPUs"),
])  # fmt: skip
def test_wrong_affinity_is_told(affinity, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        place(machine(4), "core", affinity=affinity)


def test_affinity_that_leaves_nothing_names_both_sets():
    said = "cpu_affinity of worker 1 is 0-1, and workers may use 2-3 (the machine, and"
    with pytest.raises(ValueError, match=re.escape(said)):
        place(machine(4), "core", affinity=["2", "0-1"], allowed=parse_cpus("2-3"))


@pytest.mark.parametrize("affinity", ["99", "1000-1003", [[-1]] * 4, [[10**9]] * 4])
def test_affinity_of_cpus_that_the_machine_has_not_is_told(affinity):
    with pytest.raises(ValueError, match="cpu_affinity of worker 0"):
        place(machine(4), "core", affinity=affinity)


@pytest.mark.parametrize("affinity", [[[1.5]] * 4, [[True]] * 4, [[float("inf")]] * 4, [b"\0\1"] * 4, 3],
                         ids=["1.5", "True", "infinity", "bytes", "3"])  # fmt: skip
def test_affinity_of_what_is_no_number_of_a_cpu_is_told(affinity):
    with pytest.raises(ValueError, match="cpu_affinity"):
        place(machine(4), "core", affinity=affinity)


@pytest.mark.parametrize("is_called", [False, True])
def test_affinity_may_be_an_array(is_called):
    numpy = pytest.importorskip("numpy")
    affinity = (lambda number: numpy.arange(2)) if is_called else [numpy.arange(2)] * 4
    assert as_text(place(machine(4), "core", affinity=affinity)) == ["0-1"] * 4


@pytest.mark.parametrize(("affinity", "other"), [(["0", "1", "0-1"], 0), (["0", "1", "1"], 1), (["1", "1", "0"], None)])
def test_cores_that_are_shared_by_affinity_are_told(affinity, other):
    *_, last = place(machine(2), "core", n_workers=3, affinity=affinity)
    assert last.why == ("no card" if other is None else f"no card; shares cores with worker {other}")


@pytest.mark.parametrize("by", ["gpu", "numa", "core"])
@pytest.mark.parametrize(("allowed", "words"), [("8-9", "8-9"), ("", "none")])
def test_nothing_that_may_be_used_names_both_sets(by, allowed, words):
    cpus = parse_cpus(allowed) if allowed else frozenset()
    said = re.escape(f"has the CPUs 0-3, and this process may use {words} (its affinity and its cgroup)")
    with pytest.raises(ValueError, match=said):
        place(machine(4, gpus=(Gpu(0),)), by, allowed=cpus)


def test_gpu_near_nothing_that_may_be_used_names_both_sets():
    made = machine(8, gpus=(Gpu(0, parse_cpus("0-3")), Gpu(1, parse_cpus("4-7"))))
    with pytest.raises(ValueError, match=r"GPU1 is near the CPUs 4-7, and workers may use 0-3 \(the machine, and"):
        place(made, "gpu", allowed=parse_cpus("0-3"))
    assert as_text(place(made, "gpu", gpus=made.gpus[:1], allowed=parse_cpus("0-3"))) == ["0-3"]


@pytest.mark.parametrize(("how", "words"), [
    ({"by": "core", "n_workers": 0}, "n_workers must be at least 1, not 0"),
    ({"by": "gpu", "n_workers": -3}, "n_workers must be at least 1, not -3"),
    ({"by": "core", "cores_each": 0}, "a worker needs at least one core, not 0"),
    ({"by": "core", "cores_each": -1}, "a worker needs at least one core, not -1"),
    ({"by": "gpu"}, "the machine has no GPU to place workers by"),
    ({"by": "gpu", "gpus": []}, "the machine has no GPU to place workers by"),
    ({"by": "socket"}, "workers are placed by one of gpu, numa, core, not by 'socket'"),
    ({"by": ""}, "not by ''"),
    ({"by": "GPU"}, "not by 'GPU'"),
])  # fmt: skip
def test_wrong_arguments_are_told(how, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        place(machine(4), **how)


def test_machine_without_a_cpu_is_told():
    with pytest.raises(ValueError, match="the description of x has no CPU, so no worker can be placed"):
        place(Machine(name="x", gpus=(Gpu(0),)), "gpu")


@pytest.mark.parametrize("tells_cpus", [True, False], ids=["CPUs", "nodes"])
@pytest.mark.parametrize(("by", "count"), [("gpu", 16), ("numa", 32), ("core", 4096)])
def test_machine_of_4096_cores(by, count, tells_cpus):
    made = big(4096, nodes=32, tells_cpus=tells_cpus)
    places = place(made, by)
    assert len(places) == count
    assert sum(len(at.cpus) for at in places) == len(frozenset().union(*(at.cpus for at in places)))
    # GPUs are on 16 of the nodes.
    assert sum(len(at.cpus) for at in places) == (4096 if by == "gpu" else 8192)


def test_fewer_workers_than_nodes_have_neighbouring_nodes():
    (alone,) = place(machine(16, nodes=2, threads=2), "numa", n_workers=1)
    assert (format_cpus(alone.cpus), alone.nodes) == ("0-31", (0, 1))
    assert as_text(place(machine(16, nodes=8), "numa", n_workers=2)) == ["0-7", "8-15"]
    assert [at.nodes for at in place(machine(8, nodes=8), "numa", n_workers=3)] == [(0, 1), (2, 3, 4), (5, 6, 7)]


def test_neighbouring_nodes_are_of_one_package_however_they_are_numbered():
    made = Machine(cores=tuple(Core(frozenset({cpu}), cpu, cpu % 2) for cpu in range(4)))
    assert [at.nodes for at in place(made, "numa", n_workers=2)] == [(0, 2), (1, 3)]


@pytest.mark.parametrize(("each", "n_workers", "cpus"), [
    (3, None, ["0-2", "5-7"]), (3, 2, ["0-2", "5-7"]),
    (3, 3, ["0-2", "3-5", "6-8"]),  # all are needed
    (3, 4, ["0-2", "3-5", "6-7", "8-9"]),
    (2, None, ["0-1", "2-3", "5-6", "7-8"]), (2, 5, ["0-1", "2-3", "4-5", "6-7", "8-9"]),
    (6, None, ["0-5"]), (6, 2, ["0-4", "5-9"]), (99, None, ["0-9"]),
])  # fmt: skip
def test_blocks_of_cores_are_of_one_node(each, n_workers, cpus):
    made = machine(10, nodes=2)
    assert as_text(place(made, "core", cores_each=each, n_workers=n_workers)) == cpus
    if n_workers is None:
        assert number_by_core(made, each) == len(cpus)


def test_number_by_core_is_that_of_what_may_be_used():
    assert number_by_core(machine(10, nodes=2), 2, parse_cpus("0-1,5-8")) == 3


def test_names_of_a_description_steer_no_terminal():
    steering = "\x1b[31m\x9bx"
    made = machine(2, cards=(Card(steering, kind="infiniband"),))
    (at,) = place(made, "numa")
    assert at.why == "?[31m?x is nearest (NODE)"
    for named in (Machine(name=steering), machine(2, name=steering)):
        with pytest.raises(ValueError, match=re.escape("?[31m?x has no ") + "|" + re.escape("of ?[31m?x has no CPU")):
            place(named, "gpu")
