// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Every function of OpenSHMEM 1.2 to 1.5 for C, by its address: written from those versions, not
// from the library's table. headers_check.py compiles this and links it with the library. (Types
// and constants are in constants.c.)
// clang-format off
#include <mpp/shmem.h>

typedef void (*address)(void);
#define A(name) (address)name,

// Tables of types, with the version that has them first.
#define REAL_1_2(X) X(float) X(double)
#define BASIC_1_2(X) X(int) X(long) X(longlong)
#define RMA_1_2(X) X(short) BASIC_1_2(X) REAL_1_2(X) X(longdouble)
#define RMA_1_3(X) X(char) RMA_1_2(X)
#define UNSIGNED_1_4(X) X(uint) X(ulong) X(ulonglong)
#define EXACT_1_4(X) X(int32) X(int64) X(uint32) X(uint64)
#define AMO_1_4(X) BASIC_1_2(X) UNSIGNED_1_4(X) EXACT_1_4(X) X(size) X(ptrdiff)
#define BITWISE_AMO_1_4(X) UNSIGNED_1_4(X) EXACT_1_4(X)
#define P2P_1_4(X) X(short) X(ushort) AMO_1_4(X)
#define RMA_1_4(X)                                                                               \
  RMA_1_3(X) X(schar) X(uchar) X(ushort) UNSIGNED_1_4(X) X(int8) X(int16) X(uint8) X(uint16)     \
  EXACT_1_4(X) X(size) X(ptrdiff)
#define REDUCED_BITS_1_5(X)                                                                      \
  X(uchar) X(ushort) UNSIGNED_1_4(X) X(int8) X(int16) X(uint8) X(uint16) EXACT_1_4(X) X(size)
#define COMPLEX_1_2(X) X(complexf) X(complexd)
#define BITS_1_2(X) X(32) X(64) X(128)
#define BITS_1_3(X) X(8) X(16) BITS_1_2(X)

// 1.2 ---------------------------------------------------------------------------------------------

static const address setup_1_2[] = {
  A(start_pes) A(_my_pe) A(_num_pes) A(shmalloc) A(shfree) A(shrealloc) A(shmemalign)
  A(shmem_init) A(shmem_finalize) A(shmem_global_exit) A(shmem_my_pe) A(shmem_n_pes)
  A(shmem_pe_accessible) A(shmem_addr_accessible) A(shmem_ptr)
  A(shmem_info_get_version) A(shmem_info_get_name)
  A(shmem_malloc) A(shmem_free) A(shmem_realloc) A(shmem_align)
  A(shmem_fence) A(shmem_quiet) A(shmem_barrier_all) A(shmem_barrier)
  A(shmem_set_lock) A(shmem_clear_lock) A(shmem_test_lock)
  A(shmem_set_cache_inv) A(shmem_set_cache_line_inv)
  A(shmem_clear_cache_inv) A(shmem_clear_cache_line_inv)
  A(shmem_udcflush) A(shmem_udcflush_line)
};

#define MOVES(name)                                                                              \
  A(shmem_##name##_put) A(shmem_##name##_get) A(shmem_##name##_iput) A(shmem_##name##_iget)
#define ONE(name) A(shmem_##name##_p) A(shmem_##name##_g)
#define BITS(size) A(shmem_put##size) A(shmem_get##size) A(shmem_iput##size) A(shmem_iget##size)
static const address rma_1_2[] = {
  RMA_1_2(MOVES) RMA_1_3(ONE) BITS_1_2(BITS) A(shmem_putmem) A(shmem_getmem)
};

#define OLD_AMO(name)                                                                            \
  A(shmem_##name##_cswap) A(shmem_##name##_fadd) A(shmem_##name##_finc) A(shmem_##name##_add)    \
  A(shmem_##name##_inc)
#define SWAP(name) A(shmem_##name##_swap)
#define WAIT(name) A(shmem_##name##_wait) A(shmem_##name##_wait_until)
static const address amo_1_2[] = {
  BASIC_1_2(OLD_AMO) BASIC_1_2(SWAP) REAL_1_2(SWAP) A(shmem_swap)
  A(shmem_wait) A(shmem_wait_until) A(shmem_short_wait) A(shmem_short_wait_until) BASIC_1_2(WAIT)
};

#define OF_BITS(name)                                                                            \
  A(shmem_##name##_and_to_all) A(shmem_##name##_or_to_all) A(shmem_##name##_xor_to_all)
#define OF_ORDER(name) A(shmem_##name##_max_to_all) A(shmem_##name##_min_to_all)
#define OF_NUMBERS(name) A(shmem_##name##_sum_to_all) A(shmem_##name##_prod_to_all)
static const address collectives_1_2[] = {
  A(shmem_broadcast32) A(shmem_broadcast64) A(shmem_collect32) A(shmem_collect64)
  A(shmem_fcollect32) A(shmem_fcollect64)
  OF_BITS(short) BASIC_1_2(OF_BITS) RMA_1_2(OF_ORDER) RMA_1_2(OF_NUMBERS) COMPLEX_1_2(OF_NUMBERS)
};

// 1.3 ---------------------------------------------------------------------------------------------

#define NBI(name) A(shmem_##name##_put_nbi) A(shmem_##name##_get_nbi)
#define BITS_NBI(size) A(shmem_put##size##_nbi) A(shmem_get##size##_nbi)
#define FETCH_SET(name) A(shmem_##name##_fetch) A(shmem_##name##_set)
static const address all_1_3[] = {
  RMA_1_3(MOVES) BITS_1_3(BITS) RMA_1_3(NBI) BITS_1_3(BITS_NBI)
  A(shmem_putmem_nbi) A(shmem_getmem_nbi) BASIC_1_2(FETCH_SET) REAL_1_2(FETCH_SET)
  A(shmem_alltoall32) A(shmem_alltoall64) A(shmem_alltoalls32) A(shmem_alltoalls64)
};

// 1.4 ---------------------------------------------------------------------------------------------

#define CTX_MOVES(name)                                                                          \
  A(shmem_ctx_##name##_put) A(shmem_ctx_##name##_get) A(shmem_ctx_##name##_iput)                 \
  A(shmem_ctx_##name##_iget) A(shmem_ctx_##name##_p) A(shmem_ctx_##name##_g)                     \
  A(shmem_ctx_##name##_put_nbi) A(shmem_ctx_##name##_get_nbi)
#define CTX_BITS(size)                                                                           \
  A(shmem_ctx_put##size) A(shmem_ctx_get##size) A(shmem_ctx_iput##size) A(shmem_ctx_iget##size)  \
  A(shmem_ctx_put##size##_nbi) A(shmem_ctx_get##size##_nbi)
#define BOTH(type, call) A(shmem_##type##_atomic_##call) A(shmem_ctx_##type##_atomic_##call)
#define EXTENDED_AMO(name) BOTH(name, fetch) BOTH(name, set) BOTH(name, swap)
#define AMO(name)                                                                                \
  BOTH(name, compare_swap) BOTH(name, fetch_inc) BOTH(name, inc) BOTH(name, fetch_add)           \
  BOTH(name, add)
#define BITWISE_AMO(name)                                                                        \
  BOTH(name, fetch_and) BOTH(name, and) BOTH(name, fetch_or) BOTH(name, or)                      \
  BOTH(name, fetch_xor) BOTH(name, xor)
#define WAIT_AND_TEST(name) A(shmem_##name##_wait_until) A(shmem_##name##_test)
static const address all_1_4[] = {
  A(shmem_init_thread) A(shmem_query_thread) A(shmem_calloc) A(shmem_ctx_create)
  A(shmem_ctx_destroy) A(shmem_ctx_fence) A(shmem_ctx_quiet) A(shmem_sync) A(shmem_sync_all)
  RMA_1_4(MOVES) RMA_1_4(ONE) RMA_1_4(NBI) RMA_1_4(CTX_MOVES) BITS_1_3(CTX_BITS)
  A(shmem_ctx_putmem) A(shmem_ctx_getmem) A(shmem_ctx_putmem_nbi) A(shmem_ctx_getmem_nbi)
  AMO_1_4(EXTENDED_AMO) REAL_1_2(EXTENDED_AMO) AMO_1_4(AMO) BITWISE_AMO_1_4(BITWISE_AMO)
  P2P_1_4(WAIT_AND_TEST)
};

// 1.5 ---------------------------------------------------------------------------------------------

#define SIGNALS(name)                                                                            \
  A(shmem_##name##_put_signal) A(shmem_##name##_put_signal_nbi)                                  \
  A(shmem_ctx_##name##_put_signal) A(shmem_ctx_##name##_put_signal_nbi)
#define BITS_SIGNALS(size)                                                                       \
  A(shmem_put##size##_signal) A(shmem_put##size##_signal_nbi)                                    \
  A(shmem_ctx_put##size##_signal) A(shmem_ctx_put##size##_signal_nbi)
#define EXTENDED_AMO_NBI(name) BOTH(name, fetch_nbi) BOTH(name, swap_nbi)
#define AMO_NBI(name)                                                                            \
  BOTH(name, compare_swap_nbi) BOTH(name, fetch_inc_nbi) BOTH(name, fetch_add_nbi)
#define BITWISE_AMO_NBI(name)                                                                    \
  BOTH(name, fetch_and_nbi) BOTH(name, fetch_or_nbi) BOTH(name, fetch_xor_nbi)
#define SETS(name, verb)                                                                         \
  A(shmem_##name##_##verb##_all) A(shmem_##name##_##verb##_any) A(shmem_##name##_##verb##_some)  \
  A(shmem_##name##_##verb##_all_vector) A(shmem_##name##_##verb##_any_vector)                    \
  A(shmem_##name##_##verb##_some_vector)
#define WAIT_AND_TEST_SETS(name) SETS(name, wait_until) SETS(name, test)
#define TEAM_DATA(name)                                                                          \
  A(shmem_##name##_broadcast) A(shmem_##name##_collect) A(shmem_##name##_fcollect)               \
  A(shmem_##name##_alltoall) A(shmem_##name##_alltoalls)
#define TEAM_BITS(name)                                                                          \
  A(shmem_##name##_and_reduce) A(shmem_##name##_or_reduce) A(shmem_##name##_xor_reduce)
#define TEAM_ORDER(name) A(shmem_##name##_max_reduce) A(shmem_##name##_min_reduce)
#define TEAM_NUMBERS(name) A(shmem_##name##_sum_reduce) A(shmem_##name##_prod_reduce)
static const address all_1_5[] = {
  A(shmem_malloc_with_hints) A(shmem_team_my_pe) A(shmem_team_n_pes) A(shmem_team_get_config)
  A(shmem_team_translate_pe) A(shmem_team_split_strided) A(shmem_team_split_2d)
  A(shmem_team_destroy) A(shmem_team_sync) A(shmem_team_create_ctx) A(shmem_ctx_get_team)
  A(shmem_signal_fetch) A(shmem_signal_wait_until) A(shmem_pcontrol)
  RMA_1_4(SIGNALS) BITS_1_3(BITS_SIGNALS) A(shmem_putmem_signal) A(shmem_putmem_signal_nbi)
  A(shmem_ctx_putmem_signal) A(shmem_ctx_putmem_signal_nbi)
  AMO_1_4(EXTENDED_AMO_NBI) REAL_1_2(EXTENDED_AMO_NBI) AMO_1_4(AMO_NBI)
  BITWISE_AMO_1_4(BITWISE_AMO_NBI) P2P_1_4(WAIT_AND_TEST_SETS)
  RMA_1_4(TEAM_DATA) A(shmem_broadcastmem) A(shmem_collectmem) A(shmem_fcollectmem)
  A(shmem_alltoallmem) A(shmem_alltoallsmem)
  REDUCED_BITS_1_5(TEAM_BITS) RMA_1_4(TEAM_ORDER) RMA_1_4(TEAM_NUMBERS) COMPLEX_1_2(TEAM_NUMBERS)
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
static size_t missing(const address* list, size_t count) {
  size_t result = 0, i;
  for (i = 0; i < count; ++i) result += list[i] == 0;
  return result;
}

int main(void) {
#define MISSING(list) missing(list, COUNT(list))
  return MISSING(setup_1_2) + MISSING(rma_1_2) + MISSING(amo_1_2) + MISSING(collectives_1_2) +
                     MISSING(all_1_3) + MISSING(all_1_4) + MISSING(all_1_5) ==
                 0
             ? 0
             : 1;
}
