// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Teams, contexts, sessions; fence and quiet.
#include "shmem/access/ordering.h"
#include "shmem/api/define.h"
#include "shmem/checks/failure.h"
#include "shmem/teams/context.h"
#include "shmem/teams/split.h"

namespace ucxx::shmem {
namespace {

shmem_team_t handleOrInvalid(Team* team) noexcept {
  return team == nullptr ? SHMEM_TEAM_INVALID : handleOf(*team);
}

/// Null for SHMEM_TEAM_INVALID. Others end the program before init and after finalize.
const Team* liveTeam(shmem_team_t handle, const char* call) noexcept {
  const Team* const team = teamOf(handle);
  if (team != nullptr) requireRunning(call);
  return team;
}

int getConfig(const Team* team, long mask, shmem_team_config_t* config) noexcept {
  if (team == nullptr) return 1;
  if ((mask & SHMEM_TEAM_NUM_CONTEXTS) != 0) config->num_contexts = team->config.num_contexts;
  return 0;
}

int translate(const Team* from, int member, const Team* to) noexcept {
  if (from == nullptr || to == nullptr || member < 0 || member >= from->size) return -1;
  return to->memberOf(from->peOf(member));
}

int createContextOn(Team* team, long options, shmem_ctx_t& handle) noexcept {
  Context* const context = team == nullptr ? nullptr : createContext(*team, options);
  handle = reinterpret_cast<shmem_ctx_t>(context);
  return context == nullptr ? 1 : 0;
}

void destroy(shmem_ctx_t ctx, const char* call) noexcept {
  if (ctx == SHMEM_CTX_DEFAULT) return warn(call, "the default context cannot be destroyed");
  destroyContext(contextOf(ctx));
}

shmem_team_t teamOfContext(shmem_ctx_t ctx) noexcept {
  if (ctx == SHMEM_CTX_DEFAULT) return SHMEM_TEAM_WORLD;
  return ctx == SHMEM_CTX_INVALID ? SHMEM_TEAM_INVALID : handleOf(contextOf(ctx)->team);
}

}  // namespace
}  // namespace ucxx::shmem

using namespace ucxx::shmem;

UCXX_SHMEM_DEFINE(int, team_my_pe, (shmem_team_t team), {
  const Team* const members = liveTeam(team, SELF);
  return members == nullptr ? -1 : members->me;
})
UCXX_SHMEM_DEFINE(int, team_n_pes, (shmem_team_t team), {
  const Team* const members = liveTeam(team, SELF);
  return members == nullptr ? -1 : members->size;
})
UCXX_SHMEM_DEFINE(int, team_get_config,
                  (shmem_team_t team, long config_mask, shmem_team_config_t* config),
                  { return getConfig(liveTeam(team, SELF), config_mask, config); })
UCXX_SHMEM_DEFINE(int, team_translate_pe,
                  (shmem_team_t src_team, int src_pe, shmem_team_t dest_team), {
                    return translate(liveTeam(src_team, SELF), src_pe, liveTeam(dest_team, SELF));
                  })
UCXX_SHMEM_DEFINE(int, team_split_strided,
                  (shmem_team_t parent_team, int start, int stride, int size,
                   const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team),
                  {
                    requireRunning(SELF);
                    *new_team = SHMEM_TEAM_INVALID;
                    Team* const parent = teamOf(parent_team);
                    if (parent == nullptr) return 1;
                    Team* team = nullptr;
                    const int status = splitStrided(*parent, {start, stride, size},
                                                    {config, config_mask}, team, SELF);
                    *new_team = handleOrInvalid(team);
                    return status;
                  })
UCXX_SHMEM_DEFINE(int, team_split_2d,
                  (shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config,
                   long xaxis_mask, shmem_team_t* xaxis_team,
                   const shmem_team_config_t* yaxis_config, long yaxis_mask,
                   shmem_team_t* yaxis_team),
                  {
                    requireRunning(SELF);
                    *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
                    Team* const parent = teamOf(parent_team);
                    if (parent == nullptr) return 1;
                    Team *row = nullptr, *column = nullptr;
                    const int status = splitGrid(*parent, xrange, {xaxis_config, xaxis_mask},
                                                 {yaxis_config, yaxis_mask}, row, column, SELF);
                    *xaxis_team = handleOrInvalid(row);
                    *yaxis_team = handleOrInvalid(column);
                    return status;
                  })
UCXX_SHMEM_DEFINE(void, team_destroy, (shmem_team_t team), { destroyTeam(teamOf(team), SELF); })

UCXX_SHMEM_DEFINE(int, ctx_create, (long options, shmem_ctx_t* ctx), {
  requireRunning(SELF);
  return createContextOn(&world_team, options, *ctx);
})
UCXX_SHMEM_DEFINE(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t* ctx), {
  requireRunning(SELF);
  return createContextOn(teamOf(team), options, *ctx);
})
UCXX_SHMEM_DEFINE(void, ctx_destroy, (shmem_ctx_t ctx), { destroy(ctx, SELF); })
UCXX_SHMEM_DEFINE(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t* team), {
  *team = teamOfContext(ctx);
  return ctx == SHMEM_CTX_INVALID ? 1 : 0;
})

// Hints: inside a node there is nothing to gather.
UCXX_SHMEM_DEFINE(void, ctx_session_start,
                  (shmem_ctx_t, long, const shmem_ctx_session_config_t*, long), {})
UCXX_SHMEM_DEFINE(void, ctx_session_stop, (shmem_ctx_t), {})

UCXX_SHMEM_DEFINE(void, fence, (void), { ucxx::shmem::fence(); })
UCXX_SHMEM_DEFINE(void, quiet, (void), { ucxx::shmem::quiet(); })
UCXX_SHMEM_DEFINE(void, ctx_fence, (shmem_ctx_t ctx), { fenceOn(ctx); })
UCXX_SHMEM_DEFINE(void, ctx_quiet, (shmem_ctx_t ctx), { quietOn(ctx); })
UCXX_SHMEM_DEFINE(void, pe_quiet, (const int*, size_t npes), {
  if (npes != 0) ucxx::shmem::quiet();
})
UCXX_SHMEM_DEFINE(void, ctx_pe_quiet, (shmem_ctx_t ctx, const int*, size_t npes), {
  if (npes != 0) quietOn(ctx);
})
