# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of ucxx-perftest --memory without a GPU: cuda_memory_check.py PROGRAM STAND_IN [CASE...].

STAND_IN, preloaded, brings a libcuda.so.1 whose device memory is the host's (tests/cuda/driver), and
has UCX say that it moves such memory. All of ours runs then, and UCX moves the bytes; what CUDA itself
does is not seen here.
"""

import contextlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
STAND_IN = pathlib.Path(sys.argv.pop(1)).resolve()
# A process starts in 3 ms and not in 0.4 s; UCX's own malloc, which comes with it, crashes.
ENVIRONMENT = {"UCX_MEM_MMAP_HOOK_MODE": "reloc", "UCX_MEM_MALLOC_RELOC": "n", **os.environ}
# UCX's own module must not take the driver for a whole one.
GPU = {"LD_PRELOAD": str(STAND_IN), "UCX_MODULES": "^cuda"}
QUICK = ["--iterations", "40", "--timeout", "20"]
SIZES = ["--sizes", "1,3000,100K,1M"]
LOOPBACK = ["-o", "TLS=tcp", "-o", "NET_DEVICES=lo"]
LIMIT_S = 100
SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src/tools/perftest/cuda_memory.cpp"
# The calls of the driver whose failure is told: those that open it, and those that come again and again.
OPENING = {"cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDevicePrimaryCtxRetain"}
REPEATED = {"cuCtxSetCurrent", "cuMemAlloc", "cuMemsetD8", "cuCtxSynchronize", "cuMemcpyHtoD", "cuMemcpyDtoH"}


def run(*arguments, **environment):
    """Run to the end, with more in the environment; return status, output and errors."""
    done = subprocess.run([PROGRAM, *QUICK, *arguments], capture_output=True, text=True, check=False,
                          timeout=LIMIT_S, env={**ENVIRONMENT, **environment})
    return done.returncode, done.stdout, done.stderr


@contextlib.contextmanager
def serving(**environment):
    """Start a server; give its port."""
    server = subprocess.Popen([PROGRAM, "--server", "--port", "0", *LOOPBACK],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**ENVIRONMENT, **environment})
    try:
        yield server.stdout.readline().split()[-1]
    finally:
        server.kill()
        server.communicate()


class CudaMemoryTest(unittest.TestCase):
    """With a driver that is none."""

    def report(self, *arguments, **environment):
        """Run with JSON on standard output; return it."""
        status, out, err = run("--json", "-", *SIZES, *arguments, **{**GPU, **environment})
        self.assertEqual(status, 0, err)
        self.assertNotIn("stand-in", err)  # it complains
        return json.loads(out)

    def test_every_kind_from_cuda(self):
        for mode in ("polling", "blocking", "thread-adaptive"):
            with self.subTest(mode):
                report = self.report("-m", "cuda,host", "--progress", mode, "--test",
                                     "tag,tag_bw,stream,stream_bw,am,am_bw,multi,multi_bw")
                self.assertEqual(report["options"]["memory"], {"send": "cuda", "receive": "host"})
                self.assertEqual(report["options"]["ucx"]["TLS"], "tcp,cuda")
                self.assertEqual(len(report["results"]), 32)
                self.assertEqual({row["received_in"] for row in report["results"]}, {"host"})
                # Staged, and not by UCX.
                self.assertEqual(report["transports"], "local/memory")

    def test_every_kind_into_cuda(self):
        for memory, kinds in (("cuda", ("tag", "stream", "am", "multi")), ("host,cuda", ("tag", "stream"))):
            for mode in ("polling", "blocking", "thread-adaptive"):
                with self.subTest(memory, mode=mode):
                    tests = ",".join(f"{kind}_lat,{kind}_bw" for kind in kinds)
                    report = self.report("-m", memory, "--progress", mode, "--test", tests)
                    self.assertEqual({row["received_in"] for row in report["results"]}, {"cuda"})

    def test_active_messages_into_cuda(self):
        for how in ("--threads 1", "--threads 3 --progress blocking",
                    "--threads 2 --progress thread-adaptive"):
            report = self.report("--memory", "cuda", "--test", "am_lat,am_bw", "--repeat", "2",
                                 *how.split())
            self.assertEqual(report["options"]["memory"], {"send": "cuda", "receive": "cuda"})
            self.assertEqual({row["received_in"] for row in report["results"]}, {"cuda"})

    def test_table(self):
        status, out, err = run("-m", "cuda", "--test", "am", *SIZES, **GPU)
        self.assertEqual(status, 0, err)
        lines = out.splitlines()
        self.assertIn("; memory cuda,cuda", lines[0])
        self.assertEqual([line.split()[0] for line in lines[2:]], ["1", "3000", "100K", "1M"])

    def test_payload_is_looked_at(self):
        for arguments in ("-m cuda,host -t tag", "-m cuda,host -t multi_bw --frames 1", "-m cuda -t am",
                          "-m cuda,host -t stream --threads 2"):
            with self.subTest(arguments):
                status, _, err = run(*arguments.split(), "--sizes", "1M", **GPU, UCXX_CUDA_STAND_IN="spoils")
                self.assertEqual(status, 1, err)
                self.assertIn("bytes that came are not those that were sent", err)

    def test_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "libcuda.so.1").touch()
            self.fails("no driver of CUDA (", LD_LIBRARY_PATH=folder)
        self.fails("no CUDA-capable device is detected", **GPU, UCXX_CUDA_STAND_IN="no-gpu")
        self.fails("finds no GPU (CUDA_VISIBLE_DEVICES", **GPU, UCXX_CUDA_STAND_IN="devices=0")
        self.fails("moves no memory of CUDA", **GPU, UCXX_CUDA_STAND_IN="no-ucx")

    def fails(self, said, *arguments, **environment):
        """Run in vain."""
        status, out, err = run("-m", "cuda,host", "--sizes", "8", *arguments, **environment)
        self.assertEqual((status, out), (1, ""), err)
        self.assertRegex(err, r"(?m)^ucxx-perftest: .*--memory cuda: ")
        self.assertIn(said, err)

    def fails_by(self, call, *arguments, **environment):
        """Run in vain: one line tells the call that failed, in this process or in the peer."""
        status, _, err = run(*arguments, **GPU, **environment)
        self.assertEqual(status, 1, err)
        said = rf"{call}: error 999 of CUDA \(unknown error\)"
        self.assertRegex(err, rf"\Aucxx-perftest: [^\n]*\b{said}[^\n]*\n\Z")

    def test_every_call_may_fail(self):
        self.assertEqual(set(re.findall(r'"(cu[A-Z]\w+)"', SOURCE.read_text())), OPENING | REPEATED)
        failures = [(call, f"{call}=999") for call in sorted(OPENING | REPEATED)]
        failures += [(call, f"{call}:2=999") for call in sorted(REPEATED)]
        for arguments in ("-m cuda -t am_bw", "-m cuda,host -t multi",
                          "-m cuda,host -t tag --progress blocking"):
            for call, failure in failures:
                with self.subTest(arguments, failure=failure):
                    self.fails_by(call, *arguments.split(), "--sizes", "8,1M",
                                  UCXX_CUDA_STAND_IN=f"fail={failure}")

    def test_one_thread_fails_while_others_move_messages(self):
        for failure in ("cuMemcpyHtoD:3", "cuMemcpyDtoH:2") * 5:
            with self.subTest(failure):
                self.fails_by(failure.partition(":")[0], *"-m cuda,host -t tag_bw --sizes 1M --threads 4".split(),
                              "--progress", "thread-polling", UCXX_CUDA_STAND_IN=f"fail={failure}=999")

    def test_server_outlives_a_call_that_fails(self):
        for call in sorted(REPEATED):
            with self.subTest(call), serving(**GPU, UCXX_CUDA_STAND_IN=f"fail={call}:1=999") as port:
                client = ["-m", "cuda,host", "--connect", f"127.0.0.1:{port}", *LOOPBACK]
                self.fails_by(call, "-t", "tag", "--sizes", "8,1M", *client)
                self.report("-t", "tag", *client)

    def test_two_programs(self):
        with serving(**GPU) as port:
            client = ["--connect", f"127.0.0.1:{port}", *LOOPBACK]
            self.fails("no CUDA-capable device", *client, **GPU, UCXX_CUDA_STAND_IN="no-gpu")
            self.report("-m", "cuda,host", *client)
            self.report("-m", "cuda", "--test", "am", *client)
            self.report(*client)
            with socket.create_connection(("127.0.0.1", port), timeout=20) as stranger:
                stranger.sendall(json.dumps({"do": "meet", "progress": "polling", "addresses": [],
                                             "single_thread": False, "memory": "gpu"}).encode() + b"\n")
                self.assertIn(b"unknown kind of memory", stranger.makefile("rb").readline())
        with serving(**GPU, UCXX_CUDA_STAND_IN="no-gpu") as port:
            client = ["--connect", f"127.0.0.1:{port}", *LOOPBACK]
            self.fails('the peer failed: "--memory cuda: cuInit', *client, **GPU)
            self.report(*client)


if __name__ == "__main__":
    unittest.main(verbosity=2)
