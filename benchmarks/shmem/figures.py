# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The lines of the table, and the jobs that measure them."""

from jobs import Calls, Hello, Process, Syntax
from libraries import LIMIT, OSHMEM
from measured import short, size_text
from targets import AtMost, Several, Times

US, MS, S = 1e3, 1e6, 1e9
KIB, MIB = 1 << 10, 1 << 20
COLLECTIVES = ("fcollect", "alltoall", "broadcast", "sum")
SIZES = (8, 64, 512, 4 * KIB, 32 * KIB, 256 * KIB, MIB)


def time_text(value):
    """Return '3.81 ns' or '12 ms'."""
    for unit, name in ((S, "s"), (MS, "ms"), (US, "us")):
        if value >= unit:
            return f"{short(value / unit)} {name}"
    return f"{short(value)} ns"


def bytes_text(value):
    """Return '0.5 MiB'."""
    return f"{short(value / MIB)} MiB"


def share_text(value):
    """Return '0.9 %' of the second that was waited for."""
    return f"{short(value / S * 100)} %"


def rate_text(value):
    """Return '120 M/s'."""
    return f"{short(1e3 / value)} M/s"


def bandwidth_text(size):
    """Return what shows the time of a copy as '44.6 GB/s'."""
    return lambda value: f"{short(size / value)} GB/s"


class Line:
    """A line of the table: the figure of a job, how it is shown, what it has to be."""

    def __init__(self, title, figure, target=None, show=time_text, bar=None):
        self.title, self.figure, self.target, self.show = title, figure, target, show
        self.bar = bar  # its name in the picture


def limit(factor):
    """Return a target."""
    return Times(factor, LIMIT)


def peer(factor):
    """Return a target."""
    return Times(factor, OSHMEM)


CALLS = [
    Line("put 8 B", "put:8", Several("or", AtMost(4), limit(1.2)), bar="put 8 B"),
    Line("put 8 B to a PE in a barrier", "put_to_waiting:8"),
    Line("put 8 B to a PE in wait_until", "put_to_awaiting:8"),
    Line("p", "p:8"),
    Line("put 8 B into a static variable", "put_static:8"),
    Line("put_nbi 8 B, many and a quiet", "put_nbi:8", show=rate_text),
    Line("get 8 B", "get:8", Several("or", AtMost(3), limit(1.2)), bar="get 8 B"),
    Line("g", "g:8"),
    Line("atomic_fetch_add 8 B", "fetch_add:8", Several("and", AtMost(10), limit(1.3)), bar="fetch_add 8 B"),
    Line("atomic_add 8 B", "add:8"),
    Line("fence", "fence:0", AtMost(3), bar="fence"),
    Line("quiet", "quiet:0", AtMost(12), bar="quiet"),
]
COPIES = [
    *(Line(f"{name} {size_text(size)}", f"{name}:{size}", show=bandwidth_text(size))
      for size in (4 * KIB, 64 * KIB, MIB) for name in ("put", "get")),
    Line("put 1 MiB to a PE in a barrier", f"put_to_waiting:{MIB}", show=bandwidth_text(MIB)),
    Line("put 1 MiB + flag, half round trip", f"put_flag:{MIB}", peer(1.0), bar="put 1 MiB + flag"),
]
WAITS = [
    Line("p + wait_until, half round trip", "p_wait:8", peer(1.05), bar="p + wait_until"),
    Line("put_signal 8 B + wait, half round trip", "put_signal:8"),
]
SMALL = [
    Line("barrier_all", "barrier:0", Several("and", limit(1.4), peer(0.5)), bar="barrier_all"),
    *(Line(f"{name} 8 B + sync", f"{name}:8", peer(0.5), bar=f"{name} 8 B") for name in COLLECTIVES),
]
LARGE = [Line(f"{name} 1 MiB + sync", f"{name}:{MIB}", peer(factor))
         for name, factor in zip(COLLECTIVES, (0.6, 1.0, 0.6, 0.7))]
CROWDED = [
    Line("barrier_all, 4 PEs on 2 cores", "barrier@4", peer(0.85), bar="barrier, 4 PEs on 2 cores"),
    Line("barrier_all, 64 PEs on 2 cores", "barrier@64", AtMost(2 * MS)),
]
PROCESSES = [
    Line("hello world, 2 PEs", "hello@2", AtMost(60 * MS)),
    Line("hello world, 64 PEs on 2 cores", "hello@64", AtMost(S)),
    Line("memory of a PE, more than an empty program's", "memory", AtMost(4 * MIB), bytes_text),
    Line("descriptors of a PE, more than an empty program's", "descriptors", None, short),
    Line("a PE waits for 1 s: of a core", "idle", AtMost(0.01 * S), share_text),
    Line("a PE sleeps, is woken by a put", "wake", Several("or", AtMost(60 * US), limit(1.2))),
    Line("-fsyntax-only of <shmem.h>, C11", "syntax", AtMost(0.1 * S)),
]
LINES = [*CALLS, *WAITS, *SMALL, *CROWDED, *COPIES, *LARGE, *PROCESSES]
BRIEF = ("put:8", "get:8", "fetch_add:8", "p_wait:8", "barrier:0", f"put_flag:{MIB}")


def named(lines):
    """Return the figures of some lines."""
    return [line.figure for line in lines]


def by_size(name):
    """Return the figures of a collective."""
    return [f"{name}:{size}" for size in SIZES]


JOBS = [
    Calls(2, named(CALLS)),
    Calls(2, named(WAITS)),
    Calls(2, ["barrier:0"], "collectives"),
    *(Calls(2, by_size(name), "collectives") for name in COLLECTIVES),
    Calls(2, named(COPIES)),
    Calls(4, ["barrier:0"], "collectives", crowded=True),
    Calls(64, ["barrier:0"], crowded=True),
    Hello(2),
    Hello(64),
    Process("memory", ["memory", "descriptors"]),
    Process("idle", ["idle"]),
    Process("wake", ["wake"], median=True),
    Syntax(),
]
BRIEF_JOBS = [Calls(2, list(BRIEF))]
