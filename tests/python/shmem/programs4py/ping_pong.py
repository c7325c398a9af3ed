# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Two PEs throw a ball; the others look on."""

import numpy as np

from ucxx import shmem

ROUNDS = 500

me = shmem.my_pe()
ball = shmem.zeros(1, dtype=np.int32)
if me < 2:
    other = 1 - me
    throw = np.zeros(1, dtype=np.int32)
    for turn in range(1, ROUNDS + 1):
        throw[0] = turn
        if me == 0:
            shmem.put(ball, throw, other)
            shmem.wait_until(ball, shmem.CMP.EQ, turn)
        else:
            shmem.wait_until(ball, shmem.CMP.EQ, turn)
            shmem.put(ball, throw, other)
    assert ball[0] == ROUNDS
shmem.barrier_all()
shmem.free(ball)
