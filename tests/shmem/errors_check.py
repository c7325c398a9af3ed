#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Check what the OpenSHMEM library says when a program, or its environment, is wrong.

usage: errors_check.py OSHRUN MISUSE
"""

import os
import re
import subprocess
import sys
import unittest

OSHRUN, MISUSE = sys.argv[1:3]

# case: what has to be said, behind "ucxx: PE n of m: ".
ALWAYS = {
    "putToStack": r"shmem_long_p: 0x[0-9a-f]+ is not a symmetric address: give memory of shmem_malloc",
    "putToMalloc": r"shmem_long_atomic_add: 0x[0-9a-f]+ is not a symmetric address",
    "waitOnStack": r"shmem_long_wait_until: 0x[0-9a-f]+ is not a symmetric address",
    "lockOnStack": r"shmem_set_lock: 0x[0-9a-f]+ is not a symmetric address",
    "freeForeign": r"shmem_free: 0x[0-9a-f]+ is not the begin of a block of the symmetric heap",
    "freeInside": r"shmem_free: 0x[0-9a-f]+ is not the begin of a block of the symmetric heap",
    "comparison": r"shmem_long_test: 77 is no comparison: give one of SHMEM_CMP_EQ",
    "signalOperator": r"shmem_putmem_signal: 9 is no signal operator: give SHMEM_SIGNAL_SET or",
    "broadcastFromMalloc": r"shmem_long_broadcast: 0x[0-9a-f]+ is not a symmetric address",
    "broadcastToMalloc": r"shmem_long_broadcast: 0x[0-9a-f]+ is not a symmetric address",
    "collectFromMalloc": r"shmem_long_collect: 0x[0-9a-f]+ is not a symmetric address",
    "fcollectToMalloc": r"shmem_long_fcollect: 0x[0-9a-f]+ is not a symmetric address",
    "alltoallToMalloc": r"shmem_long_alltoall: 0x[0-9a-f]+ is not a symmetric address",
    "alltoallsFromMalloc": r"shmem_long_alltoalls: 0x[0-9a-f]+ is not a symmetric address",
    "sumFromMalloc": r"shmem_long_sum_reduce: 0x[0-9a-f]+ is not a symmetric address",
    "scanToMalloc": r"shmem_long_sum_inscan: 0x[0-9a-f]+ is not a symmetric address",
    "lockTwice": r"shmem_set_lock: this thread holds the lock at 0x[0-9a-f]+ already",
    "lockTwiceBeforeOther": r"shmem_set_lock: this thread holds the lock at 0x[0-9a-f]+ already",
    "clearForeign": r"shmem_clear_lock: the lock at 0x[0-9a-f]+ is not taken by this PE",
    "clearFree": r"shmem_clear_lock: the lock at 0x[0-9a-f]+ is not taken",
    "clearAgain": r"shmem_clear_lock: the lock at 0x[0-9a-f]+ is not taken",
    "alignment": r"shmem_align: an alignment of 24: it must be a power of two and a multiple of 8",
    "activeSet": r"shmem_barrier: PE_start 0, logPE_stride 0 and PE_size 3 are no set of the 2 PEs",
    "activeSetWithoutMemory": r"shmem_barrier: no memory for the flags of an active set",
    "mallocAfterFinalize": r"shmem_malloc: called before shmem_init or after the last shmem_finalize",
    "finalizeTwice": r"shmem_finalize: called before shmem_init or after the last shmem_finalize",
    "startAfterFinalize": r"start_pes: called before shmem_init or after the last shmem_finalize",
    "teamMyPeAfterFinalize": r"shmem_team_my_pe: called before shmem_init or after the last",
    "teamPesAfterFinalize": r"shmem_team_n_pes: called before shmem_init or after the last",
    "teamConfigAfterFinalize": r"shmem_team_get_config: called before shmem_init or after the last",
    "translateAfterFinalize": r"shmem_team_translate_pe: called before shmem_init or after the last",
}
BEFORE_INIT = {
    "beforeInit": r"shmem_my_pe: called before shmem_init or after the last shmem_finalize",
    "putBeforeInit": r"shmem_long_p: called before shmem_init or after the last shmem_finalize",
    "barrierBeforeInit": r"shmem_barrier_all: called before shmem_init or after the last",
    "reduceBeforeInit": r"shmem_long_sum_reduce: called before shmem_init or after the last",
}
WITH_DEBUG = {
    "peTooLarge": r"shmem_long_p: PE 2 does not exist: the last one is 1",
    "peNegative": r"shmem_long_g: PE -1 does not exist: the last one is 1",
    "beyondHeap": r"shmem_putmem: 1099511627776 bytes at 0x[0-9a-f]+ reach beyond the end of the "
                  r"symmetric heap",
    "nullSource": r"shmem_putmem: source is null, and has 8 bytes: give a buffer, or a length of 0",
    "overlap": r"shmem_putmem: 16 bytes at 0x[0-9a-f]+ and 16 bytes at 0x[0-9a-f]+ overlap",
    "stride": r"shmem_long_iput: a stride of 0 bytes on the side of the destination: blocks have 8 "
              r"bytes, so it is at least that",
    "stridedNull": r"shmem_long_iput: source is null, and has 56 bytes",
    "differentSplits": r"shmem_team_split_strided: stride is \d here and \d on PE \d: it must be the same",
    "differentLengths": r"shmem_long_fcollect: nelems in bytes is \d+ here and \d+ on PE \d",
    "barrierAgainstReduction": r"(shmem_barrier_all|shmem_long_sum_reduce): PE \d is in another collective",
    "differentSizes": r"shmem_malloc: the size is \d+ here and \d+ on PE \d: it must be the same on all",
    "differentRoots": r"shmem_long_broadcast: PE_root is \d here and \d on PE \d: it must be the same",
    "root": r"shmem_long_broadcast: PE_root 99 does not exist: the last PE of the team is 1",
    "alltoallsOverlap": r"shmem_long_alltoalls: the elements of dest, from 0x[0-9a-f]+ on, and those of source, "
                        r"from 0x[0-9a-f]+ on, overlap: they must not",
    "alltoallsOffsets": r"shmem_long_alltoalls: the offset of dest is \d+ here and \d+ on PE \d: it must",
    "alltoallsStride": r"shmem_long_alltoalls: a stride of 0 bytes on the side of the destination",
    "collectOverlap": r"shmem_long_collect: 32 bytes at 0x[0-9a-f]+ and 16 bytes at 0x[0-9a-f]+ overlap",
    "collectOffsets": r"shmem_long_collect: the offset of dest is \d+ here and \d+ on PE \d: it must",
    "invalidContext": r"shmem_ctx_long_p: the context is SHMEM_CTX_INVALID",
    "foreignContext": r"shmem_ctx_long_p: a private context of another thread",
}


def run(case, pes=2, launcher=True, **environment):
    """Run a case; return its exit status and what it has written, both together."""
    command = [OSHRUN, "-n", str(pes), MISUSE, case] if launcher else [MISUSE, case]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=20, check=False, env=os.environ | environment)
    return done.returncode, done.stdout


class MisuseTest(unittest.TestCase):
    """A wrong call ends the job, with a message of each kind."""

    def check_fails(self, case, text, **environment):
        """A job of two PEs ends by an abort, and says so."""
        status, output = run(case, **environment)
        self.assertRegex(output, text)
        self.assertEqual(status, 128 + 6, output)
        self.assertRegex(output, r"oshrun: PE \d \(pid \d+\) was killed by signal 6 \(Aborted\)")

    def test_always(self):
        for case, text in ALWAYS.items():
            for environment in ({}, {"SHMEM_DEBUG": "1"}):
                with self.subTest(case=case, **environment):
                    self.check_fails(case, "ucxx: PE \\d of 2: " + text, **environment)

    def test_before_init(self):
        for case, text in BEFORE_INIT.items():
            with self.subTest(case=case):
                self.check_fails(case, "ucxx: (PE \\d of 2: )?" + text)

    def test_with_debug(self):
        for case, text in WITH_DEBUG.items():
            with self.subTest(case=case):
                self.check_fails(case, "ucxx: PE \\d of 2: " + text, SHMEM_DEBUG="1")

    def test_elements_between_others_are_no_mistake(self):
        self.assertEqual(run("alltoallsBetween", SHMEM_DEBUG="1"), (0, ""))

    def test_an_own_handler_gets_the_text(self):
        _, output = run("ownHandler")
        self.assertRegex(output, r"handled: PE \d of 2: shmem_long_p: 0x")
        self.assertNotIn("ucxx: PE", output)

    def test_exhausted_heap(self):
        status, output = run("exhausted")
        self.assertEqual((status, output), (0, ""))
        status, output = run("exhausted", SHMEM_DEBUG="1", SHMEM_SYMMETRIC_SIZE="1m")
        self.assertEqual(status, 0, output)
        self.assertIn("shmem_malloc: no room for 1099511627776 bytes: 1048576 of 1048576 bytes are free; "
                      "SHMEM_SYMMETRIC_SIZE sets the size", output)

    def test_large_alignment(self):
        """Null; why is said with SHMEM_DEBUG."""
        self.assertEqual(run("largeAlignment"), (0, ""))
        status, output = run("largeAlignment", SHMEM_DEBUG="1")
        self.assertEqual(status, 0, output)
        self.assertIn("shmem_align: an alignment of 134217728: 67108864 is the largest", output)


class EnvironmentTest(unittest.TestCase):
    """The variables of the standard, and those of other launchers."""

    def test_bad_sizes(self):
        for size in ("", "x", "-1", "1q", "1e30", "99999999t", "nan", "0x10"):
            for launcher in (True, False):
                with self.subTest(size=size, launcher=launcher):
                    status, output = run("nothing", launcher=launcher, SHMEM_SYMMETRIC_SIZE=size)
                    self.assertEqual(status, 1, output)
                    self.assertIn(f"SHMEM_SYMMETRIC_SIZE={size}: give a number of bytes", output)

    def test_a_bad_size_is_that_of_the_name_that_was_read(self):
        _, output = run("nothing", SMA_SYMMETRIC_SIZE="x")
        self.assertIn("shmem_init: SMA_SYMMETRIC_SIZE=x: give", output)
        _, output = run("nothing", SHMEM_SYMMETRIC_SIZE="y", SMA_SYMMETRIC_SIZE="x")
        self.assertIn("shmem_init: SHMEM_SYMMETRIC_SIZE=y: give", output)

    def test_good_sizes(self):
        for size in ("0", "100", "20m", "3.1M", ".5m", "1g", "20kk", "1K whatever"):
            with self.subTest(size=size):
                self.assertEqual(run("nothing", SHMEM_SYMMETRIC_SIZE=size), (0, ""))

    def test_the_standard_name_counts(self):
        _, output = run("exhausted", SHMEM_DEBUG="1", SHMEM_SYMMETRIC_SIZE="2m", SMA_SYMMETRIC_SIZE="1m")
        self.assertIn("2097152 of 2097152", output)
        _, output = run("exhausted", SMA_DEBUG="1", SMA_SYMMETRIC_SIZE="1m")
        self.assertIn("1048576 of 1048576", output)

    def test_version_and_info_are_printed_once(self):
        _, output = run("nothing", SHMEM_VERSION="1", SHMEM_INFO="1", SHMEM_SYMMETRIC_SIZE="1m")
        self.assertEqual(len(re.findall(r"^UCXX OpenSHMEM \S+ \(OpenSHMEM 1\.6\)$", output, re.M)), 1)
        self.assertIn("SHMEM_SYMMETRIC_SIZE   bytes of the symmetric heap of each PE, as 512m or 1.5g "
                      "(now 1048576)", output)

    def test_limits_are_named(self):
        for limit, unit in (("-v", 1024), ("-f", 512)):
            with self.subTest(limit=limit):
                command = f"ulimit {limit} {2**30 // unit}; exec {OSHRUN} -n 2 {MISUSE} nothing"
                done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, timeout=20,
                                      stderr=subprocess.STDOUT, text=True, check=False)
                self.assertNotEqual(done.returncode, 0)
                if "Sanitizer" not in done.stdout:  # one needs more memory than that
                    self.assertRegex(done.stdout, r"\d{9,} bytes")

    def test_small_jobs_need_few_addresses(self):
        """The alignment of heaps costs no more than 64 MiB for each PE, and what reserves them."""
        command = f"ulimit -v {400 << 10}; exec {OSHRUN} -n 2 {MISUSE} nothing"
        done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, timeout=20, check=False,
                              stderr=subprocess.STDOUT, text=True,
                              env=os.environ | {"SHMEM_SYMMETRIC_SIZE": "1m"})
        if "Sanitizer" not in done.stdout:
            self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_executed_by_a_pe(self):
        """Each PE would be a job of its own."""
        status, output = run("executeAnother")
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"^ucxx: shmem_init: oshrun: PE \d of 2 has executed another program")
        self.assertEqual(run("executeAnother", launcher=False), (0, ""))

    def test_other_launchers(self):
        for variables in ({"PMI_SIZE": "2"}, {"OMPI_COMM_WORLD_SIZE": "4"}, {"PMI_FD": "5"},
                          {"PMIX_NAMESPACE": "x"}, {"SLURM_STEP_NUM_TASKS": "2"}):
            with self.subTest(variables=variables):
                status, output = run("nothing", launcher=False, **variables)
                self.assertEqual(status, 1, output)
                self.assertIn("another launcher has started this program", output)
                self.assertIn("use oshrun", output)
        self.assertEqual(run("nothing", launcher=False, OMPI_COMM_WORLD_SIZE="1", PMIX_NAMESPACE="x"),
                         (0, ""))
        self.assertEqual(run("nothing", launcher=False, SLURM_NTASKS="8"), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
