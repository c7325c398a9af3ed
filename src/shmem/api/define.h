// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include <ucxx_shmem/functions.h>
#include <ucxx_shmem/pfunctions.h>

#include "shmem/teams/context.h"

// How the functions of the standard are defined. The header declares each, so a definition that
// differs from it does not compile.

/// Defines pshmem_NAME, and shmem_NAME as a weak alias of it, which a tool may replace. `SELF` is
/// the name for messages.
#define UCXX_SHMEM_DEFINE(result, name, parameters, ...)                      \
  extern "C" [[gnu::visibility("default")]] result pshmem_##name parameters { \
    [[maybe_unused]] static constexpr const char* SELF = "shmem_" #name;      \
    __VA_ARGS__                                                               \
  }                                                                           \
  extern "C" [[gnu::weak, gnu::alias("pshmem_" #name),                        \
               gnu::visibility("default")]] decltype(pshmem_##name) shmem_##name;

/// The same, and shmem_ctx_NAME, for a function whose last parameter is `pe`: `world_pe` is that
/// PE's number in the job.
#define UCXX_SHMEM_DEFINE_BOTH(result, name, parameters, ...)                              \
  UCXX_SHMEM_DEFINE(result, name, parameters, {                                            \
    const int world_pe = pe;                                                               \
    __VA_ARGS__                                                                            \
  })                                                                                       \
  UCXX_SHMEM_DEFINE(result, ctx_##name, (shmem_ctx_t ctx, UCXX_SHMEM_UNWRAP parameters), { \
    const int world_pe = ucxx::shmem::peOn(ctx, pe, SELF);                                 \
    __VA_ARGS__                                                                            \
  })
#define UCXX_SHMEM_UNWRAP(...) __VA_ARGS__
