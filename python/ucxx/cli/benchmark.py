# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark`: the group of the benchmarks."""

import click

from ucxx.cli import SETTINGS, dask, echo, idle, outstanding, prk, send_recv, shmem, sweep, tasks


@click.group(
    name="benchmark",
    short_help="Measure messages between two processes.",
    context_settings=SETTINGS,
)
def command() -> None:
    """Measure messages between two processes, beside other ways to send them."""


for _module in (send_recv, sweep, outstanding, echo, idle, tasks, dask, prk, shmem):
    command.add_command(_module.command)
