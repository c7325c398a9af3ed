# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Compiles and starts programs of others: programs_of_others_check.py OSHRUN OSHCC [TEST...].

They are programs in the manner of the users of other OpenSHMEM libraries, a folder for each library.
The first comment of a program has lines for the shell after "build:" and "run:", as its user types
them, and after "prints:" lines that its output must have.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

from jobs import HERE, OSHRUN, Job

OSHCC = pathlib.Path(sys.argv.pop(1)).resolve()
FOLDER = HERE / "programs_of_others"
PATH = f"{OSHCC.parent}:{OSHRUN.parent}:{os.environ['PATH']}"


def lines_of(source, name):
    """Return what the first comment says behind each "NAME:"."""
    head = source.read_text().split("#include")[0]
    return re.findall(rf"^(?://|/\*| \*) {name}: (.+?)(?: \*/)?$", head, re.MULTILINE)


def try_out(source):
    """Build and run a program, where nothing else is; return status, output and errors."""
    script = "\n".join([*lines_of(source, "build"), *lines_of(source, "run")])
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(source, folder)
        return Job("sh", "-e", "-c", script, cwd=folder, environment={"PATH": PATH}).end()


class ProgramsOfOthersTest(unittest.TestCase):
    """Each program of a folder."""

    def check(self, folder):
        """Try all, two at a time."""
        sources = sorted((FOLDER / folder).glob("*.c*"))
        self.assertEqual(len(sources), 10)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            tries = [pool.submit(try_out, source) for source in sources]
        for source, done in zip(sources, tries):
            with self.subTest(program=f"{folder}/{source.name}"):
                status, out, err = done.result()
                self.assertEqual(status, 0, out + err)
                expected = lines_of(source, "prints")
                self.assertTrue(expected)
                self.assertLessEqual(set(expected), set(out.splitlines()), err)

    def test_sandia(self):
        self.check("sandia")

    def test_openmpi(self):
        self.check("openmpi")

    def test_cray(self):
        self.check("cray")


if __name__ == "__main__":
    unittest.main()
