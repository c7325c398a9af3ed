# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A broadcast by hand: whoever has the data hands it on to two others, with a signal."""

import numpy as np

from ucxx import shmem

LENGTH = 1000

me = shmem.my_pe()
pes = shmem.n_pes()
data = shmem.zeros(LENGTH, dtype=np.complex128)
signal = shmem.new_signal()
if me == 0:
    data[:] = np.exp(1j * np.arange(LENGTH))
else:
    assert shmem.signal_wait_until(signal, shmem.CMP_NE, 0) == 7
for child in (2 * me + 1, 2 * me + 2):
    if child < pes:
        shmem.put_signal(data, data, child, signal, 7, shmem.SIGNAL_SET)
assert np.allclose(data, np.exp(1j * np.arange(LENGTH)))
shmem.barrier_all()

copy = shmem.zeros(LENGTH, dtype=np.complex128)
shmem.broadcast(copy, data, pes - 1)
assert np.array_equal(copy, data)
shmem.barrier_all()
shmem.broadcast(copy[:3], data[10:13], root=0, size=2)
assert np.array_equal(copy[:2], data[10:12]) and copy[2] == data[2]
shmem.del_signal(signal)
shmem.free(data)
shmem.free(copy)
