# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What starts the programs that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Launcher(Protocol):
    """What starts programs; `prk.tools.Tools` is one."""

    @property
    def version(self) -> str:
        """Return what it says of itself, in one line."""

    def command(self, pes: int, program: Sequence[str], bind: bool) -> list[str]:
        """Return the command that runs a program.

        Args:
            pes: how many.
            program: with its arguments.
            bind: whether each PE gets a processor of its own, of which there are enough.
        """


class Alone:
    """No launcher: the program is one process."""

    version = "one process"

    def command(self, pes: int, program: Sequence[str], bind: bool) -> list[str]:
        """Return the program."""
        return list(program)
