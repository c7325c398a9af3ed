// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "arrays.h"
#include "module_functions.h"

// Locks that all PEs share.

namespace ucxx::python::shmem {
namespace {

long* lockOf(const Arguments& given) {
  requireRunning(given);
  const Array array = targetOf(given, 0);
  requireWord(given, array, Kind::Int64, "int64, as new_lock() makes it");
  return reinterpret_cast<long*>(array.data);
}

#define UCXX_SHMEM_LOCK_ARGUMENTS "Args:\n    lock: a symmetric word, as new_lock() makes it."

Signature set_lock_signature{
    "set_lock(lock)\n--\n\n"
    "Take a lock, after those that wait for it already.\n\n"
    "Other threads run meanwhile. Ctrl-C waits for its end.\n\n" UCXX_SHMEM_LOCK_ARGUMENTS};
PyObject* setLock(const Arguments& given) {
  long* const lock = lockOf(given);
  if (functions.test_lock(lock) == 0) return none();
  withoutGil([&] { functions.set_lock(lock); });
  return none();
}
Signature test_lock_signature{
    "test_lock(lock)\n--\n\n"
    "Take a lock if it is free; return whether it was held, by "
    "anyone.\n\n" UCXX_SHMEM_LOCK_ARGUMENTS};
PyObject* testLock(const Arguments& given) {
  return PyBool_FromLong(functions.test_lock(lockOf(given)));
}
Signature clear_lock_signature{
    "clear_lock(lock)\n--\n\n"
    "Give a lock back that this PE has taken.\n\n"
    "What this PE has put before is there for the next one.\n\n" UCXX_SHMEM_LOCK_ARGUMENTS};
PyObject* clearLock(const Arguments& given) {
  functions.clear_lock(lockOf(given));
  return none();
}

// What Lock calls, so that messages have the names of its methods.
Signature lock_acquire_signature{"lock_acquire(lock)\n--\n\nset_lock for a Lock.", "acquire"};
Signature lock_try_signature{"lock_try(lock)\n--\n\ntest_lock for a Lock.", "acquire"};
Signature lock_release_signature{"lock_release(lock)\n--\n\nclear_lock for a Lock.", "release"};

constexpr Function kFunctions[] = {
    function<set_lock_signature, setLock>(),     function<test_lock_signature, testLock>(),
    function<clear_lock_signature, clearLock>(), function<lock_acquire_signature, setLock>(),
    function<lock_try_signature, testLock>(),    function<lock_release_signature, clearLock>(),
};

}  // namespace

std::span<const Function> locksOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
