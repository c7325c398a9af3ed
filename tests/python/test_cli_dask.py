# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark dask`: real connections and clusters, with small arrays."""

import json
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from ucxx.benchmarks import measure
from ucxx.benchmarks.dask import figures, payload
from ucxx.benchmarks.dask.figures import Figure
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
    assert done.stdout.splitlines()[0] == f"{picture} is written"
    assert done.stdout.splitlines()[1].split()[:4] == ["what", "unit", "ucx", "spread"]
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
        "workers": 2, "protocol": "ucx", "compare": "tcp", "runs": 2, "object_type": "numpy", "up_to": 1 << 20}  # fmt: skip
    assert re.search(r"^one way, an array of 1MiB +GB/s +[\d.]+ +[\d.]+-[\d.]+ ", said, re.MULTILINE)


def test_one_protocol_alone():
    status, said = invoke("comm", "--protocol", "ucxx", "--compare", "ucxx", "--up-to", 1024, "--runs", 1)
    assert status == 0, said
    assert "what unit ucxx spread times faster" in said


@pytest.mark.slow
def test_transfer(tmp_path):
    _, report = run("transfer", tmp_path, "--size", "2M", "--runs", 1)
    assert rows_of(report, "ucx") == rows_of(report, "tcp") == [
        "array of 2MiB, a whole task", "client.run of nothing", "start of a LocalCluster", "client.restart()"]  # fmt: skip


@pytest.mark.slow
def test_transpose(tmp_path):
    pytest.importorskip("numpy")
    _, report = run("transpose", tmp_path, "--size", "128M", "--runs", 1)
    kinds = ["wall time", "workers compute", "workers receive",
             *(f"transfers above 1 MB, {percent} %" for percent in (25, 50, 75))]  # fmt: skip
    expected = [f"(x + x.T).sum(): {kind}" for kind in kinds]
    assert rows_of(report, "ucx") == rows_of(report, "tcp") == expected
    figure = {row["what"]: row["median"] for row in report["results"] if row["protocol"] == "ucx"}
    assert 0 < figure[expected[3]] <= figure[expected[4]] <= figure[expected[5]]
    wall = figure[expected[0]]
    assert figure[expected[1]] < 2 * wall and figure[expected[2]] < 2 * wall  # of two workers


@pytest.mark.slow
def test_merge(tmp_path):
    for module in ("pandas", "pyarrow", "dask.dataframe"):
        pytest.importorskip(module)
    _, report = run("merge", tmp_path, "--size", "1M", "--runs", 1)
    for protocol in ("ucx", "tcp"):
        found = rows_of(report, protocol)
        assert {"merge by tasks: wall time", "merge by tasks: workers compute", "merge by tasks: workers receive"} <= set(found)
        assert [what for what in found if "P2P" in what] == ["merge by P2P: wall time", "merge by P2P: workers compute"]


@pytest.mark.parametrize(("module", "arguments", "words"), [
    ("distributed", "comm", "this needs distributed"),
    ("distributed", "transfer", "pip install 'ucxx[dask]'"),
    ("dask.array", "transpose", "this needs dask.array"),
    ("pandas", "merge", "pip install 'dask[dataframe]'"),
    ("pyarrow", "merge", "this needs pyarrow"),
    ("cupy", "comm --backend cupy", "--backend cupy: "),
    ("torch", "transfer --backend torch", "--backend torch: "),
    ("matplotlib", "comm --plot x.png", "drawing needs matplotlib: pip install matplotlib"),
])  # fmt: skip
def test_what_is_missing_is_told(monkeypatch, module, arguments, words):
    for name in [name for name in sys.modules if name.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    status, said = invoke(*arguments.split())
    assert status == 1 and words in said


@pytest.mark.parametrize(("arguments", "words"), [
    ("comm --protocol pigeon", "'pigeon' is not one of 'ucx'"),
    ("transfer --size many", "invalid size 'many': use 8, 64K, 1M"),
    ("transpose --backend torch", "'torch' is not one of 'numpy', 'cupy'"),
    ("merge --plot curves.txt", "ends in .png, .svg or .pdf"),
    ("comm --runs 0", "0 is not in the range"),
])  # fmt: skip
def test_wrong_arguments_are_told(arguments, words):
    status, said = invoke(*arguments.split())
    assert status == 2 and words in said


def test_failure_is_told():
    from ucxx.benchmarks.dask import comm

    with pytest.raises(measure.BenchmarkError, match="hope: ValueError: .*'hope'"):
        comm.measure(["hope"], 1, "numpy", 1)


def test_group_imports_no_dask(run_python):
    status, said = run_python("import sys, ucxx.cli.root\nprint({'dask', 'distributed'} & set(sys.modules))")
    assert (status, said.strip()) == (0, "set()")


def test_rows_say_how_many_times_faster():
    runs = [[Figure("a", 2.0, "s"), Figure("b", 8.0, "GB/s")], [Figure("a", 4.0, "s")]]
    rows = figures.rows({"ucx": runs, "tcp": [[Figure("a", 6.0, "s"), Figure("b", 2.0, "GB/s")], [Figure("c", 1.0, "s")]]})
    found = {(row["what"], row["protocol"]): (row["values"], row["median"], row["times_faster"]) for row in rows}
    assert found == {
        ("a", "ucx"): ([2.0, 4.0], 3.0, 2.0), ("a", "tcp"): ([6.0], 6.0, 1.0),
        ("b", "ucx"): ([8.0], 8.0, 4.0), ("b", "tcp"): ([2.0], 2.0, 1.0), ("c", "tcp"): ([1.0], 1.0, 1.0),
    }  # fmt: skip
    assert [row["times_faster"] for row in figures.rows({"ucx": runs})] == [None, None]


def test_time_that_spans_cover():
    streams = pytest.importorskip("ucxx.benchmarks.dask.streams")
    assert streams.covered([]) == 0
    assert streams.covered([(5, 6), (0, 2), (1, 3), (1, 2)]) == 4
    stream = streams.Stream(2.0, [[(0, 1)], [(0.5, 1)]], [[], []], [])
    assert [figure.value for figure in stream.figures("x")] == [2.0, 1.5]
    stream = streams.Stream(2.0, [[], []], [[(0, 1)], []], [1.0, 2.0, 3.0])
    assert [figure.value for figure in stream.figures("x")][2:] == [1.0, 1.0, 2.0, 3.0]


def test_payloads_are_random():
    first, second = (payload.make(1000, "numpy") for _ in range(2))
    assert payload.ends([first], "numpy") != payload.ends([second], "numpy")
    assert payload.ends([first], "numpy") == payload.ends([first.copy()], "numpy")
