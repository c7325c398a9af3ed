// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>

#include "constants.h"
#include "module_functions.h"
#include "rma.h"
#include "strided.h"
#include "values.h"
#include "waiting.h"

// Puts that tell the PE that they are there, and the words by which they do.

namespace ucxx::python::shmem {
namespace {

int signalOperationOf(const Arguments& given, int argument) {
  static const Named operations[] = {{"set", constants.SIGNAL_SET}, {"add", constants.SIGNAL_ADD}};
  return choiceOf(given, argument, operations);
}

/// A word for signals. Read-only ones are for those that read alone.
std::uint64_t* signalOf(const Arguments& given, int argument, bool writes = true) {
  const Array array = writes ? targetOf(given, argument) : symmetricOf(given, argument);
  requireWord(given, array, Kind::Uint64, "uint64, as new_signal() makes it");
  return reinterpret_cast<std::uint64_t*>(array.data);
}

/// What the library's comparison.h does, which is none of its public headers.
bool compares(std::uint64_t value, int comparison, std::uint64_t with) noexcept {
  if (comparison == constants.CMP_EQ) return value == with;
  if (comparison == constants.CMP_NE) return value != with;
  if (comparison == constants.CMP_GT) return value > with;
  if (comparison == constants.CMP_LE) return value <= with;
  if (comparison == constants.CMP_LT) return value < with;
  return value >= with;
}

using PutWithSignal = decltype(&shmem_ctx_putmem_signal);

PyObject* putAndSignal(const Arguments& given, PutWithSignal move) {
  requireRunning(given);
  const Array target = targetOf(given, 0);
  const Array source = arrayOf(given, 1);
  requireSameType(given, target, source);
  const Remote remote = remoteOf(given, 2, 7);
  std::uint64_t* const signal = signalOf(given, 3);
  const auto value = valueOf<std::uint64_t>(given, 4);
  const int operation = signalOperationOf(given, 5);
  const std::ptrdiff_t count = sizeOf(given, 6, std::min(target.count, source.count));
  auto bytes = static_cast<std::size_t>(count * target.item_bytes);
  if (remote.is_self) requireApart(given, target, source, bytes);
  if (!areFlat(target, source)) {
    moveStrided(Direction::Put, target, source, count, remote);
    functions.ctx_fence(remote.ctx);
    bytes = 0;
  }
  const auto put = [&] {
    move(remote.ctx, target.data, source.data, bytes, signal, value, operation, remote.pe);
  };
  withoutGilIfLong(bytes, put);
  return none();
}

#define UCXX_SHMEM_SIGNAL_ARGUMENTS                                                          \
  "Args:\n"                                                                                  \
  "    target: a symmetric array, or a view of one.\n"                                       \
  "    source: any array of the same dtype.\n"                                               \
  "    pe: the PE; one of the context's team.\n"                                             \
  "    signal: a symmetric word, as new_signal() makes it.\n"                                \
  "    value: what is set or added there when the data is there.\n"                          \
  "    sigop: SIGNAL_SET or SIGNAL_ADD; 'set' or 'add'.\n"                                   \
  "    size: how many elements; as many as both have if it is not given. 0 signals alone.\n" \
  "    ctx: the context; the default one if it is not given."

Signature put_signal_signature{
    "put_signal(target, source, pe, signal, value, sigop, size=None, ctx=None)\n--\n\n"
    "Copy an array to a PE's copy of a symmetric array, then signal that.\n\n"
    "Returns when `source` may be changed.\n\n" UCXX_SHMEM_SIGNAL_ARGUMENTS};
PyObject* putSignal(const Arguments& given) {
  return putAndSignal(given, functions.ctx_putmem_signal);
}
Signature put_signal_nbi_signature{
    "put_signal_nbi(target, source, pe, signal, value, sigop, size=None, ctx=None)\n--\n\n"
    "Begin to copy an array to a PE's copy of a symmetric array, and to signal that.\n\n"
    "Until the next `quiet` neither array may be changed.\n\n" UCXX_SHMEM_SIGNAL_ARGUMENTS};
PyObject* putSignalNbi(const Arguments& given) {
  return putAndSignal(given, functions.ctx_putmem_signal_nbi);
}

#define UCXX_SHMEM_WORD_ARGUMENTS                                 \
  "Args:\n"                                                       \
  "    signal: a symmetric word, as new_signal() makes it.\n"     \
  "    value: an unsigned number of 64 bits.\n"                   \
  "    pe: the PE; one of the context's team.\n"                  \
  "    ctx: the context; the default one if it is not given.\n\n" \
  "OpenSHMEM 1.6."

Signature signal_set_signature{
    "signal_set(signal, value, pe, ctx=None)\n--\n\n"
    "Set the signal of a PE, atomically.\n\n" UCXX_SHMEM_WORD_ARGUMENTS};
PyObject* signalSet(const Arguments& given) {
  requireRunning(given);
  std::uint64_t* const signal = signalOf(given, 0);
  const auto value = valueOf<std::uint64_t>(given, 1);
  const Remote remote = remoteOf(given, 2, 3);
  functions.ctx_signal_set(remote.ctx, signal, value, remote.pe);
  return none();
}
Signature signal_add_signature{
    "signal_add(signal, value, pe, ctx=None)\n--\n\n"
    "Add to the signal of a PE, atomically.\n\n" UCXX_SHMEM_WORD_ARGUMENTS};
PyObject* signalAdd(const Arguments& given) {
  requireRunning(given);
  std::uint64_t* const signal = signalOf(given, 0);
  const auto value = valueOf<std::uint64_t>(given, 1);
  const Remote remote = remoteOf(given, 2, 3);
  functions.ctx_signal_add(remote.ctx, signal, value, remote.pe);
  return none();
}

Signature signal_fetch_signature{
    "signal_fetch(signal)\n--\n\n"
    "Return the value of a signal of this PE.\n\n"
    "Args:\n    signal: a symmetric word, as new_signal() makes it."};
PyObject* signalFetch(const Arguments& given) {
  requireRunning(given);
  return PyLong_FromUnsignedLong(functions.signal_fetch(signalOf(given, 0, false)));
}

Signature signal_wait_until_signature{
    "signal_wait_until(signal, cmp, value)\n--\n\n"
    "Wait until a signal of this PE compares as wanted; return its value.\n\n"
    "Other threads run meanwhile. Without oshrun Ctrl-C raises KeyboardInterrupt.\n\n"
    "Args:\n"
    "    signal: a symmetric word, as new_signal() makes it.\n"
    "    cmp: one of CMP, or its sign or name: '==' '!=' '<' '<=' '>' '>=', 'eq' and so on.\n"
    "    value: what it is compared with."};
PyObject* signalWaitUntil(const Arguments& given) {
  requireRunning(given);
  std::uint64_t* const signal = signalOf(given, 0, false);
  const int comparison = comparisonOf(given, 1);
  const auto value = valueOf<std::uint64_t>(given, 2);
  std::uint64_t found = 0;
  waitFor(
      1, [&] { return compares(found = functions.signal_fetch(signal), comparison, value); },
      [&] { found = functions.signal_wait_until(signal, comparison, value); });
  return PyLong_FromUnsignedLong(found);
}

constexpr Function kFunctions[] = {
    function<put_signal_signature, putSignal>(),
    function<put_signal_nbi_signature, putSignalNbi>(),
    function<signal_set_signature, signalSet>(),
    function<signal_add_signature, signalAdd>(),
    function<signal_fetch_signature, signalFetch>(),
    function<signal_wait_until_signature, signalWaitUntil>(),
};

}  // namespace

std::span<const Function> signalsOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
