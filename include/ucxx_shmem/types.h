// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The types and constants of OpenSHMEM 1.6. Programs include <shmem.h>.
#pragma once

#include <stddef.h>
#include <stdint.h>

// What differs between the languages -------------------------------------------------------------

#if defined(__cplusplus) && __cplusplus >= 201103L
#define UCXX_SHMEM_NORETURN [[noreturn]]
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define UCXX_SHMEM_NORETURN _Noreturn
#else
#define UCXX_SHMEM_NORETURN
#endif

#ifdef __cplusplus
#define UCXX_SHMEM_HANDLE(type, number) reinterpret_cast<type>(number)
#else
#define UCXX_SHMEM_HANDLE(type, number) ((type)(number))
#endif

// double _Complex and float _Complex; in C++, where they are an extension, arrays of std::complex
// have the same layout and are taken too.
#if defined(__cplusplus) || !defined(__STDC_NO_COMPLEX__)
#define UCXX_SHMEM_COMPLEX 1
__extension__ typedef double _Complex ucxx_shmem_complexd;
__extension__ typedef float _Complex ucxx_shmem_complexf;
#endif

// Handles: opaque, compared with ==, good as static initialisers ---------------------------------

/// A team of PEs.
typedef struct ucxx_shmem_team* shmem_team_t;

/// A communication context.
typedef struct ucxx_shmem_ctx* shmem_ctx_t;

#define SHMEM_TEAM_INVALID UCXX_SHMEM_HANDLE(shmem_team_t, 0)
#define SHMEM_TEAM_WORLD UCXX_SHMEM_HANDLE(shmem_team_t, 1)
#define SHMEM_TEAM_SHARED UCXX_SHMEM_HANDLE(shmem_team_t, 2)
#define SHMEM_CTX_INVALID UCXX_SHMEM_HANDLE(shmem_ctx_t, 0)
#define SHMEM_CTX_DEFAULT UCXX_SHMEM_HANDLE(shmem_ctx_t, 1)

/// Wishes for a new team: the fields that are named in the mask.
typedef struct {
  /// How many contexts may exist at once; SHMEM_TEAM_NUM_CONTEXTS. 0: none is promised.
  int num_contexts;
} shmem_team_config_t;

/// What is known of a session: the fields that are named in the mask.
typedef struct {
  /// How many operations follow; SHMEM_CTX_SESSION_TOTAL_OPS. SIZE_MAX: not said.
  size_t total_ops;
} shmem_ctx_session_config_t;

#define SHMEM_TEAM_NUM_CONTEXTS 1L
#define SHMEM_CTX_SESSION_TOTAL_OPS 1L

// Options, to be ORed; 0 is none -----------------------------------------------------------------

#define SHMEM_CTX_PRIVATE 1L
#define SHMEM_CTX_SERIALIZED 2L
#define SHMEM_CTX_NOSTORE 4L

#define SHMEM_CTX_SESSION_BATCH 1L

#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

// Values of arguments ----------------------------------------------------------------------------

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5

// The library ------------------------------------------------------------------------------------

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_VENDOR_STRING "UCXX OpenSHMEM"
/// Size of the buffer for shmem_info_get_name, its NUL included.
#define SHMEM_MAX_NAME_LEN 64

// Deprecated: arrays of active sets, in elements -------------------------------------------------

#define SHMEM_SYNC_VALUE 0
#define SHMEM_SYNC_SIZE 8
#define SHMEM_BARRIER_SYNC_SIZE 8
#define SHMEM_BCAST_SYNC_SIZE 8
#define SHMEM_COLLECT_SYNC_SIZE 8
#define SHMEM_ALLTOALL_SYNC_SIZE 8
#define SHMEM_ALLTOALLS_SYNC_SIZE 8
#define SHMEM_REDUCE_SYNC_SIZE 8
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

// Deprecated: older names ------------------------------------------------------------------------

#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_ALLTOALL_SYNC_SIZE SHMEM_ALLTOALL_SYNC_SIZE
#define _SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_ALLTOALLS_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
