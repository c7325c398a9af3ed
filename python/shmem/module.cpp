// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#define UCXX_SHMEM_IMPORTS_NUMPY
#include <vector>

#include "handles.h"
#include "library.h"
#include "memory.h"
#include "module_functions.h"

// The extension ucxx._shmem: OpenSHMEM for NumPy arrays, as plain functions. The package ucxx.shmem
// shows them to users.

namespace ucxx::python::shmem {
namespace {

std::vector<PyMethodDef> methods;  // Python keeps pointers to them

void collect(std::span<const Function> functions_of_group) {
  for (const Function& one : functions_of_group) {
    one.signature->prepare();
    methods.push_back({one.signature->name(),
                       reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(one.entry)),
                       METH_FASTCALL | METH_KEYWORDS, one.signature->text()});
  }
}

void collectAll() {
  for (const auto group :
       {setupOfModule, inquiryOfModule, allocationOfModule, teamsOfModule, contextsOfModule,
        rmaOfModule, atomicsOfModule, signalsOfModule, waitsOfModule, orderingOfModule,
        collectivesOfModule, reductionsOfModule, locksOfModule})
    collect(group());
  methods.push_back({});
}

PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "ucxx._shmem",
    .m_doc = "OpenSHMEM for NumPy arrays. Use ucxx.shmem.",
    .m_size = -1,
};

PyObject* make() {
  if (PyArray_ImportNumPyAPI() < 0) throw Raised{};
  loadLibrary();
  prepareMemoryTypes();
  prepareHandleTypes();
  collectAll();
  definition.m_methods = methods.data();
  Ref module(need(PyModule_Create(&definition)));
  if (PyModule_AddObjectRef(module.get(), "Team", reinterpret_cast<PyObject*>(&team_type)) < 0 ||
      PyModule_AddObjectRef(module.get(), "Ctx", reinterpret_cast<PyObject*>(&ctx_type)) < 0)
    throw Raised{};
  return module.release();
}

}  // namespace
}  // namespace ucxx::python::shmem

PyMODINIT_FUNC PyInit__shmem() {  // NOLINT(readability-identifier-naming): Python's
  try {
    return ucxx::python::shmem::make();
  } catch (const ucxx::python::shmem::Raised&) {
    return nullptr;
  }
}
