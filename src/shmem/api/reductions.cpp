// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Reductions and scans of teams.
#include "shmem/api/define.h"
#include "shmem/api/types.h"
#include "shmem/collectives/checks.h"
#include "shmem/collectives/reduce.h"

using namespace ucxx::shmem;

#define REDUCTION(name, T, operation, Operator)                                              \
  UCXX_SHMEM_DEFINE(int, name##_##operation##_reduce,                                        \
                    (shmem_team_t team, T * dest, const T* source, size_t nreduce), {        \
                      return onTeam(team, SELF, [=](Team& members) {                         \
                        reduce<Operator>(Operands<T>{members, dest, source, nreduce, SELF}); \
                      });                                                                    \
                    })
#define SCAN(name, T, operation, Kind)                                                \
  UCXX_SHMEM_DEFINE(int, name##_sum_##operation,                                      \
                    (shmem_team_t team, T * dest, const T* source, size_t nelems), {  \
                      return onTeam(team, SELF, [=](Team& members) {                  \
                        scan<Kind>(Operands<T>{members, dest, source, nelems, SELF}); \
                      });                                                             \
                    })

#define BITWISE(name, T) UCXX_SHMEM_BITWISE_OPERATIONS(REDUCTION, name, T)
#define ORDERED(name, T) UCXX_SHMEM_ORDERED_OPERATIONS(REDUCTION, name, T)
#define ARITHMETIC(name, T)                            \
  UCXX_SHMEM_ARITHMETIC_OPERATIONS(REDUCTION, name, T) \
  SCAN(name, T, inscan, Scan::Inclusive)               \
  SCAN(name, T, exscan, Scan::Exclusive)

UCXX_SHMEM_BITWISE_TYPES(BITWISE)
UCXX_SHMEM_RMA_TYPES(ORDERED)
UCXX_SHMEM_ARITHMETIC_TYPES(ARITHMETIC)
