// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "python.h"

// The OpenSHMEM library of the process: libucxx_shmem, or an adapter to another one, which
// `python -m ucxx shmem adapt` has made (python/ucxx/_shmem_adapters). Loaded by name, so that a
// process has one of them alone.

namespace ucxx::python::shmem {

/// What a function throws that the library lacks. The entry of each function (arguments.h) catches
/// it.
struct Lacking {
  const char* name;  ///< the C name
};

/// A text as an argument of a template.
template <std::size_t size>
struct Text {
  constexpr Text(const char (&from)[size]) noexcept {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < size; ++i) text[i] = from[i];
  }
  char text[size];
};
template <std::size_t one, std::size_t other>
constexpr Text<one + other - 1> operator+(const Text<one>& first, const Text<other>& second) {
  char joined[one + other - 1] = {};
  for (std::size_t i = 0; i < one; ++i) joined[i] = first.text[i];
  for (std::size_t i = 0; i < other; ++i) joined[one - 1 + i] = second.text[i];
  return joined;
}

class Library {
 public:
  /// Loads what the package's module _shmem_adapters chooses. Throws Raised: ImportError.
  Library();

  bool isAdapter() const noexcept { return is_adapter_; }
  const std::string& path() const noexcept { return path_; }
  /// What stands in front of the C names; nothing in libucxx_shmem.
  const char* prefix() const noexcept { return is_adapter_ ? "ucxx_" : ""; }
  /// A symbol by its C name; null: the library has none.
  void* find(const char* name) const;

 private:
  void loadOwn();
  void loadAdapter();
  void requireSameAdapter() const;

  bool is_adapter_ = false;
  std::string path_;
  void* handle_ = nullptr;
};

/// Loads the library and fills the tables: functions.h, constants.h. Throws Raised.
void loadLibrary();
/// The library that is loaded.
const Library& library() noexcept;
/// Raises NotImplementedError: it names the library, its version and the function that is missing.
[[gnu::cold]] void setLacking(const char* call, const Lacking& lacking);

template <Text name>
[[noreturn]] void lacks() {
  throw Lacking{name.text};
}

/// A function by its C name, as a pointer of any type. Calls of one that the library lacks throw
/// Lacking: whoever calls need not ask.
template <Text name>
struct Found {
  const Library& library;
  template <class Function>
  requires std::is_function_v<Function>
  operator Function*() const {  // NOLINT(google-explicit-constructor): stands in tables
    void* const found = library.find(name.text);
    if (found != nullptr) return reinterpret_cast<Function*>(found);
    return reinterpret_cast<Function*>(&lacks<name>);
  }
};
/// As Found; null where the library lacks it.
template <Text name>
struct Perhaps {
  const Library& library;
  template <class Function>
  requires std::is_function_v<Function>
  operator Function*() const {  // NOLINT(google-explicit-constructor): stands in tables
    return reinterpret_cast<Function*>(library.find(name.text));
  }
};

}  // namespace ucxx::python::shmem
