# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs where CUDA's driver is missing, old or a part: driver_check.py FOLDER DRIVERS [CASE...].

DRIVERS has a libcuda.so.1 in each folder: old, stub, first (part_driver.cpp); for ToolkitDriverTest toolkit.
"""

import json
import pathlib
import sys
import tempfile
import unittest

from programs import run

DRIVERS = pathlib.Path(sys.argv.pop(1)).resolve()
OLD = "libcuda.so.1 has no cuGetProcAddress: it is older than CUDA 11.3"
STUB = "libcuda.so.1 has no functions (error 34): it is the stub that programs are linked with"
DEVICE = ("a part of a GPU: 64-bit memory operations yes; GPUDirect RDMA yes, its writes are ordered for its "
          "owner, flush by the processor yes")  # fmt: skip


class InfoTestCase(unittest.TestCase):
    """What asks ucxx-info."""

    def info(self, folder, **environment):
        """Return what ucxx-info says of a driver, as JSON, and the line of its text."""
        environment = {"LD_LIBRARY_PATH": str(folder), "UCX_MODULES": "^cuda", **environment}
        status, out, err = run("ucxx-info", "--json", **environment)
        self.assertEqual(status, 0, err)
        status, text, err = run("ucxx-info", **environment)
        self.assertEqual(status, 0, err)
        lines = [line for line in text.splitlines() if line.startswith("Driver")]
        self.assertEqual(len(lines), 1)
        return json.loads(out)["driver"], lines[0].removeprefix("Driver").strip()


class DriverTest(InfoTestCase):
    """ucxx-info and ucxx-perftest."""

    def test_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "libcuda.so.1").touch()  # in the place of one that may be here
            driver, line = self.info(folder)
        self.assertIn("libcuda.so.1: file too short", driver["missing"])
        self.assertEqual((driver["version"], driver["devices"]), ("", []))
        self.assertTrue(line.startswith("no driver: "), line)

    def test_old(self):
        driver, line = self.info(DRIVERS / "old")
        self.assertEqual(driver["missing"], OLD)
        self.assertEqual(line, f"it cannot be used: {OLD}")

    def test_stub(self):
        driver, line = self.info(DRIVERS / "stub")
        self.assertEqual(driver["missing"], STUB)
        self.assertEqual(line, f"no driver: {STUB}")

    def test_first_that_knows_versions(self):
        driver, line = self.info(DRIVERS / "first")
        self.assertEqual((driver["missing"], driver["version"], line), ("", "11.3", "CUDA 11.3"))
        (device,) = driver["devices"]
        self.assertEqual(device, {"name": "a part of a GPU", "memory_operations_64": True, "gpudirect_rdma": True,
                                  "flushes_rdma_writes": True, "rdma_writes_ordering": 100})  # fmt: skip
        _, text, _ = run("ucxx-info", LD_LIBRARY_PATH=str(DRIVERS / "first"), UCX_MODULES="^cuda")
        self.assertIn(DEVICE, text)

    def test_calls_that_fail_are_told(self):
        for call in ("cuInit", "cuDeviceGetCount"):
            with self.subTest(call):
                driver, _ = self.info(DRIVERS / "first", CUDA_PART=call)
                self.assertEqual(driver["missing"], f"{call}: error 999 of CUDA (unknown error)")
        driver, _ = self.info(DRIVERS / "first", CUDA_PART="cuDeviceGet")
        self.assertIn("the driver finds no GPU", driver["missing"])
        self.assertEqual(self.info(DRIVERS / "first", CUDA_PART="cuDriverGetVersion")[0]["version"], "")
        (device,) = self.info(DRIVERS / "first", CUDA_PART="cuDeviceGetName")[0]["devices"]
        self.assertEqual(device["name"], "a device of unknown name")
        (device,) = self.info(DRIVERS / "first", CUDA_PART="cuDeviceGetAttribute")[0]["devices"]
        self.assertEqual((device["memory_operations_64"], device["rdma_writes_ordering"]), (False, 0))

    def test_perftest_says_what_is_missing(self):
        for kind, said in (("old", OLD), ("stub", STUB), ("first", "cuDevicePrimaryCtxRetain: error 500")):
            with self.subTest(kind):
                status, out, err = run("ucxx-perftest", "-m", "cuda,host", "--sizes", "8", "--iterations", "1",
                                       LD_LIBRARY_PATH=str(DRIVERS / kind), UCX_MODULES="^cuda")
                self.assertEqual((status, out), (1, ""), err)
                self.assertRegex(err, r"(?m)^ucxx-perftest: --memory cuda: ")
                self.assertIn(said, err)


class ToolkitDriverTest(InfoTestCase):
    """The stub of NVIDIA's toolkit, where that is."""

    def test_stub(self):
        driver, line = self.info(DRIVERS / "toolkit")
        self.assertEqual(driver["missing"], STUB)
        self.assertEqual(line, f"no driver: {STUB}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
