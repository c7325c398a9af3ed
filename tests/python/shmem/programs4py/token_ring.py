# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A token goes round by signals; the sum of what it has met goes with it."""

import numpy as np

from ucxx import shmem

ROUNDS = 20

me = shmem.my_pe()
pes = shmem.n_pes()
right = (me + 1) % pes
signal = shmem.new_signal()
token = shmem.zeros(1, dtype=np.int64)

for turn in range(1, ROUNDS + 1):
    if me > 0 or turn > 1:
        came = shmem.signal_wait_until(signal, ">=", turn if me > 0 else turn - 1)
        assert came == signal[0] == shmem.signal_fetch(signal)
    message = token + me + 1
    if me < pes - 1 or turn < ROUNDS:
        shmem.put_signal(token, message, right, signal, 1, shmem.SIGNAL.ADD)
    else:
        assert message[0] == ROUNDS * pes * (pes + 1) // 2
shmem.barrier_all()
shmem.del_signal(signal)
shmem.free(token)
