# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Threads of a PE call the library, which `rc` has asked for before the first use."""

import threading

import numpy as np

from ucxx.shmem import rc  # isort: skip

rc(threads=True, thread_level="multiple")

from ucxx import shmem

THREADS, ROUNDS = 3, 100

me = shmem.my_pe()
pes = shmem.n_pes()
assert shmem.query_thread() == shmem.THREAD_MULTIPLE
counts = shmem.zeros(THREADS, dtype=np.int64)


def work(place):
    """Count at all PEs, in a context of this thread."""
    ctx = shmem.Ctx.create(shmem.CTX_PRIVATE)
    for turn in range(ROUNDS):
        shmem.atomic_inc(counts[place:place + 1], turn % pes, ctx)
    ctx.quiet()
    ctx.destroy()


threads = [threading.Thread(target=work, args=(place,)) for place in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
shmem.barrier_all()
expected = sum(1 for turn in range(ROUNDS) if turn % pes == me) * pes
assert counts.tolist() == [expected] * THREADS
shmem.finalize()
