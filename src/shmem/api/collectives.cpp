// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Barriers, and collectives that move data.
#include "shmem/api/define.h"
#include "shmem/api/types.h"
#include "shmem/collectives/checks.h"
#include "shmem/collectives/data.h"
#include "shmem/collectives/sync.h"

using namespace ucxx::shmem;

UCXX_SHMEM_DEFINE(void, barrier_all, (void), {
  requireRunning(SELF);
  compareArguments(world_team, {}, SELF);
  sync(world_team, SELF);
})
UCXX_SHMEM_DEFINE(void, sync_all, (void), {
  requireRunning(SELF);
  compareArguments(world_team, {}, SELF);
  sync(world_team, SELF);
})
UCXX_SHMEM_DEFINE(int, team_sync, (shmem_team_t team),
                  { return onTeam(team, SELF, [](Team& members) { sync(members, SELF); }); })

/// The functions of one type: the collective stands between `prefix` and `suffix`.
#define DATA(prefix, suffix, T, bytes)                                                             \
  UCXX_SHMEM_DEFINE(int, prefix##broadcast##suffix,                                                \
                    (shmem_team_t team, T * dest, const T* source, size_t nelems, int PE_root), {  \
                      return onTeam(team, SELF, [=](Team& members) {                               \
                        broadcast(members, dest, source, nelems*(bytes), PE_root, true, SELF);     \
                      });                                                                          \
                    })                                                                             \
  UCXX_SHMEM_DEFINE(int, prefix##collect##suffix,                                                  \
                    (shmem_team_t team, T * dest, const T* source, size_t nelems), {               \
                      return onTeam(team, SELF, [=](Team& members) {                               \
                        collect(members, dest, kRoomNotSaid, source, nelems*(bytes), SELF);        \
                      });                                                                          \
                    })                                                                             \
  UCXX_SHMEM_DEFINE(int, prefix##fcollect##suffix,                                                 \
                    (shmem_team_t team, T * dest, const T* source, size_t nelems), {               \
                      return onTeam(team, SELF, [=](Team& members) {                               \
                        fcollect(members, dest, source, nelems*(bytes), SELF);                     \
                      });                                                                          \
                    })                                                                             \
  UCXX_SHMEM_DEFINE(int, prefix##alltoall##suffix,                                                 \
                    (shmem_team_t team, T * dest, const T* source, size_t nelems), {               \
                      return onTeam(team, SELF, [=](Team& members) {                               \
                        alltoall(members, dest, source, nelems*(bytes), SELF);                     \
                      });                                                                          \
                    })                                                                             \
  UCXX_SHMEM_DEFINE(                                                                               \
      int, prefix##alltoalls##suffix,                                                              \
      (shmem_team_t team, T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems), \
      {                                                                                            \
        return onTeam(team, SELF, [=](Team& members) {                                             \
          alltoalls(members, dest, source, {bytes, nelems, dst, sst}, SELF);                       \
        });                                                                                        \
      })
#define TYPED(name, T) DATA(name##_, , T, sizeof(T))
UCXX_SHMEM_RMA_TYPES(TYPED)
#undef TYPED
DATA(, mem, void, 1)
