# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of shmem.h and its kin: headers_check.py [LIBRARY] [TEST...]; LIBRARY is libucxx_shmem.so."""

import concurrent.futures
import importlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/shmem_api"
SOURCES = pathlib.Path(__file__).resolve().parent / "headers"
LIBRARY = pathlib.Path(sys.argv.pop(1)).resolve() if ".so" in "".join(sys.argv[1:2]) else None

HEADERS = ("shmem.h", "shmemx.h", "pshmem.h", "mpp/shmem.h", "mpp/shmemx.h", "mpp/pshmem.h",
           *sorted(f"ucxx_shmem/{path.name}" for path in (ROOT / "include/ucxx_shmem").glob("*.h")))
C = ("c99", "c11", "c17")
CXX = ("c++11", "c++17", "c++20")
COMPILERS = {"c": ("gcc", "clang"), "c++": ("g++", "clang++")}
WARNINGS = {"c": ("-Wstrict-prototypes",), "c++": ("-Wold-style-cast",)}
SHMEM = "#include <shmem.h>\n"

# Parameters; a call that compiles in C11 and in C++; the same with a mistake, which must not.
MISUSE = [
    ("int* a, struct s* b", "shmem_put(a, a, 1, 0)", "shmem_put(b, b, 1, 0)"),
    ("void* a", "shmem_getmem(a, a, 1, 0)", "shmem_get(a, a, 1, 0)"),
    ("int* a, const int* b", "shmem_p(a, 1, 0)", "shmem_p(b, 1, 0)"),
    ("int* a, long* b", "shmem_put(b, b, 1, 0)", "shmem_put(a, b, 1, 0)"),
    ("int* a", "shmem_put(a, a, 1, 0)", "shmem_put(a, a, 1)"),
    ("int* a", "shmem_put(a, a, 1, 0)", "shmem_put(a, a, 1, 0, 0, 0)"),
    ("int* a, shmem_ctx_t c", "shmem_put(c, a, a, 1, 0)", "shmem_put(a, a, 1, 0, c)"),
    ("int* a, shmem_ctx_t c", "shmem_p(c, a, 1, 0)", "shmem_p(SHMEM_TEAM_WORLD, a, 1, 0)"),
    ("int* a, shmem_team_t t", "shmem_sum_reduce(t, a, a, 1)",
     "shmem_sum_reduce(SHMEM_CTX_DEFAULT, a, a, 1)"),
    ("long* a, shmem_team_t t", "shmem_sync(0, 0, 1, a); shmem_sync(t)", "shmem_sync(t, a)"),
    ("int* a, float* b", "shmem_atomic_or(a, 1, 0)", "shmem_atomic_or(b, 1, 0)"),
    ("int* a, char* b", "shmem_atomic_inc(a, 0)", "shmem_atomic_inc(b, 0)"),
    ("int* a, double* b", "shmem_wait_until(a, SHMEM_CMP_EQ, 1)", "shmem_wait_until(b, SHMEM_CMP_EQ, 1)"),
    ("int* a, float* b", "shmem_fadd(a, 1, 0)", "shmem_fadd(b, 1, 0)"),
    ("unsigned short* a, char* b", "shmem_finc(a, 0)", "shmem_finc(b, 0)"),
    ("long double* a", "shmem_set(a, 1, 0)", "shmem_add(a, 1, 0)"),
    ("long long* a, short* b", "shmem_atomic_or(a, 1, 0)", "shmem_atomic_or(b, 1, 0)"),
    ("long* a, shmem_ctx_t c", "shmem_swap(a, 1, 0)", "shmem_swap(c, a, 1, 0)"),
]


def language(standard):
    """The language of a standard."""
    return "c++" if "++" in standard else "c"


def compiler_runs(standards):
    """Yield (compiler that is here, standard)."""
    for standard in standards:
        for compiler in COMPILERS[language(standard)]:
            if shutil.which(compiler):
                yield compiler, standard


def compile_text(compiler, standard, source, *options):
    """Compile a text, or a file; return the status and what was said."""
    is_text = isinstance(source, str)
    kind = language(standard)
    done = subprocess.run(
        [compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wundef", "-Werror",
         *WARNINGS[kind], f"-I{ROOT}/include", *(options or ["-fsyntax-only"]), "-x", kind,
         "-" if is_text else source],
        input=source if is_text else None, capture_output=True, text=True, check=False, timeout=100)
    return done.returncode, done.stdout + done.stderr


def all_of(function, cases):
    """Call with each case, two at once; yield (case, result)."""
    cases = list(cases)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        yield from zip(cases, pool.map(lambda case: function(*case), cases))


def output(*command):
    """Run; return the lines."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def function(parameters, call):
    """A program with one function, whose parameters are used."""
    used = "".join(f"(void){name}; " for name in re.findall(r"(\w)(?:,|$)", parameters))
    head = f"void f({parameters})"
    return f"{SHMEM}struct s;\n{head};\n{head} {{ {used}{call}; }}\n"


def table():
    """Import the table of the tool."""
    sys.path.insert(0, str(TOOL))
    try:
        return importlib.import_module("table")
    finally:
        sys.path.pop(0)


class TableTest(unittest.TestCase):
    """The table of functions, and what is written from it."""

    def test_files_are_as_written(self):
        done = subprocess.run([sys.executable, "-B", TOOL, "--check"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_counts(self):
        api = table()
        self.assertEqual(len(api.all_functions(api.CURRENT)), 1685)
        self.assertEqual(len(api.all_functions(api.DEPRECATED)), 103)
        self.assertEqual(len(api.all_functions(api.BEYOND)), 158)
        symbols = output(sys.executable, "-B", TOOL, "--symbols")
        self.assertEqual(len(symbols), 2 * (1685 + 103 + 158))
        self.assertEqual(len(set(symbols)), len(symbols))

    def test_headers_declare_the_symbols(self):
        symbols = set(output(sys.executable, "-B", TOOL, "--symbols"))
        declared = set()
        for header in ("functions.h", "pfunctions.h"):
            text = (ROOT / "include/ucxx_shmem" / header).read_text()
            declared |= set(re.findall(r"^\w[\w* ]* (\w+)\(", text, re.MULTILINE))
        self.assertEqual(declared, symbols)


class HeadersTest(unittest.TestCase):
    """The headers, compiled."""

    def test_each_compiles_alone(self):
        cases = [(compiler, standard, f"#include <{header}>\n") for header in HEADERS
                 for compiler, standard in compiler_runs(C + CXX)
                 if not (header.endswith("overloads.h") and standard in C)]
        for case, (status, said) in all_of(compile_text, cases):
            self.assertEqual(status, 0, f"{case}: {said}")

    def test_each_twice_and_all_together(self):
        text = 2 * "".join(f"#include <{header}>\n" for header in HEADERS if "ucxx_shmem/" not in header)
        for case, (status, said) in all_of(compile_text, ((*run, text) for run in compiler_runs(C + CXX))):
            self.assertEqual(status, 0, f"{case}: {said}")

    def test_within_extern_c(self):
        """Old programs in C++ have the header so."""
        text = 'extern "C" {\n#include <shmem.h>\n}\nvoid f(int* a);\nvoid f(int* a) { shmem_p(a, 1, 0); }\n'
        for case, (status, said) in all_of(compile_text, ((*run, text) for run in compiler_runs(CXX))):
            self.assertEqual(status, 0, f"{case}: {said}")

    def test_constants(self):
        source = SOURCES / "constants.c"
        for case, (status, said) in all_of(compile_text,
                                           ((*run, source) for run in compiler_runs(C + CXX))):
            self.assertEqual(status, 0, f"{case}: {said}")

    def test_generics_call_each_function(self):
        """What the macros and the overloads refer to is what the table says, and nothing else."""
        api = table()
        expected = {"shmem_sync", "shmem_team_sync",
                    *(f"shmem_{ctx}signal_{what}" for ctx in ("", "ctx_") for what in ("add", "set")),
                    *(f"shmem_{name}_{what}_to_all" for name in api.COMPLEX for what in ("sum", "prod"))}
        for _, row, pattern in api.generics():
            for _, name in api.base_types(row.generic_types):
                function = api.with_type(pattern, name)
                expected.add(function.name)
                if "ctx" in row.forms:
                    expected.add(api.with_context(function).name)
        with tempfile.TemporaryDirectory() as folder:
            cases = [(*run, SOURCES / "every_call.c", "-c", "-o", f"{folder}/{'-'.join(run)}.o")
                     for run in compiler_runs(("c11", "c17", *CXX))]
            for case, (status, said) in all_of(compile_text, cases):
                self.assertEqual(status, 0, f"{case}: {said}")
                called = {line.split()[-1] for line in output("nm", "-u", case[-1]) if " shmem_" in line}
                # In C++ these C functions are among the overloads.
                if language(case[1]) == "c++":
                    of_long = {f"shmem_{name}": f"shmem_long_{name}" for name in ("wait_until", "swap")}
                    called = {of_long.get(name, name) for name in called}
                self.assertEqual(called, expected, case)

    def test_misuse_does_not_compile(self):
        """The right call compiles, so that what is wrong with the other is the mistake."""
        runs = list(compiler_runs(("c11", "c++17")))
        for is_wrong in (False, True):
            cases = [(*run, function(parameters, calls[is_wrong]))
                     for parameters, *calls in MISUSE for run in runs]
            for case, (status, said) in all_of(compile_text, cases):
                self.assertEqual(status != 0, is_wrong, f"{case}: {said}")

    def test_tools_replace_functions(self):
        """A tool defines shmem_x, also where shmem.h has a macro of the name, and calls pshmem_x."""
        text = """
            #include <pshmem.h>
            #include <shmem.h>
            #ifdef __cplusplus
            extern "C" {
            #endif
            void shmem_long_put(long* dest, const long* source, size_t nelems, int pe) {
              pshmem_long_put(dest, source, nelems, pe);
            }
            void shmem_signal_add(uint64_t* sig_addr, uint64_t signal, int pe) {
              pshmem_signal_add(sig_addr, signal, pe);
            }
            int start(void);
            int start(void) { pshmem_init(); pstart_pes(0); return p_my_pe(); }
            #ifdef __cplusplus
            }
            #endif
"""
        for case, (status, said) in all_of(compile_text, ((*run, text) for run in compiler_runs(C + CXX))):
            self.assertEqual(status, 0, f"{case}: {said}")

    def test_old_volatile_waits_compile(self):
        """In C with a warning, in C++ without one."""
        text = SHMEM + """
            volatile long flag;
            void f(void);
            void f(void) {
              shmem_wait_until(&flag, SHMEM_CMP_EQ, 1);
              shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
              shmem_wait(&flag, 1);
              shmem_long_wait(&flag, 1);
            }
"""
        for case, (status, said) in all_of(
                compile_text, ((*run, text, "-fsyntax-only",
                                *(("-Wno-error", "-w") if language(run[1]) == "c" else ()))
                               for run in compiler_runs(C + CXX))):
            self.assertEqual(status, 0, f"{case}: {said}")

    def test_names_are_ours(self):
        """shmem.h defines no macro but with a prefix of the standard or of ours."""
        for compiler, standard in compiler_runs(C + CXX):
            macros = [set(re.findall(r"^#define (\w+)", said, re.MULTILINE)) for _, said in (
                compile_text(compiler, standard, text, "-E", "-dM")
                for text in ("#include <stddef.h>\n#include <stdint.h>\n", SHMEM))]
            self.assertIn("SHMEM_VENDOR_STRING", macros[1])
            foreign = {name for name in macros[1] - macros[0]
                       if not name.startswith(("shmem_", "SHMEM_", "_SHMEM_", "UCXX_SHMEM_"))}
            self.assertEqual(foreign, set(), (compiler, standard))


@unittest.skipUnless(LIBRARY, "no library was given")
class LibraryTest(unittest.TestCase):
    """What the library exports."""

    def exported(self):
        """Return name: kind of what the library defines; names of versions (A) are left out."""
        lines = [line.split() for line in output("nm", "-D", "--defined-only", LIBRARY)]
        return {line[-1].split("@")[0]: line[-2] for line in lines if line[-2] != "A"}

    def test_exports_are_the_table(self):
        names = {name for name in self.exported() if not name.startswith(("shmemx_", "pshmemx_"))}
        self.assertEqual(names, set(output(sys.executable, "-B", TOOL, "--symbols")))

    def test_functions_of_earlier_versions(self):
        """A program that takes the address of each compiles without a warning, and has them all."""
        with tempfile.TemporaryDirectory() as folder:
            cases = [(*run, SOURCES / "earlier_versions.c", "-O0", "-o", f"{folder}/{'-'.join(run)}",
                      "-Wl,--no-as-needed", f"-L{LIBRARY.parent}", f"-Wl,-rpath,{LIBRARY.parent}",
                      f"-l:{LIBRARY.name}") for run in compiler_runs(C)]
            for case, (status, said) in all_of(compile_text, cases):
                self.assertEqual((status, said), (0, ""), case)
                done = subprocess.run([case[5]], check=False, timeout=20)
                self.assertEqual(done.returncode, 0, case)

    def test_functions_are_weak_and_those_of_tools_strong(self):
        exported = self.exported()
        names = [function.name for function in table().all_functions()]
        self.assertEqual({exported.get(f"p{name}") for name in names}, {"T"})
        # Link-time optimization makes all of them strong, which is the same to the dynamic linker:
        # profiling.cpp takes the place of some.
        self.assertIn({exported.get(name) for name in names}, ({"W"}, {"T"}))


if __name__ == "__main__":
    unittest.main()
