# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What starts the programs that are compared."""

from __future__ import annotations

import dataclasses
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


@dataclasses.dataclass(frozen=True)
class OpenMpi:
    """The oshrun of Open MPI.

    Attributes:
        path: where it is.
        version: what it says of itself.
    """

    path: str
    version: str

    def command(self, pes: int, program: Sequence[str], bind: bool) -> list[str]:
        """Return the command that runs a program."""
        where = ("core",) if bind else ("none", "--oversubscribe")
        # With its windows over RDMA, version 4.1 crashes at the end of a program.
        return [self.path, "-n", str(pes), "--mca", "osc", "^rdma", "--bind-to", *where, *program]


@dataclasses.dataclass(frozen=True)
class Alone:
    """No launcher: the program is one process.

    Attributes:
        version: of what compiled it.
    """

    version: str

    def command(self, pes: int, program: Sequence[str], bind: bool) -> list[str]:
        """Return the program."""
        return list(program)
