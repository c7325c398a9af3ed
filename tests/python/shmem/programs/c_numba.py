# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Two PEs play within @njit: each address in a way of its own."""

import numpy as np
from numba import njit

from ucxx import shmem

ROUNDS, LENGTH, CMP_GE = 1000, 64, int(shmem.CMP_GE)
c = shmem.c
long_p, wait_until = c.long_p, c.long_wait_until


@njit(nogil=True)
def play(ball, me, rounds):
    """Throw the ball to PE 1 and back."""
    for i in range(1, rounds + 1):
        if me == 0:
            long_p(ball.ctypes, i, 1)
        wait_until(ball.ctypes, CMP_GE, i)
        if me == 1:
            long_p(ball.ctypes, i, 0)


@njit
def write(row, address, pe):
    """Write four elements: by slice, by the array's address, by a number, by the module's name."""
    long_p(row[1:].ctypes, 10, pe)
    long_p(row.ctypes.data + 2 * row.itemsize, 20, pe)
    long_p(address + 3 * row.itemsize, 30, pe)
    c.long_put(row[4:].ctypes, row[5:].ctypes, 1, pe)
    c.quiet()


@njit
def atomics(row, pe):
    """Return what three atomics have found, and what a get finds."""
    target = row[6:]
    first = c.long_atomic_fetch_add(target.ctypes, 5, pe)
    second = c.long_atomic_swap(target.ctypes, -1, pe)
    third = c.long_atomic_compare_swap(target.ctypes, -1, 8, pe)
    return first, second, third, c.long_g(target.ctypes, pe)


@njit
def sum_of(team, row):
    """Reduce two elements; return them."""
    c.long_sum_reduce(team, row[8:].ctypes, row[6:].ctypes, 2)
    return row[8], row[9]


def main():
    """Play with one neighbour."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    numbers = shmem.zeros(2 * LENGTH, np.int64)
    row = numbers[LENGTH:]
    row[5] = 40 + me
    row[7] = me
    shmem.barrier_all()

    play(numbers, me, ROUNDS)
    other = (me + 1) % pes
    write(row, row.ctypes.data, other)
    shmem.barrier_all()
    assert numbers[0] == ROUNDS
    assert row[1:5].tolist() == [10, 20, 30, 40 + other]
    assert atomics(row, other) == (0, 5, -1, 8)
    shmem.barrier_all()
    assert sum_of(shmem.TEAM_WORLD.handle, row) == (16, 1)
    shmem.barrier_all()
    if me == 0:
        print("played")


if __name__ == "__main__":
    main()
