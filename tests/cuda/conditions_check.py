# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a GPU runs of conditions, over the stand-in: conditions_check.py PROGRAM STAND_IN KERNELS.

PROGRAM is gpu_stream_tests, KERNELS the library with its kernels. `stream_tests` has all of the tests; these
are some of each case of tools/gpu/cases.py.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, STAND_IN, KERNELS = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/gpu"))

import cases  # noqa: E402
import conditions  # noqa: E402
import run  # noqa: E402

LIMIT_S = 50
SOME = {"streams": "StreamEndTest.Cancelled*:StreamLostTest.*:StreamBatchTest.*",
        "graphs": "GraphEndTest.Cancelled*:GraphCaptureTest.P*",
        "kernels": "KernelTest.A*:KernelTest.WrongUsesAreErrors",
        "replays": "GraphReplayTest.*"}  # fmt: skip


class ConditionsOverStandInTest(unittest.TestCase):
    """The cases `conditions` of `./dev gpu`."""

    def setUp(self):
        """Lay out what a pack has: the kernels are text, which is all that the stand-in reads."""
        folder = tempfile.TemporaryDirectory(dir=PROGRAM.parent)
        self.addCleanup(folder.cleanup)
        self.pack = pathlib.Path(folder.name)
        (self.pack / "bin").mkdir()
        os.link(PROGRAM, self.pack / "bin/gpu_stream_tests")
        header = (ROOT / "tests/gpu/condition_kernels.h").read_text()
        names = re.findall(r"UCXX_TEST_KERNEL void (\w+)\(", header)
        text = ".version 6.0 " + " ".join(f".entry {name}(" for name in names)
        (self.pack / "bin/condition_kernels.fatbin").write_text(text)

    def judged(self, case, names):
        """Run some tests of a case; return its data, how it ended, and the note."""
        words = [names if word == case.words[4] else word for word in case.command(self.pack)]
        words += ["--processes", "2", "--limit", "20", "--seconds", str(LIMIT_S)]
        settings = {**case.environment, "LD_LIBRARY_PATH": str(STAND_IN.parent), "UCXX_REPLAY_SECONDS": "2",
                    "UCXX_CUDA_STAND_IN": f"kernels={KERNELS}"}  # fmt: skip
        return case.judge(run.run(words, {**os.environ, **settings}, LIMIT_S))

    def test_some_of_each_pass(self):
        for case in cases.CONDITIONS:
            name = case.name.partition(".")[2]
            with self.subTest(name):
                data, how, note = self.judged(case, SOME[name])
                self.assertEqual(how, "ok", data)
                self.assertRegex(note, r"^[1-9]\d* passed, 0 failed$")

    def test_what_was_replayed_is_told(self):
        data, _, _ = self.judged(cases.CONDITIONS[-1], SOME["replays"])
        self.assertRegex(data[0]["said"], r'"launches that were replayed","value":[1-9]')

    def test_each_test_is_in_one_case(self):
        program = str(PROGRAM)
        found = [name for case in cases.CONDITIONS for name in conditions.names_of(program, case.words[4])]
        self.assertEqual(sorted(found), sorted(conditions.names_of(program, "*")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
