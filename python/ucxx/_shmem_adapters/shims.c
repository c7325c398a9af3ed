// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The second half of an adapter's source: it makes what the library lacks from what the library
// has. The first half, which source.py writes, includes that library's shmem.h. It has a function
// ucxx_NAME for each function NAME of the library, and defines UCXX_HAS_NAME. A handle is a void*.
//
// A library older than OpenSHMEM 1.5 has no teams, so the adapter has one team, that of all PEs.
// The collective functions of that team call the ones with active sets, or put and get.

#ifndef UCXX_HAS_SHMEM_VENDOR_STRING
const char* ucxx_SHMEM_VENDOR_STRING(void) { return "an OpenSHMEM library without a name"; }
#endif

// Start and end ----------------------------------------------------------------------------------

static int depth, has_ended, me, pes;
static long* bytes_of_all;  // symmetric: of each PE two, by its number

#ifndef UCXX_HAS_shmem_team_t
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
#else
static int prepare_turns(void) { return 1; }
#endif

static int prepare(void) {
  me = shmem_my_pe();
  pes = shmem_n_pes();
  bytes_of_all = shmem_malloc(2 * (size_t)pes * sizeof(long));
  const int is_done = bytes_of_all != NULL && prepare_turns();
  shmem_barrier_all();
  if (!is_done)
    fprintf(stderr, "OpenSHMEM: the symmetric heap has no room for the 2 MiB that the adapter needs\n");
  return is_done;
}

// A library older than OpenSHMEM 1.6 can be initialised once: it sees the first initialisation and
// the last end.
static int can_begin_again(void) { return SHMEM_MAJOR_VERSION * 100 + SHMEM_MINOR_VERSION >= 106; }

int ucxx_shmem_init_thread(int requested, int* provided) {
  if (has_ended && !can_begin_again()) {
    fprintf(stderr, "OpenSHMEM: this library cannot be initialised again after its end\n");
    return 1;
  }
  if (depth > 0) {
    ++depth;
    shmem_query_thread(provided);
    return 0;
  }
  const int status = shmem_init_thread(requested, provided);
  if (status != 0) return status;
  depth = 1;
  return prepare() ? 0 : 1;
}
void ucxx_shmem_init(void) {
  int provided;
  ucxx_shmem_init_thread(SHMEM_THREAD_SINGLE, &provided);
}

// A context that is left at the end the library destroys: Open MPI's ends the program there by a
// segmentation fault. So the adapter destroys them.
static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER;
static shmem_ctx_t* contexts;
static size_t contexts_count, contexts_room;

static void remember_context(shmem_ctx_t ctx) {
  pthread_mutex_lock(&contexts_lock);
  if (contexts_count == contexts_room) {
    const size_t room = contexts_room * 2 + 16;
    shmem_ctx_t* const larger = realloc(contexts, room * sizeof *larger);
    if (larger != NULL) {
      contexts = larger;
      contexts_room = room;
    }
  }
  if (contexts_count < contexts_room) contexts[contexts_count++] = ctx;
  pthread_mutex_unlock(&contexts_lock);
}
static void forget_context(shmem_ctx_t ctx) {
  pthread_mutex_lock(&contexts_lock);
  for (size_t i = 0; i < contexts_count; ++i) {
    if (contexts[i] != ctx) continue;
    contexts[i] = contexts[--contexts_count];
    break;
  }
  pthread_mutex_unlock(&contexts_lock);
}
static void destroy_contexts(void) {
  while (contexts_count > 0) shmem_ctx_destroy(contexts[--contexts_count]);
}

int ucxx_shmem_ctx_create(long options, void** ctx) {
  shmem_ctx_t made;
  const int status = shmem_ctx_create(options, &made);
  if (status != 0) return status;
  remember_context(made);
  *ctx = (void*)(uintptr_t)made;
  return 0;
}
// The end of a context completes what is under way.
void ucxx_shmem_ctx_destroy(void* ctx) {
  forget_context((shmem_ctx_t)(uintptr_t)ctx);
  shmem_ctx_quiet((shmem_ctx_t)(uintptr_t)ctx);
  shmem_ctx_destroy((shmem_ctx_t)(uintptr_t)ctx);
}
#ifdef UCXX_HAS_shmem_team_t
// A context goes with its team, so these are not remembered: the end of a team may have destroyed
// them.
int ucxx_shmem_team_create_ctx(void* team, long options, void** ctx) {
  shmem_ctx_t made;
  const int status = shmem_team_create_ctx((shmem_team_t)(uintptr_t)team, options, &made);
  if (status == 0) *ctx = (void*)(uintptr_t)made;
  return status;
}
#endif

void ucxx_shmem_finalize(void) {
  if (depth == 0 || --depth > 0) return;
  has_ended = 1;
  destroy_contexts();
  shmem_finalize();
}
void ucxx_shmem_query_initialized(int* initialized) { *initialized = depth > 0; }

// NumPy wants more than the standard's alignment, which is that of a word: Open MPI gives 8 bytes.
void* ucxx_shmem_align(size_t alignment, size_t size) {
  return size == 0 ? NULL : shmem_align(alignment < 64 ? 64 : alignment, size);
}
void* ucxx_shmem_malloc(size_t size) { return ucxx_shmem_align(64, size); }

// Open MPI's shmem_calloc clears behind its barrier: what another PE has put by then is lost.
void* ucxx_shmem_calloc(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) return NULL;
  void* const block = ucxx_shmem_malloc(count * size);
  if (block == NULL) return NULL;
  memset(block, 0, count * size);
  shmem_barrier_all();
  return block;
}

// A macro or a function of variable arguments: profiling tools alone see it.
void ucxx_shmem_pcontrol(int level, ...) {
#ifdef UCXX_HAS_shmem_pcontrol
  shmem_pcontrol(level);
#else
  (void)level;
#endif
}

// What came after OpenSHMEM 1.4 -------------------------------------------------------------------

#ifndef UCXX_HAS_shmem_malloc_with_hints
void* ucxx_shmem_malloc_with_hints(size_t size, long hints) {
  (void)hints;
  return ucxx_shmem_malloc(size);
}
#endif

#ifndef UCXX_HAS_SHMEM_SIGNAL_SET
enum { SHMEM_SIGNAL_SET = 0, SHMEM_SIGNAL_ADD = 1 };
long ucxx_SHMEM_SIGNAL_SET(void) { return SHMEM_SIGNAL_SET; }
long ucxx_SHMEM_SIGNAL_ADD(void) { return SHMEM_SIGNAL_ADD; }
#endif

#ifndef UCXX_HAS_shmem_ctx_signal_set
void ucxx_shmem_ctx_signal_set(void* ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
  ucxx_shmem_ctx_uint64_atomic_set(ctx, sig_addr, signal, pe);
}
#endif
#ifndef UCXX_HAS_shmem_ctx_signal_add
void ucxx_shmem_ctx_signal_add(void* ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
  ucxx_shmem_ctx_uint64_atomic_add(ctx, sig_addr, signal, pe);
}
#endif

#ifndef UCXX_HAS_shmem_ctx_putmem_signal
void ucxx_shmem_ctx_putmem_signal(void* ctx, void* dest, const void* source, size_t nelems,
                                  uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {
  if (nelems > 0) ucxx_shmem_ctx_putmem(ctx, dest, source, nelems, pe);
  ucxx_shmem_ctx_fence(ctx);
  if (sig_op == SHMEM_SIGNAL_ADD)
    ucxx_shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
  else
    ucxx_shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
#endif
#ifndef UCXX_HAS_shmem_ctx_putmem_signal_nbi
void ucxx_shmem_ctx_putmem_signal_nbi(void* ctx, void* dest, const void* source, size_t nelems,
                                      uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {
  ucxx_shmem_ctx_putmem_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe);
}
#endif

#ifndef UCXX_HAS_shmem_signal_fetch
uint64_t ucxx_shmem_signal_fetch(const uint64_t* sig_addr) {
  ucxx_shmem_uint64_test((uint64_t*)sig_addr, SHMEM_CMP_EQ, 0);  // the library moves on by it
  return __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
}
#endif
#ifndef UCXX_HAS_shmem_signal_wait_until
uint64_t ucxx_shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value) {
  ucxx_shmem_uint64_wait_until(sig_addr, cmp, cmp_value);
  return __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
}
#endif

// quiet completes the operations of all PEs, so it completes those of some.
#ifndef UCXX_HAS_shmem_ctx_pe_quiet
void ucxx_shmem_ctx_pe_quiet(void* ctx, const int* target_pes, size_t npes) {
  (void)target_pes;
  if (npes > 0) ucxx_shmem_ctx_quiet(ctx);
}
#endif

// Sessions are hints.
#ifndef UCXX_HAS_shmem_ctx_session_start
void ucxx_shmem_ctx_session_start(void* ctx, long options, const size_t* config, long mask) {
  (void)ctx, (void)options, (void)config, (void)mask;
}
#endif
#ifndef UCXX_HAS_shmem_ctx_session_stop
void ucxx_shmem_ctx_session_stop(void* ctx) { (void)ctx; }
#endif

#define BLOCKS(bits)                                                                             \
  void ucxx_shmem_ctx_ibput##bits(void* ctx, void* dest, const void* source, ptrdiff_t dst,      \
                                  ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) {         \
    const size_t bytes = bits / 8;                                                               \
    for (size_t i = 0; i < nblocks; ++i)                                                         \
      ucxx_shmem_ctx_putmem(ctx, (char*)dest + (ptrdiff_t)(i * bytes) * dst,                     \
                            (const char*)source + (ptrdiff_t)(i * bytes) * sst, bsize * bytes, pe); \
  }                                                                                              \
  void ucxx_shmem_ctx_ibget##bits(void* ctx, void* dest, const void* source, ptrdiff_t dst,      \
                                  ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) {         \
    const size_t bytes = bits / 8;                                                               \
    for (size_t i = 0; i < nblocks; ++i)                                                         \
      ucxx_shmem_ctx_getmem(ctx, (char*)dest + (ptrdiff_t)(i * bytes) * dst,                     \
                            (const char*)source + (ptrdiff_t)(i * bytes) * sst, bsize * bytes, pe); \
  }
#ifndef UCXX_HAS_shmem_ctx_ibput8
BLOCKS(8)
BLOCKS(16)
BLOCKS(32)
BLOCKS(64)
BLOCKS(128)
#endif

// The team of all PEs -----------------------------------------------------------------------------

#ifndef UCXX_HAS_shmem_team_t

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

#endif  // UCXX_HAS_shmem_team_t

// Collects that know how much room there is -------------------------------------------------------

static int in_world(void* team, int member) {
  return ucxx_shmem_team_translate_pe(team, member, ucxx_SHMEM_TEAM_WORLD());
}

struct shares {
  size_t before, all, room;  // bytes: of the members before this PE, of all, of the smallest dest
};

// Each member tells all members. A PE has words of its own, and reads those of the team's members
// alone: a PE that is ahead, in another team, writes elsewhere.
static struct shares shares_of(void* team, size_t bytes, size_t room) {
  const int members = ucxx_shmem_team_n_pes(team), position = ucxx_shmem_team_my_pe(team);
  const long told[2] = {(long)bytes, (long)(room < LONG_MAX ? room : LONG_MAX)};
  for (int i = 0; i < members; ++i)
    shmem_putmem(bytes_of_all + 2 * me, told, sizeof told, in_world(team, i));
  shmem_quiet();
  ucxx_shmem_team_sync(team);
  struct shares shares = {0, 0, LONG_MAX};
  for (int i = 0; i < members; ++i) {
    const long* words = bytes_of_all + 2 * in_world(team, i);
    if (i < position) shares.before += (size_t)words[0];
    shares.all += (size_t)words[0];
    if ((size_t)words[1] < shares.room) shares.room = (size_t)words[1];
  }
  return shares;
}

int ucxx_shmemx_collectmem(void* team, void* dest, size_t dest_bytes, const void* source,
                           size_t bytes) {
  const struct shares shares = shares_of(team, bytes, dest_bytes);
  if (shares.all > shares.room) {
    ucxx_shmem_team_sync(team);
    return 1;
  }
#ifdef UCXX_HAS_shmem_collectmem
  return ucxx_shmem_collectmem(team, dest, source, bytes);
#else
  const int members = ucxx_shmem_team_n_pes(team);
  for (int i = 0; i < members && bytes > 0; ++i)
    shmem_putmem((char*)dest + shares.before, source, bytes, in_world(team, i));
  shmem_quiet();
  ucxx_shmem_team_sync(team);
  return 0;
#endif
}
#ifndef UCXX_HAS_shmem_collectmem
int ucxx_shmem_collectmem(void* team, void* dest, const void* source, size_t bytes) {
  return ucxx_shmemx_collectmem(team, dest, SIZE_MAX, source, bytes);
}
#endif
