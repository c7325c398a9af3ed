# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The figures: what each is called, and which PEs make the calls."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

ONE, PAIR, ALL = "one", "pair", "all"

#: Bytes of the calls that take an element.
WORD = 8


@dataclasses.dataclass(frozen=True)
class Figure:
    """A line of the table.

    Attributes:
        title: in words.
        who: ONE: PE 0 calls while the others compute; PAIR: PE 0 and PE 1; ALL: all PEs.
        first: the figure and the way that others are compared with; None: the same figure of `ucxx.shmem`.
    """

    title: str
    who: str
    first: tuple[str, str] | None = None


CALLS = {
    "put": Figure("put", ONE),
    "get": Figure("get", ONE),
    "fetch_add": Figure("atomic_fetch_add", ONE),
    "inc": Figure("atomic_inc", ONE),
    "test": Figure("test", ONE),
    "put_view": Figure("put, a[3:4]", ONE),
    "get_view": Figure("get, a[3:4]", ONE),
    "fetch_add_view": Figure("atomic_fetch_add, a[3:4]", ONE),
    "inc_view": Figure("atomic_inc, a[3:4]", ONE),
    "test_view": Figure("test, a[3:4]", ONE),
    "my_pe": Figure("my_pe", ONE),
    "fence": Figure("fence", ONE),
    "quiet": Figure("quiet", ONE),
    "put_wait": Figure("put + wait, half round trip", PAIR),
    "barrier_all": Figure("barrier_all", ALL),
    "fcollect": Figure("fcollect of 8 B", ALL),
    "sum_reduce": Figure("sum_reduce of 8 B", ALL),
    "zeros_free": Figure("zeros + free", ALL),
}
#: By size; of a copy in the memory of one process there is one column only.
COPIES = {"bandwidth": Figure("put", ONE), "memcpy": Figure("memcpy (numpy.copyto)", ONE)}
#: Of a job that does nothing else.
STARTS = {
    "import": Figure("import after NumPy", ALL),
    "first_use": Figure("import and first call", ALL),
    "hello": Figure("hello world, the whole job", ALL),
}
_FIRST = ("ping_pong", "c")
#: By size; a way has some of them. One process makes the copy.
PING_PONGS = {
    "ping_pong": Figure("ping-pong", PAIR, _FIRST),
    "ping_pong_rma": Figure("ping-pong, MPI_Put", PAIR, _FIRST),
    "ping_pong_memcpy": Figure("memcpy", ONE, _FIRST),
}
EVERY = {**CALLS, **COPIES, **STARTS, **PING_PONGS}
#: What can be asked for; a ping-pong by itself.
PING_PONG = "ping_pong"
TABLE = (*CALLS, "bandwidth", "start")
NAMES = (*TABLE, PING_PONG)


@dataclasses.dataclass(frozen=True)
class Wanted:
    """A figure with its bytes; as an argument of a program `put:8`."""

    name: str
    size: int

    def __str__(self) -> str:
        """Return it as an argument."""
        return f"{self.name}:{self.size}"

    @classmethod
    def read(cls, text: str) -> Wanted:
        """Return it of an argument."""
        name, _, size = text.partition(":")
        return cls(name, int(size))


def wanted(names: Iterable[str], sizes: Sequence[int]) -> list[Wanted]:
    """Return the figures that a program is asked for; the starts are none of them."""
    chosen = [name for name in NAMES if name in set(names)]
    calls = [Wanted(name, WORD) for name in chosen if name in CALLS]
    families = ((COPIES, "bandwidth"), (PING_PONGS, PING_PONG))
    return calls + [
        Wanted(name, size)
        for family, title in families
        if title in chosen
        for name in family
        for size in sizes
    ]
