# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Each PE says who it is, and PE 0 hears of all."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
major, minor = shmem.info_get_version()
assert 0 <= me < pes
assert (major, minor) == (shmem.MAJOR_VERSION, shmem.MINOR_VERSION)
assert major == 1 and minor >= 4
assert shmem.info_get_name() and shmem.VENDOR_STRING
assert all(shmem.pe_accessible(pe) for pe in range(pes))
assert not shmem.pe_accessible(pes)

seen = shmem.zeros(pes, dtype=np.int32)
shmem.put(seen[me:me + 1], np.array([me + 1], dtype=np.int32), 0)
shmem.barrier_all()
if me == 0:
    assert seen.tolist() == list(range(1, pes + 1))
shmem.free(seen)
