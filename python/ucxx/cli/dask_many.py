# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark dask many`: a cluster of many workers."""

from __future__ import annotations

from typing import Any

import click

from ucxx.cli import SETTINGS
from ucxx.cli.dask_options import options
from ucxx.cli.dask_running import run

_LEAST = 11  # more than are left when the cluster is scaled down


@click.command(name="many", short_help="A hundred workers.", context_settings=SETTINGS)
@click.option(
    "--workers",
    type=click.IntRange(_LEAST, 4000),
    default=100,
    show_default=True,
    metavar="N",
    help="How many, of one thread each.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 4000),
    default=25,
    show_default=True,
    metavar="N",
    help="How many run them, beside the scheduler's.",
)
@options
def command(**values: Any) -> None:
    """Start many workers; let each fetch from each other one; scale down to 10 and up again.

    What the scheduler and a process of workers use is shown before and after that: of memory and descriptors,
    "times faster" says how many times less. A process has some 70 MiB.
    """
    if values["processes"] > values["workers"]:
        raise click.BadParameter(
            f"{values['processes']} are more than the {values['workers']} workers", param_hint="--processes"
        )
    run("many", values)
