// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "arguments.h"
#include "constants.h"
#include "state.h"

// Teams and contexts as Python objects. The package derives its classes Team and Ctx from these
// two, which hold no more than what each call needs. Team(team) is another object of the same team:
// it refers to the first one, so that both are destroyed at once.

namespace ucxx::python::shmem {

struct TeamHandle {
  PyObject_HEAD TeamHandle* of;  ///< the first object of the team, maybe itself; else owned
  // What only the first object has:
  shmem_team_t team;
  int me, pes;  ///< of this PE in the team, and of the team
  unsigned epoch;
};

struct CtxHandle {
  PyObject_HEAD CtxHandle* of;  ///< as of a team
  // What only the first object has:
  shmem_ctx_t ctx;
  TeamHandle* team;  ///< owned; its members are the PEs of the context
  unsigned epoch;
};

extern PyTypeObject team_type;
extern PyTypeObject ctx_type;
/// Throws Raised.
void prepareHandleTypes();
/// Is called after each initialisation: what the predefined teams and contexts are now.
void refreshPredefined();

/// The first object of the team.
inline TeamHandle& teamOf(PyObject* self) noexcept {
  return *reinterpret_cast<TeamHandle*>(self)->of;
}
inline CtxHandle& ctxOf(PyObject* self) noexcept { return *reinterpret_cast<CtxHandle*>(self)->of; }

/// Whether calls may use it: neither destroyed nor of an earlier initialisation.
inline bool isAlive(const TeamHandle& team) noexcept {
  return state.is_running && team.team != constants.TEAM_INVALID && team.epoch == state.epoch;
}
inline bool isAlive(const CtxHandle& ctx) noexcept {
  return ctx.ctx != constants.CTX_INVALID && ctx.epoch == state.epoch && isAlive(*ctx.team);
}

[[noreturn, gnu::cold]] void raiseNoCtx(const Arguments& given, int argument);
[[noreturn, gnu::cold]] void raiseNoTeam(const Arguments& given, int argument);
[[noreturn, gnu::cold]] void raisePe(const Arguments& given, int argument, long pe, int pes);

/// A context, how many PEs it reaches, and which of them this one is.
struct Channel {
  shmem_ctx_t ctx;
  int me, pes;
};
/// The argument `ctx`; not given: the default context.
inline Channel channelOf(const Arguments& given, int argument) {
  PyObject* const value = given[argument];
  if (value == nullptr) return {constants.CTX_DEFAULT, state.me, state.pes};
  if (!PyObject_TypeCheck(value, &ctx_type) || !isAlive(ctxOf(value))) [[unlikely]]
    raiseNoCtx(given, argument);
  const CtxHandle& ctx = ctxOf(value);
  return {ctx.ctx, ctx.team->me, ctx.team->pes};
}

/// The argument `pe`: a number of the PEs that there are.
inline int peOf(const Arguments& given, int argument, int pes) {
  const long pe = longOf(given, argument);
  if (pe < 0 || pe >= pes) [[unlikely]]
    raisePe(given, argument, pe, pes);
  return static_cast<int>(pe);
}

/// A PE through a context.
struct Remote {
  shmem_ctx_t ctx;
  int pe;
  bool is_self;
};
inline Remote remoteOf(const Arguments& given, int pe, int ctx) {
  const Channel channel = channelOf(given, ctx);
  const int number = peOf(given, pe, channel.pes);
  return {channel.ctx, number, number == channel.me};
}

/// The argument `team`; not given: all PEs.
struct Group {
  shmem_team_t team;
  int me, pes;
};
inline Group groupOf(const Arguments& given, int argument) {
  PyObject* const value = given[argument];
  if (value == nullptr) return {constants.TEAM_WORLD, state.me, state.pes};
  if (!PyObject_TypeCheck(value, &team_type) || !isAlive(teamOf(value))) [[unlikely]]
    raiseNoTeam(given, argument);
  const TeamHandle& team = teamOf(value);
  return {team.team, team.me, team.pes};
}

/// Whether the argument `ctx` is none any more, or never was: nothing is under way there.
inline bool isNoCtx(const Arguments& given, int argument) noexcept {
  PyObject* const value = given[argument];
  return value != nullptr && PyObject_TypeCheck(value, &ctx_type) &&
         ctxOf(value).ctx == constants.CTX_INVALID;
}

/// An argument that must be a team or a context, alive or not.
TeamHandle& needTeam(const Arguments& given, int argument);
CtxHandle& needCtx(const Arguments& given, int argument);
TeamHandle& needLivingTeam(const Arguments& given, int argument);
CtxHandle& needLivingCtx(const Arguments& given, int argument);
/// An argument that is a class, derived from `base`.
PyTypeObject* classOf(const Arguments& given, int argument, PyTypeObject& base);

/// Objects of a class of Python's that is derived from the base types.
Ref newTeam(PyTypeObject* type, shmem_team_t team);
Ref newCtx(PyTypeObject* type, shmem_ctx_t ctx, TeamHandle& team);
/// Another object of the same team or context.
Ref anotherOf(PyTypeObject* type, TeamHandle& team);
Ref anotherOf(PyTypeObject* type, CtxHandle& ctx);
/// Makes such an object one of the invalid team or context; the first object stays what it is.
void detachTeam(PyObject* self) noexcept;
void detachCtx(PyObject* self) noexcept;
/// A predefined one: it lives as long as the process. The first of all is the invalid one.
Ref newPredefined(PyTypeObject* type, shmem_team_t Constants::*team);
Ref newPredefined(PyTypeObject* type, shmem_ctx_t Constants::*ctx, TeamHandle& team);

}  // namespace ucxx::python::shmem
