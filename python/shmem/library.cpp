// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "library.h"

#include <dlfcn.h>

#include "constants.h"
#include "errors.h"
#include "functions.h"

namespace ucxx::python::shmem {
namespace {

/// Why dlopen has failed; under the GIL.
const char* whyNotLoaded() noexcept { return ::dlerror(); }  // NOLINT(concurrency-mt-unsafe)

/// What an adapter must have been made for: python/ucxx/_shmem_adapters/source.py has the
/// same number.
constexpr int kAdapterVersion = 1;

const Library* loaded = nullptr;

/// The path of the adapter that the user has chosen; empty: none.
std::string chosenAdapter() {
  const Ref module(need(PyImport_ImportModule("ucxx._shmem_adapters.chosen")));
  const Ref path(need(PyObject_CallMethod(module.get(), "chosen_path", nullptr)));
  if (path.get() == Py_None) return {};
  const Ref bytes(need(PyUnicode_EncodeFSDefault(path.get())));
  return PyBytes_AS_STRING(bytes.get());
}

}  // namespace

Library::Library() : path_(chosenAdapter()) {
  is_adapter_ = !path_.empty();
  if (is_adapter_)
    loadAdapter();
  else
    loadOwn();
}

void Library::loadOwn() {
  handle_ = ::dlopen(UCXX_SHMEM_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr)
    raise(PyExc_ImportError,
          "ucxx.shmem: the library %s cannot be loaded: %s. It comes with this package: install "
          "the package again",
          UCXX_SHMEM_LIBRARY, whyNotLoaded());
  Dl_info info{};
  ::dladdr(find("shmem_my_pe"), &info);
  path_ = info.dli_fname;
}

void Library::loadAdapter() {
  handle_ = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr)
    raise(PyExc_ImportError,
          "ucxx.shmem: the adapter that UCXX_SHMEM names cannot be loaded: %s. If its library was "
          "moved or updated, make it anew: python -m ucxx shmem adapt",
          whyNotLoaded());
  requireSameAdapter();
}

void Library::requireSameAdapter() const {
  const auto* const version = static_cast<const long*>(find("adapter_version"));
  if (version == nullptr)
    raise(PyExc_ImportError,
          "ucxx.shmem: UCXX_SHMEM names %s, which is no adapter: python -m ucxx shmem adapt makes "
          "one of an OpenSHMEM library's oshcc",
          path_.c_str());
  if (*version != kAdapterVersion)
    raise(PyExc_ImportError,
          "ucxx.shmem: the adapter %s is of version %ld, and must be of version %d: make it anew: "
          "python -m ucxx shmem adapt",
          path_.c_str(), *version, kAdapterVersion);
}

void* Library::find(const char* name) const {
  return ::dlsym(handle_, (std::string(prefix()) + name).c_str());
}

void loadLibrary() {
  static const Library only;
  loaded = &only;
  if (only.isAdapter()) findConstants(only);
  findFunctions(only);
}

const Library& library() noexcept { return *loaded; }

void setLacking(const char* call, const Lacking& lacking) {
  PyErr_Format(PyExc_NotImplementedError, "%s: %s (OpenSHMEM %d.%d, by the adapter %s) has no %s",
               call, constants.VENDOR_STRING, constants.MAJOR_VERSION, constants.MINOR_VERSION,
               loaded->path().c_str(), lacking.name);
}

}  // namespace ucxx::python::shmem
