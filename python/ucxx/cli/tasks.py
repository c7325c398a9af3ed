# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark tasks`: what a step of a program costs on each event loop."""

import click

from ucxx.benchmarks import tasks
from ucxx.cli import SETTINGS, measuring


@click.command(
    name="tasks",
    short_help="What a step costs on each event loop.",
    context_settings=SETTINGS,
)
@click.option(
    "--loop",
    "loops",
    type=click.Choice(tasks.LOOPS),
    multiple=True,
    help="Which loop, several times for several; all that are installed.",
)
@click.option(
    "--steps",
    type=click.IntRange(2, 10**8),
    default=tasks.STEPS,
    show_default=True,
    metavar="N",
    help="Steps of each measurement.",
)
@measuring.runs_option
@measuring.json_option
def command(loops: tuple[str, ...], steps: int, runs: int, json_path: str | None) -> None:
    """Measure what a step costs on the event loops of asyncio, uvloop and trio.

    coroutine: one that returns at once is awaited. task: one that returns at once is made and
    awaited. thread: another thread ends what a task waits for. ended: a transfer has ended when it
    is awaited. later: a transfer suspends its task, and two tasks wake each other by turns.
    """
    for name in loops:
        if why := tasks.missing(name):
            raise click.UsageError(f"--loop {name}: {why}")
    names = loops or tuple(name for name in tasks.LOOPS if tasks.missing(name) is None)
    total = len(names) * len(tasks.KINDS) * runs
    rows = measuring.repeated(total, tasks.measure, names, steps, runs)
    measuring.tell(rows, ("step", "us", "us"), json_path, runs=runs, steps=steps)
