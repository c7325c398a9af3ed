# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What processes use, seen from outside, and what their machine does."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator

from ucxx.benchmarks.dask.figures import Figure


@dataclasses.dataclass(frozen=True)
class Use:
    """What a process uses; memory in MiB.

    Attributes:
        rss: memory that it has mapped and touched, also what it shares.
        pss: the same, but of what is shared its part.
        tables: page tables, which the kernel has for it.
        descriptors: files, sockets and the like that are open.
        threads: all of them.
        mappings: of memory and files.
    """

    rss: float
    pss: float
    tables: float
    descriptors: int
    threads: int
    mappings: int

    @classmethod
    def of(cls, pid: int) -> Use:
        """Look at a process."""
        path = pathlib.Path(f"/proc/{pid}")
        memory, status = _kib(path / "smaps_rollup"), _kib(path / "status")
        return cls(
            rss=memory["Rss"] / 1024,
            pss=memory["Pss"] / 1024,
            tables=status["VmPTE"] / 1024,
            descriptors=len(list((path / "fd").iterdir())),
            threads=len(list((path / "task").iterdir())),
            mappings=len((path / "maps").read_text().splitlines()),
        )

    def figures(self, of: str) -> Iterator[Figure]:
        """Give a row for each."""
        units = {"rss": "MiB", "pss": "MiB", "tables": "MiB"}
        words = {"rss": "memory (RSS)", "pss": "memory (PSS)", "tables": "page tables"}
        for name, value in dataclasses.asdict(self).items():
            yield Figure(f"{of}: {words.get(name, name)}", value, units.get(name, "count"))


@dataclasses.dataclass(frozen=True)
class Machine:
    """What the machine uses for all processes together, in MiB.

    Attributes:
        shared: shared memory, also pages that no process has touched.
        kernel: the kernel's own: page tables, sockets, descriptors, stacks of threads.
    """

    shared: float
    kernel: float

    @classmethod
    def now(cls) -> Machine:
        """Look at it."""
        memory = _kib(pathlib.Path("/proc/meminfo"))
        return cls(memory["Shmem"] / 1024, sum(memory[name] for name in ("Slab", "PageTables", "KernelStack")) / 1024)

    def figures(self, since: Machine, of: str) -> Iterator[Figure]:
        """Give a row for each, of what has come since another look: more than nothing."""
        yield Figure(f"{of}: shared memory", max(0, self.shared - since.shared), "MiB")
        yield Figure(f"{of}: the kernel's memory", max(0, self.kernel - since.kernel), "MiB")


def _kib(path: pathlib.Path) -> dict[str, int]:
    """Return the lines of a file of /proc that have a size."""
    lines = (line.split() for line in path.read_text().splitlines())
    return {words[0].rstrip(":"): int(words[1]) for words in lines if words[-1] == "kB"}
