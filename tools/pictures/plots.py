# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws the figures of docs/data: by the program that measured them, or here where that draws nothing."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import types
from typing import Any

import data

from ucxx.benchmarks import drawing
from ucxx.benchmarks.dask import bars, rates, task_stream
from ucxx.benchmarks.plot import TITLES, draw_times
from ucxx.benchmarks.prk import plot as prk_plot
from ucxx.benchmarks.shmem import ping_pong_plot
from ucxx.benchmarks.shmem import plot as shmem_plot
from ucxx.benchmarks.units import read_size

Path = pathlib.Path


def _program(path: str) -> types.ModuleType:
    """Return a module of a folder that is no package."""
    spec = importlib.util.spec_from_file_location("_".join(pathlib.Path(path).with_suffix("").parts), data.ROOT / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


oshmem_plot = _program("benchmarks/shmem/plot.py")

# What a reader compares at first; the page has all of them.
FIRST = ("UCXX, C++", "UCXX, asyncio", "ucx_perftest", "mpi4py", "RAPIDS UCXX, polling", "asyncio streams")
TREND = "medians of {} runs, bands from min to max"


def messages(path: Path, programs: tuple[str, ...] = FIRST) -> None:
    """Draw messages inside a machine."""
    found = data.report("messages", "messages")
    measured = found["half_round_trip_us"]
    times = {name: {int(size): us for size, us in measured[name].items()} for name in programs if name in measured}
    draw_times(times, f"A message between two processes on one machine: {TREND.format(found['rounds'])}", path)


def all_messages(path: Path) -> None:
    """Draw messages inside a machine by all programs."""
    messages(path, tuple(drawing.LOOKS))


def tcp(path: Path) -> None:
    """Draw messages over TCP."""
    rows = data.report("tcp", "sweep")["results"]
    times = {name: {row["size"]: [row[key]["p50_us"][which] for which in ("min", "median", "max")] for row in rows if key in row}
             for name, key in (("UCXX, C++", "ucxx"), ("ucx_perftest", "ucx_perftest"))}
    draw_times(times, f"A message between two processes over loopback TCP: {TREND.format(5)}", path)


PYTHON = {"dict": "a small dict", "eight buffers": "8 buffers of 32 B"}


@drawing.style()
def python(path: Path) -> None:
    """Draw messages of Python that are no single buffer."""
    rows = {title: {TITLES.get(row["backend"], row["backend"]): row["half_round_trip_us"]["p50"]
                    for row in data.report("python", key)["results"]} for key, title in PYTHON.items()}
    figure, (axes,) = drawing.panels(1, height=4.2)
    drawing.grouped_bars(axes, rows, drawing.time_text)
    drawing.logarithmic(axes.xaxis, drawing.time_text)
    axes.set_xlim(0.4, 300)
    axes.set_xlabel("half a round trip: less is better")
    drawing.legend(figure)
    drawing.title(figure, "An object, or several buffers, in one message from Python: medians of 5 runs")
    drawing.save(figure, path)


PEERS = re.compile(r"local: idle progress\(\) with (\d+) local peers")
INSTRUCTIONS = re.compile(r"instructions: (?!idle)(.*?)(?<!time)")


@drawing.style()
def memory(path: Path) -> None:
    """Draw what an idle call costs with many peers, and how many instructions a small message takes."""
    peers = {int(match[1]): [row["ucxx"]["median"]] for row in data.report("memory", "peers")["figures"]
             if (match := PEERS.fullmatch(row["figure"]))}
    kinds = {re.sub(" 8 B| of 4 B|, send and receive", "", match[1]): row["ucxx"]["median"]
             for row in data.report("memory", "instructions")["figures"] if (match := INSTRUCTIONS.fullmatch(row["figure"]))}
    figure, (left, right) = drawing.panels(2, height=3.0)
    drawing.curve(left, "UCXX", peers)
    drawing.logarithmic(left.xaxis, lambda count: f"{count:g}")
    left.set_ylim(0, 1.2 * max(max(values) for values in peers.values()))
    left.set(xlabel="local peers", ylabel="nanoseconds")
    left.set_title("An idle call of progress()")
    drawing.grouped_bars(right, {kind: {"UCXX": count} for kind, count in kinds.items()}, lambda count: f"{count:,.0f}")
    right.set_xlim(0, 1.25 * max(kinds.values()))
    right.set_title("Instructions of 8 B in one process")
    drawing.save(figure, path)


DASK = ("connections", "transfer", "scatter", "gather")
DASK_PROGRAMS = ("transpose", "svd", "merge", "shuffle")


def dask(path: Path) -> None:
    """Draw how many times faster Dask's rows are over ucx://."""
    reports = [data.report("dask", title) for title in (*DASK, *DASK_PROGRAMS)]
    hidden = re.compile("workers compute|workers receive|throughput|all sends| gets from |, [27]5 %|svd: transfers")
    rows = [row for found in reports for row in found["results"] if not hidden.search(row["what"])]
    bars.draw({"settings": reports[0]["settings"], "results": rows}, path)


def dask_tasks(path: Path) -> None:
    """Draw what two workers do meanwhile."""
    task_stream.draw(data.report("dask", "transpose"), path)


def dask_transports(path: Path) -> None:
    """Draw the merge over several sets of transports."""
    rates.draw(data.report("dask", "transports"), path)


def shmem(path: Path) -> None:
    """Draw calls of OpenSHMEM."""
    oshmem_plot.draw(data.report("shmem", "calls"), path)


def shmem_collectives(path: Path) -> None:
    """Draw collectives of OpenSHMEM by size."""
    oshmem_plot.draw_collectives(data.report("shmem", "calls"), path)


def shmem_python(path: Path) -> None:
    """Draw calls of OpenSHMEM from Python."""
    shmem_plot.draw(data.report("shmem_python", "calls"), path)


def shmem_ping_pong(path: Path) -> None:
    """Draw the ping-pong of OpenSHMEM and MPI over size."""
    ping_pong_plot.draw(data.report("shmem_ping_pong", "sizes"), path)


def prk(path: Path) -> None:
    """Draw the Parallel Research Kernels."""
    prk_plot.draw(data.report("kernels", "rates"), path)


def prk_scaling(path: Path) -> None:
    """Draw the efficiency of the Parallel Research Kernels over PEs."""
    prk_plot.draw_efficiency(data.report("kernels", "scaling"), path)


PREPARED = re.compile(r"prepared: (?P<size>\d+ \w+)(?:, half round trip, library memory| beside (?P<mpi>Open MPI|MPICH)'s "
                      r"MPI_Send_init)")
PREPARED_TITLES = {"prepared": "UCXX, prepared", "tag": "UCXX, tag message", "Open MPI": "Open MPI, MPI_Send_init",
                   "MPICH": "MPICH, MPI_Send_init"}
PREPARED_LOOKS = {"prepared": drawing.LOOKS["UCXX"], "tag": drawing.Look("#1b7fb5", "s", "--"),
                  "Open MPI": drawing.LOOKS["Open MPI"], "MPICH": drawing.Look("#b8860b", "D", "-.")}


def prepared_times() -> dict[str, dict[int, list[float]]]:
    """Return half a round trip of prepared transfers, and of what they are compared with, in microseconds by size."""
    times: dict[str, dict[int, list[float]]] = {}
    for row in data.report("prepared", "prepared")["figures"]:
        if not (match := PREPARED.fullmatch(row["figure"])):
            continue
        size = read_size(match["size"])
        values = {match["mpi"]: row["peer"]} if match["mpi"] else {"prepared": row["ucxx"], "tag": row["peer"]}
        for name, value in values.items():
            times.setdefault(name, {})[size] = [value["min"], value["median"], value["max"]]
    return times


@drawing.style()
def prepared(path: Path) -> None:
    """Draw prepared transfers beside tag messages and MPI's persistent ones."""
    times = prepared_times()
    figure, (axes,) = drawing.panels(1, height=3.8)
    for name, title in PREPARED_TITLES.items():
        drawing.curve(axes, title, times.get(name, {}), PREPARED_LOOKS[name])
    drawing.by_size(axes, times["prepared"])
    drawing.logarithmic(axes.yaxis, drawing.time_text)
    drawing.legend(figure)
    drawing.title(figure, "Half a round trip between two processes that touch all bytes: medians of 7 runs, min to max")
    drawing.save(figure, path)


MODES = {"poll": "calls of progress", "wait": "a wait for a request", "sleep": "sleeps at a descriptor",
         "thread-polling": "thread, polling", "thread-adaptive": "thread, adaptive", "thread-blocking": "thread, blocking"}
MODE_LOOKS = dict(zip(MODES, drawing.OTHERS, strict=True))


LEAST_MS = 0.01  # the axis is logarithmic


@drawing.style()
def faults(path: Path) -> None:
    """Draw how soon a survivor sees that its peer was killed."""
    figure, panels = drawing.panels(2, height=3.6)
    for axes, (title, words) in zip(panels, {"local": "local channel", "tcp": "UCX over TCP"}.items(), strict=True):
        found = data.report("faults", title)
        modes = found["percentiles_ms"]
        for mode, title in MODES.items():
            look, times = MODE_LOOKS[mode], [max(LEAST_MS, ms) for ms in modes.get(mode, ())]
            axes.plot(times, range(1, len(times) + 1), color=look.colour, linestyle=look.line, marker=look.marker,
                      markevery=14, label=title)
        drawing.logarithmic(axes.xaxis, lambda ms: drawing.time_text(ms * 1e3))
        summary = found["summary"]
        axes.set_title(f"{words}: {summary['kills']:,} faults, {summary['failures']} survivors failed",
                       fontsize=drawing.LEAST_FONT)
        axes.set_xlabel("from the death to the error")
        axes.set_ylabel("of the deaths, at most so long (%)")
    drawing.legend(figure, 3)
    drawing.save(figure, path)


GPU = {"stream": "streams (Condition.stream)", "batch": "streams, in a StreamBatch", "prepared": "prepared transfers",
       "synchronous": "cuStreamSynchronize, then tag messages", "bare_thread": "a bare thread, no UCXX",
       "host_function": "a host function that sends"}
GPU_LOOKS = {"stream": drawing.LOOKS["UCXX"], "batch": drawing.Look("#1b7fb5", "s", "--"),
             "prepared": drawing.Look("#5bc0de", "^", "-."), "synchronous": drawing.LOOKS["ucx_perftest"],
             "bare_thread": drawing.LOOKS["limit"], "host_function": drawing.LOOKS["asyncio streams"]}


def facts_of(name: str) -> list[dict[str, Any]]:
    """Return the facts of one test of the run on a GPU."""
    return next(test["data"] for test in data.load("gpu_run_3")["tests"] if test["name"] == name)


@drawing.style()
def gpu(path: Path) -> None:
    """Draw an iteration of kernels and messages, by who starts the messages."""
    facts = {int(match[1]): fact["value"] for fact in facts_of("bench.ping_pong")
             if (match := re.fullmatch(r"ping_pong of (\d+) B", fact["fact"]))}
    figure, (axes,) = drawing.panels(1, height=3.9)
    for way, title in GPU.items():
        values = {size: [value[way][which] for which in ("lowest", "median", "highest")] for size, value in facts.items()}
        drawing.curve(axes, title, values, GPU_LOOKS[way])
    drawing.by_size(axes, facts)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("microseconds: less is better")
    drawing.legend(figure, 2)
    drawing.title(figure, "Kernel, send, receive, kernel, and back: an iteration on one H200, two workers of one process; "
                          "medians of 7 rounds, bands from min to max")
    drawing.save(figure, path)
