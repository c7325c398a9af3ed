# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Runs the ways in turn, and makes rows of figures of what they print."""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ucxx.benchmarks.shmem.figures import EVERY, wanted
from ucxx.benchmarks.shmem.ways import FIRST, Way

_SECONDS = 120

# Nanoseconds of a call, of each repetition; by the figure and its bytes.
_Told = dict[tuple[str, int], list[float]]


class RunError(Exception):
    """A program has failed; the text is the last that it said."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What all ways have in common.

    Attributes:
        figures: their names.
        sizes: bytes of copies and ping-pongs.
        pes: how many; those above two take part in collectives, and compute else.
        ms: about how long each repetition takes.
        repeats: of each figure, in each run.
        bind: whether each PE gets a processor of its own, if there are as many.
    """

    figures: Sequence[str]
    sizes: Sequence[int]
    pes: int
    ms: float
    repeats: int
    bind: bool


def measure(
    ways: Sequence[Way], plan: Plan, runs: int, on_run: Callable[[str], object] = lambda name: None
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Run all ways in turn, `runs` times; return rows, and why some ways have failed.

    A way that fails is not run again, and has no rows.
    """
    told: dict[str, list[_Told]] = {way.name: [] for way in ways}
    failed: dict[str, str] = {}
    for _ in range(runs):
        for way in ways:
            if way.name not in failed:
                try:
                    told[way.name].append(_run(way, plan))
                except RunError as error:
                    failed[way.name] = str(error)
            on_run(way.name)
    return rows({name: found for name, found in told.items() if name not in failed}), failed


def _run(way: Way, plan: Plan) -> _Told:
    told: _Told = {}
    figures = wanted(plan.figures, plan.sizes)
    if figures:
        told |= _told(_output(way, plan, [*way.program, str(plan.ms), str(plan.repeats), *map(str, figures)]))
    if "start" in plan.figures:
        begin = time.perf_counter_ns()
        said = _output(way, plan, way.hello)
        told["hello", 0] = [time.perf_counter_ns() - begin]
        told |= _told(said)
    return told


def _output(way: Way, plan: Plan, program: Sequence[str]) -> str:
    """Run a job to its end; return what it printed."""
    is_bound = plan.bind and plan.pes <= len(os.sched_getaffinity(0))
    command = way.launcher.command(plan.pes, program, is_bound)
    job = subprocess.Popen(
        command,
        env=way.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        said, wrong = job.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise RunError(f"no end after {_SECONDS} s: {' '.join(command)}") from error
    finally:
        _end(job)
    if job.returncode != 0:
        raise RunError(_last_words(said, wrong) or f"exit status {job.returncode}: {' '.join(command)}")
    return said


def _end(job: subprocess.Popen[str]) -> None:
    """End a launcher that is still there, which ends its processes."""
    if job.poll() is None:
        job.terminate()
        try:
            job.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            job.kill()
            job.communicate()


def _last_words(*texts: str) -> str:
    return "\n".join(texts).strip()[-1000:]


def _told(text: str) -> _Told:
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return {(line["figure"], line["bytes"]): line["ns"] for line in lines}


def rows(told: Mapping[str, Sequence[_Told]]) -> list[dict[str, Any]]:
    """Return a dict for each figure of each way, with its ratio to what the figure is compared with.

    The value of a run is the median of its repetitions, that of a row the median of its runs.
    """
    found = {
        (figure, size, name): [statistics.median(run[figure, size]) for run in runs]
        for name, runs in told.items()
        for figure, size in (runs[0] if runs else ())
    }
    return [
        {
            "figure": figure,
            "title": EVERY[figure].title,
            "bytes": size,
            "way": name,
            "ns": statistics.median(values),
            "runs_ns": values,
            "least_ns": min(min(run[figure, size]) for run in told[name]),
            "ratio": _ratio(values, found.get(_first(figure, size))),
        }
        for (figure, size, name), values in _ordered(found)
    ]


def _ordered(
    found: Mapping[tuple[str, int, str], list[float]],
) -> Iterable[tuple[tuple[str, int, str], list[float]]]:
    """Return the figures in the order of the table, those to compare with each other as neighbours."""
    order = list(EVERY)
    return sorted(found.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))


def _first(figure: str, size: int) -> tuple[str, int, str]:
    """Return what a figure is compared with."""
    name, way = EVERY[figure].first or (figure, FIRST)
    return name, size, way


def _ratio(values: Sequence[float], first: Sequence[float] | None) -> float | None:
    """Return how many times what the first one takes it is: the median of the ratios of each round."""
    if first is None:
        return None
    return statistics.median(one / other for one, other in zip(values, first, strict=True))
