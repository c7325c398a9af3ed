// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "handles.h"

#include <algorithm>
#include <vector>

namespace ucxx::python::shmem {
namespace {

template <class Handle>
PyObject* objectOf(Handle* handle) noexcept {
  return reinterpret_cast<PyObject*>(handle);
}

/// Lets go of the first object, if it is another one.
template <class Handle>
void leave(Handle& self) noexcept {
  if (self.of != &self) Py_XDECREF(objectOf(self.of));
}
void endTeam(PyObject* self) {
  leave(*reinterpret_cast<TeamHandle*>(self));
  Py_TYPE(self)->tp_free(self);
}
void endCtx(PyObject* self) {
  auto& ctx = *reinterpret_cast<CtxHandle*>(self);
  leave(ctx);
  Py_XDECREF(objectOf(ctx.team));
  Py_TYPE(self)->tp_free(self);
}

template <class Handle>
Ref another(PyTypeObject* type, Handle& first) {
  Ref made(need(type->tp_alloc(type, 0)));
  Py_INCREF(objectOf(&first));
  reinterpret_cast<Handle*>(made.get())->of = &first;
  return made;
}
template <class Handle>
void detach(Handle& self, Handle& invalid) noexcept {
  if (self.of == &self) return;
  Py_INCREF(objectOf(&invalid));
  leave(self);
  self.of = &invalid;
}

int isTeamAlive(PyObject* self) { return isAlive(teamOf(self)); }
int isCtxAlive(PyObject* self) { return isAlive(ctxOf(self)); }
PyNumberMethods truth_of_team = {.nb_bool = isTeamAlive};
PyNumberMethods truth_of_ctx = {.nb_bool = isCtxAlive};

/// Null for what is dead: two dead ones are equal.
void* identityOf(const TeamHandle& team) noexcept { return isAlive(team) ? team.team : nullptr; }
void* identityOf(const CtxHandle& ctx) noexcept { return isAlive(ctx) ? ctx.ctx : nullptr; }

template <class Handle, PyTypeObject& type>
PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || !PyObject_TypeCheck(other, &type))
    Py_RETURN_NOTIMPLEMENTED;
  const Handle& one = *reinterpret_cast<Handle*>(self)->of;
  const Handle& two = *reinterpret_cast<Handle*>(other)->of;
  const bool are_equal = isAlive(one) == isAlive(two) && identityOf(one) == identityOf(two);
  return PyBool_FromLong(are_equal == (operation == Py_EQ));
}
PyObject* numberOf(const void* handle) { return PyLong_FromVoidPtr(const_cast<void*>(handle)); }
PyGetSetDef attributes_of_team[] = {
    {"handle", [](PyObject* self, void*) { return numberOf(identityOf(teamOf(self))); }, nullptr,
     "The shmem_team_t as a number, for the functions of ucxx.shmem.c.", nullptr},
    {}};
PyGetSetDef attributes_of_ctx[] = {
    {"handle", [](PyObject* self, void*) { return numberOf(identityOf(ctxOf(self))); }, nullptr,
     "The shmem_ctx_t as a number, for the functions of ucxx.shmem.c.", nullptr},
    {}};

/// The handles that are there in each initialisation; they live as long as the process.
struct PredefinedTeam {
  TeamHandle* handle;
  shmem_team_t Constants::*value;
};
struct PredefinedCtx {
  CtxHandle* handle;
  shmem_ctx_t Constants::*value;
};
struct Predefined {
  std::vector<PredefinedTeam> teams;
  std::vector<PredefinedCtx> contexts;
};
Predefined predefined;

/// Has the handle count as one of the present initialisation.
void refresh(TeamHandle& handle) {
  handle.epoch = state.epoch;
  if (handle.team == constants.TEAM_INVALID || !state.is_running) return;
  handle.me = functions.team_my_pe(handle.team);
  handle.pes = functions.team_n_pes(handle.team);
}

}  // namespace

constexpr unsigned long kBase =
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION;
PyTypeObject team_type = {
    .ob_base = {PyObject_HEAD_INIT(nullptr) 0},
    .tp_name = "ucxx._shmem.Team",
    .tp_basicsize = sizeof(TeamHandle),
    .tp_dealloc = endTeam,
    .tp_as_number = &truth_of_team,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_flags = kBase,
    .tp_doc = "A team's handle.",
    .tp_richcompare = compare<TeamHandle, team_type>,
    .tp_getset = attributes_of_team,
};
PyTypeObject ctx_type = {
    .ob_base = {PyObject_HEAD_INIT(nullptr) 0},
    .tp_name = "ucxx._shmem.Ctx",
    .tp_basicsize = sizeof(CtxHandle),
    .tp_dealloc = endCtx,
    .tp_as_number = &truth_of_ctx,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_flags = kBase,
    .tp_doc = "A context's handle.",
    .tp_richcompare = compare<CtxHandle, ctx_type>,
    .tp_getset = attributes_of_ctx,
};

TeamHandle& needTeam(const Arguments& given, int argument) {
  PyObject* const value = given.raw(argument);
  if (!PyObject_TypeCheck(value, &team_type)) raiseNoTeam(given, argument);
  return teamOf(value);
}
TeamHandle& needLivingTeam(const Arguments& given, int argument) {
  requireRunning(given);
  TeamHandle& team = needTeam(given, argument);
  if (!isAlive(team)) raiseNoTeam(given, argument);
  return team;
}
CtxHandle& needCtx(const Arguments& given, int argument) {
  PyObject* const value = given.raw(argument);
  if (!PyObject_TypeCheck(value, &ctx_type)) raiseNoCtx(given, argument);
  return ctxOf(value);
}
CtxHandle& needLivingCtx(const Arguments& given, int argument) {
  requireRunning(given);
  CtxHandle& ctx = needCtx(given, argument);
  if (!isAlive(ctx)) raiseNoCtx(given, argument);
  return ctx;
}

Ref newTeam(PyTypeObject* type, shmem_team_t team) {
  Ref made(need(type->tp_alloc(type, 0)));
  TeamHandle& handle = *reinterpret_cast<TeamHandle*>(made.get());
  handle = {handle.ob_base, &handle, team, -1, 0, 0};
  refresh(handle);
  return made;
}

Ref newCtx(PyTypeObject* type, shmem_ctx_t ctx, TeamHandle& team) {
  Ref made(need(type->tp_alloc(type, 0)));
  CtxHandle& handle = *reinterpret_cast<CtxHandle*>(made.get());
  Py_INCREF(objectOf(&team));
  handle = {handle.ob_base, &handle, ctx, &team, state.epoch};
  return made;
}

Ref anotherOf(PyTypeObject* type, TeamHandle& team) { return another(type, team); }
Ref anotherOf(PyTypeObject* type, CtxHandle& ctx) { return another(type, ctx); }
void detachTeam(PyObject* self) noexcept {
  detach(*reinterpret_cast<TeamHandle*>(self), *predefined.teams.front().handle);
}
void detachCtx(PyObject* self) noexcept {
  detach(*reinterpret_cast<CtxHandle*>(self), *predefined.contexts.front().handle);
}

PyTypeObject* classOf(const Arguments& given, int argument, PyTypeObject& base) {
  PyObject* const value = given.raw(argument);
  if (!PyType_Check(value) || PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(value), &base) == 0)
    raise(PyExc_TypeError, "%s: %s = %R: must be a class derived from %s", given.call(),
          given.nameOf(argument), value, base.tp_name);
  return reinterpret_cast<PyTypeObject*>(value);
}

Ref newPredefined(PyTypeObject* type, shmem_team_t Constants::*team) {
  Ref made = newTeam(type, constants.*team);
  Py_INCREF(made.get());
  predefined.teams.push_back({&teamOf(made.get()), team});
  return made;
}
Ref newPredefined(PyTypeObject* type, shmem_ctx_t Constants::*ctx, TeamHandle& team) {
  Ref made = newCtx(type, constants.*ctx, team);
  Py_INCREF(made.get());
  predefined.contexts.push_back({&ctxOf(made.get()), ctx});
  return made;
}

void refreshPredefined() {
  for (const PredefinedTeam& one : predefined.teams) {
    one.handle->team = constants.*one.value;
    refresh(*one.handle);
  }
  for (const PredefinedCtx& one : predefined.contexts) {
    one.handle->ctx = constants.*one.value;
    one.handle->epoch = state.epoch;
  }
}

void prepareHandleTypes() {
  if (PyType_Ready(&team_type) < 0 || PyType_Ready(&ctx_type) < 0) throw Raised{};
}

void raiseNoCtx(const Arguments& given, int argument) {
  PyObject* const value = given.raw(argument);
  if (!PyObject_TypeCheck(value, &ctx_type))
    raise(PyExc_TypeError, "%s: %s = %R: must be a Ctx", given.call(), given.nameOf(argument),
          value);
  const CtxHandle& ctx = ctxOf(value);
  const char* why = "went with its team";
  if (ctx.epoch != state.epoch)
    why = "went with the finalize since";
  else if (ctx.ctx == constants.CTX_INVALID)
    why = "is destroyed, or CTX_INVALID";
  raise(Error::Handle, "%s: %s %s", given.call(), given.nameOf(argument), why);
}

/// Whether it is TEAM_SHARED of a library that has none.
static bool isMissing(const TeamHandle& team) {
  if (constants.TEAM_SHARED != constants.TEAM_INVALID) return false;
  return std::ranges::any_of(predefined.teams, [&](const PredefinedTeam& one) {
    return one.handle == &team && one.value == &Constants::TEAM_SHARED;
  });
}

void raiseNoTeam(const Arguments& given, int argument) {
  PyObject* const value = given.raw(argument);
  if (!PyObject_TypeCheck(value, &team_type))
    raise(PyExc_TypeError, "%s: %s = %R: must be a Team", given.call(), given.nameOf(argument),
          value);
  const TeamHandle& team = teamOf(value);
  if (isMissing(team)) throw Lacking{"SHMEM_TEAM_SHARED"};
  const char* why = "is destroyed";
  if (team.epoch != state.epoch)
    why = "went with the finalize since";
  else if (team.me < 0)
    why = "is TEAM_INVALID, or one that this PE is no member of";
  raise(Error::Handle, "%s: %s %s", given.call(), given.nameOf(argument), why);
}

void raisePe(const Arguments& given, int argument, long pe, int pes) {
  raise(PyExc_ValueError, "%s: %s = %ld: must be from 0 to %d", given.call(),
        given.nameOf(argument), pe, pes - 1);
}

}  // namespace ucxx::python::shmem
