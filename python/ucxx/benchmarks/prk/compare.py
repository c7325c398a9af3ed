# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Runs kernels in all languages over all models, in turn, and makes rows of figures of what they print."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import math
import statistics
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ucxx._shmem_adapters import chosen
from ucxx.benchmarks.prk import is_there
from ucxx.benchmarks.prk.loops import missing
from ucxx.benchmarks.prk.programs import CompileError, compiled
from ucxx.benchmarks.prk.tools import Missing, Tools, adapter_to, environment, processors

LANGUAGES = ("c", "numba", "numpy")
MODELS = ("shmem", "oshmem", "mpi")  # UCXX's OpenSHMEM, another library's, MPI

_SECONDS = 600
# Kernels of which more or fewer iterations are measured, and how many times as many, so that a run in C
# takes 0.2 s or longer.
_TIMES = {"synch_global": 100, "reduce": 100, "refcount": 30, "random": 0.2}
_TIMES_IN_PYTHON = {"random": 0.02}  # by calls of Python, each of which takes as long as ten updates in C
_UNITS = {
    "transpose": "MB/s",
    "stream": "MB/s",
    "synch_global": "steps/s",
    "refcount": "updates/s",
    "random": "updates/s",
    "branch": "Mop/s",
}
# What a kernel in Python calls that libraries of OpenSHMEM 1.4 lack.
_CALLS_SINCE_1_5 = {"dgemm": "shmem_team_split_2d"}
_Rate = float


class RunError(Exception):
    """A kernel has failed; the text is the last that it said."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What all cases of a kernel have in common.

    Attributes:
        order: points of the stencil in each direction, rows and columns of others; of vectors and
            strings the elements, of stream their root.
        radius: of the stencil.
        variant: of transpose.
        iterations: measured ones of each run, but for kernels with very short or long steps.
        bind: whether each PE gets a processor of its own.
    """

    order: int
    radius: int
    variant: str
    iterations: int
    bind: bool

    def sizes(self, kernel: str) -> dict[str, int | str]:
        """Return the arguments of a kernel, in the order in which the program in C takes them."""
        if kernel == "stencil":
            return {"order": self.order, "radius": self.radius}
        if kernel == "synch_p2p":
            return {"rows": self.order, "columns": self.order}
        if kernel == "transpose":
            return {"order": self.order, "variant": self.variant}
        if kernel in ("synch_global", "reduce"):
            return {"length": self.order}
        return self._other_sizes(kernel)

    def iterations_of(self, kernel: str, language: str) -> int:
        """Return how many iterations of a kernel are measured in each run."""
        times = _TIMES | _TIMES_IN_PYTHON if language == "numpy" else _TIMES
        return max(1, round(self.iterations * times.get(kernel, 1)))

    def _other_sizes(self, kernel: str) -> dict[str, int | str]:
        square = self.order**2
        elements = max(1, (1 << square.bit_length()) // 4)  # from a quarter to a half of the square
        sizes: dict[str, dict[str, int | str]] = {
            "stream": {"length": square},
            "refcount": {"updates": self.order, "variant": "lock"},
            "random": {"elements": elements, "updates": 4 * elements},
            "sparse": {"bits": int(math.log2(self.order)), "radius": self.radius},
            "dgemm": {"order": max(4, self.order // 4) // 4 * 4},
            "branch": {"length": square},
        }
        return sizes[kernel]


@dataclasses.dataclass(frozen=True)
class Case:
    """One of the things to compare."""

    kernel: str
    pes: int
    language: str
    model: str

    @property
    def column(self) -> str:
        """What is measured with each kernel, in words."""
        return f"{self.language} over {self.model}"


def cases(
    kernels: Iterable[str], pes: Sequence[int], languages: Iterable[str], models: Sequence[str]
) -> list[Case]:
    """Return all combinations that there are; those to compare with each other are neighbours."""
    return [
        Case(kernel, count, language, model)
        for kernel in kernels
        for count in pes
        for language in languages
        for model in models
        if is_there(kernel, language, model)
    ]


def reason_to_skip(case: Case, tools: Mapping[str, Tools | Missing]) -> str | None:
    """Return what is missing for a case, None if nothing is. A kernel in C is compiled now."""
    found = tools[case.model]
    if isinstance(found, Missing):
        return str(found)
    if case.language == "c":
        try:
            compiled(case.kernel, found)
        except (CompileError, Missing) as error:
            return str(error)
        return None
    if case.model == "mpi" and importlib.util.find_spec("mpi4py") is None:
        return "mpi4py is not installed"
    return missing(case.language) or (
        _missing_of_adapter(case.kernel, found) if case.model == "oshmem" else None
    )


def _missing_of_adapter(kernel: str, found: Tools) -> str | None:
    try:
        adapter = adapter_to(found)
    except Missing as error:
        return str(error)
    call = _CALLS_SINCE_1_5.get(kernel)
    return f"{adapter.name} has no {call}" if call in adapter.lacks else None


def run(case: Case, tools: Tools, plan: Plan) -> _Rate:
    """Return the rate of a case. Raises RunError."""
    is_bound = plan.bind and case.pes <= (processors(tools, case.pes) or 0)
    command = tools.command(case.pes, _program(case, tools, plan), is_bound)
    try:
        done = subprocess.run(
            command,
            env=_environment(case, tools),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RunError(f"{' '.join(command)}: no end after {_SECONDS} s") from error
    lines = [line for line in done.stdout.split("\n") if line.startswith("{")]
    if done.returncode != 0 or len(lines) != 1:
        raise RunError(f"{' '.join(command)}: {_last_words(done)}")
    report = json.loads(lines[0])
    if report["pes"] != case.pes:
        raise RunError(f"{' '.join(command)}: {report['pes']} PEs have met, not {case.pes}")
    return float(report["rate"])


def _environment(case: Case, tools: Tools) -> dict[str, str]:
    """Return an environment in which `ucxx.shmem` calls the library of the case."""
    is_adapted = case.model == "oshmem" and case.language != "c"
    library = str(adapter_to(tools).path) if is_adapted else chosen.OWN
    return {**environment(), chosen.VARIABLE: library}


def _last_words(done: subprocess.CompletedProcess[str]) -> str:
    said = f"{done.stdout}\n{done.stderr}".strip()
    return said[-1000:] or f"exit status {done.returncode}"


def _program(case: Case, tools: Tools, plan: Plan) -> list[str]:
    sizes = plan.sizes(case.kernel)
    iterations = str(plan.iterations_of(case.kernel, case.language))
    if case.language == "c":
        words = [str(size) for size in sizes.values()]
        return [compiled(case.kernel, tools), "--json", iterations, *words]
    model = "mpi4py" if case.model == "mpi" else "shmem"
    options = {"model": model, "language": case.language, "iterations": iterations, **sizes}
    words = [f"--{name}={value}" for name, value in options.items()]
    return [tools.python, "-m", f"{__package__}.{case.kernel}", "--json", *words]


def measure(
    todo: Sequence[Case],
    tools: Mapping[str, Tools],
    plan: Plan,
    runs: int,
    on_run: Callable[[Case], object],
) -> tuple[list[dict[str, Any]], dict[Case, str]]:
    """Run all cases in turn, `runs` times; return a row for each, and why some have failed.

    A case that fails is not run again, and has no row.
    """
    rates: dict[Case, list[_Rate]] = {case: [] for case in todo}
    failed: dict[Case, str] = {}
    for _ in range(runs):
        for case in todo:
            if case not in failed:
                try:
                    rates[case].append(run(case, tools[case.model], plan))
                except RunError as error:
                    failed[case] = str(error)
            on_run(case)
    done = {case: rates[case] for case in todo if case not in failed}
    places = {case: processors(tools[case.model], case.pes) for case in done}
    return rows(done, plan, places), failed


def rows(
    rates: Mapping[Case, list[_Rate]], plan: Plan, places: Mapping[Case, int | None] | None = None
) -> list[dict[str, Any]]:
    """Return a dict for each case, with its ratio to MPI and to C: medians of those of each round.

    The efficiency is the rate of a PE beside that of a PE alone. `places` has the processors that the
    PEs of a case may use, None where that is not known.
    """
    return [
        {
            **dataclasses.asdict(case),
            "processors": (places or {}).get(case),
            "sizes": plan.sizes(case.kernel),
            "iterations": plan.iterations_of(case.kernel, case.language),
            "unit": _UNITS.get(case.kernel, "MFlop/s"),
            "rate": statistics.median(found),
            "rates": found,
            "of_mpi": _ratio(found, rates.get(dataclasses.replace(case, model="mpi"))),
            "of_c": _ratio(found, rates.get(dataclasses.replace(case, language="c"))),
            "efficiency": _efficiency(case, rates),
        }
        for case, found in rates.items()
    ]


def title_of(row: Mapping[str, Any]) -> str:
    """Return what a row measures: a kernel, and which variant of it."""
    variant = row["sizes"].get("variant")
    return f"{row['kernel']} ({variant})" if variant else str(row["kernel"])


def is_oversubscribed(row: Mapping[str, Any]) -> bool:
    """Whether PEs of a row share processors; False where that is not known."""
    return row["processors"] is not None and row["pes"] > row["processors"]


def _efficiency(case: Case, rates: Mapping[Case, list[_Rate]]) -> float | None:
    if case.pes == 1:
        return 1.0
    ratio = _ratio(rates[case], rates.get(dataclasses.replace(case, pes=1)))
    return None if ratio is None else ratio / case.pes


def _ratio(found: list[_Rate], others: list[_Rate] | None) -> float | None:
    if others is None or others is found:
        return None
    return statistics.median(one / other for one, other in zip(found, others, strict=True))
