// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The second part of an adapter's source: it makes what the library lacks from what the library
// has. The first part, which source.py writes, includes that library's shmem.h. It has a function
// ucxx_NAME for each function NAME of the library, and defines UCXX_HAS_NAME. A handle is a void*.

#ifndef UCXX_HAS_SHMEM_VENDOR_STRING
const char* ucxx_SHMEM_VENDOR_STRING(void) { return "an OpenSHMEM library without a name"; }
#endif

// Start and end ----------------------------------------------------------------------------------

static int depth, has_ended, me, pes;
static long* bytes_of_all;  // symmetric: of each PE two, by its number

#ifdef UCXX_HAS_shmem_team_t
static int prepare_turns(void) { return 1; }
#else
static int prepare_turns(void);  // team_of_all.c
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
