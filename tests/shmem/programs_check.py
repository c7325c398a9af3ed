# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Compiles and runs what lies in programs/: programs_check.py OSHRUN LIBDIR INCLUDE [TEST...].

They are programs as others write them, from OpenSHMEM 1.0 to 1.6; each checks its result.
"""

import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from jobs import HERE, run

LIBDIR = pathlib.Path(sys.argv.pop(1)).resolve()
INCLUDE = pathlib.Path(sys.argv.pop(1)).resolve()

SOURCES = sorted((HERE / "programs").glob("*.c*"))
COMPILERS = {".c": ("gcc", "clang"), ".cpp": ("g++", "clang++")}
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")


def standards(source):
    """Return the standards of the language that a program is for."""
    if source.suffix == ".cpp":
        return "c++17", "c++20"
    is_old = re.search("OpenSHMEM 1.[0-3]", source.read_text())
    return ("c99", "c17") if is_old else ("c11", "c17")


def cases():
    """Yield (source, compiler, standard, level of optimisation): each standard and compiler once."""
    for source in SOURCES:
        here = [name for name in COMPILERS[source.suffix] if shutil.which(name)]
        for i, standard in enumerate(standards(source)):
            yield source, here[i % len(here)], standard, ("-O1", "-O3")[i]


def build(folder, source, compiler, standard, level):
    """Build a program; return it, or what the compiler said."""
    program = pathlib.Path(folder, f"{source.name}-{standard}")
    openmp = ["-fopenmp"] if "openmp" in source.name else []
    done = subprocess.run(
        [compiler, f"-std={standard}", level, *WARNINGS, *openmp, f"-I{INCLUDE}", source, "-o", program,
         f"-L{LIBDIR}", f"-Wl,-rpath,{LIBDIR}", "-lucxx_shmem", "-lm", "-pthread"],
        capture_output=True, text=True, check=False, timeout=100)
    return program if done.returncode == 0 else done.stderr


class ProgramsTest(unittest.TestCase):
    """Each program of the folder."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.cases = list(cases())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.built = list(pool.map(lambda case: build(cls.folder.name, *case), cls.cases))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, pes, *options):
        """Run all."""
        for case, program in zip(self.cases, self.built):
            with self.subTest(program=case[0].name, standard=case[2]):
                self.assertIsInstance(program, pathlib.Path, program)
                status, _, err = run("-n", pes, *options, program)
                self.assertEqual(status, 0, err)

    def test_four_pes(self):
        self.check("4")

    def test_three_pes_that_check_arguments(self):
        self.check("3", "-x", "SHMEM_DEBUG=1")

    def test_one_pe(self):
        self.check("1")


if __name__ == "__main__":
    unittest.main()
