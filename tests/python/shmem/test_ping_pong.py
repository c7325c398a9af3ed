# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The ping-pong of `python -m ucxx benchmark shmem`: each line is measured, and what is missing is told."""

import dataclasses
import json

import pytest
from click.testing import CliRunner
from PIL import Image

from ucxx.benchmarks import units
from ucxx.benchmarks.prk.tools import Missing
from ucxx.benchmarks.shmem import libraries, ping_pong, ping_pong_plot, ways
from ucxx.cli.root import command

QUICK = "--figure", "ping_pong", "--ms", "0.01", "--repeats", "3", "--runs", "1", "--bind", "none"


def invoke(*arguments):
    """Run the command in this process: (status, what it printed in one line)."""
    done = CliRunner().invoke(command, ["benchmark", "shmem", *map(str, arguments)])
    return done.exit_code, " ".join(done.output.split())


def measured(path, *arguments):
    """Run the command, which must succeed; return its report."""
    status, said = invoke(*QUICK, "--json", path, *arguments)
    assert status == 0, said
    return json.loads(path.read_text())


def row(figure, way, size, ns=1.0):
    return {"figure": figure, "way": way, "bytes": size, "ns": ns, "runs_ns": [ns, 2 * ns], "least_ns": ns}


def report(rows, **others):
    return {"results": rows, "ucxx": "0.1.0", "tools": {"mpi": "MPICH 4"}, "settings": {"runs": 2}, **others}


def test_each_line_is_measured(tmp_path):
    found = measured(tmp_path / "out.json", "--sizes", "8:4K:512", "--plot", tmp_path / "out.png")
    absent = set(found["skipped"])
    assert absent <= {"oshmem"} and found["failed"] == {}
    lines = {line for line in ping_pong.LINES if line.way not in absent}
    assert {(line.figure, line.way, size) for line in lines for size in (8, 4096)} == {
        (one["figure"], one["way"], one["bytes"]) for one in found["results"]}
    for one in found["results"]:
        assert 0 < one["least_ns"] <= one["ns"] and one["ratio"] > 0
    (first,) = (one for one in found["results"] if one["way"] == "c" and one["bytes"] == 8)
    assert first["ratio"] == 1
    assert found["settings"]["sizes"] == [8, 4096] and found["settings"]["repeats"] == 3
    shown = json.loads(Image.open(tmp_path / "out.png").text["Description"])
    assert {line.title for line in lines} == set(shown["panels"][0]["curves"])
    assert len(shown["panels"]) == (2 if absent else 4)  # bars of 8 bytes and of 4 KiB


def test_defaults_are_powers_of_two_and_a_hundred(tmp_path):
    path = tmp_path / "out.json"
    status, said = invoke("--figure", "ping_pong", "--way", "memcpy", "--ms", "0.001", "--runs", 1, "--json", path)
    assert status == 0, said
    settings = json.loads(path.read_text())["settings"]
    assert settings["sizes"] == [1 << n for n in range(23)] and settings["repeats"] == 100
    assert "half round trip, median of 100" in said and "half round trip, best of 100" in said


@pytest.mark.parametrize(("text", "sizes"), [("1:8", (1, 2, 4, 8)), ("3:10", (3, 6, 10)), ("1K:16K:4", (1024, 4096, 16384)),
                                             ("8:8", (8,)), ("8,4K", (8, 4096))])
def test_sizes_are_a_list_or_a_sweep(text, sizes):
    assert units.read_sizes(text) == sizes


@pytest.mark.parametrize(("arguments", "words"), [
    (["--sizes", "0:8"], "invalid size '0': use 8, 64K, 1M"),
    (["--sizes", "4M:1"], "invalid sweep of sizes '4M:1'"),
    (["--sizes", "1:8:1"], "invalid sweep of sizes '1:8:1': FIRST:LAST[:FACTOR] is needed"),
    (["--sizes", "1:8:2:2"], "for example 1:64M or 1:64M:4"),
    (["--sizes", "1:1G"], "1073741824 bytes: at most 256M would do"),
    (["--figure", "put"], "ping_pong is measured by itself, not with put: two runs would do"),
    (["--way", "shmem4py"], "shmem4py has no ping_pong: c, numba, ucxx, oshmem, mpi, mpi4py, memcpy would do"),
])
def test_wrong_arguments_are_told_before_measuring(arguments, words):
    status, said = invoke("--figure", "ping_pong", *arguments)
    assert status == 2
    assert words in said


def test_way_of_the_ping_pong_alone_is_told():
    status, said = invoke("--way", "numba")
    assert status == 2
    assert "numba has nothing but --figure ping_pong: ucxx, c, shmem4py, mpi4py would do" in said


def test_heap_without_room_is_told(monkeypatch):
    monkeypatch.setenv("SHMEM_SYMMETRIC_SIZE", "1m")
    status, said = invoke(*QUICK, "--sizes", "4M", "--way", "c", "--way", "ucxx", "--way", "memcpy")
    assert status == 1
    assert ("the symmetric heap has no room for 4194304 bytes: a smaller size, or a larger SHMEM_SYMMETRIC_SIZE in the "
            "environment would do") in said
    assert "ucxx: zeros: the symmetric heap has no room for 4194304 bytes on all PEs" in said
    assert "Traceback" not in said and "4M" in said  # memcpy has its row


def test_missing_tools_are_told_and_the_rest_is_measured(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    status, said = invoke(*QUICK, "--sizes", "8", "--way", "oshmem", "--way", "memcpy", "--way", "mpi", "--way",
                          "mpi4py", "--way", "numba", "--mpi", tmp_path)
    assert status == 0, said
    assert "C over Open MPI's OSHMEM: not measured: there is no oshrun of Open MPI in the PATH" in said
    assert "memcpy: not measured: there is no cc in the PATH" in said
    assert f"C over MPI: not measured: there is no mpiexec in {tmp_path}" in said
    assert f"mpi4py: not measured: there is no mpiexec in {tmp_path}" in said
    assert "Numba 8 " in said


def test_missing_compiler_of_oshmem_is_told(tmp_path, monkeypatch):
    fake = tmp_path / "oshrun"
    fake.write_text("#!/bin/sh\necho 'oshrun (Open MPI) 9.9'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Missing, match=f"there is no oshcc in {tmp_path}"):
        ping_pong.find("oshmem", None, tmp_path)


def test_library_of_its_own_has_its_settings(monkeypatch):
    monkeypatch.setenv("UCX_TLS", "tcp")
    try:
        found = libraries.KNOWN["oshmem"].find()
    except Missing as missing:
        pytest.skip(str(missing))
    assert "UCX_TLS" not in found.environment
    assert int(found.environment["SHMEM_SYMMETRIC_SIZE"]) > 256 << 20
    words = found.launcher.command(3, ["program"], bind=False)
    assert words[-1] == "program" and "--oversubscribe" in words


def test_picture_has_curves_and_bars_of_libraries(tmp_path):
    rows = [row("ping_pong", way, size, ns) for way, ns in (("c", 40.0), ("oshmem", 100.0), ("mpi", 90.0))
            for size in (8, 16, 65536)]
    ping_pong_plot.draw(report(rows), tmp_path / "out.png")
    shown = json.loads(Image.open(tmp_path / "out.png").text["Description"])
    latency, bandwidth, *bars = shown["panels"]
    assert latency["curves"]["UCXX, C"] == [[8, 16, 65536], [0.06, 0.06, 0.06]]
    assert latency["bands"][0] == [[8, 0.05, 65536, 0.07]]  # quartiles
    assert bandwidth["curves"]["MPI Send/Recv, C"][0] == [65536]
    assert {"8 B", "64 KiB"} <= set(shown["words"]) and len(bars) == 2
    for panel in bars:
        assert {name: bar[0][0] for name, bar in panel["bars"].items()} == {"UCXX": 0, "Open MPI's OSHMEM": 0}
    assert any(words.startswith("A ping-pong of two processes, OpenSHMEM and MPI: medians of 2 runs")
               for words in shown["words"])


def test_picture_of_one_library_has_no_bars(tmp_path):
    ping_pong_plot.draw(report([row("ping_pong", "c", 8)]), tmp_path / "out.png")
    assert len(json.loads(Image.open(tmp_path / "out.png").text["Description"])["panels"]) == 2


def test_lines_differ_without_colours():
    looks = [ping_pong_plot._look(line) for line in ping_pong.LINES]
    assert len({(look.marker, look.line) for look in looks}) == len(looks)


def test_another_library_has_a_line_of_its_own(monkeypatch, tmp_path):
    known = libraries.KNOWN["c"]
    monkeypatch.setitem(libraries.KNOWN, "foreign", dataclasses.replace(known, title="Another"))
    way = ping_pong.find("foreign", None, tmp_path)
    assert isinstance(way, ways.Way) and way.name == "foreign"
