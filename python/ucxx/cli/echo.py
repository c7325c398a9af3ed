# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark echo`: a server with many clients on one loop."""

import click

from ucxx.benchmarks import echo
from ucxx.cli import SETTINGS, measuring


@click.command(
    name="echo",
    short_help="A server with many clients on one loop.",
    context_settings=SETTINGS,
)
@click.option(
    "--clients",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    metavar="N",
    help="Connections, each with one message under way.",
)
@click.option(
    "--size",
    metavar="SIZE",
    default="64",
    show_default=True,
    callback=lambda ctx, param, value: measuring.size(value),
    help="Bytes of a message.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    default=1,
    show_default=True,
    help="How long each is measured.",
)
@measuring.runs_option
@measuring.pin_option
@measuring.json_option
def command(
    clients: int,
    size: int,
    seconds: float,
    runs: int,
    pin: tuple[int | None, int | None] | None,
    json_path: str | None,
) -> None:
    """Have many clients of one event loop talk to an echo server on another, beside asyncio's streams."""
    names = [name for name in echo.NAMES if echo.missing(name) is None]
    rows = measuring.repeated(
        len(names) * runs, echo.measure, names, clients, size, seconds, runs, pin
    )
    measuring.tell(
        rows,
        ("server", "messages_per_s", "messages/s"),
        json_path,
        runs=runs,
        pin=pin,
        clients=clients,
        size=size,
        seconds=seconds,
    )
