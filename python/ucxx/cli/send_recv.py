# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark send_recv`: ping-pong between two processes."""

from typing import Any

import click

from ucxx.cli import measuring, output, results


@click.command(name="send_recv", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--sizes",
    type=measuring.Sizes(),
    default="8,1K,64K,1M",
    show_default=True,
    help="Bytes; K, M and G are powers of 1024.",
)
@measuring.options
@measuring.json_option
def command(names: tuple[str, ...], runs: int, json_path: str | None, **plan: Any) -> None:
    """Send messages to and fro between two processes, by UCXX and by its rivals.

    Times are of half a round trip: p50 is the median, 99 of 100 are not above p99. Each figure is
    the median of all runs, the spread goes from the least to the largest p50.
    """
    report = measuring.run(names, runs, plan)
    if json_path:
        output.write_json(json_path, report)
    results.show(report)
