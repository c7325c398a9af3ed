# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""PEs as a grid: a team for each row and each column, whose members exchange sums."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
width = 2 if pes % 2 == 0 else 1
height = pes // width
y, x = divmod(me, width)


def team_of_mine(starts, stride, size):
    """Make a team for each start; return the one with this PE."""
    teams = [shmem.TEAM_WORLD.split_strided(start, stride, size) for start in starts]
    found = [team for team in teams if team]
    assert len(found) == 1
    return found[0]


row = team_of_mine(range(0, pes, width), 1, width)
column = team_of_mine(range(width), width, height)
assert (row.my_pe(), row.n_pes()) == (x, width)
assert (column.my_pe(), column.n_pes()) == (y, height)
assert row.translate_pe() == me
assert row.translate_pe(0, shmem.TEAM_WORLD) == y * width
assert shmem.TEAM_WORLD.translate_pe(me, column) == y
assert row != column or (width, height) == (1, 1)
assert row == row and shmem.TEAM_WORLD.n_pes() == pes and not shmem.TEAM_INVALID

number = shmem.array([me], dtype=np.int64)
total = shmem.zeros(1, dtype=np.int64)
shmem.sum_reduce(total, number, team=row)
assert total[0] == sum(y * width + i for i in range(width))
column.sync()
shmem.sum_reduce(total, number, team=column)
assert total[0] == sum(i * width + x for i in range(height))

members = shmem.zeros(width, dtype=np.int64)
shmem.fcollect(members, number, team=row)
assert members.tolist() == [y * width + i for i in range(width)]
column.sync()
shmem.broadcast(total, number, height - 1, team=column)
assert total[0] == (height - 1) * width + x

row.destroy()
column.destroy()
assert not row and not column
