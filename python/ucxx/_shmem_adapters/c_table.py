# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The C functions of OpenSHMEM, as patterns that `functions.py` expands.

Written by tools/shmem_api: change its table and run `python3 tools/shmem_api --write`.
"""

# In a pattern, {a,b} stands for a and for b. [...] are left out together, or are all there. <RMA>
# stands for each name of that table, and T for the C type of that name.
TABLES = {
    "RMA": "float double longdouble char schar short int long longlong uchar ushort uint "
           "ulong ulonglong int8 int16 int32 int64 uint8 uint16 uint32 uint64 size ptrdiff",
    "AMOX": "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff "
            "float double",
    "AMO": "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff",
    "AMOB": "uint ulong ulonglong int32 int64 uint32 uint64",
    "RED_BIT": "uchar ushort uint ulong ulonglong int8 int16 int32 int64 uint8 uint16 uint32 "
               "uint64 size",
    "RED_NUM": "float double longdouble char schar short int long longlong uchar ushort uint "
               "ulong ulonglong int8 int16 int32 int64 uint8 uint16 uint32 uint64 size ptrdiff "
               "complexd complexf",
    "OLD_AMOX": "int long longlong float double",
    "OLD_AMO": "int long longlong",
    "SET_BIT": "short int long longlong",
    "SHORT": "short ushort",
    "SET_ORD": "short int long longlong float double longdouble",
    "SET_NUM": "short int long longlong float double longdouble complexd complexf",
    "MORE_AMO": "short ushort uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff",
    "LONGDOUBLE": "longdouble",
}

TYPES = {
    "float": "float",
    "double": "double",
    "longdouble": "long double",
    "char": "char",
    "schar": "signed char",
    "short": "short",
    "int": "int",
    "long": "long",
    "longlong": "long long",
    "uchar": "unsigned char",
    "ushort": "unsigned short",
    "uint": "unsigned int",
    "ulong": "unsigned long",
    "ulonglong": "unsigned long long",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "size": "size_t",
    "ptrdiff": "ptrdiff_t",
    "complexd": "ucxx_shmem_complexd",
    "complexf": "ucxx_shmem_complexf",
}

PATTERNS = """
// Set-up, exit, query
void shmem_init(void);
void shmem_finalize(void);
void shmem_query_initialized(int* initialized);
void shmem_global_exit(int status);
int shmem_my_pe(void);
int shmem_n_pes(void);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void* addr, int pe);
void* shmem_ptr(const void* dest, int pe);
void shmem_info_get_version(int* major, int* minor);
void shmem_info_get_name(char* name);

// Threads
int shmem_init_thread(int requested, int* provided);
void shmem_query_thread(int* provided);

// Symmetric heap
void* shmem_malloc(size_t size);
void* shmem_calloc(size_t count, size_t size);
void* shmem_align(size_t alignment, size_t size);
void* shmem_malloc_with_hints(size_t size, long hints);
void* shmem_realloc(void* ptr, size_t size);
void shmem_free(void* ptr);

// Teams
int shmem_team_{my_pe,n_pes}(shmem_team_t team);
int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config);
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
int shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size,
    const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team);
int shmem_team_split_2d(shmem_team_t parent, int xrange, const shmem_team_config_t* xaxis_config,
    long xaxis_mask, shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
    long yaxis_mask, shmem_team_t* yaxis_team);
void shmem_team_destroy(shmem_team_t team);
void* shmem_team_ptr(shmem_team_t team, const void* dest, int pe);

// Contexts and sessions
int shmem_ctx_create(long options, shmem_ctx_t* ctx);
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* ctx);
void shmem_ctx_destroy(shmem_ctx_t ctx);
int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team);
void shmem_ctx_session_start(shmem_ctx_t ctx, long options,
    const shmem_ctx_session_config_t* config, long config_mask);
void shmem_ctx_session_stop(shmem_ctx_t ctx);

// Put and get
void shmem_[ctx_]<RMA>_{put,get}([shmem_ctx_t ctx, ]T* dest, const T* source, size_t nelems, int pe);
void shmem_[ctx_]{put,get}{8,16,32,64,128,mem}([shmem_ctx_t ctx, ]void* dest, const void* source,
    size_t nelems, int pe);
void shmem_[ctx_]<RMA>_p([shmem_ctx_t ctx, ]T* dest, T value, int pe);
T shmem_[ctx_]<RMA>_g([shmem_ctx_t ctx, ]const T* source, int pe);

// Strided put and get
void shmem_[ctx_]<RMA>_{iput,iget}([shmem_ctx_t ctx, ]T* dest, const T* source, ptrdiff_t dst,
    ptrdiff_t sst, size_t nelems, int pe);
void shmem_[ctx_]{iput,iget}{8,16,32,64,128}([shmem_ctx_t ctx, ]void* dest, const void* source,
    ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_[ctx_]<RMA>_{ibput,ibget}([shmem_ctx_t ctx, ]T* dest, const T* source, ptrdiff_t dst,
    ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_[ctx_]{ibput,ibget}{8,16,32,64,128}([shmem_ctx_t ctx, ]void* dest, const void* source,
    ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);

// Put and get, non-blocking
void shmem_[ctx_]<RMA>_{put,get}_nbi([shmem_ctx_t ctx, ]T* dest, const T* source, size_t nelems,
    int pe);
void shmem_[ctx_]{put,get}{8,16,32,64,128,mem}_nbi([shmem_ctx_t ctx, ]void* dest,
    const void* source, size_t nelems, int pe);

// Atomics
T shmem_[ctx_]<AMOX>_atomic_fetch([shmem_ctx_t ctx, ]const T* source, int pe);
void shmem_[ctx_]<AMOX>_atomic_set([shmem_ctx_t ctx, ]T* dest, T value, int pe);
T shmem_[ctx_]<AMOX>_atomic_swap([shmem_ctx_t ctx, ]T* dest, T value, int pe);
T shmem_[ctx_]<AMO>_atomic_compare_swap([shmem_ctx_t ctx, ]T* dest, T cond, T value, int pe);
T shmem_[ctx_]<AMO>_atomic_fetch_inc([shmem_ctx_t ctx, ]T* dest, int pe);
void shmem_[ctx_]<AMO>_atomic_inc([shmem_ctx_t ctx, ]T* dest, int pe);
T shmem_[ctx_]<AMO>_atomic_fetch_add([shmem_ctx_t ctx, ]T* dest, T value, int pe);
void shmem_[ctx_]<AMO>_atomic_add([shmem_ctx_t ctx, ]T* dest, T value, int pe);
T shmem_[ctx_]<AMOB>_atomic_fetch_{and,or,xor}([shmem_ctx_t ctx, ]T* dest, T value, int pe);
void shmem_[ctx_]<AMOB>_atomic_{and,or,xor}([shmem_ctx_t ctx, ]T* dest, T value, int pe);

// Atomics, non-blocking
void shmem_[ctx_]<AMOX>_atomic_fetch_nbi([shmem_ctx_t ctx, ]T* fetch, const T* source, int pe);
void shmem_[ctx_]<AMOX>_atomic_swap_nbi([shmem_ctx_t ctx, ]T* fetch, T* dest, T value, int pe);
void shmem_[ctx_]<AMO>_atomic_compare_swap_nbi([shmem_ctx_t ctx, ]T* fetch, T* dest, T cond,
    T value, int pe);
void shmem_[ctx_]<AMO>_atomic_fetch_inc_nbi([shmem_ctx_t ctx, ]T* fetch, T* dest, int pe);
void shmem_[ctx_]<AMO>_atomic_fetch_add_nbi([shmem_ctx_t ctx, ]T* fetch, T* dest, T value, int pe);
void shmem_[ctx_]<AMOB>_atomic_fetch_{and,or,xor}_nbi([shmem_ctx_t ctx, ]T* fetch, T* dest, T value,
    int pe);

// Signals
void shmem_[ctx_]<RMA>_put_{signal,signal_nbi}([shmem_ctx_t ctx, ]T* dest, const T* source,
    size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_[ctx_]put{8,16,32,64,128,mem}_{signal,signal_nbi}([shmem_ctx_t ctx, ]void* dest,
    const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_[ctx_]signal_{add,set}([shmem_ctx_t ctx, ]uint64_t* sig_addr, uint64_t signal, int pe);
uint64_t shmem_signal_fetch(const uint64_t* sig_addr);
uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value);

// Barriers
void shmem_barrier_all(void);
void shmem_sync_all(void);
int shmem_team_sync(shmem_team_t team);

// Collectives that move data
int shmem_<RMA>_broadcast(shmem_team_t team, T* dest, const T* source, size_t nelems, int PE_root);
int shmem_broadcastmem(shmem_team_t team, void* dest, const void* source, size_t nelems,
    int PE_root);
int shmem_<RMA>_{collect,fcollect,alltoall}(shmem_team_t team, T* dest, const T* source,
    size_t nelems);
int shmem_{collect,fcollect,alltoall}mem(shmem_team_t team, void* dest, const void* source,
    size_t nelems);
int shmem_<RMA>_alltoalls(shmem_team_t team, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst,
    size_t nelems);
int shmem_alltoallsmem(shmem_team_t team, void* dest, const void* source, ptrdiff_t dst,
    ptrdiff_t sst, size_t nelems);

// Reductions and scans
int shmem_<RED_BIT>_{and,or,xor}_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce);
int shmem_<RMA>_{max,min}_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce);
int shmem_<RED_NUM>_{sum,prod}_reduce(shmem_team_t team, T* dest, const T* source, size_t nreduce);
int shmem_<RED_NUM>_{sum_inscan,sum_exscan}(shmem_team_t team, T* dest, const T* source,
    size_t nelems);

// Waits and tests
void shmem_<AMO>_wait_until(T* ivar, int cmp, T cmp_value);
int shmem_<AMO>_test(T* ivar, int cmp, T cmp_value);
void shmem_<AMO>_wait_until_all(T* ivars, size_t nelems, const int* status, int cmp, T cmp_value);
size_t shmem_<AMO>_wait_until_any(T* ivars, size_t nelems, const int* status, int cmp, T cmp_value);
size_t shmem_<AMO>_wait_until_some(T* ivars, size_t nelems, size_t* indices, const int* status,
    int cmp, T cmp_value);
int shmem_<AMO>_test_all(T* ivars, size_t nelems, const int* status, int cmp, T cmp_value);
size_t shmem_<AMO>_test_any(T* ivars, size_t nelems, const int* status, int cmp, T cmp_value);
size_t shmem_<AMO>_test_some(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp,
    T cmp_value);
void shmem_<AMO>_wait_until_all_vector(T* ivars, size_t nelems, const int* status, int cmp,
    const T* cmp_values);
size_t shmem_<AMO>_wait_until_any_vector(T* ivars, size_t nelems, const int* status, int cmp,
    const T* cmp_values);
size_t shmem_<AMO>_wait_until_some_vector(T* ivars, size_t nelems, size_t* indices,
    const int* status, int cmp, const T* cmp_values);
int shmem_<AMO>_test_all_vector(T* ivars, size_t nelems, const int* status, int cmp,
    const T* cmp_values);
size_t shmem_<AMO>_test_any_vector(T* ivars, size_t nelems, const int* status, int cmp,
    const T* cmp_values);
size_t shmem_<AMO>_test_some_vector(T* ivars, size_t nelems, size_t* indices, const int* status,
    int cmp, const T* cmp_values);

// Ordering and completion
void shmem_[ctx_]{fence,quiet}([shmem_ctx_t ctx]);
void shmem_[ctx_]pe_quiet([shmem_ctx_t ctx, ]const int* target_pes, size_t npes);

// Locks
void shmem_{set,clear}_lock(long* lock);
int shmem_test_lock(long* lock);

// Deprecated: set-up
void start_pes(int npes);
int {_my_pe,_num_pes}(void);

// Deprecated: symmetric heap
void* shmalloc(size_t size);
void shfree(void* ptr);
void* shrealloc(void* ptr, size_t size);
void* shmemalign(size_t alignment, size_t size);

// Deprecated: atomics
T shmem_<OLD_AMOX>_fetch(const T* source, int pe);
void shmem_<OLD_AMOX>_set(T* dest, T value, int pe);
T shmem_<OLD_AMOX>_swap(T* dest, T value, int pe);
T shmem_<OLD_AMO>_cswap(T* dest, T cond, T value, int pe);
T shmem_<OLD_AMO>_finc(T* dest, int pe);
void shmem_<OLD_AMO>_inc(T* dest, int pe);
T shmem_<OLD_AMO>_fadd(T* dest, T value, int pe);
void shmem_<OLD_AMO>_add(T* dest, T value, int pe);

// Deprecated: waits
void shmem_wait(long* ivar, long cmp_value);
void shmem_<SET_BIT>_wait(T* ivar, T cmp_value);
void shmem_wait_until(long* ivar, int cmp, long cmp_value);
void shmem_<SHORT>_wait_until(T* ivar, int cmp, T cmp_value);
int shmem_<SHORT>_test(T* ivar, int cmp, T cmp_value);

// Deprecated: active sets
void shmem_{barrier,sync}(int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_broadcast{32,64}(void* dest, const void* source, size_t nelems, int PE_root,
    int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_{collect,fcollect,alltoall}{32,64}(void* dest, const void* source, size_t nelems,
    int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_alltoalls{32,64}(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst,
    size_t nelems, int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_<SET_BIT>_{and,or,xor}_to_all(T* dest, const T* source, int nreduce, int PE_start,
    int logPE_stride, int PE_size, T* pWrk, long* pSync);
void shmem_<SET_ORD>_{max,min}_to_all(T* dest, const T* source, int nreduce, int PE_start,
    int logPE_stride, int PE_size, T* pWrk, long* pSync);
void shmem_<SET_NUM>_{sum,prod}_to_all(T* dest, const T* source, int nreduce, int PE_start,
    int logPE_stride, int PE_size, T* pWrk, long* pSync);

// Deprecated, beyond the standard: atomics
T shmem_<MORE_AMO>_fetch(const T* source, int pe);
T shmem_<MORE_AMO>_swap(T* dest, T value, int pe);
T shmem_<LONGDOUBLE>_fetch(const T* source, int pe);
T shmem_<LONGDOUBLE>_swap(T* dest, T value, int pe);
void shmem_<MORE_AMO>_set(T* dest, T value, int pe);
void shmem_<LONGDOUBLE>_set(T* dest, T value, int pe);
T shmem_<MORE_AMO>_cswap(T* dest, T cond, T value, int pe);
T shmem_<MORE_AMO>_finc(T* dest, int pe);
T shmem_<MORE_AMO>_fadd(T* dest, T value, int pe);
void shmem_<MORE_AMO>_inc(T* dest, int pe);
void shmem_<MORE_AMO>_add(T* dest, T value, int pe);
long shmem_swap(long* dest, long value, int pe);
T shmem_[ctx_]<OLD_AMO>_atomic_fetch_{and,or,xor}([shmem_ctx_t ctx, ]T* dest, T value, int pe);
void shmem_[ctx_]<OLD_AMO>_atomic_{and,or,xor}([shmem_ctx_t ctx, ]T* dest, T value, int pe);

// Deprecated, beyond the standard: waits
void shmem_<SHORT>_wait_until_all(T* ivars, size_t nelems, const int* status, int cmp, T cmp_value);
size_t shmem_<SHORT>_wait_until_any(T* ivars, size_t nelems, const int* status, int cmp,
    T cmp_value);
size_t shmem_<SHORT>_wait_until_some(T* ivars, size_t nelems, size_t* indices, const int* status,
    int cmp, T cmp_value);
int shmem_<SHORT>_test_all(T* ivars, size_t nelems, const int* status, int cmp, T cmp_value);
size_t shmem_<SHORT>_test_any(T* ivars, size_t nelems, const int* status, int cmp, T cmp_value);
size_t shmem_<SHORT>_test_some(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp,
    T cmp_value);
void shmem_<SHORT>_wait_until_all_vector(T* ivars, size_t nelems, const int* status, int cmp,
    const T* cmp_values);
size_t shmem_<SHORT>_wait_until_any_vector(T* ivars, size_t nelems, const int* status, int cmp,
    const T* cmp_values);
size_t shmem_<SHORT>_wait_until_some_vector(T* ivars, size_t nelems, size_t* indices,
    const int* status, int cmp, const T* cmp_values);
int shmem_<SHORT>_test_all_vector(T* ivars, size_t nelems, const int* status, int cmp,
    const T* cmp_values);
size_t shmem_<SHORT>_test_any_vector(T* ivars, size_t nelems, const int* status, int cmp,
    const T* cmp_values);
size_t shmem_<SHORT>_test_some_vector(T* ivars, size_t nelems, size_t* indices, const int* status,
    int cmp, const T* cmp_values);

// Deprecated, beyond the standard: caches
void shmem_{set,clear}_cache_inv(void);
void shmem_{set,clear}_cache_line_inv(void* dest);
void shmem_udcflush(void);
void shmem_udcflush_line(void* dest);
"""
