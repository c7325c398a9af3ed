# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the two benchmark commands share: their options, and the run."""

from __future__ import annotations

import dataclasses
import functools
import os

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import ucxx
from ucxx.benchmarks import backends, measure, settings, units
from ucxx.cli import facts


class Sizes(click.ParamType):
    """Sizes with suffixes, separated by commas."""

    name = "SIZE,..."

    def convert(self, value, param, ctx):
        """Return a tuple of ints."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(map(units.read_size, value.split(",")))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Pin(click.ParamType):
    """Two numbers of processors that this process may use."""

    name = "A,B"

    def convert(self, value, param, ctx):
        """Return a tuple of two ints."""
        if isinstance(value, tuple):
            return value
        usable = os.sched_getaffinity(0)
        words = value.split(",")
        if len(words) != 2 or not all(word.strip().isdecimal() for word in words):
            self.fail(f"{value!r}: two processor numbers, for example 0,1", param, ctx)
        numbers = tuple(map(int, words))
        if strangers := set(numbers) - usable:
            there = ",".join(map(str, sorted(usable)))
            self.fail(
                f"no processor {min(strangers)} for this process; there are {there}", param, ctx
            )
        return numbers


_OPTIONS = [
    click.option(
        "--backend",
        "names",
        multiple=True,
        type=click.Choice(backends.NAMES),
        help="Measure this one; repeatable. Without it: all that are installed.",
    ),
    click.option(
        "--iterations",
        type=click.IntRange(1, 10**7),
        metavar="N",
        help="Measured round trips of each size; default 5000, fewer for large sizes.",
    ),
    click.option(
        "--warm-up",
        type=click.IntRange(0, 10**7),
        metavar="N",
        help="Round trips before them; default a tenth.",
    ),
    click.option("--pin", type=Pin(), help="Processors of the two processes."),
    click.option(
        "--multi-buffers",
        "buffers",
        type=click.IntRange(1, 1000),
        default=1,
        metavar="N",
        help="Buffers of SIZE bytes in each message.",
        show_default=True,
    ),
    click.option(
        "--reuse/--no-reuse",
        default=True,
        show_default=True,
        help="Receive into the same memory, or into new memory each time.",
    ),
    click.option(
        "--progress-mode",
        type=click.Choice(settings.MODES),
        default="loop",
        show_default=True,
        help="Who moves the workers of UCXX.",
    ),
]


def options(function):
    """Add the options that both commands have."""
    return functools.reduce(lambda f, option: option(f), reversed(_OPTIONS), function)


def run(names, plan):
    """Measure backends; return a report for JSON. Those that are not installed are skipped.

    Raises:
        click.ClickException: one has failed.
    """
    skipped = {
        name: why for name in names or backends.NAMES if (why := backends.backend(name).missing())
    }
    chosen = [name for name in dict.fromkeys(names or backends.NAMES) if name not in skipped]
    total = sum(plan.round_trips(size) for size in plan.sizes)
    rows = []
    with _progress() as progress:
        for name in chosen:
            task = progress.add_task(name, total=total)
            advance = functools.partial(progress.advance, task)
            try:
                rows += measure.measure(name, plan, advance)
            except measure.BenchmarkError as error:
                raise click.ClickException(str(error)) from error
    measure.add_ratios(rows)
    return {
        "ucxx": ucxx.__version__,
        "ucx": facts.ucx(),
        "environment": facts.environment(),
        "settings": dataclasses.asdict(plan),
        "skipped": skipped,
        "results": rows,
    }


def _progress():
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description:<10}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
