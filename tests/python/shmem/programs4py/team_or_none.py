# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Places for teams hold Team() until there is one; the end destroys whatever they hold."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
teams = {"all": shmem.Team(shmem.TEAM_WORLD), "even": shmem.Team(), "odd": shmem.Team(), "never": shmem.Team(None)}
assert [bool(team) for team in teams.values()] == [True, False, False, False]
assert teams["all"] == shmem.TEAM_WORLD and teams["even"] == shmem.TEAM_INVALID != teams["all"]
assert teams["all"] is not shmem.TEAM_WORLD

source = shmem.full(1, me, dtype=np.int32)
total = shmem.zeros(1, dtype=np.int32)
try:
    for start, name in enumerate(["even", "odd"]):
        if start < pes:
            teams[name] = shmem.TEAM_WORLD.split_strided(start, 2)
    mine = [name for name, team in teams.items() if team]
    assert mine == ["all", "even" if me % 2 == 0 else "odd"]
    for name in mine:
        team = teams[name]
        shmem.sum_reduce(total, source, team=team)
        members = range(pes) if name == "all" else range(me % 2, pes, 2)
        assert total[0] == sum(members) and team.n_pes() == len(members)
        team.sync()
finally:
    for team in teams.values():
        team.destroy()
        team.destroy()
assert not any(teams.values()) and shmem.TEAM_WORLD
shmem.TEAM_WORLD.destroy()
with shmem.TEAM_WORLD as everyone:
    assert everyone.n_pes() == pes
assert shmem.TEAM_WORLD.my_pe() == me
shmem.free(source)
shmem.free(total)
