#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Compile and run the C programs of the pages about OpenSHMEM, as they stand.

usage: docs_check.py OSHRUN OSHCC
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

OSHRUN, OSHCC = sys.argv[1:3]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# page: how its program is started, and what it prints in some order.
FIRST = ["PE 0 of 4: 4 from the left, 10 in all", "PE 1 of 4: 1 from the left, 10 in all",
         "PE 2 of 4: 2 from the left, 10 in all", "PE 3 of 4: 3 from the left, 10 in all",
         "squares end with 9"]
PAGES = {"docs/start/shmem.md": ([OSHRUN, "-n", "4"], FIRST),
         "docs/how-to/shmem_embed.md": ([], ["the sum is 6"])}


def run(*command):
    """Run to the end; return the exit status and all output."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=30, check=False)
    return done.returncode, done.stdout


RULES = ROOT / "src/shmem/oshrun/option_rules.cpp"
# Of the table of rules: the string, or strings, with the names of an option.
NAMES = re.compile(r'(?:\{|flag\(|accepted\(|refused\()((?:"[^"]*"\s*)+),')


class OptionsTest(unittest.TestCase):
    """The pages that list the options of oshrun."""

    def test_each_option_is_on_a_page_and_each_on_the_page_is_known(self):
        table = RULES.read_text(encoding="utf-8").split("kRules[]")[1]
        known = {name for names in NAMES.findall(table) for string in re.findall('"([^"]*)"', names)
                 for name in string.split()}
        self.assertGreater(len(known), 200)
        page = (ROOT / "docs/reference/oshrun.md").read_text(encoding="utf-8")
        own = (ROOT / "docs/how-to/shmem_launch.md").read_text(encoding="utf-8")
        listed = set(re.findall(r"`--?([\w-]+)", page))
        self.assertEqual(listed - known, set())
        self.assertEqual(known - listed - set(re.findall(r"`--?([\w-]+)", own)), set())


class DocumentsTest(unittest.TestCase):
    """The one program of each page."""

    def test_programs(self):
        for page, (launcher, expected) in PAGES.items():
            with self.subTest(page=page), tempfile.TemporaryDirectory() as folder:
                text = (ROOT / page).read_text(encoding="utf-8")
                source, = PROGRAM.findall(text)
                (pathlib.Path(folder) / "program.c").write_text(source, encoding="utf-8")
                binary = f"{folder}/program"
                self.assertEqual(run(OSHCC, "-O2", "-Wall", "-Wextra", "-Werror", f"{folder}/program.c",
                                     "-o", binary), (0, ""))
                status, output = run(*launcher, binary)
                self.assertEqual((status, sorted(output.splitlines())), (0, expected))
                if launcher:
                    for line in expected:
                        self.assertIn(f"\n    {line}\n", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
