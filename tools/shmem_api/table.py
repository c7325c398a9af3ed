# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Every function of OpenSHMEM 1.6, as patterns: what the writers beside this file expand. And those that programs of
before it, or for other libraries, call besides.

In a prototype T is a C type of the row's table, <TN> its name in the names of functions, and {a,b} stands
for a and for b. The words of `forms`:
ctx     each name also with a context: shmem_ctx_..., with the context as first argument
sizes   also for elements of SZ bits: shmem_put<SZ>
mem     also for bytes: shmem_putmem
"""

import re
from typing import NamedTuple

SIZES = ("8", "16", "32", "64", "128")

# What no two of which are the same type: name in functions, type.
BASE = {
    "float": "float", "double": "double", "longdouble": "long double", "char": "char",
    "schar": "signed char", "short": "short", "int": "int", "long": "long", "longlong": "long long",
    "uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int",
    "ulong": "unsigned long", "ulonglong": "unsigned long long",
}
COMPLEX = {"complexd": "ucxx_shmem_complexd", "complexf": "ucxx_shmem_complexf"}
SAME_AS_ANOTHER = {
    **{f"{u}int{n}": f"{u}int{n}_t" for u in ("", "u") for n in (8, 16, 32, 64)},
    "size": "size_t", "ptrdiff": "ptrdiff_t",
}
C_TYPES = {**BASE, **SAME_AS_ANOTHER, **COMPLEX}
# Where a base type has no function of its own, that of the exact width takes it (LP64).
EXACT = {"schar": "int8", "short": "int16", "int": "int32", "long": "int64"}

RMA = [*BASE, *SAME_AS_ANOTHER]
AMO = "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff".split()
AMOB = "uint ulong ulonglong int32 int64 uint32 uint64".split()
SET_BIT = "short int long longlong".split()
OLD_AMO = ["int", "long", "longlong"]
OLD_AMOX = [*OLD_AMO, "float", "double"]
MORE_AMO = ["short", "ushort", *(name for name in AMO if name not in OLD_AMO)]
TABLES = {
    "RMA": RMA,
    "AMO": AMO,
    "AMOX": [*AMO, "float", "double"],
    "AMOB": AMOB,
    "AMOB_AND_LONGLONG": [*AMOB, "longlong"],
    "RED_BIT": "uchar ushort uint ulong ulonglong int8 int16 int32 int64 "
               "uint8 uint16 uint32 uint64 size".split(),
    "RED_NUM": [*RMA, *COMPLEX],
    "P2P": [*AMO, "short", "ushort"],
    "SHORT": ["short", "ushort"],
    "SET_BIT": SET_BIT,
    "SET_ORD": [*SET_BIT, "float", "double", "longdouble"],
    "SET_NUM": [*SET_BIT, "float", "double", "longdouble", *COMPLEX],
    "OLD_AMO": OLD_AMO,
    "OLD_AMOX": OLD_AMOX,
    "MORE_AMO": MORE_AMO,
    "LONGDOUBLE": ["longdouble"],
    "ALL_OLD_AMO": [*OLD_AMO, *MORE_AMO],
    "ALL_OLD_AMOX": [*OLD_AMOX, *MORE_AMO, "longdouble"],
}


class Row(NamedTuple):
    """One pattern."""

    prototype: str
    types: str = ""
    forms: str = ""
    since: str = ""
    deprecated: str = ""
    known_from: str = ""  # beyond the standard: who has declared it
    generic: bool | str = True  # False: no generic; a name: of these types

    @property
    def generic_types(self):
        """The table of the row's generic, or nothing."""
        return self.types if self.generic is True else self.generic or ""


class Group(NamedTuple):
    """Patterns that stand in one section of the specification and are tested in one file."""

    title: str
    section: str
    test: str
    rows: list[Row]


class Function(NamedTuple):
    """One C function. The type is a name of C_TYPES, or empty."""

    result: str
    name: str
    parameters: list[str]
    type: str = ""

    def __str__(self):
        return f"{self.result} {self.name}({', '.join(self.parameters)})"


SETUP = "Library Setup, Exit, and Query Routines"
THREADS = "Thread Support"
MEMORY = "Memory Management Routines"
TEAMS = "Team Management Routines"
CONTEXTS = "Communication Management Routines"
PUT_GET = "Remote Memory Access Routines"
NBI = "Non-blocking Remote Memory Access Routines"
ATOMICS = "Atomic Memory Operations"
SIGNALS = "Signaling Operations"
COLLECTIVES = "Collective Routines"
WAITS = "Point-To-Point Synchronization Routines"
ORDER = "Memory Ordering Routines"
CACHES = "Cache Management (until 1.4)"
LOCKS = "Distributed Locking Routines"
PROFILING = "Profiling Interface"

BLOCK = "T* dest, const T* source, size_t nelems, int pe"
STRIDED = "T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe"
BLOCKS = "T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe"
SIGNAL = "T* dest, const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe"
TEAM = "shmem_team_t team, T* dest, const T* source"
WHICH = "T* ivars, size_t nelems, const int* status, int cmp"
SOME = "T* ivars, size_t nelems, size_t* indices, const int* status, int cmp"
SET = "int PE_start, int logPE_stride, int PE_size"
OLD = "void* dest, const void* source"


def waits_for_many(types, **more):
    """The rows of what waits for variables of an array, or tests them."""
    return [Row(f"{result} shmem_<TN>_{what}{suffix}({SOME if 'some' in what else WHICH}, {value})", types, **more)
            for suffix, value in (("", "T cmp_value"), ("_vector", "const T* cmp_values"))
            for result, what in (("void", "wait_until_all"), ("size_t", "wait_until_any"),
                                 ("size_t", "wait_until_some"), ("int", "test_all"),
                                 ("size_t", "test_any"), ("size_t", "test_some"))]


CURRENT = [
    Group("Set-up, exit, query", SETUP, "setup.cpp", [
        Row("void shmem_init(void)"),
        Row("void shmem_finalize(void)"),
        Row("void shmem_query_initialized(int* initialized)", since="1.6"),
        Row("UCXX_SHMEM_NORETURN void shmem_global_exit(int status)"),
        Row("int shmem_my_pe(void)"),
        Row("int shmem_n_pes(void)"),
        Row("int shmem_pe_accessible(int pe)"),
        Row("int shmem_addr_accessible(const void* addr, int pe)"),
        Row("void* shmem_ptr(const void* dest, int pe)"),
        Row("void shmem_info_get_version(int* major, int* minor)"),
        Row("void shmem_info_get_name(char* name)"),
    ]),
    Group("Threads", THREADS, "threads.cpp", [
        Row("int shmem_init_thread(int requested, int* provided)", since="1.4"),
        Row("void shmem_query_thread(int* provided)", since="1.4"),
    ]),
    Group("Symmetric heap", MEMORY, "heap.cpp", [
        Row("void* shmem_malloc(size_t size)"),
        Row("void* shmem_calloc(size_t count, size_t size)", since="1.4"),
        Row("void* shmem_align(size_t alignment, size_t size)"),
        Row("void* shmem_malloc_with_hints(size_t size, long hints)", since="1.5"),
        Row("void* shmem_realloc(void* ptr, size_t size)"),
        Row("void shmem_free(void* ptr)"),
    ]),
    Group("Teams", TEAMS, "teams.cpp", [
        Row("int shmem_team_{my_pe,n_pes}(shmem_team_t team)", since="1.5"),
        Row("int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config)",
            since="1.5"),
        Row("int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)",
            since="1.5"),
        Row("int shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size, "
            "const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team)", since="1.5"),
        Row("int shmem_team_split_2d(shmem_team_t parent, int xrange, "
            "const shmem_team_config_t* xaxis_config, long xaxis_mask, shmem_team_t* xaxis_team, "
            "const shmem_team_config_t* yaxis_config, long yaxis_mask, shmem_team_t* yaxis_team)",
            since="1.5"),
        Row("void shmem_team_destroy(shmem_team_t team)", since="1.5"),
        Row("void* shmem_team_ptr(shmem_team_t team, const void* dest, int pe)", since="1.6"),
    ]),
    Group("Contexts and sessions", CONTEXTS, "contexts.cpp", [
        Row("int shmem_ctx_create(long options, shmem_ctx_t* ctx)", since="1.4"),
        Row("int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* ctx)", since="1.5"),
        Row("void shmem_ctx_destroy(shmem_ctx_t ctx)", since="1.4"),
        Row("int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team)", since="1.5"),
        Row("void shmem_ctx_session_start(shmem_ctx_t ctx, long options, "
            "const shmem_ctx_session_config_t* config, long config_mask)", since="1.6"),
        Row("void shmem_ctx_session_stop(shmem_ctx_t ctx)", since="1.6"),
    ]),
    Group("Put and get", PUT_GET, "rma.cpp", [
        Row(f"void shmem_<TN>_{{put,get}}({BLOCK})", "RMA", "ctx sizes mem"),
        Row("void shmem_<TN>_p(T* dest, T value, int pe)", "RMA", "ctx"),
        Row("T shmem_<TN>_g(const T* source, int pe)", "RMA", "ctx"),
    ]),
    Group("Strided put and get", PUT_GET, "strided.cpp", [
        Row(f"void shmem_<TN>_{{iput,iget}}({STRIDED})", "RMA", "ctx sizes"),
        Row(f"void shmem_<TN>_{{ibput,ibget}}({BLOCKS})", "RMA", "ctx sizes", "1.6"),
    ]),
    Group("Put and get, non-blocking", NBI, "rma.cpp", [
        Row(f"void shmem_<TN>_{{put,get}}_nbi({BLOCK})", "RMA", "ctx sizes mem"),
    ]),
    Group("Atomics", ATOMICS, "atomics.cpp", [
        Row("T shmem_<TN>_atomic_fetch(const T* source, int pe)", "AMOX", "ctx", "1.4"),
        Row("void shmem_<TN>_atomic_set(T* dest, T value, int pe)", "AMOX", "ctx", "1.4"),
        Row("T shmem_<TN>_atomic_swap(T* dest, T value, int pe)", "AMOX", "ctx", "1.4"),
        Row("T shmem_<TN>_atomic_compare_swap(T* dest, T cond, T value, int pe)", "AMO", "ctx", "1.4"),
        Row("T shmem_<TN>_atomic_fetch_inc(T* dest, int pe)", "AMO", "ctx", "1.4"),
        Row("void shmem_<TN>_atomic_inc(T* dest, int pe)", "AMO", "ctx", "1.4"),
        Row("T shmem_<TN>_atomic_fetch_add(T* dest, T value, int pe)", "AMO", "ctx", "1.4"),
        Row("void shmem_<TN>_atomic_add(T* dest, T value, int pe)", "AMO", "ctx", "1.4"),
        Row("T shmem_<TN>_atomic_fetch_{and,or,xor}(T* dest, T value, int pe)", "AMOB", "ctx", "1.4",
            generic="AMOB_AND_LONGLONG"),
        Row("void shmem_<TN>_atomic_{and,or,xor}(T* dest, T value, int pe)", "AMOB", "ctx", "1.4",
            generic="AMOB_AND_LONGLONG"),
    ]),
    Group("Atomics, non-blocking", ATOMICS, "atomics.cpp", [
        Row("void shmem_<TN>_atomic_fetch_nbi(T* fetch, const T* source, int pe)", "AMOX", "ctx", "1.5"),
        Row("void shmem_<TN>_atomic_swap_nbi(T* fetch, T* dest, T value, int pe)", "AMOX", "ctx", "1.5"),
        Row("void shmem_<TN>_atomic_compare_swap_nbi(T* fetch, T* dest, T cond, T value, int pe)",
            "AMO", "ctx", "1.5"),
        Row("void shmem_<TN>_atomic_fetch_inc_nbi(T* fetch, T* dest, int pe)", "AMO", "ctx", "1.5"),
        Row("void shmem_<TN>_atomic_fetch_add_nbi(T* fetch, T* dest, T value, int pe)",
            "AMO", "ctx", "1.5"),
        Row("void shmem_<TN>_atomic_fetch_{and,or,xor}_nbi(T* fetch, T* dest, T value, int pe)",
            "AMOB", "ctx", "1.5"),
    ]),
    Group("Signals", SIGNALS, "signals.cpp", [
        Row(f"void shmem_<TN>_put_{{signal,signal_nbi}}({SIGNAL})", "RMA", "ctx sizes mem", "1.5"),
        Row("void shmem_signal_{add,set}(uint64_t* sig_addr, uint64_t signal, int pe)", "", "ctx", "1.6"),
        Row("uint64_t shmem_signal_fetch(const uint64_t* sig_addr)", since="1.5"),
        Row("uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value)",
            since="1.5"),
    ]),
    Group("Barriers", COLLECTIVES, "collectives.cpp", [
        Row("void shmem_barrier_all(void)"),
        Row("void shmem_sync_all(void)", since="1.4"),
        Row("int shmem_team_sync(shmem_team_t team)", since="1.5"),
    ]),
    Group("Collectives that move data", COLLECTIVES, "collectives.cpp", [
        Row(f"int shmem_<TN>_broadcast({TEAM}, size_t nelems, int PE_root)", "RMA", "mem", "1.5"),
        Row(f"int shmem_<TN>_{{collect,fcollect,alltoall}}({TEAM}, size_t nelems)", "RMA", "mem", "1.5"),
        Row(f"int shmem_<TN>_alltoalls({TEAM}, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)",
            "RMA", "mem", "1.5"),
    ]),
    Group("Reductions and scans", COLLECTIVES, "reductions.cpp", [
        Row(f"int shmem_<TN>_{{and,or,xor}}_reduce({TEAM}, size_t nreduce)", "RED_BIT", since="1.5"),
        Row(f"int shmem_<TN>_{{max,min}}_reduce({TEAM}, size_t nreduce)", "RMA", since="1.5"),
        Row(f"int shmem_<TN>_{{sum,prod}}_reduce({TEAM}, size_t nreduce)", "RED_NUM", since="1.5"),
        Row(f"int shmem_<TN>_{{sum_inscan,sum_exscan}}({TEAM}, size_t nelems)", "RED_NUM", since="1.6"),
    ]),
    Group("Waits and tests", WAITS, "waits.cpp", [
        Row("void shmem_<TN>_wait_until(T* ivar, int cmp, T cmp_value)", "AMO", generic="P2P"),
        Row("int shmem_<TN>_test(T* ivar, int cmp, T cmp_value)", "AMO", since="1.4", generic="P2P"),
        *waits_for_many("AMO", since="1.5", generic="P2P"),
    ]),
    Group("Ordering and completion", ORDER, "ordering.cpp", [
        Row("void shmem_{fence,quiet}(void)", "", "ctx"),
        Row("void shmem_pe_quiet(const int* target_pes, size_t npes)", "", "ctx", "1.6"),
    ]),
    Group("Locks", LOCKS, "locks.cpp", [
        Row("void shmem_{set,clear}_lock(long* lock)"),
        Row("int shmem_test_lock(long* lock)"),
    ]),
    Group("Profiling", PROFILING, "setup.cpp", [
        Row("void shmem_pcontrol(int level, ...)", since="1.5"),
    ]),
]

DEPRECATED = [
    Group("Deprecated: set-up", SETUP, "deprecated.cpp", [
        Row("void start_pes(int npes)", deprecated="1.2"),
        Row("int {_my_pe,_num_pes}(void)", deprecated="1.2"),
    ]),
    Group("Deprecated: symmetric heap", MEMORY, "deprecated.cpp", [
        Row("void* shmalloc(size_t size)", deprecated="1.2"),
        Row("void shfree(void* ptr)", deprecated="1.2"),
        Row("void* shrealloc(void* ptr, size_t size)", deprecated="1.2"),
        Row("void* shmemalign(size_t alignment, size_t size)", deprecated="1.2"),
    ]),
    Group("Deprecated: atomics", ATOMICS, "deprecated.cpp", [
        Row("T shmem_<TN>_fetch(const T* source, int pe)", "OLD_AMOX", deprecated="1.4", generic="ALL_OLD_AMOX"),
        Row("void shmem_<TN>_set(T* dest, T value, int pe)", "OLD_AMOX", deprecated="1.4", generic="ALL_OLD_AMOX"),
        Row("T shmem_<TN>_swap(T* dest, T value, int pe)", "OLD_AMOX", deprecated="1.4", generic="ALL_OLD_AMOX"),
        Row("T shmem_<TN>_cswap(T* dest, T cond, T value, int pe)", "OLD_AMO", deprecated="1.4", generic="ALL_OLD_AMO"),
        Row("T shmem_<TN>_finc(T* dest, int pe)", "OLD_AMO", deprecated="1.4", generic="ALL_OLD_AMO"),
        Row("void shmem_<TN>_inc(T* dest, int pe)", "OLD_AMO", deprecated="1.4", generic="ALL_OLD_AMO"),
        Row("T shmem_<TN>_fadd(T* dest, T value, int pe)", "OLD_AMO", deprecated="1.4", generic="ALL_OLD_AMO"),
        Row("void shmem_<TN>_add(T* dest, T value, int pe)", "OLD_AMO", deprecated="1.4", generic="ALL_OLD_AMO"),
    ]),
    Group("Deprecated: waits", WAITS, "deprecated.cpp", [
        Row("void shmem_wait(long* ivar, long cmp_value)", deprecated="1.4"),
        Row("void shmem_<TN>_wait(T* ivar, T cmp_value)", "SET_BIT", deprecated="1.4", generic=False),
        Row("void shmem_wait_until(long* ivar, int cmp, long cmp_value)", deprecated="1.4"),
        Row("void shmem_<TN>_wait_until(T* ivar, int cmp, T cmp_value)", "SHORT", deprecated="1.5",
            generic=False),
        Row("int shmem_<TN>_test(T* ivar, int cmp, T cmp_value)", "SHORT", deprecated="1.5",
            generic=False),
    ]),
    Group("Deprecated: active sets", COLLECTIVES, "deprecated.cpp", [
        Row(f"void shmem_{{barrier,sync}}({SET}, long* pSync)", deprecated="1.5"),
        Row(f"void shmem_broadcast{{32,64}}({OLD}, size_t nelems, int PE_root, {SET}, long* pSync)",
            deprecated="1.5"),
        Row(f"void shmem_{{collect,fcollect,alltoall}}{{32,64}}({OLD}, size_t nelems, {SET}, long* pSync)",
            deprecated="1.5"),
        Row(f"void shmem_alltoalls{{32,64}}({OLD}, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, {SET}, "
            "long* pSync)", deprecated="1.5"),
        *(Row(f"void shmem_<TN>_{{{operations}}}_to_all(T* dest, const T* source, int nreduce, {SET}, "
              "T* pWrk, long* pSync)", types, deprecated="1.5", generic=False)
          for operations, types in (("and,or,xor", "SET_BIT"), ("max,min", "SET_ORD"),
                                    ("sum,prod", "SET_NUM"))),
    ]),
]

# Deprecated here from the start: more types of interfaces of the standard, as it allows, and what it has dropped.
BEYOND = [
    Group("Deprecated, beyond the standard: atomics", ATOMICS, "other_libraries.cpp", [
        *(Row(f"T shmem_<TN>_{name}", types, known_from=known_from, generic=False)
          for types, known_from in (("MORE_AMO", "SOS, Cray"), ("LONGDOUBLE", "UCXX"))
          for name in ("fetch(const T* source, int pe)", "swap(T* dest, T value, int pe)")),
        *(Row("void shmem_<TN>_set(T* dest, T value, int pe)", types, known_from=known_from, generic=False)
          for types, known_from in (("MORE_AMO", "SOS, Cray"), ("LONGDOUBLE", "UCXX"))),
        *(Row(f"T shmem_<TN>_{name}", "MORE_AMO", known_from="SOS, Cray", generic=False)
          for name in ("cswap(T* dest, T cond, T value, int pe)", "finc(T* dest, int pe)",
                       "fadd(T* dest, T value, int pe)")),
        *(Row(f"void shmem_<TN>_{name}", "MORE_AMO", known_from="SOS, Cray", generic=False)
          for name in ("inc(T* dest, int pe)", "add(T* dest, T value, int pe)")),
        Row("long shmem_swap(long* dest, long value, int pe)", known_from="OpenSHMEM 1.2, Cray"),
        Row("T shmem_<TN>_atomic_fetch_{and,or,xor}(T* dest, T value, int pe)", "OLD_AMO", "ctx",
            known_from="Open MPI", generic=False),
        Row("void shmem_<TN>_atomic_{and,or,xor}(T* dest, T value, int pe)", "OLD_AMO", "ctx",
            known_from="Open MPI", generic=False),
    ]),
    Group("Deprecated, beyond the standard: waits", WAITS, "waits.cpp", [
        *waits_for_many("SHORT", known_from="OpenSHMEM 1.5, SOS", generic=False),
    ]),
    Group("Deprecated, beyond the standard: caches", CACHES, "other_libraries.cpp", [
        Row("void shmem_{set,clear}_cache_inv(void)", known_from="OpenSHMEM 1.2 to 1.4"),
        Row("void shmem_{set,clear}_cache_line_inv(void* dest)", known_from="OpenSHMEM 1.2 to 1.4"),
        Row("void shmem_udcflush(void)", known_from="OpenSHMEM 1.2 to 1.4"),
        Row("void shmem_udcflush_line(void* dest)", known_from="OpenSHMEM 1.2 to 1.4"),
    ]),
]

GROUPS = CURRENT + DEPRECATED + BEYOND


def alternatives(text):
    """Expand {a,b}."""
    match = re.search(r"\{([^}]*)\}", text)
    if not match:
        return [text]
    return [one for word in match[1].split(",")
            for one in alternatives(text[:match.start()] + word + text[match.end():])]


def parse(prototype):
    """Split a prototype without alternatives."""
    result, name, parameters = re.fullmatch(r"(.+) (\S+)\((.*)\)", prototype).groups()
    return Function(result, name, parameters.split(", "))


def with_type(pattern, name):
    """Put a type into a pattern."""
    def put(text):
        return re.sub(r"\bT\b", C_TYPES[name], text)
    return Function(put(pattern.result), pattern.name.replace("<TN>", name),
                    [put(parameter) for parameter in pattern.parameters], name)


def without_type(pattern, ending):
    """The form for elements of some bits, or for bytes: shmem_<TN>_put is shmem_put64."""
    name = re.sub(r"<TN>_([a-z]+)", rf"\g<1>{ending}", pattern.name)
    return Function(pattern.result, name,
                    [re.sub(r"\bT\b", "void", parameter) for parameter in pattern.parameters])


def with_context(function):
    """The same with a context."""
    parameters = [] if function.parameters == ["void"] else function.parameters
    return function._replace(name=function.name.replace("shmem_", "shmem_ctx_", 1),
                             parameters=["shmem_ctx_t ctx", *parameters])


def patterns(row):
    """The row's patterns, alternatives expanded; types are not."""
    return [parse(text) for text in alternatives(row.prototype)]


def forms(row, pattern):
    """All C functions of one pattern of the row, without those that take a context."""
    if not row.types:
        return [pattern]
    endings = [*(SIZES if "sizes" in row.forms else ()), *(["mem"] if "mem" in row.forms else ())]
    return [*(with_type(pattern, name) for name in TABLES[row.types]),
            *(without_type(pattern, ending) for ending in endings)]


def functions(row):
    """All C functions of the row."""
    plain = [function for pattern in patterns(row) for function in forms(row, pattern)]
    return plain + ([with_context(function) for function in plain] if "ctx" in row.forms else [])


def all_functions(groups=None):
    """All C functions of the groups."""
    return [function for group in groups or GROUPS for row in group.rows for function in functions(row)]


def base_types(table):
    """What a generic tells apart: (C type, name of the function that takes it)."""
    names = TABLES[table]
    found = {**BASE, **COMPLEX}
    return [(c_type, name if name in names else EXACT[name]) for name, c_type in found.items()
            if name in names or EXACT.get(name) in names]


def generic_name(pattern):
    """The name of a pattern without the type."""
    return pattern.name.replace("<TN>_", "")


def generics():
    """Yield each generic over types: its group, its row, its pattern."""
    for group in GROUPS:
        for row in group.rows:
            if row.generic_types:
                for pattern in patterns(row):
                    yield group, row, pattern
