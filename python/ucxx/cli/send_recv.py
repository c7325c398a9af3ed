# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark send_recv`: ping-pong between two processes."""

from typing import Any

import click

import ucxx
from ucxx.cli import SETTINGS, measuring, output, results

_SIDES = ("both", "server", "client")


@click.command(
    name="send_recv",
    short_help="Send to and fro, by UCXX and by its rivals.",
    context_settings=SETTINGS,
)
@click.option(
    "--sizes",
    type=measuring.Sizes(),
    default="8,1K,64K,1M",
    show_default=True,
    help="Bytes; K, M and G are powers of 1024.",
)
@click.option(
    "--side",
    type=click.Choice(_SIDES),
    default="both",
    show_default=True,
    help="Which process to be; the other one is started by hand, with the same options.",
)
@click.option(
    "--address",
    metavar="IP",
    help="Where the server listens; default 127.0.0.1, with --side server get_address().",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="At which port; without it any that is free.",
)
@measuring.options
@measuring.json_option
def command(names: tuple[str, ...], runs: int, json_path: str | None, **plan: Any) -> dict[str, Any]:
    """Send messages to and fro between two processes, by UCXX and by its rivals.

    Times are of half a round trip: p50 is the median, 99 of 100 are not above p99. Each figure is
    the median of all runs, the spread goes from the least to the largest p50.
    """
    _check_side(names, runs, plan)
    report = measuring.run(names, runs, plan)
    if json_path:
        output.write_json(json_path, report)
    if plan["side"] != "server" or report["skipped"]:
        results.show(report)
    return report


def _check_side(names: tuple[str, ...], runs: int, plan: dict[str, Any]) -> None:
    """Fill in the address. Raises click.UsageError for what two processes apart cannot do."""
    side = plan["side"]
    if side != "both" and (len(set(names)) != 1 or runs != 1):
        raise click.UsageError(f"--side {side} needs one --backend, and --runs 1")
    if side == "client" and (plan["address"] is None or plan["port"] == 0):
        raise click.UsageError("--side client needs the --address and --port of the server")
    if plan["address"] is None:
        plan["address"] = ucxx.get_address() if side == "server" else "127.0.0.1"
