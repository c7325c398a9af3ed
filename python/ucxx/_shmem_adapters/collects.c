// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A part of an adapter's source, behind the teams: collects that know how much room there is.

static int in_world(void* team, int member) {
  return ucxx_shmem_team_translate_pe(team, member, ucxx_SHMEM_TEAM_WORLD());
}

struct shares {
  size_t before, all, room;  // bytes: of the members before this PE, of all, of the smallest dest
};

// Each member tells all members. A PE has words of its own, and reads those of the team's members
// alone: a PE that is ahead, in another team, writes elsewhere.
static struct shares shares_of(void* team, size_t bytes, size_t room) {
  const int members = ucxx_shmem_team_n_pes(team), position = ucxx_shmem_team_my_pe(team);
  const long told[2] = {(long)bytes, (long)(room < LONG_MAX ? room : LONG_MAX)};
  for (int i = 0; i < members; ++i)
    shmem_putmem(bytes_of_all + 2 * me, told, sizeof told, in_world(team, i));
  shmem_quiet();
  ucxx_shmem_team_sync(team);
  struct shares shares = {0, 0, LONG_MAX};
  for (int i = 0; i < members; ++i) {
    const long* words = bytes_of_all + 2 * in_world(team, i);
    if (i < position) shares.before += (size_t)words[0];
    shares.all += (size_t)words[0];
    if ((size_t)words[1] < shares.room) shares.room = (size_t)words[1];
  }
  return shares;
}

int ucxx_shmemx_collectmem(void* team, void* dest, size_t dest_bytes, const void* source,
                           size_t bytes) {
  const struct shares shares = shares_of(team, bytes, dest_bytes);
  if (shares.all > shares.room) {
    ucxx_shmem_team_sync(team);
    return 1;
  }
#ifdef UCXX_HAS_shmem_collectmem
  return ucxx_shmem_collectmem(team, dest, source, bytes);
#else
  const int members = ucxx_shmem_team_n_pes(team);
  for (int i = 0; i < members && bytes > 0; ++i)
    shmem_putmem((char*)dest + shares.before, source, bytes, in_world(team, i));
  shmem_quiet();
  ucxx_shmem_team_sync(team);
  return 0;
#endif
}
#ifndef UCXX_HAS_shmem_collectmem
int ucxx_shmem_collectmem(void* team, void* dest, const void* source, size_t bytes) {
  return ucxx_shmemx_collectmem(team, dest, SIZE_MAX, source, bytes);
}
#endif
