// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "functions.h"
#include "library.h"

// Tests of several elements, by the test of one, for libraries of before OpenSHMEM 1.5.

namespace ucxx::python::shmem {

template <class T>
T wantedAt(T wanted, std::size_t) noexcept {
  return wanted;
}
template <class T>
T wantedAt(const T* wanted, std::size_t i) noexcept {
  return wanted[i];
}

/// Calls `act(i, whether element i compares as wanted)` for those that take part, until it returns
/// true.
template <class T, class Wanted, class Act>
void testEach(T* words, std::size_t count, const int* status, int cmp, Wanted wanted,
              const Act& act) {
  for (std::size_t i = 0; i < count; ++i) {
    if (status != nullptr && status[i] != 0) continue;
    if (act(i, waitFunctions<T>().test(words + i, cmp, wantedAt<T>(wanted, i)) != 0)) return;
  }
}

template <class T, class Wanted>
int testAllByOne(T* words, std::size_t count, const int* status, int cmp, Wanted wanted) {
  int are_all = 1;
  testEach(words, count, status, cmp, wanted, [&](std::size_t, bool is_true) {
    if (!is_true) are_all = 0;
    return !is_true;
  });
  return are_all;
}
template <class T, class Wanted>
std::size_t testAnyByOne(T* words, std::size_t count, const int* status, int cmp, Wanted wanted) {
  std::size_t found = SIZE_MAX;
  testEach(words, count, status, cmp, wanted, [&](std::size_t i, bool is_true) {
    if (is_true) found = i;
    return is_true;
  });
  return found;
}
template <class T, class Wanted>
std::size_t testSomeByOne(T* words, std::size_t count, std::size_t* indices, const int* status,
                          int cmp, Wanted wanted) {
  std::size_t found = 0;
  testEach(words, count, status, cmp, wanted, [&](std::size_t i, bool is_true) {
    if (is_true) indices[found++] = i;
    return false;
  });
  return found;
}

template <class T, class Wanted, Text name, Text ending>
SeveralFunctions<T, Wanted> severalOf(const Library& library) {
  SeveralFunctions<T, Wanted> several = {
      Found<name + Text("_wait_until_all") + ending>{library},
      Found<name + Text("_wait_until_any") + ending>{library},
      Found<name + Text("_wait_until_some") + ending>{library},
      Perhaps<name + Text("_test_all") + ending>{library},
      Perhaps<name + Text("_test_any") + ending>{library},
      Perhaps<name + Text("_test_some") + ending>{library},
  };
  if (several.test_all == nullptr) several.test_all = testAllByOne<T, Wanted>;
  if (several.test_any == nullptr) several.test_any = testAnyByOne<T, Wanted>;
  if (several.test_some == nullptr) several.test_some = testSomeByOne<T, Wanted>;
  return several;
}

/// The waits and tests of one type, whose functions begin with `name`.
template <class T, Text name>
WaitFunctions<T> waitsOf(const Library& library) {
  return {Found<name + Text("_wait_until")>{library}, Found<name + Text("_test")>{library},
          severalOf<T, T, name, Text("")>(library),
          severalOf<T, const T*, name, Text("_vector")>(library)};
}

}  // namespace ucxx::python::shmem
