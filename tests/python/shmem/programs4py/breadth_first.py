# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Distances in a graph whose vertices are shared out; -1 as an unsigned number is 'not reached'."""

import numpy as np

from ucxx import shmem

EACH = 12

me = shmem.my_pe()
pes = shmem.n_pes()
vertices = EACH * pes
distance = shmem.full(EACH, -1, dtype="u4")
changed = shmem.zeros(1, dtype="i4")
any_changed = shmem.zeros(1, dtype="i4")
far = np.uint32(2**32 - 1)
assert np.all(distance == far)


def neighbours(vertex):
    """Return where the edges of a vertex lead."""
    return [(vertex * 2 + 1) % vertices, (vertex + 7) % vertices]


def by_one_process():
    """Return the distances as a plain search finds them."""
    found = {0: 0}
    queue = [0]
    for vertex in queue:
        for other in neighbours(vertex):
            if other not in found:
                found[other] = found[vertex] + 1
                queue.append(other)
    return [found.get(vertex, 2**32 - 1) for vertex in range(vertices)]


if me == 0:
    distance[0] = 0
shmem.barrier_all()
level = np.zeros(1, dtype="u4")
while True:
    changed[0] = 0
    for index in np.flatnonzero(distance == level[0]):
        for other in neighbours(me * EACH + int(index)):
            place = other % EACH
            there = distance[place : place + 1]
            if shmem.atomic_compare_swap(there, np.array([far]), level + 1, other // EACH) == far:
                changed[0] = 1
    shmem.barrier_all()
    shmem.max_reduce(any_changed, changed)
    if any_changed[0] == 0:
        break
    level += 1
    shmem.barrier_all()
assert distance.tolist() == by_one_process()[me * EACH : (me + 1) * EACH]
shmem.barrier_all()
for array in (distance, changed, any_changed):
    shmem.free(array)
