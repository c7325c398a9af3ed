# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Eratosthenes' sieve: PE 0 finds the next prime, all strike its multiples in their own range."""

import numpy as np

from ucxx import shmem

EACH = 600

me = shmem.my_pe()
pes = shmem.n_pes()
limit = EACH * pes
start = me * EACH
is_prime = np.ones(EACH, dtype=bool)
if me == 0:
    is_prime[:2] = False

prime = shmem.array(2, dtype=np.int32)
sent = shmem.empty((), dtype=np.int32)
while True:
    shmem.broadcast(sent, prime, 0)
    p = int(sent[()])
    if p * p >= limit:
        break
    first = max(p * p, -(-start // p) * p)
    is_prime[first - start::p] = False
    if me == 0:
        prime[()] = p + 1 + np.argmax(is_prime[p + 1:])
    shmem.sync_all()

count = shmem.array(np.count_nonzero(is_prime), dtype=np.uint32)
total = shmem.empty((), dtype=np.uint32)
shmem.reduce(total, count, shmem.OP_SUM)
known = sum(all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(2, limit))
assert total[()] == known
