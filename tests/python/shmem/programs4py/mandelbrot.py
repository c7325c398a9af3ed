# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The Mandelbrot set, a row a task: who is free takes the next row, and puts it to PE 0."""

import numpy as np

from ucxx import shmem

ROWS, COLUMNS, STEPS = 40, 60, 50


def row_of(i):
    """Return after how many steps the points of a row have left."""
    c = np.linspace(-2.0, 0.5, COLUMNS) + 1j * (-1.25 + 2.5 * i / (ROWS - 1))
    z = np.zeros_like(c)
    steps = np.zeros(COLUMNS, dtype=np.uint16)
    for _ in range(STEPS):
        inside = np.abs(z) <= 2
        z[inside] = z[inside] ** 2 + c[inside]
        steps += inside
    return steps


me = shmem.my_pe()
picture = shmem.zeros((ROWS, COLUMNS), dtype=np.uint16)
following = shmem.zeros(1, dtype=np.int64)
rows = shmem.zeros(1, dtype=np.int64)
while (row := shmem.atomic_fetch_inc(following, 0)) < ROWS:
    shmem.put(picture[row], row_of(row), 0)
    shmem.fence()
    shmem.atomic_add(rows, 1, 0)
if me == 0:
    shmem.wait_until(rows, shmem.CMP_EQ, ROWS)
    assert np.array_equal(picture, np.array([row_of(i) for i in range(ROWS)]))
    assert picture.max() == STEPS and picture.min() < 5
shmem.barrier_all()
