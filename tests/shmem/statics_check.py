# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Static variables of programs built in many ways: statics_check.py OSHRUN LIBDIR INCLUDE [TEST...].

It compiles statics.cpp and forks.cpp, links them, and runs them.
"""

import concurrent.futures
import itertools
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from jobs import HERE, run

LIBDIR = pathlib.Path(sys.argv.pop(1)).resolve()
INCLUDE = pathlib.Path(sys.argv.pop(1)).resolve()
PES = "3"

COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
LINKERS = [name for name in ("bfd", "gold", "lld") if shutil.which(f"ld.{name}")]
POSITIONS = {"pie": ("-fPIE", "-pie"), "no-pie": ("-fno-pie", "-no-pie")}
# What changes where variables lie, and what the loader makes read-only.
LAYOUTS = {"norelro": ("-Wl,-z,norelro",), "now": ("-Wl,-z,now",), "lazy": ("-Wl,-z,lazy",),
           "one segment": ("-Wl,-z,noseparate-code",), "gc": ("-Wl,--gc-sections",)}


def tool(*words):
    """Run a compiler; its messages are the failure."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=100)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stderr}")


def can_switch_off():
    """Tell whether programs can be started at fixed addresses here."""
    return bool(shutil.which("setarch")) and subprocess.run(
        ["setarch", "-R", "true"], capture_output=True, check=False).returncode == 0


class StaticsTest(unittest.TestCase):
    """Static variables of programs that were built in different ways."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.objects = {}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda case: cls.compile(*case),
                          itertools.product(("statics", "forks"), COMPILERS, POSITIONS)))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def compile(cls, source, compiler, position, *options):
        """Compile a source; return the object."""
        key = (source, compiler, position, *options)
        target = pathlib.Path(cls.folder.name, "-".join(key).replace("/", "_") + ".o")
        tool(compiler, "-std=c++20", "-O1", POSITIONS[position][0], *options, f"-I{INCLUDE}",
             f"-I{HERE.parent}", "-c", HERE / f"{source}.cpp", "-o", target)
        cls.objects[key] = target
        return target

    def link(self, source, compiler, position, *options):
        """Link; return the program."""
        return self.link_object(self.objects[source, compiler, position], compiler, position, *options)

    def link_object(self, target, compiler, position, *options):
        """Link an object; return the program."""
        program = target.with_suffix(".program")
        tool(compiler, POSITIONS[position][1], *options, target, f"-L{LIBDIR}", f"-Wl,-rpath,{LIBDIR}",
             "-lucxx_shmem", "-pthread", "-o", program)
        return program

    def check(self, *words):
        """Run it as several PEs."""
        status, _, err = run("-n", PES, *words)
        self.assertEqual(status, 0, f"{words}: {err}")

    def test_linkers(self):
        for case in itertools.product(("statics", "forks"), COMPILERS, POSITIONS):
            for linker in LINKERS:
                with self.subTest(case=case, linker=linker):
                    self.check(self.link(*case, f"-fuse-ld={linker}"))

    def test_fixed_addresses(self):
        if not can_switch_off():
            self.skipTest("addresses cannot be fixed here")
        for case in itertools.product(("statics", "forks"), COMPILERS, POSITIONS):
            with self.subTest(case=case):
                self.check("setarch", "-R", self.link(*case))

    def test_layouts(self):
        for name, options in LAYOUTS.items():
            for position in POSITIONS:
                with self.subTest(layout=name, position=position):
                    self.check(self.link("statics", COMPILERS[0], position, *options))

    def test_optimised_as_a_whole(self):
        for options in (("-O0",), ("-O2",), ("-O3", "-flto"), ("-Os", "-fdata-sections")):
            with self.subTest(options=options):
                target = self.compile("statics", "g++", "pie", *options)
                self.check(self.link_object(target, "g++", "pie", *options))

    def test_alone(self):
        for source, compiler in itertools.product(("statics", "forks"), COMPILERS):
            done = subprocess.run([self.link(source, compiler, "pie")], capture_output=True, text=True,
                                  check=False, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
