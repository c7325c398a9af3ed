# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The files of a sysfs tree, under any root."""

from __future__ import annotations

import os

from ucxx.topology import faults, files
from ucxx.topology.machine import TopologyError, parse_cpus

_MOST_BYTES = 1 << 16


class Tree:
    """A folder that holds `sys` and perhaps `proc`; what is missing or unreadable in it is None."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        """Take the folder."""
        self.root = os.fspath(root)
        self._inside = os.path.join(os.path.realpath(self.root), "")

    def path(self, *parts: str) -> str:
        """Return the path of a file.

        Raises:
            TopologyError: where its links lead out of the folder.
        """
        path = os.path.join(self.root, *parts)
        if self._inside != "/" and not os.path.realpath(path).startswith(self._inside):
            raise faults.at(path, 1, f"a link that leads out of {self.root}; expected a copy of sys as it is")
        return path

    def has(self, *parts: str) -> bool:
        """Tell whether a file or folder is there."""
        return os.path.exists(self.path(*parts))

    def names(self, *parts: str) -> list[str]:
        """Return what a folder holds, by name."""
        try:
            return sorted(os.listdir(self.path(*parts)))
        except OSError:
            return []

    def text(self, *parts: str) -> str | None:
        """Return what a file holds, without the blanks around it."""
        try:
            with files.opened(self.path(*parts)) as file:
                return file.read(_MOST_BYTES).decode(errors="replace").strip()
        except (OSError, files.NotAFile):
            return None

    def real(self, *parts: str) -> tuple[str, ...]:
        """Return the names on the path of a file, when all its links are followed."""
        return tuple(os.path.realpath(self.path(*parts)).split(os.sep))

    def number(self, *parts: str, base: int = 10) -> int | None:
        """Return the number that a file holds, None where it holds none."""
        return as_number(self.text(*parts), base)

    def cpus(self, *parts: str) -> frozenset[int]:
        """Return the list of threads that a file holds, empty where it holds none."""
        try:
            return parse_cpus(self.text(*parts) or "")
        except ValueError:
            return frozenset()

    def needed_cpus(self, *parts: str) -> frozenset[int] | None:
        """Return the list of threads that a file holds, None where there is no file, empty where it is.

        Raises:
            TopologyError: where it holds anything else.
        """
        text = self.text(*parts)
        if not text:
            return None if text is None else frozenset()
        try:
            return parse_cpus(text)
        except ValueError:
            said = f"{faults.shown(text)} is no list of CPUs; expected one as 0-19,40-59"
            raise self.fault(said, *parts) from None

    def fault(self, said: str, *parts: str) -> TopologyError:
        """Return an error that names a file."""
        return faults.at(self.path(*parts), 1, said)


def as_number(text: str | None, base: int = 10) -> int | None:
    """Return a number of sysfs: 12, -1, 0x10de; None for anything else."""
    digits = (text or "").removeprefix("-").removeprefix("0x")
    if not (digits.isascii() and digits.isalnum() and len(digits) < 20):
        return None
    try:
        return int(text or "", base)
    except ValueError:
        return None
