// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>

#include "handles.h"
#include "module_functions.h"

// Teams. The package's class Team calls these functions.

namespace ucxx::python::shmem {
namespace {

Signature predefined_team_signature{
    "predefined_team(cls, number)\n--\n\n"
    "Return a team that is always there: 0 is none, 1 that of all "
    "PEs, 2 that of the PEs of this node."};
PyObject* predefinedTeam(const Arguments& given) {
  PyTypeObject* const type = classOf(given, 0, team_type);
  shmem_team_t Constants::*const teams[] = {&Constants::TEAM_INVALID, &Constants::TEAM_WORLD,
                                            &Constants::TEAM_SHARED};
  const long number = longOf(given, 1);
  if (number < 0 || number > 2)
    raise(PyExc_ValueError, "predefined_team: number = %ld: must be from 0 to 2", number);
  return newPredefined(type, teams[number]).release();
}

/// A team, of which this PE may be no member, as an object of its parent's class.
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

/// Which members of the wishes count: without a number of contexts a team has what the library
/// gives.
long maskOf(const shmem_team_config_t& config) noexcept {
  return config.num_contexts == 0 ? 0 : constants.TEAM_NUM_CONTEXTS;
}

[[noreturn]] void raiseNoRoom(const Arguments& given) {
  raise(PyExc_RuntimeError,
        "%s: there is no room for one more team: destroy some of those that this program has%s",
        given.call(),
        library().isAdapter() ? ""
                              : "; a job has 16384 at most, TEAM_WORLD and TEAM_SHARED included");
}

/// Whether a team of so many PEs has all members of a part.
bool hasPart(int pes, long start, long stride, long size) noexcept {
  const long last = start + (size - 1) * stride;
  return size > 0 && (stride != 0 || size == 1) && std::min(start, last) >= 0 &&
         std::max(start, last) < pes;
}

Signature team_split_strided_signature{
    "team_split_strided(team, start, stride, size, num_contexts)\n--\n\n"
    "Make a team; collective over the parent.",
    "split_strided"};
PyObject* teamSplitStrided(const Arguments& given) {
  const TeamHandle& parent = needLivingTeam(given, 0);
  const int start = intOf(given, 1), stride = intOf(given, 2), size = intOf(given, 3);
  const shmem_team_config_t config = configOf(given, 4);
  shmem_team_t team = constants.TEAM_INVALID;
  const int status = withoutGil([&] {
    return functions.team_split_strided(parent.team, start, stride, size, &config, maskOf(config),
                                        &team);
  });
  if (status != 0 && hasPart(parent.pes, start, stride, size)) raiseNoRoom(given);
  if (status != 0)
    raise(Error::Handle,
          "split_strided: start = %d, stride = %d, size = %d: a team of %d PEs has no such part",
          start, stride, size, parent.pes);
  return madeTeam(parent, team);
}

Signature team_split_2d_signature{
    "team_split_2d(team, xrange, x_contexts, y_contexts)\n--\n\n"
    "Make the teams of a row and of a column; collective over the parent.",
    "split_2d"};
PyObject* teamSplit2d(const Arguments& given) {
  const TeamHandle& parent = needLivingTeam(given, 0);
  const int xrange = intOf(given, 1);
  const shmem_team_config_t x = configOf(given, 2), y = configOf(given, 3);
  shmem_team_t row = constants.TEAM_INVALID, column = constants.TEAM_INVALID;
  const int status = withoutGil([&] {
    return functions.team_split_2d(parent.team, xrange, &x, maskOf(x), &row, &y, maskOf(y),
                                   &column);
  });
  if (status != 0 && xrange > 0) raiseNoRoom(given);
  if (status != 0) raise(Error::Handle, "split_2d: xrange = %d: must be positive", xrange);
  Ref first(madeTeam(parent, row)), second(madeTeam(parent, column));
  return Py_BuildValue("(NN)", first.release(), second.release());
}

Signature team_num_contexts_signature{
    "team_num_contexts(team)\n--\n\n"
    "Return how many contexts the team was made for; 0 for one that is none.",
    "get_config"};
PyObject* teamNumContexts(const Arguments& given) {
  if (needTeam(given, 0).team == constants.TEAM_INVALID) return PyLong_FromLong(0);
  const TeamHandle& team = needLivingTeam(given, 0);
  shmem_team_config_t config{};
  functions.team_get_config(team.team, constants.TEAM_NUM_CONTEXTS, &config);
  return PyLong_FromLong(config.num_contexts);
}

Signature team_my_pe_signature{"team_my_pe(team)\n--\n\nReturn the number of this PE in the team.",
                               "my_pe"};
PyObject* teamMyPe(const Arguments& given) { return PyLong_FromLong(needLivingTeam(given, 0).me); }
Signature team_n_pes_signature{"team_n_pes(team)\n--\n\nReturn how many members the team has.",
                               "n_pes"};
PyObject* teamNPes(const Arguments& given) { return PyLong_FromLong(needLivingTeam(given, 0).pes); }

Signature team_translate_pe_signature{
    "team_translate_pe(team, pe, other)\n--\n\n"
    "Return the number in the other team of a PE; of this one if it is None.",
    "translate_pe"};
PyObject* teamTranslatePe(const Arguments& given) {
  const TeamHandle& team = needLivingTeam(given, 0);
  const TeamHandle& other = needLivingTeam(given, 2);
  const long pe = given[1] == nullptr ? team.me : longOf(given, 1);
  if (pe < 0 || pe >= team.pes)
    raise(Error::Handle, "translate_pe: pe = %ld: must be from 0 to %d", pe, team.pes - 1);
  const int translated = functions.team_translate_pe(team.team, static_cast<int>(pe), other.team);
  if (translated < 0)
    raise(Error::Handle, "translate_pe: pe = %ld: is no member of the other team", pe);
  return PyLong_FromLong(translated);
}

Signature team_destroy_signature{
    "team_destroy(team)\n--\n\n"
    "End a team, with its contexts; collective over it. Nothing if it has ended, or is a "
    "predefined "
    "one.",
    "destroy"};
PyObject* teamDestroy(const Arguments& given) {
  TeamHandle& team = needTeam(given, 0);
  const bool is_predefined =
      team.team == constants.TEAM_WORLD || team.team == constants.TEAM_SHARED;
  if (is_predefined) detachTeam(given[0]);
  if (is_predefined || team.team == constants.TEAM_INVALID || team.epoch != state.epoch)
    return none();
  requireRunning(given);
  const shmem_team_t ended = team.team;
  team.team = constants.TEAM_INVALID;
  withoutGil([&] { functions.team_destroy(ended); });
  return none();
}

Signature same_team_signature{"same_team(cls, team)\n--\n\nReturn another object of a team.",
                              "Team"};
PyObject* sameTeam(const Arguments& given) {
  return anotherOf(classOf(given, 0, team_type), needTeam(given, 1)).release();
}

constexpr Function kFunctions[] = {
    function<same_team_signature, sameTeam>(),
    function<predefined_team_signature, predefinedTeam>(),
    function<team_split_strided_signature, teamSplitStrided>(),
    function<team_split_2d_signature, teamSplit2d>(),
    function<team_num_contexts_signature, teamNumContexts>(),
    function<team_my_pe_signature, teamMyPe>(),
    function<team_n_pes_signature, teamNPes>(),
    function<team_translate_pe_signature, teamTranslatePe>(),
    function<team_destroy_signature, teamDestroy>(),
};

}  // namespace

std::span<const Function> teamsOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
