# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The statements of OpenSHMEM in Python: `ucxx.shmem` and `shmem4py` have the same names."""

from __future__ import annotations

import importlib
import mmap
import os
import sys
from typing import Any

import numpy as np

from ucxx.benchmarks.shmem.timing import Statement, TooFewError

PAGE = 4096

_ELEMENT = {
    "put": "put({0}, value, 1)",
    "get": "get(value, {0}, 1)",
    "fetch_add": "atomic_fetch_add({0}, 1, 1)",
    "inc": "atomic_inc({0}, 1)",
    "test": "test({0}, CMP_EQ, -1)",
}
STATEMENTS = {
    **{name: Statement(text.format("word")) for name, text in _ELEMENT.items()},
    **{f"{name}_view": Statement(text.format("view")) for name, text in _ELEMENT.items()},
    "my_pe": Statement("my_pe()"),
    "fence": Statement("fence()"),
    "quiet": Statement("quiet()"),
    "put_wait": Statement(
        "put(flag, one, 1); wait_until(flag, CMP_EQ, 1); put(flag, zero, 1); wait_until(flag, CMP_EQ, 0)",
        "wait_until(flag, CMP_EQ, 1); put(flag, one, 0); wait_until(flag, CMP_EQ, 0); put(flag, zero, 0)",
        calls=4,
    ),
    "barrier_all": Statement("barrier_all()"),
    "fcollect": Statement("fcollect(all_of_us, word)"),
    "sum_reduce": Statement("sum_reduce(total, word)"),
    "zeros_free": Statement("free(zeros(1, int64))"),
    "bandwidth": Statement("put(target, source, 1)"),
}
# Waiting for the last byte of a put would be wrong: the order in which bytes arrive is not defined.
PING_PONG = Statement(
    "put_signal(target, source, 1, came, 1, SIGNAL_SET); signal_wait_until(came, CMP_EQ, 1); "
    "put_signal(target, source, 1, came, 0, SIGNAL_SET); signal_wait_until(came, CMP_EQ, 0)",
    "signal_wait_until(came, CMP_EQ, 1); put_signal(target, source, 0, came, 1, SIGNAL_SET); "
    "signal_wait_until(came, CMP_EQ, 0); put_signal(target, source, 0, came, 0, SIGNAL_SET)",
    calls=4,
)


class Model:
    """All PEs of the job."""

    def __init__(self, module: str, largest: int) -> None:
        """Make the arrays, for transfers of up to so many bytes."""
        shmem: Any = importlib.import_module(module)
        self.shmem = shmem
        self.me: int = shmem.my_pe()
        self.pes: int = shmem.n_pes()
        if self.pes < 2:
            raise TooFewError(self.pes)
        self.statements = dict(STATEMENTS)
        if module == "ucxx.shmem":
            # A copy within a process once is enough; older libraries of others have no signals.
            self.statements |= {"memcpy": Statement("copyto(copy, source)"), "ping_pong": PING_PONG}
        # Eight words are a cache line.
        words, flags, self._done, self._shared = (shmem.zeros(8, np.int64) for _ in range(4))
        word, total = shmem.zeros(1, np.int64), shmem.zeros(1, np.int64)
        all_of_us = shmem.zeros(self.pes, np.int64)
        self._target = self._zeros_of(largest)
        self._came = shmem.zeros(1, np.uint64)
        self._made = [words, flags, self._done, self._shared, word, total, all_of_us, self._target, self._came]
        self._turn = np.zeros(1, np.int64)
        self._names = {
            **{name: getattr(shmem, name) for name in dir(shmem) if not name.startswith("_")},
            "word": word,
            "view": words[3:4],
            "flag": flags[:1],
            "came": self._came,
            "value": np.full(1, 7, np.int64),
            "one": np.ones(1, np.int64),
            "zero": np.zeros(1, np.int64),
            "all_of_us": all_of_us,
            "total": total,
            "int64": np.int64,
            "copyto": np.copyto,
        }
        self._source, self._copy = pages(largest), pages(largest)
        shmem.barrier_all()

    def names(self, size: int) -> dict[str, Any]:
        """Return what the statements use."""
        some = {"target": self._target, "source": self._source, "copy": self._copy}
        return {**self._names, **{name: array[:size] for name, array in some.items()}}

    def meet(self) -> None:
        """Wait for all PEs."""
        self.shmem.barrier_all()

    def agree(self, value: int) -> int:
        """Return the value of PE 0 on all PEs."""
        self.meet()
        if self.me == 0:
            self._tell(self._shared[:1], np.full(1, value, np.int64))
        self.meet()
        return int(self._shared[0])

    def end(self) -> None:
        """Complete the puts."""
        self.shmem.quiet()

    def compute_meanwhile(self) -> None:
        """Look for what PE 0 tells."""
        self._turn += 1
        if self.me == 0:
            self._tell(self._done[:1], self._turn)
        while self._done[0] != self._turn[0]:
            os.sched_yield()

    def close(self) -> None:
        """Free the arrays."""
        for array in self._made:
            self.shmem.free(array)

    def _zeros_of(self, size: int) -> Any:
        """Return bytes on pages of their own; the job ends where the heap has no room for them."""
        try:
            return self.shmem.zeros(size, np.uint8, align=PAGE)
        except MemoryError as error:
            if self.me == 0:
                print(f"{error}; a smaller size would do, too", file=sys.stderr, flush=True)
            self.shmem.barrier_all()  # a launcher ends all when one has ended
            sys.exit(1)

    def _tell(self, target: Any, value: Any) -> None:
        for pe in range(self.pes):
            self.shmem.put(target, value, pe)


def pages(size: int) -> Any:
    """Return bytes on pages of their own: the speed of a copy depends on addresses within a page."""
    array = np.frombuffer(mmap.mmap(-1, size), np.uint8)
    array[:] = 1
    return array
