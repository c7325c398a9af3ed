// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "constants.h"

#include <cstdint>

#include "errors.h"
#include "library.h"

namespace ucxx::python::shmem {

Constants constants;

namespace {

/// An adapter has a function for each constant, which may be a variable of the library.
void take(const Library& adapter, const char* name, int& value) {
  if (void* const found = adapter.find(name); found != nullptr)
    value = static_cast<int>(reinterpret_cast<long (*)()>(found)());
}
/// `otherwise`: what it is in a library that has no such handle.
template <class Handle>
void takeHandle(const Library& adapter, const char* name, Handle& handle, Handle otherwise) {
  void* const found = adapter.find(name);
  handle = found == nullptr ? otherwise : reinterpret_cast<Handle (*)()>(found)();
}
/// A value that no handle has; 0 may be one.
template <class Handle>
Handle none() noexcept {
  return reinterpret_cast<Handle>(UINTPTR_MAX);  // NOLINT(performance-no-int-to-ptr)
}

void add(PyObject* all, const char* name, PyObject* value) {
  const Ref owned(need(value));
  if (PyDict_SetItemString(all, name, owned.get()) < 0) throw Raised{};
}

}  // namespace

void findConstants(const Library& adapter) {
#define UCXX_SHMEM_TAKE(name) take(adapter, "SHMEM_" #name, constants.name);
  UCXX_SHMEM_CONSTANTS(UCXX_SHMEM_TAKE)
#undef UCXX_SHMEM_TAKE
  if (void* const found = adapter.find("SHMEM_VENDOR_STRING"); found != nullptr)
    constants.VENDOR_STRING = reinterpret_cast<const char* (*)()>(found)();
  findHandles(adapter);
}

void findHandles(const Library& library) {
  if (!library.isAdapter()) return;
  Constants& all = constants;
  takeHandle(library, "SHMEM_TEAM_INVALID", all.TEAM_INVALID, none<shmem_team_t>());
  takeHandle(library, "SHMEM_TEAM_WORLD", all.TEAM_WORLD, all.TEAM_INVALID);
  takeHandle(library, "SHMEM_TEAM_SHARED", all.TEAM_SHARED, all.TEAM_INVALID);
  takeHandle(library, "SHMEM_CTX_INVALID", all.CTX_INVALID, none<shmem_ctx_t>());
  takeHandle(library, "SHMEM_CTX_DEFAULT", all.CTX_DEFAULT, all.CTX_INVALID);
}

PyObject* constantsByName() {
  Ref all(need(PyDict_New()));
#define UCXX_SHMEM_ADD(name) add(all.get(), #name, PyLong_FromLong(constants.name));
  UCXX_SHMEM_CONSTANTS(UCXX_SHMEM_ADD)
#undef UCXX_SHMEM_ADD
  return all.release();
}

}  // namespace ucxx::python::shmem
