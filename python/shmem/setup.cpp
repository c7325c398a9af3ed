// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <pthread.h>
#include <unistd.h>

#include "allgather.h"
#include "handles.h"
#include "module_functions.h"
#include "waiting.h"

// Start and end of the library.

namespace ucxx::python::shmem {

State state;

namespace {

enum class Ended { No, Finalized, Forked };
Ended ended = Ended::No;
bool finalizes_at_exit = true;

void forgetInChild() {
  if (!state.is_running) return;
  state.is_running = false;
  state.depth = 0;
  ended = Ended::Forked;
}

void flush(const char* stream_name) noexcept {
  PyObject* const stream = PySys_GetObject(stream_name);
  if (stream == nullptr || stream == Py_None) return;
  PyObject* const flushed = PyObject_CallMethod(stream, "flush", nullptr);
  if (flushed == nullptr) PyErr_Clear();
  Py_XDECREF(flushed);
}

/// A process that global_exit ends, here or on another PE, leaves in the middle of a call: Python
/// has no chance to write what it has buffered.
void flushOutput() noexcept {
  const PyGILState_STATE gil = callingPython(PyGILState_Ensure);
  flush("stdout");
  flush("stderr");
  PyGILState_Release(gil);
}

/// Other libraries than libucxx_shmem finalise at exit themselves, and wait there for the other
/// PEs. A PE that has failed, and a forked child, must not: they leave before. The launcher sees
/// the status.
void leaveWithoutOthers(int status) noexcept {
  const bool has_failed = state.is_running && status != 0;
  if (!library().isAdapter() || (!has_failed && ended != Ended::Forked)) return;
  std::fflush(nullptr);
  ::_exit(status);
}

/// Where the program ends well: PEs that end otherwise wait for nobody. Python is over by then,
/// unless the process leaves in a call.
void finalizeAtExit(int status, void*) {
  if (Py_IsInitialized() != 0) flushOutput();
  leaveWithoutOthers(status);
  if (status != 0 || !finalizes_at_exit) return;
  waitForLookers();
  for (; state.depth > 0; --state.depth) functions.finalize();
}

void watchTheEnd() {
  static bool watches = false;
  if (watches) return;
  watches = true;
  ::on_exit(finalizeAtExit, nullptr);
  ::pthread_atfork(nullptr, nullptr, forgetInChild);
}

/// Is called after an initialisation that has succeeded.
void begin() {
  if (++state.depth > 1) return;
  watchTheEnd();
  state.is_running = true;
  findHandles(library());
  state.me = functions.my_pe();
  state.pes = functions.n_pes();
  ++state.epoch;
  state.blocks = state.bytes = 0;
  ended = Ended::No;
  refreshPredefined();
}

int levelOf(const Arguments& given, int argument) {
  const long level = longOf(given, argument);
  if (level < constants.THREAD_SINGLE || level > constants.THREAD_MULTIPLE)
    raise(PyExc_ValueError, "init_thread: %s = %ld: must be one of THREAD", given.nameOf(argument),
          level);
  return static_cast<int>(level);
}

/// Collects what the library says of an initialisation that fails.
class Reason {
 public:
  Reason() noexcept { handle(add, &text_); }
  ~Reason() { handle(nullptr, nullptr); }
  Reason(const Reason&) = delete;
  Reason& operator=(const Reason&) = delete;
  [[noreturn]] void raiseIt() const {
    raise(PyExc_RuntimeError, "init: the OpenSHMEM library could not be initialised: %s",
          text_.empty() ? "see what it has written to standard error" : text_.c_str());
  }

 private:
  /// Other libraries than libucxx_shmem write to standard error what they say.
  static void handle(shmemx_warning_handler_t handler, void* context) noexcept {
    if (functions.extensions.set_warning_handler != nullptr)
      functions.extensions.set_warning_handler(handler, context);
  }
  static void add(const char* text, void* to) {
    auto& all = *static_cast<std::string*>(to);
    if (!all.empty()) all += '\n';
    all += text;
  }
  std::string text_;
};

void refuseForkedChild() {
  if (ended == Ended::Forked) raiseNotRunning("init");
}

/// What no adapter can mend is an error before the library sees it.
void refuseOfAdapter() {
  if (!library().isAdapter()) return;
  const bool is_before_1_6 =
      constants.MAJOR_VERSION * 100 + constants.MINOR_VERSION < 106;  // 1.6 is 106
  if (ended == Ended::Finalized && is_before_1_6)
    raise(PyExc_RuntimeError,
          "init: the library was finalised; one of before OpenSHMEM 1.6, as %s, cannot be "
          "initialised again",
          constants.VENDOR_STRING);
  const bool is_of_ucxx = std::strcmp(constants.VENDOR_STRING, SHMEM_VENDOR_STRING) == 0;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): under the GIL, which Python's own changes have
  if (std::getenv("UCXX_SHMEM_LAUNCH") != nullptr && !is_of_ucxx)
    raise(PyExc_RuntimeError,
          "init: UCXX's oshrun has started this process, but UCXX_SHMEM names an adapter to %s: "
          "start it by that library's launcher, or leave UCXX_SHMEM out",
          constants.VENDOR_STRING);
}

Signature init_thread_signature{
    "init_thread(requested)\n--\n\n"
    "Initialise the library; return the level of threads."};
PyObject* initThread(const Arguments& given) {
  refuseForkedChild();
  refuseOfAdapter();
  const int requested = levelOf(given, 0);
  const Reason reason;
  int provided = 0;
  const int status = withoutGil([&] { return functions.init_thread(requested, &provided); });
  if (status != 0) reason.raiseIt();
  begin();
  return PyLong_FromLong(provided);
}

Signature init_with_signature{
    "init_with(requested, rank, size, allgather)\n--\n\n"
    "Initialise the library among processes that something else has "
    "started; return the level of threads."};
PyObject* initWith(const Arguments& given) {
  refuseForkedChild();
  if (state.is_running)
    raise(PyExc_RuntimeError,
          "init: the library runs already: rank, size and allgather belong to "
          "the first initialisation");
  if (functions.extensions.init_with == nullptr) throw Lacking{"shmemx_init_with"};
  const int requested = levelOf(given, 0);
  const long rank = longOf(given, 1), size = longOf(given, 2);
  if (size < 1 || size != static_cast<int>(size))
    raise(PyExc_ValueError, "init: size = %ld: must be at least 1", size);
  if (rank < 0 || rank >= size)
    raise(PyExc_ValueError, "init: rank = %ld: must be from 0 to %ld", rank, size - 1);
  if (!PyCallable_Check(given.raw(3)))
    raise(PyExc_TypeError, "init: allgather = %R: must be a function", given.raw(3));
  Exchange exchange{given.raw(3), static_cast<int>(size)};
  const Reason reason;
  int provided = 0;
  const int status = withoutGil([&] {
    return functions.extensions.init_with(static_cast<int>(rank), static_cast<int>(size), gather,
                                          &exchange, requested, &provided);
  });
  if (PyErr_Occurred() != nullptr) throw Raised{};
  if (status != 0) reason.raiseIt();
  begin();
  return PyLong_FromLong(provided);
}

Signature finalize_signature{
    "finalize()\n--\n\nUndo one initialisation, the last one ends the library; "
    "collective."};
PyObject* finalize(const Arguments& given) {
  requireRunning(given);
  if (--state.depth == 0) {
    state.is_running = false;
    ended = Ended::Finalized;
  }
  withoutGil([] {
    if (!state.is_running) waitForLookers();
    functions.finalize();
  });
  return none();
}

Signature finalize_at_exit_signature{
    "finalize_at_exit(wanted)\n--\n\n"
    "Say whether the end of the program finalises the library."};
PyObject* finalizeAtExitWanted(const Arguments& given) {
  finalizes_at_exit = PyObject_IsTrue(given.raw(0)) == 1;
  return none();
}

Signature is_running_signature{"is_running()\n--\n\nReturn whether the library runs."};
PyObject* isRunning(const Arguments&) { return PyBool_FromLong(state.is_running); }

Signature has_ended_signature{
    "has_ended()\n--\n\n"
    "Return whether the library was finalised, or this process is a "
    "forked child of a PE."};
PyObject* hasEnded(const Arguments&) { return PyBool_FromLong(ended != Ended::No); }

Signature left_signature{
    "left()\n--\n\n"
    "Return how many arrays were not freed, and how many bytes they have."};
PyObject* left(const Arguments&) { return Py_BuildValue("(nn)", state.blocks, state.bytes); }

Signature query_thread_signature{"query_thread()\n--\n\nReturn the level of threads."};
PyObject* queryThread(const Arguments& given) {
  requireRunning(given);
  int level = 0;
  functions.query_thread(&level);
  return PyLong_FromLong(level);
}

Signature global_exit_signature{
    "global_exit(status=0)\n--\n\n"
    "End all PEs with that exit status; does not return.\n\n"
    "Standard output is flushed, also that of PEs that wait in a call. Nothing else is cleaned up: "
    "neither `finally` nor atexit handlers run."};
PyObject* globalExit(const Arguments& given) {
  requireRunning(given);
  const long status = given[0] == nullptr ? 0 : longOf(given, 0);
  if (status < 0 || status > 255)
    raise(PyExc_ValueError, "global_exit: status = %ld: must be from 0 to 255", status);
  withoutGil([&] { functions.global_exit(static_cast<int>(status)); });
  return none();
}

constexpr Function kFunctions[] = {
    function<init_thread_signature, initThread>(),
    function<init_with_signature, initWith>(),
    function<finalize_signature, finalize>(),
    function<finalize_at_exit_signature, finalizeAtExitWanted>(),
    function<is_running_signature, isRunning>(),
    function<has_ended_signature, hasEnded>(),
    function<left_signature, left>(),
    function<query_thread_signature, queryThread>(),
    function<global_exit_signature, globalExit>(),
};

}  // namespace

void raiseNotRunning(const char* call) {
  switch (ended) {
    case Ended::Forked:
      raise(PyExc_RuntimeError,
            "%s: this process was forked from PE %d, and is none: start a new program instead",
            call, state.me);
    case Ended::Finalized:
      raise(PyExc_RuntimeError, "%s: the library was finalised", call);
    default:
      raise(PyExc_RuntimeError, "%s: the library is not initialised: call init() first", call);
  }
}

std::span<const Function> setupOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
