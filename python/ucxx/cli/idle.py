# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark idle`: what waiting costs."""

import click

from ucxx.benchmarks import idle
from ucxx.cli import SETTINGS, measuring


@click.command(
    name="idle",
    short_help="Wait: how much of a processor does it take?",
    context_settings=SETTINGS,
)
@click.option(
    "--mode",
    "names",
    multiple=True,
    type=click.Choice(idle.NAMES),
    help="Measure this one; repeatable. Without it: all.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    default=1,
    show_default=True,
    help="How long each waits.",
)
@measuring.runs_option
@measuring.pin_option
@measuring.json_option
def command(
    names: tuple[str, ...],
    seconds: float,
    runs: int,
    pin: tuple[int | None, int | None] | None,
    json_path: str | None,
) -> None:
    """Wait for a message that does not come: how much of a processor does each progress mode take?

    `polling` and `thread-polling` never sleep, as their names say.
    """
    names = tuple(dict.fromkeys(names)) or idle.NAMES
    rows = measuring.repeated(len(names) * runs, idle.measure, names, seconds, runs, pin)
    columns = ("mode", "cpu_percent", "% of a core")
    measuring.tell(rows, columns, json_path, runs=runs, pin=pin, seconds=seconds)
