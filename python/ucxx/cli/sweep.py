# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark sweep`: the ping-pong over all sizes, as a picture."""

import pathlib
from typing import Any

import click

from ucxx.cli import SETTINGS, measuring, output, pictures, results


def sizes_up_to(largest: int) -> tuple[int, ...]:
    """Return 1, 4, 16, ... up to a size."""
    return tuple(4**n for n in range((largest.bit_length() + 1) // 2))


@click.command(
    name="sweep",
    short_help="The same over all sizes, as a picture.",
    context_settings=SETTINGS,
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True, path_type=pathlib.Path),
    required=True,
    metavar="FILE.png",
    help="Where to draw; the figures go into FILE.json beside it.",
)
@click.option(
    "--up-to",
    "largest",
    default="64M",
    show_default=True,
    callback=lambda ctx, param, value: measuring.size(value),
    metavar="SIZE",
    help="The largest size.",
)
@measuring.options
def command(
    names: tuple[str, ...], runs: int, plot: pathlib.Path, largest: int, **plan: Any
) -> None:
    """Measure sizes from 1 byte to 64 MiB, four times as much each, and draw the curves."""
    pictures.check(plot)
    from ucxx.benchmarks import plot as drawing

    report = measuring.run(names, runs, {"sizes": sizes_up_to(largest), **plan})
    output.write_json(plot.with_suffix(".json"), report)
    pictures.draw(plot, drawing.draw, report)
    results.show(report)
    click.echo(f"{plot} and {plot.with_suffix('.json')} are written")
