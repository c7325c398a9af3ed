# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx`: the group of all commands."""

import click

from ucxx.cli import benchmark, doctor, info


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """UCXX moves data between processes.

    These commands tell what is on this machine, whether it works, and how fast it is.
    """


for _module in (info, doctor, benchmark):
    command.add_command(_module.command)
