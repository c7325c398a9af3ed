# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Symmetric memory by bytes, by shapes and by contents."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
right = (me + 1) % pes
left = (me - 1) % pes

memory = shmem.alloc(24, 8)
assert isinstance(memory, memoryview) and memory.nbytes == 192 and not any(memory)
shmem.barrier_all()
numbers = shmem.fromalloc(memory, (4, 6), np.int64)
assert numbers.shape == (4, 6) and numbers.dtype == np.int64
shmem.put(numbers, np.arange(24).reshape(4, 6) + me, right)
shmem.barrier_all()
assert np.array_equal(numbers, np.arange(24).reshape(4, 6) + left)
assert shmem.fromalloc(memory).nbytes == 192
columns = shmem.fromalloc(memory, (6, 4), "i8", order="F")
assert columns.flags.f_contiguous and columns[1, 0] == 1 + left
shmem.free(memory)

array = shmem.new_array((3, 5), "f8", order="F", align=4096)
assert array.flags.f_contiguous and not array.any() and array.ctypes.data % 4096 == 0
shmem.del_array(array)

ones = shmem.ones((2, 3), dtype=int)
full = shmem.full(4, 2.5)
copy = shmem.array([[1, 2], [3, 4]], dtype=np.uint16, order="F")
empty = shmem.empty(0)
hinted = shmem.zeros(1, dtype=np.uint64, hints=shmem.MALLOC_SIGNAL_REMOTE)
assert ones.sum() == 6 and full.sum() == 10 and copy.flags.f_contiguous and empty.size == 0
assert shmem.addr_accessible(ones, right) and not shmem.addr_accessible(np.ones(3), right)

shmem.barrier_all()
there = shmem.ptr(full, right)
assert there is not None
there[0] = me
shmem.barrier_all()
assert full[0] == left
for one in (ones, full, copy, empty, hinted):
    shmem.free(one)
