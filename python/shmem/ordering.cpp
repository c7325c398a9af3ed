// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <vector>

#include "collectives.h"
#include "module_functions.h"
#include "sequences.h"

// Barriers, and the order and completion of what is under way.

namespace ucxx::python::shmem {
namespace {

Signature barrier_all_signature{
    "barrier_all()\n--\n\n"
    "Wait for all PEs, and complete what they have put.\n\n"
    "Collective. Other threads run meanwhile. Ctrl-C waits for its "
    "end."};
PyObject* barrierAll(const Arguments& given) {
  requireRunning(given);
  withoutGil(functions.barrier_all);
  return none();
}
Signature sync_all_signature{
    "sync_all()\n--\n\n"
    "Wait for all PEs; completes nothing that they have put.\n\n"
    "Collective. Other threads run meanwhile. Ctrl-C waits for its end."};
PyObject* syncAll(const Arguments& given) {
  requireRunning(given);
  withoutGil(functions.sync_all);
  return none();
}
Signature sync_signature{
    "sync(team=None)\n--\n\n"
    "Wait for the PEs of a team; completes nothing that they have put.\n\n"
    "Collective over the team; all PEs if it is not given. Other threads run "
    "meanwhile. Ctrl-C waits for its end."};
PyObject* syncTeam(const Arguments& given) {
  requireRunning(given);
  const Group group = groupOf(given, 0);
  return together(given, [&] { return functions.team_sync(group.team); });
}

Signature fence_signature{
    "fence(ctx=None)\n--\n\n"
    "Order: what is put before comes to each PE before what is put later.\n\n"
    "Args:\n    ctx: the context; the default one if it is not given. Nothing for one that is\n"
    "        destroyed, or CTX_INVALID."};
PyObject* fence(const Arguments& given) {
  requireRunning(given);
  if (isNoCtx(given, 0)) return none();
  functions.ctx_fence(channelOf(given, 0).ctx);
  return none();
}
Signature quiet_signature{
    "quiet(ctx=None)\n--\n\n"
    "Complete all that was put, got or updated: it is there for all.\n\n"
    "Args:\n    ctx: the context; the default one if it is not given. Nothing for one that is\n"
    "        destroyed, or CTX_INVALID."};
PyObject* quiet(const Arguments& given) {
  requireRunning(given);
  if (isNoCtx(given, 0)) return none();
  functions.ctx_quiet(channelOf(given, 0).ctx);
  return none();
}
[[noreturn, gnu::cold]] void raiseNoPes(const Arguments& given) {
  PyErr_Clear();
  raise(PyExc_TypeError, "%s: %s = %R: must be a sequence of integers", given.call(),
        given.nameOf(0), given.raw(0));
}

Signature pe_quiet_signature{
    "pe_quiet(pes, ctx=None)\n--\n\n"
    "Complete all that was put, got or updated at some PEs.\n\n"
    "Args:\n    pes: a sequence of PEs of the context's team.\n"
    "    ctx: the context; the default one if it is not given.\n\n"
    "OpenSHMEM 1.6."};
PyObject* peQuiet(const Arguments& given) {
  requireRunning(given);
  if (isNoCtx(given, 1)) return none();
  const Channel channel = channelOf(given, 1);
  const Ref numbers = tupleOf(given.raw(0));
  if (numbers.get() == nullptr) raiseNoPes(given);
  std::vector<int> pes;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(numbers.get()); ++i) {
    const long pe = PyLong_AsLong(PyTuple_GET_ITEM(numbers.get(), i));
    if (pe == -1 && PyErr_Occurred() != nullptr) raiseNoPes(given);
    if (pe < 0 || pe >= channel.pes) raisePe(given, 0, pe, channel.pes);
    pes.push_back(static_cast<int>(pe));
  }
  functions.ctx_pe_quiet(channel.ctx, pes.data(), pes.size());
  return none();
}

constexpr Function kFunctions[] = {
    function<barrier_all_signature, barrierAll>(),
    function<sync_all_signature, syncAll>(),
    function<sync_signature, syncTeam>(),
    function<fence_signature, fence>(),
    function<quiet_signature, quiet>(),
    function<pe_quiet_signature, peQuiet>(),
};

}  // namespace

std::span<const Function> orderingOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
