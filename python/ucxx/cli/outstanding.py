# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark outstanding`: many receives that wait on one loop."""

import click

from ucxx.benchmarks import outstanding
from ucxx.cli import SETTINGS, measuring


@click.command(
    name="outstanding",
    short_help="Have many receives wait on one loop.",
    context_settings=SETTINGS,
)
@click.option(
    "--counts",
    type=measuring.Counts(10, 10**6, "10,10000"),
    default=",".join(map(str, outstanding.COUNTS)),
    show_default=True,
    help="How many receives wait at the same time.",
)
@click.option(
    "--messages",
    type=click.IntRange(1, 10**8),
    default=outstanding.MESSAGES,
    show_default=True,
    metavar="N",
    help="Messages of each measurement.",
)
@measuring.runs_option
@measuring.pin_option
@measuring.json_option
def command(
    counts: tuple[int, ...],
    messages: int,
    runs: int,
    pin: tuple[int | None, int | None] | None,
    json_path: str | None,
) -> None:
    """Have many receives wait on one event loop, each in a task: what does the end of one cost?"""
    rows = measuring.repeated(
        len(counts) * runs, outstanding.measure, counts, messages, runs, pin
    )
    columns = ("outstanding", "us_per_completion", "us for each")
    measuring.tell(rows, columns, json_path, runs=runs, pin=pin, messages=messages)
