# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Where workers say that they are, and what is believed of the ways between them until something is measured."""

import json
import math
import os

import pytest

from ucxx.dask import LocalCUDACluster
from ucxx.dask.learning import places
from ucxx.dask.learning.kinds import DEVICE, HOST, KINDS, PICKLED
from ucxx.dask.learning.places import VARIABLE, Place
from ucxx.topology import priors

RDMA, ROCE, ETHERNET = ("ib0", "infiniband", 12.5), ("mlx5_1", "roce", 25.0), ("eth0", "ethernet", None)


@pytest.fixture(scope="module")
def dgx1(root):
    """Return the plan for a DGX-1."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAPIDS_NO_INITIALIZE", "True")
        patch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        return LocalCUDACluster(topology=root / "tests/python/topology/machines/dgx1.txt", dry_run=True).plan


@pytest.fixture
def planned(monkeypatch):
    """Have the process forget at the end what its plan says."""
    monkeypatch.setattr(places, "_planned", {})


def told_by(plan, name):
    """Return the place that a worker of a plan tells, as a message brings it."""
    text = places.environment(plan, plan[name])[VARIABLE]
    return {**json.loads(text), "machine": "m"}


def test_a_worker_of_a_dgx1_knows_its_gpu_its_links_and_its_card(dgx1):
    place = places.read(told_by(dgx1, 0), "10.0.0.1")
    assert (place.machine, place.host, place.gpu) == ("m", "10.0.0.1", 0)
    assert place.card == (dgx1[0].place.card.ucx_name, "infiniband", dgx1[0].place.card.gb_per_s)
    links = dict(place.links)
    assert set(links) == set(range(8))
    for other in dgx1:
        believed = dgx1.prior(0, other, on_gpus=True)
        assert links[other] == (believed.link, believed.gb_per_s, believed.latency_us)


def test_what_the_scheduler_believes_of_a_dgx1_is_what_its_plan_says(dgx1):
    read = {name: places.read(told_by(dgx1, name), "10.0.0.1") for name in dgx1}
    for one in dgx1:
        for other in dgx1:
            for kind in KINDS:
                assert figures(places.prior(read[one], read[other], kind)) == figures(
                    dgx1.prior(one, other, on_gpus=kind == DEVICE)
                )
    assert len({places.prior(read[0], read[other], DEVICE).link for other in dgx1}) > 3  # NVLinks, PCIe, one GPU


def figures(prior):
    """Return what a scheduler takes of a prior."""
    return prior.gb_per_s, prior.latency_us, prior.link


def test_a_worker_without_gpu_and_card_is_told_nothing(dgx1):
    from plans import PLAIN, planned

    plan = planned(PLAIN, n_workers=2)
    text = places.environment(plan, plan[0])[VARIABLE]
    assert text == "" or set(json.loads(text)) == {"card"}


def test_the_environment_is_taken_away_when_it_was_read(planned):
    environ = {VARIABLE: json.dumps({"gpu": 3}), "PATH": "/bin"}
    places.keep(environ)
    assert environ == {"PATH": "/bin"}
    assert places.here()["gpu"] == 3
    places.keep(environ)  # nothing more to keep
    places.keep({VARIABLE: ""})
    assert places.here()["gpu"] == 3


@pytest.mark.parametrize("text", ["{", "nonsense", "5", "[1]", '"text"', "null"])
def test_an_environment_that_somebody_else_has_written_is_an_error(planned, text):
    with pytest.raises(ValueError):  # noqa: PT011 - of JSON, or the name of the variable
        places.keep({VARIABLE: text})
    assert "gpu" not in places.here()


def test_the_preload_keeps_it_and_nothing_inherits_it(run_python):
    code = f"""
import os, subprocess, sys
import ucxx.dask.clusters.preload
from ucxx.dask.learning import places
print({VARIABLE!r} in os.environ, places.here()["gpu"])
child = "import os; from ucxx.dask.learning import places; print({VARIABLE!r} in os.environ, 'gpu' in places.here())"
print(subprocess.run([sys.executable, "-c", child], capture_output=True, text=True, check=True).stdout)
"""
    status, said = run_python(code, **{VARIABLE: json.dumps({"gpu": 5, "links": {"5": ["one GPU", 100, 20]}})})
    assert (status, said.split()) == (0, ["False", "5", "False", "False"])


def test_here_is_a_place_and_a_process_of_this_machine_tells_the_same(run_python):
    place = places.read(places.here(), "10.0.0.1")
    assert place.machine
    assert place.gpu is None
    assert place == places.read(json.loads(json.dumps(places.here())), "10.0.0.1")
    status, said = run_python("from ucxx.dask.learning import places; print(places.here()['machine'])")
    assert (status, said.strip()) == (0, place.machine)


DEEP = []
for _ in range(50_000):
    DEEP = [DEEP]
HOSTILE = [True, -1, 10**30, math.nan, math.inf, "x" * 100, "a\nb", "\x1b[31m", b"bytes", [], {}, [1, 2, 3], DEEP, 1.5]
FIELDS = ["machine", "gpu", "links", "card"]


@pytest.mark.parametrize(("field", "value"), [
    *((field, value) for field in FIELDS for value in HOSTILE if field != "links" or value != {}),
    ("gpu", "²"), ("gpu", "-1"), ("gpu", " 1"), ("gpu", ""), ("gpu", "12345"),
])  # fmt: skip
def test_hostile_values_are_refused(field, value):
    with pytest.raises(ValueError, match=".{10}") as caught:
        places.read({"machine": "m", "gpu": 1, field: value}, "10.0.0.1")
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("told", [None, 5, "text", [], [("machine", "m")], DEEP])
def test_what_is_no_mapping_is_no_place(told):
    with pytest.raises(ValueError, match="a place is a mapping, not"):
        places.read(told, "10.0.0.1")


@pytest.mark.parametrize("links", [
    {0: None}, {0: 5}, {0: "abc"}, {0: ["a", 1]}, {0: ["a", 1, 2, 3]}, {0: [1, 1, 1]}, {0: ["a", 0, 1]}, {0: ["a", -1, 1]},
    {0: ["a", 1e9, 1]}, {0: ["a", math.nan, 1]}, {0: ["a", 1, math.inf]}, {0: ["a", True, 1]}, {0: ["a", "1", 1]},
    {0: ["a", 1, 1e30]}, {0: ["\n", 1, 1]}, {"x": ["a", 1, 1]}, {-1: ["a", 1, 1]}, {"": ["a", 1, 1]}, {True: ["a", 1, 1]},
    {1.0: ["a", 1, 1]}, {99999: ["a", 1, 1]}, {number: ["a", 1, 1] for number in range(65)}, {0: [DEEP, 1, 1]},
    {0: ["a", 10**400, 1]},
])  # fmt: skip
def test_hostile_links_are_refused(links):
    with pytest.raises(ValueError, match=".{10}"):
        places.read({"gpu": 0, "links": links}, "10.0.0.1")


@pytest.mark.parametrize("card", [
    ["a"], ["a", "b"], ["a", "b", 1, 2], [1, "b", 1], ["a", 1, 1], ["a", "b", 0], ["a", "b", -1], ["a", "b", math.nan],
    ["a", "b", True], ["a", "b", "1"], ["a" * 81, "b", 1], "abc", {"a": 1, "b": 2, "c": 3},
], ids=str)  # fmt: skip
def test_hostile_cards_are_refused(card):
    with pytest.raises(ValueError, match=".{10}"):
        places.read({"card": card}, "10.0.0.1")


def test_a_mapping_that_tells_nothing_is_a_place():
    assert places.read({}, "10.0.0.1") == Place("", "10.0.0.1")
    assert places.read({"gpu": "3", "unknown": object()}, "10.0.0.1").gpu == 3


def at(machine, gpu=None, links=(), card=None, host="10.0.0.1"):
    """Return a place."""
    return Place(machine, host, gpu, tuple(links), card)


NVLINK = [(1, ("NV2", 40.0, 20.0))]


@pytest.mark.parametrize(("one", "other", "kind", "link", "gb_per_s"), [
    (at("m"), at("m"), HOST, "shared memory", 10), (at("m"), at("m"), PICKLED, "shared memory", 10),
    (at("m"), at("m"), DEVICE, "shared memory", 10),  # a library that says cupy, and no GPU
    (at("m", 0, NVLINK), at("m", 1), HOST, "shared memory", 10),
    (at("m", 0, NVLINK), at("m", 1), DEVICE, "NV2", 40), (at("m", 1), at("m", 0, NVLINK), DEVICE, "NV2", 40),
    (at("m", 0), at("m", 1), DEVICE, "host and GPU", 6), (at("m", 0, NVLINK), at("m", 2), DEVICE, "host and GPU", 6),
    (at("m", 0, NVLINK), at("m"), DEVICE, "host and GPU", 6), (at("m"), at("m", 0, NVLINK), DEVICE, "host and GPU", 6),
    (at("m"), at("n"), HOST, "network", 1), (at("m", 0, NVLINK), at("n", 1), DEVICE, "network", 1),
    (at("m", card=RDMA), at("n", card=RDMA), HOST, "InfiniBand 10.6 GB/s", 12.5 * 0.85),
    (at("m", card=RDMA), at("n", card=ROCE), HOST, "InfiniBand and RoCE 10.6 GB/s", 12.5 * 0.85),
    (at("m", card=ETHERNET), at("n", card=ETHERNET), HOST, "Ethernet 1 GB/s", 1),
    (at("m", card=RDMA), at("n"), HOST, "InfiniBand 10.6 GB/s", 12.5 * 0.85),
], ids=str)  # fmt: skip
def test_priors(one, other, kind, link, gb_per_s):
    prior = places.prior(one, other, kind)
    assert (prior.link, prior.gb_per_s) == (link, pytest.approx(gb_per_s))
    assert prior.latency_us > 0


@pytest.mark.parametrize(("one", "other", "is_one"), [
    (at("m"), at("m", host="10.0.0.2"), True), (at("m"), at("n"), False), (at(""), at(""), True),
    (at("m"), at(""), True), (at(""), at("m"), True), (at(""), at("m", host="10.0.0.2"), False),
    (at(""), at("", host="10.0.0.2"), False),
], ids=str)  # fmt: skip
def test_the_machine_decides_and_of_those_that_have_not_told_the_host(one, other, is_one):
    assert places.is_one_machine(one, other) is is_one
    assert (places.prior(one, other, HOST).link == priors.SHARED_MEMORY) is is_one


def test_the_environment_of_this_process_has_no_place():
    assert VARIABLE not in os.environ
