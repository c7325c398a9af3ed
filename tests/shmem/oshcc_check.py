# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of oshcc and oshc++ with a small library in the place of the real one: oshcc_check.py [TEST...]."""

import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import unittest

TEMPLATE = pathlib.Path(__file__).parents[2] / "src" / "shmem" / "oshcc.in"
HEADER = """
#ifdef __cplusplus
extern "C"
#endif
int shmem_my_pe(void);
"""
PROGRAM = '#include <shmem.h>\n#include <stdio.h>\nint main(void) { printf("%d\\n", shmem_my_pe()); return 0; }\n'
COMPILERS = {name: value for name, value in os.environ.items() if name.startswith("UCXX_SHMEM_")}


def install(prefix):
    """Make what an installation has."""
    for folder in ("bin", "include", "lib"):
        (prefix / folder).mkdir(parents=True)
    text = TEMPLATE.read_text().replace("@UCXX_SHMEM_INCLUDE@", "../include")
    tool = prefix / "bin" / "oshcc"
    tool.write_text(text.replace("@UCXX_SHMEM_LIB@", "../lib"))
    tool.chmod(0o755)
    (prefix / "bin" / "oshc++").symlink_to("oshcc")
    (prefix / "include" / "shmem.h").write_text(HEADER)
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", prefix / "lib" / "libucxx_shmem.so"],
                   input="int shmem_my_pe(void) { return 42; }", text=True, check=True)


class WrapperTest(unittest.TestCase):
    """An installation that was moved to a path with blanks."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        install(cls.folder / "made")
        cls.prefix = (cls.folder / "made").rename(cls.folder / "with 'a' blank")
        cls.include = f"-I{cls.prefix}/include"
        cls.link = [f"-L{cls.prefix}/lib", f"-Wl,-rpath,{cls.prefix}/lib", "-lucxx_shmem"]
        for name in ("ring.c", "ring.cpp"):
            (cls.folder / name).write_text(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_tool(self, tool, *words, status=0, **environment):
        """Run a wrapper; return what it prints."""
        inherited = {name: value for name, value in os.environ.items() if name not in COMPILERS}
        done = subprocess.run([self.prefix / "bin" / tool, *words], cwd=self.folder, text=True, check=False,
                              capture_output=True, timeout=60, env={**inherited, **environment})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def shown(self, tool, *words, **environment):
        """Return the words of the command that would be run."""
        return shlex.split(self.run_tool(tool, "--showme", *words, **environment))

    def test_programs_run(self):
        for tool, source in (("oshcc", "ring.c"), ("oshc++", "ring.cpp")):
            for compiler in ({}, {"UCXX_SHMEM_CC": "clang"} if tool == "oshcc" else {"UCXX_SHMEM_CXX": "clang++"}):
                if compiler and not shutil.which(*compiler.values()):
                    continue
                with self.subTest(tool, **compiler):
                    self.run_tool(tool, source, "-o", "a program", **compiler)
                    self.assertEqual(subprocess.check_output([self.folder / "a program"]), b"42\n")

    def test_in_two_steps(self):
        self.run_tool("oshcc", "-O1", "-c", "ring.c", "-o", "ring.o")
        self.run_tool("oshcc", "ring.o", "-o", "ring")
        self.assertEqual(subprocess.check_output([self.folder / "ring"]), b"42\n")

    def test_found_by_a_link(self):
        (self.folder / "elsewhere").mkdir()
        for name in ("oshcc", "oshc++"):
            (self.folder / "elsewhere" / name).symlink_to(self.prefix / "bin" / "oshcc")
        out = subprocess.check_output(["oshc++", "--showme", "a.cpp"], text=True, env={
            **os.environ, "PATH": f"{self.folder}/elsewhere:{os.environ['PATH']}", "UCXX_SHMEM_CXX": "c++"})
        self.assertEqual(shlex.split(out), ["c++", "a.cpp", self.include, *self.link])

    def test_parts(self):
        for option in ("--showme", "-showme", "--show", "-show"):
            self.assertEqual(shlex.split(self.run_tool("oshcc", option)), ["cc", self.include, *self.link])
        self.assertEqual(shlex.split(self.run_tool("oshcc", "--showme:compile")), [self.include])
        self.assertEqual(shlex.split(self.run_tool("oshcc", "--showme:link")), self.link)
        self.assertEqual(self.run_tool("oshcc", "--showme:incdirs"), f"{self.prefix}/include\n")
        self.assertEqual(self.run_tool("oshcc", "--showme:libdirs"), f"{self.prefix}/lib\n")
        self.assertEqual(self.run_tool("oshcc", "--showme:libs"), "ucxx_shmem\n")
        self.assertEqual(self.run_tool("oshc++", "--showme:command"), "c++\n")
        self.assertIn("--showme:frob: use compile, link", self.run_tool("oshcc", "--showme:frob", status=2))
        self.assertIn("usage: oshc++ ", self.run_tool("oshc++", "--help"))

    def test_when_it_links(self):
        for words in (["a.c"], ["a.o", "-o", "a"], ["-MD", "a.c"], ["-x", "c", "-"], ["@file"],
                      ["-D", "A=b c", "it's", '"$x"', "", "*"]):
            self.assertEqual(self.shown("oshcc", *words), ["cc", *words, self.include, *self.link])
        for option in ("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"):
            self.assertEqual(self.shown("oshcc", option, "a.c"), ["cc", option, "a.c", self.include])

    def test_without_inputs(self):
        """The compiler is asked about itself."""
        self.run_tool("oshcc", "--version")
        self.assertEqual(self.run_tool("oshcc", "-dumpmachine"),
                         subprocess.check_output(["cc", "-dumpmachine"], text=True))
        self.assertIn("no input files", self.run_tool("oshcc", "-o", "ring", status=1))

    def test_compilers(self):
        for tool, variables, command in (
                ("oshcc", {"UCXX_SHMEM_CC": "env A=1 cc"}, ["env", "A=1", "cc"]),
                ("oshc++", {"UCXX_SHMEM_CXX": "g++", "UCXX_SHMEM_CC": "clang"}, ["g++"]),
                ("oshc++", {"UCXX_SHMEM_CC": "g++"}, ["g++"]),
                ("oshc++", {"UCXX_SHMEM_CC": "gcc"}, ["c++"]),
                ("oshcc", {"UCXX_SHMEM_CXX": "g++"}, ["cc"]),
                ("oshcc", {"UCXX_SHMEM_CC": ""}, ["cc"])):
            with self.subTest(tool, **variables):
                self.assertEqual(self.shown(tool, "a", **variables), [*command, "a", self.include, *self.link])
        compiler = self.folder / "a compiler"
        compiler.symlink_to(shutil.which("cc"))
        self.assertEqual(self.shown("oshcc", "-c", "a.c", UCXX_SHMEM_CC=str(compiler))[0], str(compiler))
        self.assertEqual(self.run_tool("oshcc", "a.c", status=127, UCXX_SHMEM_CC="no-such"),
                         "oshcc: no-such: no such compiler; set UCXX_SHMEM_CC to one\n")

    def test_status_of_the_compiler(self):
        self.run_tool("oshcc", "no-such-file.c", status=1)


if __name__ == "__main__":
    unittest.main()
