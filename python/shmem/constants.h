// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "functions.h"
#include "python.h"

// The constants of OpenSHMEM, whose values differ between libraries.

namespace ucxx::python::shmem {

// clang-format off
#define UCXX_SHMEM_CONSTANTS(each)                                                                 \
  each(CMP_EQ) each(CMP_NE) each(CMP_GT) each(CMP_LE) each(CMP_LT) each(CMP_GE)                    \
  each(SIGNAL_SET) each(SIGNAL_ADD)                                                                \
  each(THREAD_SINGLE) each(THREAD_FUNNELED) each(THREAD_SERIALIZED) each(THREAD_MULTIPLE)          \
  each(CTX_PRIVATE) each(CTX_SERIALIZED) each(CTX_NOSTORE)                                         \
  each(CTX_SESSION_BATCH) each(CTX_SESSION_TOTAL_OPS)                                              \
  each(MALLOC_ATOMICS_REMOTE) each(MALLOC_SIGNAL_REMOTE)                                           \
  each(TEAM_NUM_CONTEXTS) each(MAX_NAME_LEN) each(MAJOR_VERSION) each(MINOR_VERSION)
// clang-format on

/// Those of libucxx_shmem, until another library is loaded.
struct Constants {
  // NOLINTBEGIN(readability-identifier-naming): the standard's names
#define UCXX_SHMEM_MEMBER(name) int name = static_cast<int>(SHMEM_##name);
  UCXX_SHMEM_CONSTANTS(UCXX_SHMEM_MEMBER)
#undef UCXX_SHMEM_MEMBER
  shmem_team_t TEAM_INVALID = SHMEM_TEAM_INVALID;
  shmem_team_t TEAM_WORLD = SHMEM_TEAM_WORLD;
  shmem_team_t TEAM_SHARED = SHMEM_TEAM_SHARED;
  shmem_ctx_t CTX_INVALID = SHMEM_CTX_INVALID;
  shmem_ctx_t CTX_DEFAULT = SHMEM_CTX_DEFAULT;
  const char* VENDOR_STRING = SHMEM_VENDOR_STRING;
  // NOLINTEND(readability-identifier-naming)
};
extern Constants constants;

/// Takes the constants of an adapter.
void findConstants(const Library& adapter);
/// Takes the handles of an adapter, which may be there after the initialisation only. No adapter:
/// nothing.
void findHandles(const Library& library);
/// The numbers by their names without SHMEM_; throws Raised.
PyObject* constantsByName();

}  // namespace ucxx::python::shmem
