// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A part of the source of an adapter to a library older than OpenSHMEM 1.5, which has no teams: the
// adapter has one team, that of all PEs. Its collective functions call the ones with active sets, or
// put and get.

// Memory of the calls ----------------------------------------------------------------------------

enum { REDUCED_AT_ONCE = 32 * 1024 };  // elements
// The symmetric memory of one call with an active set. Calls take two in turn.
struct turn {
  long* sync;
  void* work;
};
static struct turn turns[2];

static int prepare_turns(void) {
  const size_t longs = SHMEM_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE;
  for (int i = 0; i < 2; ++i) {
    turns[i].sync = shmem_malloc(longs * sizeof(long));
    turns[i].work =
        shmem_malloc((REDUCED_AT_ONCE + SHMEM_REDUCE_MIN_WRKDATA_SIZE) * sizeof(double _Complex));
    if (turns[i].sync == NULL || turns[i].work == NULL) return 0;
    for (size_t j = 0; j < longs; ++j) turns[i].sync[j] = SHMEM_SYNC_VALUE;
  }
  return 1;
}

// The team ----------------------------------------------------------------------------------------

void* ucxx_SHMEM_TEAM_WORLD(void) { return (void*)1; }

int ucxx_shmem_team_my_pe(void* team) { return team == NULL ? -1 : me; }
int ucxx_shmem_team_n_pes(void* team) { return team == NULL ? -1 : pes; }
int ucxx_shmem_team_translate_pe(void* from, int pe, void* to) {
  return from == NULL || to == NULL ? -1 : pe;
}
int ucxx_shmem_team_get_config(void* team, long mask, int* num_contexts) {
  (void)team, (void)mask;
  *num_contexts = 0;
  return 0;
}
int ucxx_shmem_team_create_ctx(void* team, long options, void** ctx) {
  (void)team;
  return ucxx_shmem_ctx_create(options, ctx);
}
int ucxx_shmem_team_sync(void* team) {
  (void)team;
  shmem_sync_all();
  return 0;
}

// The memory of the next call. Before one is used again all PEs have ended the call that had it: the
// sync of every second call sees to that.
static struct turn next_turn(void) {
  static unsigned calls;
  const unsigned number = calls++ % 2;
  if (number == 0) shmem_sync_all();
  return turns[number];
}

// Both addresses are symmetric, so the answer is the same on all PEs.
static int are_words(const void* dest, const void* source, size_t bytes) {
  return ((uintptr_t)dest | (uintptr_t)source | bytes) % 4 == 0;
}

int ucxx_shmem_broadcastmem(void* team, void* dest, const void* source, size_t bytes, int root) {
  (void)team;
  if (bytes == 0) return 0;
  if (are_words(dest, source, bytes)) {
    shmem_broadcast32(dest, source, bytes / 4, root, 0, 0, pes, next_turn().sync);
    if (me == root) memcpy(dest, source, bytes);
    return 0;
  }
  for (int pe = 0; pe < pes && me == root; ++pe) shmem_putmem(dest, source, bytes, pe);
  shmem_barrier_all();
  return 0;
}

int ucxx_shmem_fcollectmem(void* team, void* dest, const void* source, size_t bytes) {
  (void)team;
  if (bytes == 0) return 0;
  if (are_words(dest, source, bytes)) {
    shmem_fcollect32(dest, source, bytes / 4, 0, 0, pes, next_turn().sync);
    return 0;
  }
  for (int pe = 0; pe < pes; ++pe) shmem_putmem((char*)dest + bytes * (size_t)me, source, bytes, pe);
  shmem_barrier_all();
  return 0;
}

int ucxx_shmem_alltoallmem(void* team, void* dest, const void* source, size_t bytes) {
  (void)team;
  if (bytes == 0) return 0;
  if (are_words(dest, source, bytes)) {
    shmem_alltoall32(dest, source, bytes / 4, 0, 0, pes, next_turn().sync);
    return 0;
  }
  for (int pe = 0; pe < pes; ++pe)
    shmem_putmem((char*)dest + bytes * (size_t)me, (const char*)source + bytes * (size_t)pe, bytes,
                 pe);
  shmem_barrier_all();
  return 0;
}

#define STRIDED_ALLTOALL(name, T, bits)                                                      \
  int ucxx_shmem_##name##_alltoalls(void* team, T* dest, const T* source, ptrdiff_t dst,     \
                                    ptrdiff_t sst, size_t nelems) {                          \
    (void)team;                                                                              \
    for (int pe = 0; pe < pes && nelems > 0; ++pe)                                           \
      shmem_iput##bits(dest + (ptrdiff_t)nelems * dst * me, source + (ptrdiff_t)nelems * sst * pe, \
                       dst, sst, nelems, pe);                                                \
    shmem_barrier_all();                                                                     \
    return 0;                                                                                \
  }
STRIDED_ALLTOALL(uint8, uint8_t, 8)
STRIDED_ALLTOALL(uint16, uint16_t, 16)
STRIDED_ALLTOALL(uint32, uint32_t, 32)
STRIDED_ALLTOALL(uint64, uint64_t, 64)
STRIDED_ALLTOALL(longdouble, long double, 128)

// Reductions by the calls with active sets, which take an int as the number of elements. `Old` is
// the type that the call has, of the same size.
#define REDUCTION(name, T, op, old, Old)                                                         \
  int ucxx_shmem_##name##_##op##_reduce(void* team, T* dest, const T* source, size_t nreduce) {  \
    (void)team;                                                                                  \
    for (size_t i = 0; i < nreduce; i += REDUCED_AT_ONCE) {                                      \
      const size_t left = nreduce - i;                                                           \
      const struct turn turn = next_turn();                                                      \
      shmem_##old##_##op##_to_all((Old*)dest + i, (Old*)source + i,                              \
                                  left < REDUCED_AT_ONCE ? (int)left : REDUCED_AT_ONCE, 0, 0, pes, \
                                  turn.work, turn.sync);                                         \
    }                                                                                            \
    return 0;                                                                                    \
  }
#define ARITHMETIC(name, T, old, Old) \
  REDUCTION(name, T, sum, old, Old)   \
  REDUCTION(name, T, prod, old, Old)
#define EXTREMES(name, T, old, Old) \
  REDUCTION(name, T, max, old, Old) \
  REDUCTION(name, T, min, old, Old)
#define BITS(name, T, old, Old)     \
  REDUCTION(name, T, and, old, Old) \
  REDUCTION(name, T, or, old, Old)  \
  REDUCTION(name, T, xor, old, Old)
#define SIGNED(name, T, old, Old) \
  BITS(name, T, old, Old)         \
  ARITHMETIC(name, T, old, Old)   \
  EXTREMES(name, T, old, Old)
#define REAL(name, T)          \
  ARITHMETIC(name, T, name, T) \
  EXTREMES(name, T, name, T)

SIGNED(int16, int16_t, short, short)
SIGNED(int32, int32_t, int, int)
SIGNED(int64, int64_t, long, long)
BITS(uint16, uint16_t, short, short)
BITS(uint32, uint32_t, int, int)
BITS(uint64, uint64_t, long, long)
ARITHMETIC(uint16, uint16_t, short, short)
ARITHMETIC(uint32, uint32_t, int, int)
ARITHMETIC(uint64, uint64_t, long, long)
REAL(float, float)
REAL(double, double)
REAL(longdouble, long double)
ARITHMETIC(complexf, float _Complex, complexf, float _Complex)
ARITHMETIC(complexd, double _Complex, complexd, double _Complex)

// OpenSHMEM 1.4 has no such call for these types: each PE gets the sources of all PEs.
enum { GOT_AT_ONCE = 1024 };  // elements
#define REDUCTION_BY_GETS(name, T, op, combined)                                             \
  int ucxx_shmem_##name##_##op##_reduce(void* team, T* dest, const T* source, size_t nreduce) { \
    (void)team;                                                                              \
    shmem_barrier_all();                                                                     \
    for (size_t i = 0; i < nreduce; i += GOT_AT_ONCE) {                                      \
      const size_t count = nreduce - i < GOT_AT_ONCE ? nreduce - i : GOT_AT_ONCE;            \
      T all[GOT_AT_ONCE], one[GOT_AT_ONCE];                                                  \
      shmem_getmem(all, source + i, count * sizeof(T), 0);                                   \
      for (int pe = 1; pe < pes; ++pe) {                                                     \
        shmem_getmem(one, source + i, count * sizeof(T), pe);                                \
        for (size_t j = 0; j < count; ++j) {                                                 \
          const T a = all[j], b = one[j];                                                    \
          all[j] = (T)(combined);                                                            \
        }                                                                                    \
      }                                                                                      \
      shmem_sync_all();                                                                      \
      memcpy(dest + i, all, count * sizeof(T));                                              \
    }                                                                                        \
    return 0;                                                                                \
  }
#define EXTREMES_BY_GETS(name, T)                  \
  REDUCTION_BY_GETS(name, T, max, a < b ? b : a)   \
  REDUCTION_BY_GETS(name, T, min, b < a ? b : a)
#define ALL_BY_GETS(name, T)               \
  EXTREMES_BY_GETS(name, T)                \
  REDUCTION_BY_GETS(name, T, and, a & b)   \
  REDUCTION_BY_GETS(name, T, or, a | b)    \
  REDUCTION_BY_GETS(name, T, xor, a ^ b)   \
  REDUCTION_BY_GETS(name, T, sum, a + b)   \
  REDUCTION_BY_GETS(name, T, prod, a * b)
ALL_BY_GETS(int8, int8_t)
ALL_BY_GETS(uint8, uint8_t)
EXTREMES_BY_GETS(uint16, uint16_t)
EXTREMES_BY_GETS(uint32, uint32_t)
EXTREMES_BY_GETS(uint64, uint64_t)
