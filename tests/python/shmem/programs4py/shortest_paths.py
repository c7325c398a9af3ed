# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""All shortest paths of a graph: the owner of a row broadcasts it (Floyd and Warshall)."""

import numpy as np

from ucxx import shmem

EACH = 8

me = shmem.my_pe()
pes = shmem.n_pes()
nodes = EACH * pes
graph = np.random.default_rng(9).integers(1, 100, (nodes, nodes))
np.fill_diagonal(graph, 0)

rows = shmem.array(graph[me * EACH:(me + 1) * EACH], order="C")
row = shmem.empty(nodes, dtype=graph.dtype)
for k in range(nodes):
    shmem.broadcast(row, rows[k % EACH], k // EACH)
    np.minimum(rows, rows[:, k:k + 1] + row, out=rows)
    shmem.sync()
    graph = np.minimum(graph, graph[:, k:k + 1] + graph[k])

assert np.array_equal(rows, graph[me * EACH:(me + 1) * EACH])
shmem.free(rows)
shmem.free(row)
