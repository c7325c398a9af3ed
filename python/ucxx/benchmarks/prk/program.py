# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What all kernels share as programs: their options, the clock, and what they print."""

from __future__ import annotations

import abc
import functools
import json
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import click

from ucxx.benchmarks.prk import is_there
from ucxx.benchmarks.prk.loops import LANGUAGES
from ucxx.benchmarks.prk.world import MODELS, World, world

_F = TypeVar("_F", bound=Callable[..., Any])

_MOST = 10**9
_LARGEST_ERROR = 1e-8


class Run(Protocol):
    """A kernel with its memory."""

    def steps(self, times: int) -> None:
        """Do it so many times."""

    def result(self, iterations: int) -> tuple[float, float]:
        """Return what came out behind the warm-up and so many iterations, and what should have."""


class Stepwise(abc.ABC):
    """A kernel whose steps are calls from Python."""

    @abc.abstractmethod
    def step(self) -> None:
        """Do it once."""

    def steps(self, times: int) -> None:
        """Do it so many times."""
        for _ in range(times):
            self.step()


class Kernel(Protocol):
    """A kernel and its sizes.

    Attributes:
        name: that of its module.
        unit: of its rate.
    """

    name: str
    unit: str

    def check(self, pes: int) -> None:
        """See that so many PEs can do it.

        Raises:
            click.UsageError: they cannot, with sizes or PEs that would do.
        """

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""

    def work(self, pes: int) -> float:
        """Return what an iteration of so many PEs is worth, in the unit times a second."""

    def start(self, among: World, language: str) -> Run:
        """Make the memory."""


class Number(click.IntRange):
    """A whole number; what is none is told which would do."""

    def __init__(self, least: int) -> None:
        """Set the least."""
        super().__init__(least, _MOST)
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return an int."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r}: a number from {self._least} to {_MOST} would do", param, ctx)


_OPTIONS = [
    click.option(
        "--model",
        type=click.Choice(tuple(MODELS)),
        default="shmem",
        show_default=True,
        help="What PEs talk by; its launcher starts them.",
    ),
    click.option(
        "--language",
        type=click.Choice(LANGUAGES),
        default="numpy",
        show_default=True,
        help="What computes.",
    ),
    click.option(
        "--iterations",
        type=Number(1),
        default=10,
        show_default=True,
        metavar="N",
        help="Measured iterations, behind one that warms up.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one line of JSON."),
]


def options(function: _F) -> _F:
    """Add the options that all kernels have."""
    return functools.reduce(lambda f, option: option(f), reversed(_OPTIONS), function)


def size(name: str, default: int, least: int, text: str) -> Callable[[_F], _F]:
    """Return the option of a size."""
    return click.option(
        name,
        type=Number(least),
        default=default,
        show_default=True,
        metavar="N",
        help=text,
    )


def check_enough(name: str, number: int, pes: int) -> None:
    """See that each PE gets one of so many things. Raises click.UsageError."""
    if number < pes:
        raise click.UsageError(
            f"{name} {number} is too little for {pes} PEs: at least {pes} would do"
        )


def run(kernel: Kernel, model: str, language: str, iterations: int, as_json: bool) -> None:
    """Run a kernel and print its rate.

    Raises:
        click.ClickException: it cannot be run, or its result is wrong.
    """
    _check_there(kernel.name, language, model)
    among = world(model)
    kernel.check(among.pes)
    started = kernel.start(among, language)
    seconds = among.largest(_timed(started, iterations, among)) / iterations
    found, expected = started.result(iterations)
    among.close()
    report = {
        "kernel": kernel.name,
        "language": language,
        "model": model,
        "pes": among.pes,
        **kernel.sizes(),
        "iterations": iterations,
        "seconds": seconds,
        "rate": kernel.work(among.pes) / seconds,
        "unit": kernel.unit,
        "valid": abs(found - expected) <= _LARGEST_ERROR * max(1, abs(expected)),
    }
    if among.me == 0:
        click.echo(json.dumps(report) if as_json else _text(kernel, report))
    if not report["valid"]:
        raise click.ClickException(f"the solution does not validate: {found!r}, not {expected!r}")


def _check_there(kernel: str, language: str, model: str) -> None:
    def there(language: str, model: str) -> bool:
        return is_there(kernel, language, "shmem" if model == "shmem" else "mpi")

    if not there(language, "shmem"):
        raise click.UsageError(f"{kernel} has no loop for {language}: --language=numpy would do")
    if not there(language, model):
        raise click.UsageError(f"{kernel} in Python does not talk by {model}: --model=shmem would do")


def _timed(started: Run, iterations: int, among: World) -> float:
    started.steps(1)  # warms up; Numba compiles
    among.barrier()
    start = time.perf_counter()
    started.steps(iterations)
    among.barrier()  # PEs that share processors may compute after each other
    return time.perf_counter() - start


def _text(kernel: Kernel, report: dict[str, Any]) -> str:
    sizes = ", ".join(f"{name} {value}" for name, value in kernel.sizes().items())
    valid = "Solution validates" if report["valid"] else "Solution does not validate"
    what = f"{report['kernel']}, {report['language']}, {report['model']}, {report['pes']} PEs"
    return (
        f"{what}, {sizes}\n"
        f"{valid}\n"
        f"Rate: {report['rate']:.6g} {report['unit']}, {report['seconds']:.6g} s an iteration"
    )


def main(command: click.Command) -> None:
    """Run the command of a kernel in each PE; the first one tells what is wrong."""
    try:
        command.main(standalone_mode=False)
    except click.ClickException as error:
        _tell(error)
        sys.exit(error.exit_code)


def _tell(error: click.ClickException) -> None:
    try:
        among = world(_named_model(sys.argv[1:]))
    except click.ClickException as none:
        none.show()
        return
    if among.me == 0:
        error.show()
        sys.stderr.flush()
    among.barrier()  # a launcher ends all when one has ended


def _named_model(words: list[str]) -> str:
    """Return the model that a command line names, however wrong the rest is."""
    for name in MODELS:
        if f"--model={name}" in words or ("--model" in words and name in words):
            return name
    return next(iter(MODELS))
