// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "handles.h"

#include <vector>

#include "groups.h"

namespace ucxx::python::shmem {
namespace {

TeamHandle& teamOf(PyObject* self) noexcept { return *reinterpret_cast<TeamHandle*>(self); }
CtxHandle& ctxOf(PyObject* self) noexcept { return *reinterpret_cast<CtxHandle*>(self); }

void endTeam(PyObject* self) { Py_TYPE(self)->tp_free(self); }
void endCtx(PyObject* self) {
  Py_XDECREF(reinterpret_cast<PyObject*>(ctxOf(self).team));
  Py_TYPE(self)->tp_free(self);
}

int isTeamAlive(PyObject* self) { return isAlive(teamOf(self)); }
int isCtxAlive(PyObject* self) { return isAlive(ctxOf(self)); }
PyNumberMethods truth_of_team = {.nb_bool = isTeamAlive};
PyNumberMethods truth_of_ctx = {.nb_bool = isCtxAlive};

/// What is dead is equal to whatever else is.
void* identityOf(const TeamHandle& team) noexcept { return isAlive(team) ? team.team : nullptr; }
void* identityOf(const CtxHandle& ctx) noexcept { return isAlive(ctx) ? ctx.ctx : nullptr; }

template <class Handle, PyTypeObject& type>
PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || !PyObject_TypeCheck(other, &type))
    Py_RETURN_NOTIMPLEMENTED;
  const bool are_equal =
      identityOf(*reinterpret_cast<Handle*>(self)) == identityOf(*reinterpret_cast<Handle*>(other));
  return PyBool_FromLong(are_equal == (operation == Py_EQ));
}
template <class Handle>
Py_hash_t hash(PyObject* self) {
  return static_cast<Py_hash_t>(
      reinterpret_cast<std::uintptr_t>(identityOf(*reinterpret_cast<Handle*>(self))) >> 1);
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

/// An argument that must be a team, alive or not.
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
CtxHandle& needLivingCtx(const Arguments& given, int argument) {
  requireRunning(given);
  PyObject* const value = given.raw(argument);
  if (!PyObject_TypeCheck(value, &ctx_type) || !isAlive(ctxOf(value))) raiseNoCtx(given, argument);
  return ctxOf(value);
}

/// Of the initialisation that is.
void refresh(TeamHandle& handle) noexcept {
  handle.epoch = state.epoch;
  if (handle.team == SHMEM_TEAM_INVALID || !state.is_running) return;
  handle.me = functions.team_my_pe(handle.team);
  handle.pes = functions.team_n_pes(handle.team);
}

Ref newTeam(PyTypeObject* type, shmem_team_t team) {
  Ref made(need(type->tp_alloc(type, 0)));
  TeamHandle& handle = teamOf(made.get());
  handle = {handle.ob_base, team, -1, 0, 0};
  refresh(handle);
  return made;
}

Ref newCtx(PyTypeObject* type, shmem_ctx_t ctx, TeamHandle& team) {
  Ref made(need(type->tp_alloc(type, 0)));
  CtxHandle& handle = ctxOf(made.get());
  Py_INCREF(reinterpret_cast<PyObject*>(&team));
  handle = {handle.ob_base, ctx, &team, state.epoch};
  return made;
}

/// The argument is a class that is derived from `base`.
PyTypeObject* classOf(const Arguments& given, int argument, PyTypeObject& base) {
  PyObject* const value = given.raw(argument);
  if (!PyType_Check(value) || PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(value), &base) == 0)
    raise(PyExc_TypeError, "%s: %s = %R: must be a class derived from %s", given.call(),
          given.nameOf(argument), value, base.tp_name);
  return reinterpret_cast<PyTypeObject*>(value);
}

/// The handles that are there in each initialisation; they live as long as the process.
struct Predefined {
  std::vector<TeamHandle*> teams;
  std::vector<CtxHandle*> contexts;
};
Predefined predefined;

template <class Handle>
PyObject* kept(Ref made, std::vector<Handle*>& handles) {
  PyObject* const object = made.release();
  Py_INCREF(object);
  handles.push_back(reinterpret_cast<Handle*>(object));
  return object;
}

Signature predefined_team_signature{
    "predefined_team(cls, number)\n--\n\n"
    "Return a team that is always there: 0 is none, 1 that of all "
    "PEs, 2 that of the PEs of this node."};
PyObject* predefinedTeam(const Arguments& given) {
  PyTypeObject* const type = classOf(given, 0, team_type);
  const shmem_team_t teams[] = {SHMEM_TEAM_INVALID, SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED};
  const long number = longOf(given, 1);
  if (number < 0 || number > 2)
    raise(PyExc_ValueError, "predefined_team: number = %ld: must be from 0 to 2", number);
  return kept(newTeam(type, teams[number]), predefined.teams);
}

Signature predefined_ctx_signature{
    "predefined_ctx(cls, team, number)\n--\n\n"
    "Return a context that is always there: 0 is none, 1 the "
    "default one."};
PyObject* predefinedCtx(const Arguments& given) {
  PyTypeObject* const type = classOf(given, 0, ctx_type);
  const shmem_ctx_t ctx = longOf(given, 2) == 1 ? SHMEM_CTX_DEFAULT : SHMEM_CTX_INVALID;
  return kept(newCtx(type, ctx, needTeam(given, 1)), predefined.contexts);
}

/// A new team of which this PE may not be a member; an error for members.
PyObject* madeTeam(const TeamHandle& parent, shmem_team_t team) {
  return newTeam(Py_TYPE(reinterpret_cast<PyObject*>(const_cast<TeamHandle*>(&parent))), team)
      .release();
}

int intOf(const Arguments& given, int argument) {
  const long number = longOf(given, argument);
  if (number != static_cast<int>(number))
    raise(PyExc_OverflowError, "%s: %s = %ld: must be an integer of 32 bits", given.call(),
          given.nameOf(argument), number);
  return static_cast<int>(number);
}
shmem_team_config_t configOf(const Arguments& given, int argument) {
  const int contexts = intOf(given, argument);
  if (contexts < 0)
    raise(PyExc_ValueError, "%s: num_contexts = %d: must not be negative", given.call(), contexts);
  return {contexts};
}

Signature team_split_strided_signature{
    "team_split_strided(team, start, stride, size, num_contexts)\n--\n\n"
    "Make a team; collective over the parent."};
PyObject* teamSplitStrided(const Arguments& given) {
  const TeamHandle& parent = needLivingTeam(given, 0);
  const int start = intOf(given, 1), stride = intOf(given, 2), size = intOf(given, 3);
  const shmem_team_config_t config = configOf(given, 4);
  shmem_team_t team = SHMEM_TEAM_INVALID;
  const int status = withoutGil([&] {
    return functions.team_split_strided(parent.team, start, stride, size, &config,
                                        SHMEM_TEAM_NUM_CONTEXTS, &team);
  });
  if (status != 0)
    raise(PyExc_ValueError,
          "split_strided: start = %d, stride = %d, size = %d: a team of %d PEs has no such part",
          start, stride, size, parent.pes);
  return madeTeam(parent, team);
}

Signature team_split_2d_signature{
    "team_split_2d(team, xrange, x_contexts, y_contexts)\n--\n\n"
    "Make the teams of a row and of a column; collective over the parent."};
PyObject* teamSplit2d(const Arguments& given) {
  const TeamHandle& parent = needLivingTeam(given, 0);
  const int xrange = intOf(given, 1);
  const shmem_team_config_t x = configOf(given, 2), y = configOf(given, 3);
  shmem_team_t row = SHMEM_TEAM_INVALID, column = SHMEM_TEAM_INVALID;
  const int status = withoutGil([&] {
    return functions.team_split_2d(parent.team, xrange, &x, SHMEM_TEAM_NUM_CONTEXTS, &row, &y,
                                   SHMEM_TEAM_NUM_CONTEXTS, &column);
  });
  if (status != 0) raise(PyExc_ValueError, "split_2d: xrange = %d: must be positive", xrange);
  Ref first(madeTeam(parent, row)), second(madeTeam(parent, column));
  return Py_BuildValue("(NN)", first.release(), second.release());
}

Signature team_num_contexts_signature{
    "team_num_contexts(team)\n--\n\n"
    "Return how many contexts the team was made for."};
PyObject* teamNumContexts(const Arguments& given) {
  const TeamHandle& team = needLivingTeam(given, 0);
  shmem_team_config_t config{};
  functions.team_get_config(team.team, SHMEM_TEAM_NUM_CONTEXTS, &config);
  return PyLong_FromLong(config.num_contexts);
}

Signature team_place_signature{
    "team_place(team)\n--\n\n"
    "Return the number of this PE in the team, and of how many."};
PyObject* teamPlace(const Arguments& given) {
  const TeamHandle& team = needLivingTeam(given, 0);
  return Py_BuildValue("(ii)", team.me, team.pes);
}

Signature team_translate_pe_signature{
    "team_translate_pe(team, pe, other)\n--\n\n"
    "Return the number in the other team; -1: no member."};
PyObject* teamTranslatePe(const Arguments& given) {
  const TeamHandle& team = needLivingTeam(given, 0);
  const int pe = peOf(given, 1, team.pes);
  return PyLong_FromLong(functions.team_translate_pe(team.team, pe, needLivingTeam(given, 2).team));
}

Signature team_destroy_signature{
    "team_destroy(team)\n--\n\n"
    "End a team, with its contexts; collective over it."};
PyObject* teamDestroy(const Arguments& given) {
  TeamHandle& team = needLivingTeam(given, 0);
  if (team.team == SHMEM_TEAM_WORLD || team.team == SHMEM_TEAM_SHARED)
    raise(PyExc_ValueError, "destroy: a predefined team is there until the library is finalised");
  const shmem_team_t ended = team.team;
  team.team = SHMEM_TEAM_INVALID;
  withoutGil([&] { functions.team_destroy(ended); });
  return none();
}

Signature ctx_create_signature{"ctx_create(cls, team, options)\n--\n\nMake a context."};
PyObject* ctxCreate(const Arguments& given) {
  PyTypeObject* const type = classOf(given, 0, ctx_type);
  TeamHandle& team = needLivingTeam(given, 1);
  const long options = longOf(given, 2);
  constexpr long kAll = SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE;
  if ((options & ~kAll) != 0)
    raise(PyExc_ValueError,
          "create: options = %ld: must be made of CTX_PRIVATE, CTX_SERIALIZED "
          "and CTX_NOSTORE",
          options);
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  if (functions.team_create_ctx(team.team, options, &ctx) != 0 || ctx == SHMEM_CTX_INVALID)
    raise(PyExc_RuntimeError, "create: there are no resources for one more context");
  return newCtx(type, ctx, team).release();
}

Signature ctx_destroy_signature{"ctx_destroy(ctx)\n--\n\nComplete and end a context."};
PyObject* ctxDestroy(const Arguments& given) {
  CtxHandle& ctx = needLivingCtx(given, 0);
  if (ctx.ctx == SHMEM_CTX_DEFAULT)
    raise(PyExc_ValueError, "destroy: the default context is there until the library is finalised");
  functions.ctx_destroy(ctx.ctx);
  ctx.ctx = SHMEM_CTX_INVALID;
  return none();
}

Signature ctx_team_signature{"ctx_team(ctx)\n--\n\nReturn the team of a context."};
PyObject* ctxTeam(const Arguments& given) {
  PyObject* const team = reinterpret_cast<PyObject*>(needLivingCtx(given, 0).team);
  Py_INCREF(team);
  return team;
}

Signature session_start_signature{
    "session_start(ctx=None, options=0, total_ops=None)\n--\n\n"
    "Begin a session of a context: a hint that many operations follow.\n\n"
    "Args:\n"
    "    ctx: the context; the default one if it is not given.\n"
    "    options: 0, or CTX_SESSION_BATCH: operations may be sent together.\n"
    "    total_ops: how many operations follow, where that is known.\n\n"
    "OpenSHMEM 1.6, shmem_ctx_session_start."};
PyObject* sessionStart(const Arguments& given) {
  requireRunning(given);
  const Channel channel = channelOf(given, 0);
  const long options = given[1] == nullptr ? 0 : longOf(given, 1);
  if ((options & ~SHMEM_CTX_SESSION_BATCH) != 0)
    raise(PyExc_ValueError, "session_start: options = %ld: must be 0 or CTX_SESSION_BATCH",
          options);
  const long total = given[2] == nullptr ? -1 : longOf(given, 2);
  if (total < 0 && given[2] != nullptr)
    raise(PyExc_ValueError, "session_start: total_ops = %ld: must not be negative", total);
  const shmem_ctx_session_config_t config{static_cast<std::size_t>(total)};
  functions.ctx_session_start(channel.ctx, options, &config,
                              total < 0 ? 0 : SHMEM_CTX_SESSION_TOTAL_OPS);
  return none();
}

Signature session_stop_signature{
    "session_stop(ctx=None)\n--\n\n"
    "End the session of a context.\n\n"
    "OpenSHMEM 1.6, shmem_ctx_session_stop."};
PyObject* sessionStop(const Arguments& given) {
  requireRunning(given);
  functions.ctx_session_stop(channelOf(given, 0).ctx);
  return none();
}

constexpr Function kFunctions[] = {
    function<predefined_team_signature, predefinedTeam>(),
    function<predefined_ctx_signature, predefinedCtx>(),
    function<team_split_strided_signature, teamSplitStrided>(),
    function<team_split_2d_signature, teamSplit2d>(),
    function<team_num_contexts_signature, teamNumContexts>(),
    function<team_place_signature, teamPlace>(),
    function<team_translate_pe_signature, teamTranslatePe>(),
    function<team_destroy_signature, teamDestroy>(),
    function<ctx_create_signature, ctxCreate>(),
    function<ctx_destroy_signature, ctxDestroy>(),
    function<ctx_team_signature, ctxTeam>(),
    function<session_start_signature, sessionStart>(),
    function<session_stop_signature, sessionStop>(),
};

}  // namespace

constexpr unsigned long kBase =
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION;
PyTypeObject team_type = {
    .ob_base = {PyObject_HEAD_INIT(nullptr) 0},
    .tp_name = "ucxx._shmem.Team",
    .tp_basicsize = sizeof(TeamHandle),
    .tp_dealloc = endTeam,
    .tp_as_number = &truth_of_team,
    .tp_hash = hash<TeamHandle>,
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
    .tp_hash = hash<CtxHandle>,
    .tp_flags = kBase,
    .tp_doc = "A context's handle.",
    .tp_richcompare = compare<CtxHandle, ctx_type>,
    .tp_getset = attributes_of_ctx,
};

void refreshPredefined() noexcept {
  for (TeamHandle* const team : predefined.teams) refresh(*team);
  for (CtxHandle* const ctx : predefined.contexts) ctx->epoch = state.epoch;
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
  else if (ctx.ctx == SHMEM_CTX_INVALID)
    why = "is destroyed, or CTX_INVALID";
  raise(PyExc_ValueError, "%s: %s %s", given.call(), given.nameOf(argument), why);
}

void raiseNoTeam(const Arguments& given, int argument) {
  PyObject* const value = given.raw(argument);
  if (!PyObject_TypeCheck(value, &team_type))
    raise(PyExc_TypeError, "%s: %s = %R: must be a Team", given.call(), given.nameOf(argument),
          value);
  const TeamHandle& team = teamOf(value);
  const char* why = "is destroyed";
  if (team.epoch != state.epoch)
    why = "went with the finalize since";
  else if (team.me < 0)
    why = "is TEAM_INVALID, or one that this PE is no member of";
  raise(PyExc_ValueError, "%s: %s %s", given.call(), given.nameOf(argument), why);
}

void raisePe(const Arguments& given, int argument, long pe, int pes) {
  raise(PyExc_ValueError, "%s: %s = %ld: must be from 0 to %d", given.call(),
        given.nameOf(argument), pe, pes - 1);
}

std::span<const Function> handleFunctions() { return kFunctions; }

}  // namespace ucxx::python::shmem
