# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Pictures: what commands draw, and those of the documents, which show what docs/data holds."""

import importlib
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import click
import matplotlib
import pytest
from PIL import Image

from ucxx.benchmarks import drawing, plot
from ucxx.benchmarks.backends import perftest
from ucxx.cli import root as cli


def modules(monkeypatch, folder, *names):
    """Return modules of a folder of programs, which is no package."""
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    found = [importlib.import_module(name) for name in names]
    for name in set(sys.modules) - before:
        if str(folder) in (getattr(sys.modules[name], "__file__", None) or ""):
            monkeypatch.delitem(sys.modules, name)  # another folder may have one of the same name
    return found


@pytest.fixture
def sweep(root, monkeypatch):
    return modules(monkeypatch, root / "tools/demo", "sweep")[0]


@pytest.fixture
def drawn(root, monkeypatch):
    """Give what draws each picture of the documents, by its name."""
    return modules(monkeypatch, root / "tools/pictures", "pictures")[0].PICTURES


@pytest.fixture
def tables(root, monkeypatch):
    return modules(monkeypatch, root / "tools/pictures", "tables")[0]


@pytest.fixture
def sets(root, monkeypatch):
    return modules(monkeypatch, root / "tools/figures", "sets")[0]


def shown(path):
    """Return what a picture says that it shows."""
    if path.suffix == ".png":
        return json.loads(Image.open(path).text["Description"])
    (description,) = ElementTree.parse(path).iter("{http://purl.org/dc/elements/1.1/}description")
    return json.loads(description.text)


def measure(path, *arguments):
    """Write what ucxx-perftest measures."""
    program = perftest._program()
    subprocess.run([program, "--seconds", "0.01", "--timeout", "20", "--json", path, *arguments],
                   check=True, timeout=100, stdout=subprocess.DEVNULL)
    return path


NEEDS_PERFTEST = pytest.mark.skipif(perftest.Backend.missing() is not None, reason=str(perftest.Backend.missing()))


@NEEDS_PERFTEST
def test_sweeps_are_drawn(sweep, tmp_path):
    one = measure(tmp_path / "one.json", "--test", "tag_lat,am_bw", "--sizes", "0,8,4K")
    two = measure(tmp_path / "two.json", "--test", "tag_lat", "--sizes", "8:64:8", "--threads", "2")
    assert [name for name, _, _ in sweep.curves([one])] == ["tag_lat", "am_bw"]
    sweep.draw([one, two], tmp_path / "out.svg")
    latency, bandwidth = shown(tmp_path / "out.svg")["panels"]
    assert {name: sizes for name, (sizes, _) in latency["curves"].items()} == {
        "one: tag_lat": [8, 4096], "two: tag_lat": [8, 64]}  # no size of 0: the axis is logarithmic
    assert bandwidth["curves"]["one: am_bw"][0] == [8, 4096]


@pytest.mark.parametrize(("text", "words"), [
    ("{}", "not written by ucxx-perftest"), ("[]", "not written by ucxx-perftest"), ("x", "Expecting value"),
    ('{"tool": "ucxx-perftest"}', "results")])  # fmt: skip
def test_wrong_sweeps_are_named(sweep, tmp_path, text, words):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(SystemExit, match=f"plot: {path}: .*{words}"):
        sweep.draw([path], tmp_path / "out.png")


def test_sweep_that_is_not_there_is_named(sweep, tmp_path):
    with pytest.raises(SystemExit, match="No such file"):
        sweep.draw([tmp_path / "none.json"], tmp_path / "out.png")


@NEEDS_PERFTEST
def test_sweep_of_nothing_is_told(sweep, tmp_path):
    nothing = measure(tmp_path / "nothing.json", "--sizes", "0")
    with pytest.raises(SystemExit, match="no size above 0"):
        sweep.draw([nothing], tmp_path / "out.png")


@pytest.mark.parametrize(("arguments", "words"), [("plot", "ucxx-perftest --json"), ("pictures x", "no picture 'x'"),
                                                  ("figures x", "no set 'x'")])
def test_commands_say_what_they_need(root, arguments, words):
    done = subprocess.run([root / "dev", *arguments.split()], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2 and words in done.stderr


def test_figures_can_be_listed(root):
    done = subprocess.run([root / "dev", "figures", "--list", "dask", "tcp"], capture_output=True, text=True, check=True,
                          timeout=60)
    assert done.stdout == (
        "dask: connections, transfer, scatter, gather, transpose, svd, merge, shuffle, transports, many\ntcp: sweep, figures\n"
    )


def test_curves_are_medians(tmp_path):
    times = {"UCXX, C++": {8: [0.2, 0.3, 0.2], 65536: [6, 7, 8]}, "something new": {8: [1]}}
    plot.draw_times(times, "title", tmp_path / "out.png")
    found = shown(tmp_path / "out.png")
    latency, bandwidth = found["panels"]
    assert latency["curves"] == {"UCXX, C++": [[8, 65536], [0.2, 7]], "something new": [[8], [1]]}
    assert latency["bands"] == [[[8, 0.2, 65536, 8]]]  # of the one program that ran more than once
    assert bandwidth["curves"] == {"UCXX, C++": [[65536], [9.362]]}
    assert {"title", "something new", "Half a round trip: less is better"} <= set(found["words"])


def test_texts_of_axes():
    assert [drawing.time_text(us) for us in (0.5, 2.5, 1500, 2e6)] == ["500 ns", "2.5 us", "1.5 ms", "2 s"]
    assert [drawing.rate_text(rate) for rate in (10, 0.02, 3e-5)] == ["10 GB/s", "20 MB/s", "30 kB/s"]


def test_looks_differ_without_colours(root):
    curves = shown(root / "docs/pictures/all_messages.svg")["panels"][0]["curves"]
    assert len({(look.marker, look.line) for look in drawing.looks_of(curves).values()}) == len(curves) >= 5
    others = drawing.looks_of(["another", "and another"]).values()
    assert len({(look.marker, look.line) for look in others}) == 2


def test_pictures_show_the_data(drawn, root, tmp_path, monkeypatch):
    """Each is drawn anew and compared with the committed one by what it shows; no font is small."""
    small = []
    save = drawing.save

    def checked(figure, path):
        texts = figure.findobj(matplotlib.text.Text)
        small.extend((path.name, text.get_text()) for text in texts
                     if text.get_text() and text.get_fontsize() < drawing.LEAST_FONT)
        assert figure.get_figwidth() == drawing.WIDTH
        save(figure, path)

    monkeypatch.setattr(drawing, "save", checked)
    assert set(drawn) == {path.stem for path in (root / "docs/pictures").glob("*.svg")}
    for name, draw in drawn.items():
        path = (tmp_path / name).with_suffix(".svg")
        draw(path)
        assert shown(path) == shown(root / f"docs/pictures/{name}.svg"), f"{name} is old: ./dev pictures {name}"
    assert small == []


def test_picture_of_the_readme_is_that_of_the_pages(root):
    assert shown(root / "docs/pictures/messages.png") == shown(root / "docs/pictures/messages.svg")


def test_all_pictures_are_in_pages(drawn, root):
    pages = [root / "README.md", *root.glob("docs/**/*.md")]
    used = {name for page in pages for name in re.findall(r"pictures/(\w+)\.(?:svg|png)", page.read_text())}
    assert used == set(drawn)


def test_tables_show_the_data(tables):
    old = [page.name for page in tables.PAGES if tables.filled(page.read_text()) != page.read_text()]
    assert old == [], "./dev pictures writes them"
    used = [match[2] for page in tables.PAGES for match in tables.TABLE.finditer(page.read_text())]
    assert sorted(used) == sorted(tables.TABLES)  # each once, and none is left out


def test_commands_of_the_figures_exist(sets, root):
    """Their figures are functions of benchmarks/compare, and options of `python -m ucxx benchmark`."""
    known = set(re.findall(r"^def (\w+)\(programs\)", "".join(path.read_text() for path in root.glob("benchmarks/*.py")),
                           re.MULTILINE))
    steps = [step for steps in sets.SETS.values() for step in steps.values()]
    compared = {name for step in steps if "benchmarks/compare" in step.words for name in step.words[-1][2:-2].split("|")}
    assert compared and compared <= known
    commands = [step.words[3:] for step in steps if step.words[:3] == ("python", "-m", "ucxx")]
    assert commands
    for words in commands:
        parse(list(words))


def parse(words):
    """Let click read a command line without running it."""
    command = cli.command
    while isinstance(command, click.Group):
        command = command.commands[words.pop(0)]
    command.make_context(command.name, words)


def test_kills_are_counted_by_how_the_survivor_waits(sets):
    runs = [{"fault": "kill", "mode": "poll", "t_dead": 1.0, "t_detect": seen} for seen in (0.9, 1.002, 1.002, 1.004)]
    runs += [{"fault": "stop-go", "mode": "poll", "t_dead": 1.0, "t_detect": 9.0},
             {"fault": "kill", "mode": "sleep", "t_dead": 1.0, "t_detect": None}]
    found = sets.detections({"runs": runs, "summary": {"all": {"kills": 6, "failures": 0}, "outcomes": {}}})
    assert found["summary"] == {"kills": 6, "failures": 0}
    assert found["detected"] == {"poll": 4}
    assert found["percentiles_ms"]["poll"][49] == 2 and min(found["percentiles_ms"]["poll"]) >= 0
