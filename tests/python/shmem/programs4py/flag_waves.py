# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Waves run through the PEs; each wave's number is an array of one element that all calls take."""

import numpy as np

from ucxx import shmem

WAVES = 8

me = shmem.my_pe()
pes = shmem.n_pes()
right = np.array([(me + 1) % pes])
flags = shmem.zeros(2, dtype="i4")
data = shmem.zeros(4, dtype="f8")
signal = shmem.new_signal()
wave = np.zeros(1, dtype="i4")
one = np.ones(1, dtype="u8")

shmem.barrier_all()
for _ in range(WAVES):
    wave += 1
    if me > 0:
        shmem.wait_until(flags[0:1], shmem.CMP.EQ, wave)
    if me < pes - 1:
        shmem.atomic_set(flags[0:1], wave, right)
    else:
        shmem.atomic_set(flags[1:2], wave, right)  # back to PE 0, which begins the next one
    if me == 0:
        shmem.wait_until(flags[1:2], "==", wave)
        assert shmem.test(flags[1:2], shmem.CMP.GE, wave) and not shmem.test(flags[1:2], shmem.CMP.GT, wave)
shmem.barrier_all()

shmem.put_signal(data, np.full(4, me + 0.5), right, signal, wave.astype("u8"), shmem.SIGNAL.ADD)
assert shmem.signal_wait_until(signal, shmem.CMP.GE, one) == WAVES
assert np.all(data == (me - 1) % pes + 0.5)
shmem.barrier_all()
shmem.del_signal(signal)
shmem.free(data)
shmem.free(flags)
