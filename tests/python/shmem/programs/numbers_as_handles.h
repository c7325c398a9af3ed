// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// An OpenSHMEM library of one PE, all of it in a header: handles are numbers, of which 0 is one;
// constants are enumerators; functions are inline or macros; some are missing.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int shmem_team_t;
typedef long shmem_ctx_t;
typedef struct {
  int num_contexts;
  long more[4];
} shmem_team_config_t;

enum { SHMEM_MAJOR_VERSION = 1, SHMEM_MINOR_VERSION = 5, SHMEM_MAX_NAME_LEN = 8 };
enum { SHMEM_CMP_EQ = 12, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE };
enum {
  SHMEM_THREAD_SINGLE = 1,
  SHMEM_THREAD_FUNNELED,
  SHMEM_THREAD_SERIALIZED,
  SHMEM_THREAD_MULTIPLE
};
enum { SHMEM_SIGNAL_SET = 3, SHMEM_SIGNAL_ADD = 4 };
enum { SHMEM_CTX_PRIVATE = 1, SHMEM_CTX_SERIALIZED = 2, SHMEM_CTX_NOSTORE = 4 };
static const char* const SHMEM_VENDOR_STRING = "numbers";
static const shmem_team_t SHMEM_TEAM_WORLD = 0, SHMEM_TEAM_INVALID = -1;
static const shmem_ctx_t SHMEM_CTX_DEFAULT = 0;

static inline int shmem_init_thread(int requested, int* provided) {
  *provided = requested;
  return 0;
}
static inline void shmem_query_thread(int* provided) { *provided = SHMEM_THREAD_SINGLE; }
static inline void shmem_finalize(void) {}
#define shmem_my_pe() 0
#define shmem_n_pes() 1
static inline void* shmem_align(size_t alignment, size_t size) {
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
static inline void* shmem_malloc(size_t size) { return shmem_align(64, size); }
static inline void shmem_free(void* ptr) { free(ptr); }
static inline int shmem_team_my_pe(shmem_team_t team) { return team == 0 ? 0 : -1; }
static inline int shmem_team_n_pes(shmem_team_t team) { return team == 0 ? 1 : -1; }
static inline int shmem_team_translate_pe(shmem_team_t from, int pe, shmem_team_t to) {
  (void)from, (void)to;
  return pe;
}
static inline int shmem_team_sync(shmem_team_t team) { return team; }
static inline int shmem_ctx_create(long options, shmem_ctx_t* ctx) {
  *ctx = options + 7;
  return 0;
}
static inline int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* ctx) {
  return team + shmem_ctx_create(options, ctx);
}
static inline void shmem_ctx_destroy(shmem_ctx_t ctx) { (void)ctx; }
static inline void shmem_ctx_putmem(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems,
                                    int pe) {
  (void)ctx, (void)pe;
  memcpy(dest, source, nelems);
}
static inline void shmem_ctx_getmem(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems,
                                    int pe) {
  shmem_ctx_putmem(ctx, dest, source, nelems, pe);
}
#define shmem_putmem(dest, source, nelems, pe) shmem_ctx_putmem(0, dest, source, nelems, pe)
static inline void shmem_barrier_all(void) {}
static inline void shmem_sync_all(void) {}
static inline void shmem_quiet(void) {}
static inline void shmem_ctx_fence(shmem_ctx_t ctx) { (void)ctx; }
static inline void shmem_ctx_quiet(shmem_ctx_t ctx) { (void)ctx; }
static inline void shmem_ctx_uint64_atomic_set(shmem_ctx_t ctx, uint64_t* dest, uint64_t value,
                                               int pe) {
  (void)ctx, (void)pe;
  *dest = value;
}
static inline void shmem_ctx_uint64_atomic_add(shmem_ctx_t ctx, uint64_t* dest, uint64_t value,
                                               int pe) {
  (void)ctx, (void)pe;
  *dest += value;
}
static inline int shmem_uint64_test(uint64_t* ivar, int cmp, uint64_t value) {
  return cmp == SHMEM_CMP_EQ ? *ivar == value : *ivar >= value;
}
static inline void shmem_uint64_wait_until(uint64_t* ivar, int cmp, uint64_t value) {
  while (!shmem_uint64_test(ivar, cmp, value)) {
  }
}
