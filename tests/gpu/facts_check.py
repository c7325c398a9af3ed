# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of gpu_facts where no GPU is: facts_check.py PROGRAM."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
HERE = pathlib.Path(__file__).resolve().parent


class FactsTest(unittest.TestCase):
    """gpu_facts."""

    def run_it(self, *arguments):
        """Run it with a driver that does not load."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "libcuda.so.1").touch()
            return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False,
                                  timeout=60, env={**os.environ, "LD_LIBRARY_PATH": folder})  # fmt: skip

    def test_no_driver_is_77(self):
        done = self.run_it("device")
        self.assertEqual((done.returncode, done.stdout), (77, ""))
        self.assertIn("no driver of CUDA", done.stderr)

    def test_unknown_group_is_told(self):
        done = self.run_it("nonsense")
        self.assertEqual(done.returncode, 2)
        self.assertIn("round_trip", done.stderr)

    def test_the_runner_knows_every_group(self):
        groups = re.findall(r'\{"(\w+)", gpu::tell', (HERE / "main.cpp").read_text())
        listed = re.findall(r'_facts\("(\w+)"', (HERE.parents[1] / "tools/gpu/cases.py").read_text())
        self.assertEqual(sorted(groups), sorted(listed))


if __name__ == "__main__":
    unittest.main(verbosity=2)
