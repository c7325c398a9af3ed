# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""gpu_bench over the stand-in for libcuda.so.1: bench_check.py PROGRAM STAND_IN KERNELS.

A few iterations of each: they run, and bring the bytes. Their times mean nothing here.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, STAND_IN, KERNELS = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
HERE = pathlib.Path(__file__).resolve().parent
LIMIT_S = 50
# What each tells, by the beginning of its name, and the ways in which it does so.
HALO = ("ready", "fewer_waits", "start_all", "graph", "begun", "begun_by_edges")
FACTS = {
    "ping_pong": ("ping_pong of ", 5, {"stream", "batch", "prepared", "synchronous", "bare_thread",
                                        "host_function", "model"}),
    "enqueue": ("enqueue of ", 4, {"stream", "batch", "graph", "model"}),
    "graph": ("broadcast of ", 3, {"graph", "two_nodes", "prepared", "stream", "model"}),
    "halo": ("halo of ", 1, {*HALO, "synchronous", *(f"thread_of_{way}" for way in HALO), "model"}),
    "host_tag": ("host tag of ", 1, {"before", "after", "armed"}),
    "idle": ("idle, ", 2, {"process", "threads"}),
}  # fmt: skip


def benchmarks():
    """Return the names that the program knows."""
    return set(re.findall(r'\{"(\w+)", gpu::bench::bench', (HERE / "main.cpp").read_text()))


class BenchTest(unittest.TestCase):
    """gpu_bench."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        names = re.findall(r"registerKernel\(\"(\w+)\"", (HERE / "stand_in_kernels.cpp").read_text())
        self.image = self.folder / "kernels.ptx"  # the stand-in looks for the entries alone
        self.image.write_text(".version 6.0\n" + "".join(f".entry {name}(\n" for name in names))

    def run_it(self, *words, settings="", driver=STAND_IN.parent):
        """Run it with a few iterations."""
        return subprocess.run([PROGRAM, "--quick", "--kernels", self.image, *words], capture_output=True, text=True,
                              check=False, timeout=LIMIT_S, env={
            **os.environ, "LD_LIBRARY_PATH": str(driver), "UCX_MODULES": "^cuda", "UCX_NET_DEVICES": "lo",
            "UCX_MEM_MMAP_HOOK_MODE": "reloc", "UCX_MEM_MALLOC_RELOC": "n",
            "UCXX_CUDA_STAND_IN": f"kernels={KERNELS}{settings}"})  # fmt: skip

    def test_each_is_run_here(self):
        self.assertEqual(FACTS.keys(), benchmarks())

    def test_the_runner_knows_each(self):
        cases = (HERE.parents[1] / "tools/gpu/cases.py").read_text()
        self.assertEqual(set(re.findall(r'_bench\("(\w+)"', cases)), benchmarks())

    def test_they_run_and_bring_the_bytes(self):
        for name, (begin, count, ways) in FACTS.items():
            with self.subTest(name):
                done = self.run_it(name)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                rows = [row for row in map(json.loads, done.stdout.splitlines()) if row["fact"].startswith(begin)]
                self.assertEqual(len(rows), count, done.stdout)
                for row in rows:
                    self.assertLessEqual(ways, row["value"].keys())

    def test_the_page_has_the_models_of_the_halo(self):
        page = (HERE.parents[1] / "docs/performance/gpu_models.md").read_text()
        done = self.run_it("halo")
        model = json.loads(done.stdout.splitlines()[-1])["value"]["model"]
        self.assertEqual([way for way, value in model.items() if f"{value:.1f}" not in page], [])

    def test_wrong_bytes_are_told(self):
        done = self.run_it("graph", settings=",spoils")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("words were not those that were sent", done.stdout)

    def test_missing_kernels_are_told(self):
        self.image.unlink()
        done = self.run_it("graph")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("kernels.ptx cannot be read", done.stdout)

    def test_no_driver_is_77(self):
        (self.folder / "libcuda.so.1").touch()
        done = self.run_it("graph", driver=self.folder)
        self.assertEqual((done.returncode, done.stdout), (77, ""))

    def test_an_unknown_one_is_told(self):
        done = self.run_it("nonsense")
        self.assertEqual(done.returncode, 2)
        self.assertIn("ping_pong", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
