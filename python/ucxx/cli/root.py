# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx`: the group of all commands."""

import click

import ucxx
from ucxx.cli import SETTINGS, benchmark, doctor, info


@click.group(
    context_settings=SETTINGS,
    epilog="Begin with doctor: it tries everything, and says what to mend.",
)
@click.version_option(ucxx.__version__, message=f"%(version)s, with UCX {ucxx.__ucx_version__}")
def command() -> None:
    """UCXX moves data between processes.

    These commands tell what is on this machine, whether it works, and how fast it is.
    """


for _module in (info, doctor, benchmark):
    command.add_command(_module.command)
