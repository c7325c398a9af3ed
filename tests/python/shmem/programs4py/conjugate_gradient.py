# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Conjugate gradients for the Laplacian of a line: halos by put, dot products by reductions."""

import numpy as np

from ucxx import shmem

EACH = 16

me = shmem.my_pe()
pes = shmem.n_pes()
part, whole = shmem.zeros(1), shmem.zeros(1)
padded = shmem.zeros(EACH + 2)


def dot(x, y):
    """Return the product over all PEs."""
    part[0] = x @ y
    shmem.sum_reduce(whole, part)
    result = float(whole[0])
    shmem.sync_all()
    return result


def times_matrix(x):
    """Return 2 x[i] - x[i - 1] - x[i + 1]."""
    padded[1:-1] = x
    if me > 0:
        shmem.put(padded[-1:], x[:1], me - 1)
    if me < pes - 1:
        shmem.put(padded[:1], x[-1:], me + 1)
    shmem.barrier_all()
    result = 2 * padded[1:-1] - padded[:-2] - padded[2:]
    shmem.barrier_all()
    return result


b = np.ones(EACH)
x, r = np.zeros(EACH), b.copy()
p, square = r.copy(), dot(r, r)
steps = 0
while square > 1e-20:
    q = times_matrix(p)
    alpha = square / dot(p, q)
    x += alpha * p
    r -= alpha * q
    square, before = dot(r, r), square
    p = r + square / before * p
    steps += 1
assert steps <= EACH * pes

n = EACH * pes
matrix = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
assert np.allclose(x, np.linalg.solve(matrix, np.ones(n))[me * EACH:(me + 1) * EACH])
