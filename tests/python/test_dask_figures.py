# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the benchmarks of Dask make of what they find, and the processes that drive clusters."""

import contextlib
import os

import pytest

from ucxx.benchmarks import measure
from ucxx.benchmarks.dask import figures, payload, transports
from ucxx.benchmarks.dask.figures import Figure, Found
from ucxx.benchmarks.dask.transports import Transports

pytest.importorskip("distributed")
from ucxx.benchmarks.dask import comm, drivers, streams  # noqa: E402 (these need it)
from ucxx.benchmarks.dask.streams import Stream, Transfer  # noqa: E402


def test_rows_say_how_many_times_faster():
    runs = [[Figure("a", 2.0, "s"), Figure("b", 8.0, "GB/s")], [Figure("a", 4.0, "s")]]
    rows = figures.rows({"ucx": runs, "tcp": [[Figure("a", 6.0, "s"), Figure("b", 2.0, "GB/s")], [Figure("c", 1.0, "s")]]})
    found = {(row["what"], row["protocol"]): (row["values"], row["median"], row["times_faster"]) for row in rows}
    assert found == {
        ("a", "ucx"): ([2.0, 4.0], 3.0, 2.0), ("a", "tcp"): ([6.0], 6.0, 1.0),
        ("b", "ucx"): ([8.0], 8.0, 4.0), ("b", "tcp"): ([2.0], 2.0, 1.0), ("c", "tcp"): ([1.0], 1.0, 1.0),
    }  # fmt: skip
    assert figures.names_of(rows) == ["ucx", "tcp"]
    assert [row["times_faster"] for row in figures.rows({"ucx": runs})] == [None, None]


def test_time_that_spans_cover():
    assert streams.covered([]) == 0
    assert streams.covered([(5, 6), (0, 2), (1, 3), (1, 2)]) == 4


def test_stream_without_transfers():
    stream = Stream(2.0, {"worker 0": [(0, 1)], "worker 1": [(0.5, 1)]}, [], nbytes=10**9)
    assert {(figure.what, figure.value, figure.unit) for figure in stream.figures("x")} == {
        ("x: wall time", 2.0, "s"), ("x: throughput", 0.5, "GB/s"), ("x: workers compute", 1.5, "s")}  # fmt: skip
    assert stream.pairs == {}


def test_sends_of_p2p():
    stream = Stream(2.0, {"worker 0": []}, [], sends=(6e9, 3.0))
    assert list(stream.figures("x"))[3:] == [
        Figure("x: all sends of P2P", 3.0, "s"), Figure("x: a send of P2P, on average", 2.0, "GB/s")]  # fmt: skip


def test_quartiles_of_each_pair():
    def transfer(receiver, sender, seconds, nbytes=10**9):
        return Transfer(f"worker {receiver}", f"worker {sender}", (1, 1 + seconds), nbytes)

    found = [transfer(1, 0, 1), transfer(0, 1, 0.5), transfer(1, 0, 0.25), transfer(1, 0, 0.5), transfer(1, 0, 9, 1_000_000)]
    stream = Stream(2.0, {"worker 0": [], "worker 1": []}, found)
    assert {pair: [one.rate for one in those] for pair, those in stream.pairs.items()} == {
        "worker 0 gets from worker 1": [2.0], "worker 1 gets from worker 0": [1.0, 4.0, 2.0]}  # fmt: skip
    rows = {figure.what: figure.value for figure in stream.figures("x")}
    assert rows["x: workers receive"] == 9.5
    assert [rows[f"x: worker 0 gets from worker 1, {percent} %"] for percent in (25, 50, 75)] == [2, 2, 2]
    assert [rows[f"x: worker 1 gets from worker 0, {percent} %"] for percent in (25, 50, 75)] == [1.5, 2, 3]
    assert [rows[f"x: transfers above 1 MB, {percent} %"] for percent in (25, 50, 75)] == [1.75, 2, 2.5]
    assert stream.json()["pairs"]["worker 1 gets from worker 0"] == {"bytes": 3 * 10**9, "rates": [1.0, 4.0, 2.0]}
    assert stream.json()["receiving"]["worker 0"] == [(1, 1.5)]


def test_quartiles_lie_between_the_values():
    assert list(figures.quartiles("x", [], "s")) == []
    assert [figure.value for figure in figures.quartiles("x", [1.0, 9.0], "s")] == [3, 5, 7]


def test_outcome_has_the_run_of_median_length():
    runs = [Found([Figure("a", length, "s")], {"x": Stream(length, {}, [])}, ("tcp",)) for length in (3.0, 1.0, 2.0)]
    found = figures.outcome({"ucx": runs})
    assert found.rows[0]["values"] == [3.0, 1.0, 2.0] and found.streams["x"]["ucx"].seconds == 2.0
    assert found.transports == {"ucx": ["tcp"]}


def test_payloads_are_random():
    first, second = (payload.make(1000, "numpy") for _ in range(2))
    assert payload.ends([first], "numpy") != payload.ends([second], "numpy")
    assert payload.ends([first], "numpy") == payload.ends([first.copy()], "numpy")


@pytest.mark.parametrize(("name", "used"), [
    ("ucx", ["local"]), ("ucx", ["tcp"]), ("tcp", []), ("ucx-local", ["local", "self"]), ("ucx-tcp", ["self", "tcp"]),
    ("ucx-ib", ["rc_mlx5", "tcp"]), ("ucx-nvlink", ["cuda_copy", "cuda_ipc", "tcp"]),
])  # fmt: skip
def test_transports_of_a_set(name, used):
    transports.named(name).require(used)


@pytest.mark.parametrize(("name", "used", "words"), [
    ("ucx-local", ["tcp"], "use tcp, not local"), ("ucx-local", ["local", "tcp"], "use tcp beside local"),
    ("ucx-tcp", ["self"], "use no transport, not tcp"), ("ucx-ib", ["tcp"], "use tcp, not rc"),
    ("ucx-nvlink", ["cuda_copy", "tcp"], "use cuda_copy, tcp, not cuda_ipc"),
])  # fmt: skip
def test_other_transports_than_those_of_a_set(name, used, words):
    with pytest.raises(ValueError, match=f"the workers' endpoints {words}"):
        transports.named(name).require(used)


def test_unknown_set():
    with pytest.raises(ValueError, match="there is no set of transports 'hope'; there are: ucx, ucxx, tcp, "):
        transports.named("hope")


@pytest.mark.parametrize(("found", "words"), [
    (Transports("hope"), "ValueError: .*'hope'"),
    (Transports("ucx", {"UCXX_LOCAL": "only"}, "tcp"), "ValueError: the workers' endpoints use local, not tcp"),
])  # fmt: skip
def test_connections_that_fail(monkeypatch, found, words):
    monkeypatch.setitem(transports.SETS, "odd", found)
    with pytest.raises(measure.BenchmarkError, match=f"odd: {words}"):
        comm.measure(["odd"], 1, "numpy", 1)


def environment(given):
    """Return what a driver's process has in its environment."""
    return given.scheme, os.environ.get("UCXX_LOCAL"), os.environ.get("UCX_TLS")


def die(given):
    """End the process of a driver."""
    os._exit(len(given.scheme))


def fail(given):
    """Raise an error that has the scheme."""
    raise RuntimeError(given.scheme)


def test_driver_has_the_environment_of_its_set():
    with drivers.driving(("ucx-tcp", "ucx-local"), contextlib.nullcontext) as found:
        assert found["ucx-tcp"].call(environment) == ("ucx", "off", "tcp,self")
        assert found["ucx-local"].call(environment)[:2] == ("ucx", "only")
        with pytest.raises(measure.BenchmarkError, match="ucx-tcp: RuntimeError: ucx"):
            found["ucx-tcp"].call(fail)
        with pytest.raises(measure.BenchmarkError, match="ucx-local: the process that drives the cluster has ended"):
            found["ucx-local"].call(die)


def test_driver_whose_surroundings_fail():
    with pytest.raises(measure.BenchmarkError, match="tcp: RuntimeError: tcp"), drivers.driving(["tcp"], fail):
        raise AssertionError("it has started")
