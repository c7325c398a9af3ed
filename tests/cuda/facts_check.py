# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""gpu_facts over the stand-in for libcuda.so.1: facts_check.py PROGRAM STAND_IN KERNELS RESULTS...

RESULTS are what the same program told on a real GPU (docs/data/gpu_run_*.json), the last one of each group:
the stand-in has to give the same answers, but for times, and for what DIFFERENT names.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import unittest

PROGRAM, STAND_IN, KERNELS = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
RESULTS = [pathlib.Path(sys.argv.pop(1)) for _ in sys.argv[1:]]
GROUPS = ["device", "pointers", "stream", "batch", "capture", "graph", "queue", "streams", "streams_32",
          "blocking", "ipc", "lifetime", "pages", "sticky"]  # fmt: skip
TIMES = {"round_trip", "costs", "copies"}  # tell nothing else
# Of the stand-in's README.md; and chance.
DIFFERENT = {"device", "start only, without credit: triggers lost",
             "memfd, with a hole: the processor sees what the GPU writes"}  # fmt: skip
LIMIT_S = 50


def facts_of(lines):
    """Answers by name: what has a unit is a time."""
    return {line["fact"]: line["value"] for line in lines if "unit" not in line and "value" in line}


def measured():
    """What the GPU's driver answered, by group."""
    tests = [test for results in RESULTS for test in json.loads(results.read_text())["tests"]]
    return {test["name"].partition(".")[2]: facts_of(test["data"]) for test in tests
            if test["name"].startswith("facts.")}  # fmt: skip


def run(group, **environment):
    """Run a group of facts over the stand-in."""
    if group == "streams_32":
        return run("streams", CUDA_DEVICE_MAX_CONNECTIONS="32")
    return subprocess.run([PROGRAM, group], capture_output=True, text=True, check=False, timeout=LIMIT_S,
                          env={**os.environ, "LD_LIBRARY_PATH": str(STAND_IN.parent),
                               "UCXX_CUDA_STAND_IN": f"kernels={KERNELS}", **environment})  # fmt: skip


class FactsOverStandInTest(unittest.TestCase):
    """The stand-in is as strict as the driver of the GPU was found to be."""

    maxDiff = None

    def test_answers_are_those_of_the_gpu(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = dict(zip(GROUPS, pool.map(run, GROUPS), strict=True))
        for group, there in measured().items():
            if group not in GROUPS:
                continue
            with self.subTest(group):
                done = runs[group]
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                here = facts_of(map(json.loads, done.stdout.splitlines()))
                for facts in (here, there):
                    for name in DIFFERENT & facts.keys():
                        del facts[name]
                self.assertEqual(here, there)

    def test_a_new_group_is_run(self):
        self.assertLessEqual(measured().keys() - TIMES, set(GROUPS))


if __name__ == "__main__":
    unittest.main(verbosity=2)
