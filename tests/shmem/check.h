// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include <shmem.h>

// What the programs of this folder check with. Each is a job of several PEs: `oshrun` runs it, and
// it succeeds if all PEs end with 0. A check that fails ends the job.

namespace ucxx::test {

[[noreturn]] inline void failCheck(const char* text, const std::string& values, const char* file,
                                   int line) {
  int is_pe = 0;
  shmem_query_initialized(&is_pe);
  if (is_pe == 0) {
    std::fprintf(stderr, "%s:%d: while it is no PE: %s%s\n", file, line, text, values.c_str());
    std::exit(1);
  }
  std::fprintf(stderr, "%s:%d: PE %d of %d: %s%s\n", file, line, shmem_my_pe(), shmem_n_pes(), text,
               values.c_str());
  shmem_global_exit(1);
}

template <class A, class B>
std::string valuesOf(const A& a, const B& b) {
  std::ostringstream out;
  if constexpr (requires { out << +a << +b; }) out << " (" << +a << ", " << +b << ")";
  return out.str();
}

template <class A, class B>
void checkEqual(const char* text, const A& a, const B& b, const char* file, int line) {
  if (!(a == b)) failCheck(text, valuesOf(a, b), file, line);
}

}  // namespace ucxx::test

#define CHECK(condition) \
  ((condition) ? void() : ::ucxx::test::failCheck(#condition, "", __FILE__, __LINE__))
#define CHECK_EQ(a, b) ::ucxx::test::checkEqual(#a " == " #b, (a), (b), __FILE__, __LINE__)
