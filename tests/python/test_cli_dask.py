# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark dask`: real connections and clusters, with small arrays."""

import json
import re
import subprocess
import sys
import types

import pytest
from click.testing import CliRunner

from ucxx import topology
from ucxx.cli.root import command

pytest.importorskip("distributed")


def invoke(*arguments):
    """Run a command in this process: (status, what it printed, without line breaks)."""
    done = CliRunner().invoke(command, ["benchmark", "dask", *map(str, arguments)])
    return done.exit_code, " ".join(done.output.split())


def run(name, folder, *arguments):
    """Run a benchmark as a program, that must succeed: (what it printed, its report).

    Its log is apart: a worker of Dask logs an error, over tcp:// as well, where it is closed while the
    scheduler has not yet answered its heartbeat.
    """
    path, picture = folder / "figures.json", folder / "picture.png"
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-m", "ucxx", "benchmark", "dask", name, *map(str, arguments),
         "--json", path, "--plot", picture],
        text=True, check=False, capture_output=True, timeout=55,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(path.read_text())
    check(report)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert done.stdout.splitlines()[0].split()[:3] == ["what", "unit", report["settings"]["protocols"][0]]
    assert done.stdout.splitlines()[-1] == f"{picture} is written"
    return done.stdout, report


def check(report):
    """See that each row is whole."""
    settings = report["settings"]
    for row in report["results"]:
        assert 1 <= len(row["values"]) <= settings["runs"] and min(row["values"]) >= 0
        assert min(row["values"]) <= row["median"] <= max(row["values"])
        assert row["unit"] in ("us", "ms", "s", "GB/s")


def rows_of(report, protocol):
    """Return what was measured of a protocol."""
    return [row["what"] for row in report["results"] if row["protocol"] == protocol]


def test_connections(tmp_path):
    said, report = run("comm", tmp_path, "--up-to", "1M", "--runs", 2)
    expected = ["connect and close, no other comm open", "connect and close, another comm open", "100 connects at once",
                "round trip of a small dict", "round trip of an array of 1KiB", "round trip of an array of 64KiB",
                "one way, an array of 1MiB", "one way, 8 arrays of 128KiB",
                *(f"1MiB beside a thread: {what}" for what in ("one way", "1 ms of its work", "its longest pause"))]  # fmt: skip
    assert rows_of(report, "ucx") == rows_of(report, "tcp") == expected
    assert all(len(row["values"]) == 2 for row in report["results"])
    assert all(row["times_faster"] == 1 for row in report["results"] if row["protocol"] == "tcp")
    assert report["settings"] == {
        "workers": 2, "protocols": ["ucx", "tcp"], "runs": 2, "object_type": "numpy", "up_to": 1 << 20}  # fmt: skip
    assert report["transports"] == {"ucx": ["local"], "tcp": []}
    assert re.search(r"^one way, an array of 1MiB +GB/s +[\d.]+ +[\d.]+-[\d.]+ ", said, re.MULTILINE)


def test_one_protocol_alone_and_a_table_where_no_picture_can_be_drawn():
    status, said = invoke("comm", "--protocol", "ucxx", "--compare", "ucxx", "--up-to", 1024, "--runs", 1, "--plot", "x.png")
    assert status == 1
    assert "what unit ucxx spread times faster" in said
    assert said.endswith("Error: x.png: nothing is drawn, since nothing was compared: name two protocols that differ")
    status, said = invoke("comm", "--protocols", "ucx", "--up-to", 1024, "--runs", 1, "--json", "/nowhere/figures.json")
    assert status == 1
    assert "what unit ucx spread times faster" in said and "/nowhere/figures.json: No such file" in said


@pytest.mark.slow
def test_transfer(tmp_path):
    _, report = run("transfer", tmp_path, "--size", "2M", "--runs", 1)
    assert rows_of(report, "ucx") == rows_of(report, "tcp") == [
        "array of 2MiB, a whole task", "client.run of nothing", "start of a LocalCluster", "client.restart()"]  # fmt: skip


def of_quartiles(*names):
    """Return the rows of quartiles."""
    return [f"{name}, {percent} %" for name in names for percent in (25, 50, 75)]


@pytest.mark.slow
def test_scatter(tmp_path):
    _, report = run("scatter", tmp_path, "--size", "1M", "--runs", 1)
    ways = ("through the scheduler", "directly to a worker", "to all of 2 workers")
    assert rows_of(report, "ucx") == rows_of(report, "tcp") == [f"scatter of 1MiB, {way}" for way in ways]


@pytest.mark.slow
def test_gather_over_sets_of_transports(tmp_path):
    said, report = run("gather", tmp_path, "--size", "1M", "--runs", 1, "--protocols", "tcp,ucx-tcp,ucx-local")
    names = ["ucx-tcp", "ucx-local", "tcp"]
    assert report["settings"]["protocols"] == names
    assert {name: set(used) - {"self"} for name, used in report["transports"].items()} == {
        "ucx-tcp": {"tcp"}, "ucx-local": {"local"}, "tcp": set()}  # fmt: skip
    ways = ("through the scheduler", "directly from the workers")
    assert [rows_of(report, name) for name in names] == [[f"gather of 2 arrays of 1MiB, {way}" for way in ways]] * 3
    assert re.search(r"workers +GB/s +[\d.]+ \([\d.]+\) +[\d.]+ \([\d.]+\) +[\d.]+$", said, re.MULTILINE)
    assert "in brackets: times faster than tcp" in said


@pytest.mark.slow
def test_transpose(tmp_path):
    pytest.importorskip("numpy")
    _, report = run("transpose", tmp_path, "--size", "128M", "--runs", 1)
    kinds = ["wall time", "throughput", "workers compute", "workers receive",
             *of_quartiles("transfers above 1 MB", "worker 0 gets from worker 1", "worker 1 gets from worker 0")]  # fmt: skip
    expected = [f"(x + x.T).sum(): {kind}" for kind in kinds]
    assert rows_of(report, "ucx") == rows_of(report, "tcp") == expected
    figure = {row["what"]: row["median"] for row in report["results"] if row["protocol"] == "ucx"}
    for first in (4, 7, 10):
        assert 0 < figure[expected[first]] <= figure[expected[first + 1]] <= figure[expected[first + 2]]
    wall = figure[expected[0]]
    assert figure[expected[2]] < 2 * wall and figure[expected[3]] < 2 * wall  # of two workers
    assert figure[expected[1]] == pytest.approx((128 << 20) / wall / 1e9)
    for stream in report["streams"]["(x + x.T).sum()"].values():
        assert list(stream["pairs"]) == ["worker 0 gets from worker 1", "worker 1 gets from worker 0"]
        # Of 64 blocks of 2 MiB those above the diagonal are on one worker with their mirror images, or are moved.
        assert all(pair["bytes"] >= len(pair["rates"]) << 21 for pair in stream["pairs"].values())


@pytest.mark.slow
def test_svd(tmp_path):
    pytest.importorskip("numpy")
    _, report = run("svd", tmp_path, "--size", "2M", "--runs", 1)
    for protocol in ("ucx", "tcp"):
        assert rows_of(report, protocol)[:3] == [
            f"svd: {kind}" for kind in ("wall time", "throughput", "workers compute")
        ]


@pytest.fixture
def frames():
    for module in ("pandas", "pyarrow", "dask.dataframe"):
        pytest.importorskip(module)


P2P = ("wall time", "throughput", "workers compute", "all sends of P2P", "a send of P2P, on average")


@pytest.mark.slow
@pytest.mark.usefixtures("frames")
def test_merge(tmp_path):
    _, report = run("merge", tmp_path, "--size", "1M", "--runs", 1)
    for protocol in ("ucx", "tcp"):
        found = rows_of(report, protocol)
        assert {f"merge by tasks: {kind}" for kind in ("wall time", "workers compute", "workers receive")} <= set(found)
        assert [what for what in found if "by P2P" in what] == [f"merge by P2P: {kind}" for kind in P2P]


@pytest.mark.slow
@pytest.mark.usefixtures("frames")
def test_shuffle(tmp_path):
    _, report = run("shuffle", tmp_path, "--size", "1M", "--runs", 1)
    assert rows_of(report, "ucx") == rows_of(report, "tcp") == [f"shuffle by P2P: {kind}" for kind in P2P]


@pytest.mark.parametrize(("module", "arguments", "words"), [
    ("distributed", "comm", "this needs distributed"),
    ("distributed", "transfer", "pip install 'ucxx[dask]'"),
    ("dask.array", "transpose", "this needs dask.array"),
    ("pandas", "merge", "pip install 'dask[dataframe]'"),
    ("pyarrow", "merge", "this needs pyarrow"),
    ("pyarrow", "shuffle", "this needs pyarrow"),
    ("cudf", "merge --backend cudf", "this needs cudf"),
    ("dask_cudf", "shuffle --backend cudf", "pip install 'cudf-cu12 dask-cudf-cu12'"),
    ("cupy", "comm --backend cupy", "--backend cupy: "),
    ("cupy", "svd --backend cupy", "--backend cupy: "),
    ("torch", "scatter --backend torch", "--backend torch: "),
    ("torch", "transfer --backend torch", "--backend torch: "),
    ("matplotlib", "comm --plot x.png", "drawing needs matplotlib: pip install matplotlib"),
])  # fmt: skip
def test_what_is_missing_is_told(monkeypatch, module, arguments, words):
    for name in [name for name in sys.modules if name.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, name)
    if module == "dask_cudf":
        monkeypatch.setitem(sys.modules, "cudf", types.ModuleType("cudf"))
    monkeypatch.setitem(sys.modules, module, None)
    status, said = invoke(*arguments.split())
    assert status == 1 and words in said


@pytest.mark.parametrize(("arguments", "words"), [
    ("comm --protocol pigeon", "'pigeon' is not one of 'ucx'"),
    ("transfer --size many", "invalid size 'many': use 8, 64K, 1M"),
    ("transpose --backend torch", "'torch' is not one of 'numpy', 'cupy'"),
    ("merge --plot curves.txt", "ends in .png, .svg or .pdf"),
    ("comm --runs 0", "0 is not in the range"),
    ("merge --backend numpy", "'numpy' is not one of 'pandas', 'cudf'"),
    ("merge --protocols tcp,pigeon", "there is no set of transports 'pigeon'; there are: ucx, ucxx, tcp, ucx-local"),
    ("merge --protocols tcp,", "there is no set of transports ''"),
    ("svd --protocols tcp,ucx --compare tcp", "leave out --protocol and --compare"),
])  # fmt: skip
def test_wrong_arguments_are_told(arguments, words):
    status, said = invoke(*arguments.split())
    assert status == 2 and words in said


@pytest.mark.parametrize(("name", "words"), [
    ("ucx-ib", "this machine has no InfiniBand or RoCE device"),
    ("ucx-nvlink", "no two GPUs of this machine have a link; it has 0 GPUs"),
])  # fmt: skip
def test_set_that_cannot_run_here(monkeypatch, name, words):
    from ucxx.dask import devices

    monkeypatch.setattr(devices, "of_rdma", list)
    monkeypatch.setattr(topology, "read", topology.Machine)
    status, said = invoke("gather", "--protocols", f"tcp,{name}")
    assert (status, said) == (1, f"Error: {name} cannot run here: {words}")
    assert invoke("gather", "--protocol", name) == (status, said)


def test_group_imports_no_dask(run_python):
    status, said = run_python("import sys, ucxx.cli.root\nprint({'dask', 'distributed'} & set(sys.modules))")
    assert (status, said.strip()) == (0, "set()")
