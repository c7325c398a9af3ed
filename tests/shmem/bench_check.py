# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of `./dev bench shmem`: bench_check.py BUILD [TEST...], with the library of that build."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
BENCHMARK = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "shmem"
sys.path[:0] = [str(BENCHMARK), str(BENCHMARK.parent)]
import figures  # noqa: E402 (after the path)
import jobs  # noqa: E402
import libraries  # noqa: E402
import measuring  # noqa: E402
import table  # noqa: E402
from targets import AtMost, Several, Times  # noqa: E402


class FakeLibrary:
    """A library that needs so long for each figure, and hangs at some."""

    measured_in = None

    def __init__(self, title, values, hangs=()):
        self.title, self.values, self.hangs = title, values, hangs

    def run(self, pes, program, *arguments, crowded):
        """Return the lines before the figure that hangs."""
        said = []
        for figure in arguments[2:]:  # -t MS
            if figure in self.hangs:
                return "\n".join(said), "ended after 20 s"
            if figure in self.values:
                name, size = figure.split(":")
                said.append(f"{name} {size} {self.values[figure]} 99")
        return "\n".join(said), None


def measured(*fakes):
    """Measure three figures twice; the fakes are (title, values) or (title, values, hangs)."""
    job = jobs.Calls(2, ["put:8", "fence:0", "get:8"])
    return measuring.measure([FakeLibrary(*fake) for fake in fakes], [job], 2)


def row(found, target=None):
    """Return the line of a put."""
    return table.Row(figures.Line("put 8 B", "put:8", target), found)


class TableTest(unittest.TestCase):
    """What is made of what was measured."""

    def test_ratio_is_of_times(self):
        found = measured(("UCXX", {"put:8": 4}), ("OSHMEM", {"put:8": 16}), ("limit", {"put:8": 2}))
        cells = row(found, Several("or", AtMost(3), Times(1.5, "limit"))).cells()
        self.assertEqual(cells, ["put 8 B", "4 ns", "16 ns", "0.25 (0.25 .. 0.25)", "2 ns",
                                 "2.00 (2.00 .. 2.00)", "<= 3 ns or 1.5x limit", "NO"])

    def test_library_that_is_absent(self):
        found = measured(("UCXX", {"put:8": 4}))
        self.assertEqual(row(found, Times(1, "OSHMEM")).cells(),
                         ["put 8 B", "4 ns", "-", "-", "-", "-", "<= 1x OSHMEM", "-"])

    def test_targets(self):
        found = measured(("UCXX", {"put:8": 4}), ("OSHMEM", {"put:8": 8}))
        yes, no, unknown = AtMost(4), Times(0.4, "OSHMEM"), Times(9, "limit")
        for target, expected in ((yes, True), (no, False), (unknown, None),
                                 (Several("or", no, yes), True), (Several("and", yes, no), False),
                                 (Several("or", no, unknown), None), (Several("or", unknown, yes), True),
                                 (Several("and", yes, unknown), None), (Several("and", unknown, no), False),
                                 (Several("or", no, no), False), (Several("and", yes, yes), True)):
            with self.subTest(target.text(figures.time_text)):
                self.assertIs(row(found, target).met(), expected)

    def test_figures_of_all_lines_are_measured(self):
        taken = {figure for job in figures.JOBS for figure in job.figures}
        self.assertLessEqual({line.figure for line in figures.LINES}, taken)
        self.assertLessEqual(set(figures.BRIEF), taken)

    def test_values_are_shown_with_units(self):
        self.assertEqual([figures.time_text(value) for value in (3.814, 22100, 8.55e6, 15.9e9)],
                         ["3.81 ns", "22.1 us", "8.55 ms", "15.9 s"])
        self.assertEqual(figures.bandwidth_text(1 << 20)(22000), "47.7 GB/s")
        self.assertEqual(figures.share_text(8.5e6), "0.85 %")


class FailureTest(unittest.TestCase):
    """Programs that hang or crash."""

    def test_what_hangs_is_left_out_and_the_rest_measured(self):
        found = measured(("UCXX", {"put:8": 4}), ("OSHMEM", {"fence:0": 1, "get:8": 5}, ("put:8",)))
        self.assertEqual(found["OSHMEM"].failed, {"put:8": "ended after 20 s"})
        self.assertEqual(found["OSHMEM"].values, {"fence:0": [1, 1], "get:8": [5, 5]})
        self.assertEqual(row(found).value_text("OSHMEM"), "failed")

    def test_what_fails_misses_its_target(self):
        found = measured(("UCXX", {"put:8": 4}))
        found["UCXX"].failed["put:8"] = "exit status 1"
        self.assertEqual(row(found, AtMost(5)).cells()[-1], "NO")

    def test_program_is_ended_with_what_it_printed(self):
        begin = time.monotonic()
        text, wrong = libraries.output_of(["sh", "-c", "echo put 8 1 2; sleep 60"], 0.3, dict(os.environ))
        self.assertEqual((text, wrong), ("put 8 1 2\n", "ended after 0.3 s"))
        self.assertLess(time.monotonic() - begin, 10)

    def test_program_that_ignores_the_first_signal(self):
        _, wrong = libraries.output_of(["sh", "-c", "trap '' TERM; while :; do sleep 1; done"], 0.3,
                                       dict(os.environ))
        self.assertEqual(wrong, "ended after 0.3 s")

    def test_crash_is_told(self):
        _, wrong = libraries.output_of(["sh", "-c", "echo first >&2; echo last >&2; exit 3"], 20, dict(os.environ))
        self.assertEqual(wrong, "exit status 3: last")

    def test_oshmem_of_others_is_absent(self):
        with mock.patch.object(libraries, "output_of", return_value=("oshrun (UCXX) 0.1", None)):
            with mock.patch.object(pathlib.Path, "exists", return_value=True):
                self.assertRaises(libraries.Absent, libraries.oshmem, pathlib.Path("unused"))


class RunTest(unittest.TestCase):
    """The whole, shortly."""

    def test_brief_report(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", BENCHMARK, "--brief", "--quick", "--build", BUILD,
                                   "--out", folder], capture_output=True, text=True, timeout=150, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            report = json.loads((pathlib.Path(folder) / "shmem.json").read_text())
            self.assertEqual(pathlib.Path(folder, "shmem.png").exists(), "no picture" not in done.stdout)
        self.assertEqual({one["figure"] for one in report["figures"]}, set(figures.BRIEF))
        for one in report["figures"]:
            self.assertGreater(one["values"]["UCXX"]["median"], 0, one)
            self.assertGreater(one["ratios"]["limit"]["median"], 0, one)

    def test_each_figure_is_printed(self):
        """By the programs, in the shortest time, with all PEs of a small job."""
        wanted = sorted({figure for job in figures.JOBS if isinstance(job, jobs.Calls) and job.pes == 2
                         for figure in job.figures})
        with tempfile.TemporaryDirectory() as folder:
            ours = libraries.ours(BUILD, pathlib.Path(folder))
            ours.build()
            text, wrong = ours.run(3, "calls", "-t", "0.01", *wanted, crowded=True)
            self.assertIsNone(wrong)
            self.assertEqual(set(jobs.read_lines(text, median=False)), set(wanted))
            for job in (jobs.Hello(3), jobs.Process("wake", ["wake"], median=True)):
                found, wrong = job.take(ours, job.figures)
                self.assertEqual((list(found), wrong), (job.figures, None))


if __name__ == "__main__":
    unittest.main(verbosity=2)
