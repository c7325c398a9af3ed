// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "constants.h"

#include "errors.h"
#include "library.h"

namespace ucxx::python::shmem {

Constants constants;

namespace {

void take(const Library& adapter, const char* name, int& value) {
  if (const void* const found = adapter.find(name); found != nullptr)
    value = static_cast<int>(*static_cast<const long*>(found));
}
/// An adapter has a function for each handle: the value may be that of a variable.
template <class Handle>
void takeHandle(const Library& adapter, const char* name, Handle& handle) {
  void* const found = adapter.find(name);
  handle = found == nullptr ? nullptr : reinterpret_cast<Handle (*)()>(found)();
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
  constants.VENDOR_STRING = static_cast<const char*>(adapter.find("SHMEM_VENDOR_STRING"));
  findHandles(adapter);
}

void findHandles(const Library& library) {
  if (!library.isAdapter()) return;
#define UCXX_SHMEM_TAKE(name) takeHandle(library, "SHMEM_" #name, constants.name);
  UCXX_SHMEM_TEAMS(UCXX_SHMEM_TAKE)
  UCXX_SHMEM_CONTEXTS(UCXX_SHMEM_TAKE)
#undef UCXX_SHMEM_TAKE
}

PyObject* constantsByName() {
  Ref all(need(PyDict_New()));
#define UCXX_SHMEM_ADD(name) add(all.get(), #name, PyLong_FromLong(constants.name));
  UCXX_SHMEM_CONSTANTS(UCXX_SHMEM_ADD)
#undef UCXX_SHMEM_ADD
  return all.release();
}

}  // namespace ucxx::python::shmem
