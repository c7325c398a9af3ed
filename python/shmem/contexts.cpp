// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "handles.h"
#include "module_functions.h"

// Contexts. The package's class Ctx calls these functions.

namespace ucxx::python::shmem {
namespace {

Signature predefined_ctx_signature{
    "predefined_ctx(cls, team, number)\n--\n\n"
    "Return a context that is always there: 0 is none, 1 the "
    "default one."};
PyObject* predefinedCtx(const Arguments& given) {
  PyTypeObject* const type = classOf(given, 0, ctx_type);
  shmem_ctx_t Constants::*const ctx =
      longOf(given, 2) == 1 ? &Constants::CTX_DEFAULT : &Constants::CTX_INVALID;
  return newPredefined(type, ctx, needTeam(given, 1)).release();
}

Signature ctx_create_signature{"ctx_create(cls, team, options)\n--\n\nMake a context.", "create"};
Signature team_create_ctx_signature{"team_create_ctx(cls, team, options)\n--\n\nMake a context.",
                                    "create_ctx"};
PyObject* ctxCreate(const Arguments& given) {
  PyTypeObject* const type = classOf(given, 0, ctx_type);
  TeamHandle& team = needLivingTeam(given, 1);
  const long options = longOf(given, 2);
  const long all = constants.CTX_PRIVATE | constants.CTX_SERIALIZED | constants.CTX_NOSTORE;
  if ((options & ~all) != 0)
    raise(Error::Handle,
          "%s: options = %ld: must be made of CTX_PRIVATE, CTX_SERIALIZED "
          "and CTX_NOSTORE",
          given.call(), options);
  shmem_ctx_t ctx = constants.CTX_INVALID;
  if (functions.team_create_ctx(team.team, options, &ctx) != 0 || ctx == constants.CTX_INVALID)
    raise(PyExc_RuntimeError, "%s: there are no resources for one more context", given.call());
  return newCtx(type, ctx, team).release();
}

Signature ctx_destroy_signature{
    "ctx_destroy(ctx)\n--\n\n"
    "Complete and end a context; nothing if it has ended, or is a predefined one.",
    "destroy"};
PyObject* ctxDestroy(const Arguments& given) {
  CtxHandle& ctx = needCtx(given, 0);
  if (ctx.ctx == constants.CTX_DEFAULT) detachCtx(given[0]);
  if (ctx.ctx == constants.CTX_DEFAULT || ctx.ctx == constants.CTX_INVALID ||
      ctx.epoch != state.epoch)
    return none();
  requireRunning(given);
  if (isAlive(ctx)) functions.ctx_destroy(ctx.ctx);  // else it went with its team
  ctx.ctx = constants.CTX_INVALID;
  return none();
}

Signature same_ctx_signature{"same_ctx(cls, ctx)\n--\n\nReturn another object of a context.",
                             "Ctx"};
PyObject* sameCtx(const Arguments& given) {
  return anotherOf(classOf(given, 0, ctx_type), needCtx(given, 1)).release();
}

Signature ctx_team_signature{"ctx_team(ctx)\n--\n\nReturn the team of a context.", "get_team"};
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
  if ((options & ~constants.CTX_SESSION_BATCH) != 0)
    raise(PyExc_ValueError, "session_start: options = %ld: must be 0 or CTX_SESSION_BATCH",
          options);
  const long total = given[2] == nullptr ? -1 : longOf(given, 2);
  if (total < 0 && given[2] != nullptr)
    raise(PyExc_ValueError, "session_start: total_ops = %ld: must not be negative", total);
  const shmem_ctx_session_config_t config{static_cast<std::size_t>(total)};
  functions.ctx_session_start(channel.ctx, options, &config,
                              total < 0 ? 0 : constants.CTX_SESSION_TOTAL_OPS);
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
    function<predefined_ctx_signature, predefinedCtx>(),
    function<same_ctx_signature, sameCtx>(),
    function<ctx_create_signature, ctxCreate>(),
    function<team_create_ctx_signature, ctxCreate>(),
    function<ctx_destroy_signature, ctxDestroy>(),
    function<ctx_team_signature, ctxTeam>(),
    function<session_start_signature, sessionStart>(),
    function<session_stop_signature, sessionStop>(),
};

}  // namespace

std::span<const Function> contextsOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
