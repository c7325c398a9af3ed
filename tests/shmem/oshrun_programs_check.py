# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of oshrun with programs of the library: oshrun_programs_check.py OSHRUN OSHCC [TEST...]."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from jobs import HERE, LIMIT_S, run, run_limited, start, wait_for

OSHCC = pathlib.Path(sys.argv.pop(1)).resolve()
# An end within 2 s is promised; a machine that compiles beside the tests takes its time.
MOST_S = 10


def setUpModule():
    """Compile the programs, as users do."""
    global FOLDER
    FOLDER = tempfile.TemporaryDirectory()
    for source in sorted((HERE / "launch").glob("*.c")):
        subprocess.run([OSHCC, "-Wall", "-Wextra", "-Werror", "-O1", source, "-o",
                        program(source.stem), "-pthread"], check=True, timeout=LIMIT_S)


def tearDownModule():
    """Remove them."""
    FOLDER.cleanup()


def program(name):
    """Return the path of a program."""
    return pathlib.Path(FOLDER.name, name)


class ProgramsTest(unittest.TestCase):
    """What the tests below share."""

    def check(self, words, status, err, out="", **options):
        """Run a job; compare its status, what it says, and that it ends soon."""
        begin = time.monotonic()
        found, found_out, found_err = run(*words, **options)
        self.assertRegex(found_err, f"^{err}$")
        self.assertEqual(sorted(found_out.splitlines()), sorted(out.splitlines()))
        self.assertEqual(found, status)
        self.assertLess(time.monotonic() - begin, MOST_S)


class StartTest(ProgramsTest):
    """PEs that do nothing but start."""

    def test_hello(self):
        for pes in (1, 2, 3, 7, 16):
            expected = "".join(f"{pe} of {pes}\n" for pe in range(pes))
            self.check(("-n", str(pes), program("hello")), 0, "", expected)

    def test_other_programs_on_pes(self):
        twin = program("twin")
        twin.write_bytes(program("hello").read_bytes())
        twin.chmod(0o755)
        choose = f'case $UCXX_SHMEM_LAUNCH in *:1:2) exec {twin};; *) exec {program("hello")};; esac'
        self.check(("-n", "2", "sh", "-c", choose), 1,
                   r"oshrun: PE \d runs \S+/(twin|hello), PE \d runs \S+/(twin|hello): all PEs of a job "
                   "run one program\n")

    def test_other_sizes_on_pes(self):
        choose = (f'case $UCXX_SHMEM_LAUNCH in *:1:2) export SHMEM_SYMMETRIC_SIZE=1M;; esac; '
                  f'exec {program("hello")}')
        self.check(("-n", "2", "sh", "-c", choose), 1,
                   r"oshrun: PE \d has \d+ bytes of heap \(SHMEM_SYMMETRIC_SIZE\), PE \d has \d+: .*\n")

    def test_impossible_size(self):
        """There is one limit, whoever says it."""
        for size in ("nonsense", "60T", "64T", "100T", "1P", "0.1p", "9E"):
            with self.subTest(size):
                status, out, err = run("-n", "3", "-x", f"SHMEM_SYMMETRIC_SIZE={size}", program("hello"))
                self.assertEqual((status, out), (1, ""))
                self.assertIn("SHMEM_SYMMETRIC_SIZE", err)
                self.assertIn("all PEs of a job together have at most 64t (2^46 bytes)", err)
        self.check(("-n", "2", "-x", "SHMEM_SYMMETRIC_SIZE=0.0001p", program("hello")), 0, "", "0 of 2\n1 of 2\n")

    def test_limit_on_addresses(self):
        for option, name in (("-v", "RLIMIT_AS"), ("-f", "RLIMIT_FSIZE")):
            if end := run_limited(f"{option} 1000000", "-n", "2", program("hello")):
                self.assertEqual(end[0], 1)
                self.assertRegex(end[2], rf"^oshrun: no memory for 2 PEs .*; {name} .*\n$")

    def test_two_jobs_at_once(self):
        jobs = [start("-n", "3", program("hello")) for _ in range(6)]
        for job in jobs:
            status, out, err = job.end()
            self.assertEqual((status, sorted(out.splitlines()), err),
                             (0, [f"{pe} of 3" for pe in range(3)], ""))

    def test_whole_lines(self):
        """Lines of PEs that share a file or a pipe stay whole, and come before the barrier after them."""
        with tempfile.TemporaryFile("w+") as file:
            for output in (file, subprocess.PIPE):
                with self.subTest(output):
                    status, out, err = start("-n", "64", program("lines"), stdout=output).end()
                    self.assertEqual((status, err), (0, ""))
                    if output is file:
                        file.seek(0)
                        out = file.read()
                    self.assertTrue(out.endswith("\nend"), out[-80:])
                    expected = [f"PE {pe}: line {line} of 200 " + chr(ord("a") + pe % 26) * (20 + pe) + "."
                                for pe in range(64) for line in range(200)]
                    self.assertEqual(sorted(out.splitlines()[:-1]),
                                     sorted(expected + ["PE ?: before shmem_init"] * 64))

    def test_buffer_of_the_program(self):
        """Output that the program has set up, and that of a job of one PE, is left alone."""
        for pes, words, waiting in ((1, (), 5), (2, ("own",), 5), (2, (), 0)):
            with self.subTest(pes, words=words):
                self.check(("-n", str(pes), program("buffered"), *words), 0, f"({waiting} bytes wait\n){{{pes}}}",
                           "line\n" * pes)

    def test_children_of_a_pe(self):
        self.check(("-n", "2", program("children")), 0, "", "none\nnone\n")


class EndTest(ProgramsTest):
    """A PE ends while others need it."""

    def check_end(self, call, ending, status, text, pes=3):
        """PE pes - 1 ends in this manner."""
        others = " and ".join(str(pe) for pe in range(pes - 1))
        who = f"PE {others} was" if pes == 2 else f"PEs {others} were"
        last = f'case $UCXX_SHMEM_LAUNCH in *:{pes - 1}:*) export TEST_PE=last;; esac; exec "$@"'
        self.check(("-n", str(pes), "sh", "-c", last, "-", program("ends"), call, ending), status,
                   rf"oshrun: PE {pes - 1} \(pid \d+\) {text}; {who} in {call}\n")

    def test_killed_in_each_call(self):
        for call in ("shmem_init", "shmem_barrier_all", "shmem_sync_all", "shmem_team_sync", "shmem_malloc",
                     "shmem_long_wait_until", "shmem_set_lock", "shmem_long_sum_reduce",
                     "shmem_long_broadcast", "shmem_finalize"):
            with self.subTest(call):
                self.check_end(call, "kill", 137, r"was killed by signal 9 \(Killed\)")

    def test_endings(self):
        for ending, status, text in (
                ("segv", 139, r"was killed by signal 11 \(Segmentation fault\)"),
                ("abort", 134, r"was killed by signal 6 \(Aborted\)"),
                ("3", 3, "exited with status 3"),
                ("0", 1, "exited with status 0 without shmem_finalize")):
            with self.subTest(ending):
                self.check_end("shmem_barrier_all", ending, status, text, pes=2)

    def test_leaves_while_others_wait_for_nobody_in_particular(self):
        self.check_end("shmem_long_wait_until", "0", 1, "exited with status 0 without shmem_finalize")

    def test_leaves_before_init(self):
        self.check_end("shmem_init", "0", 1, "exited with status 0 without shmem_init")

    def test_all_leave_without_finalize(self):
        self.check(("-n", "4", program("ends"), "nothing", "0"), 0, "",
                   "".join(f"PE {pe} was not held\n" for pe in range(3)))

    def test_timeout(self):
        self.check(("-n", "2", "--timeout", "0.5", program("ends"), "shmem_barrier_all", "stop"), 124,
                   r"oshrun: the job has not ended within 0\.5 s \(--timeout\); PE 0 was in "
                   "shmem_barrier_all, PE 1 was stopped\n")

    def test_waits_with_a_check(self):
        """What a PE is said to do is right while its wait asks, and after it has left the wait."""
        for case, where in (("left", "in no call that waits"), ("nested", "in shmem_signal_wait_until")):
            with self.subTest(case):
                self.check(("-n", "2", "--timeout", "1", program("left_wait"), case), 124,
                           r"oshrun: the job has not ended within 1 s \(--timeout\); "
                           rf"PEs 0 and 1 were {where}\n")
        self.check(("-n", "2", program("left_wait"), "ends"), 1,
                   r"oshrun: PE 1 \(pid \d+\) exited with status 0 without shmem_finalize; "
                   r"PE 0 was in shmem_signal_wait_until\n")

    def test_killed_oshrun(self):
        """PEs that are not its own children end as well, and so does what they have started."""
        job = start("-n", "2", "sh", "-c", f'{program("ends")} shmem_barrier_all pause; :')
        wait_for(lambda: sum(is_program(pid) for pid in job.processes()) == 2)
        begin = time.monotonic()
        job.process.kill()
        try:
            wait_for(lambda: not job.processes())
        finally:
            self.assertEqual(job.end()[0], -signal.SIGKILL)
        self.assertLess(time.monotonic() - begin, MOST_S)


class GlobalExitTest(ProgramsTest):
    """shmem_global_exit."""

    def test_who_calls_it(self):
        for who, pes in (("0", 1), ("0", 3), ("2", 3), ("thread", 3), ("all", 4)):
            for status in (0, 7):
                with self.subTest(who, status=status):
                    text = rf"oshrun: PE \d called shmem_global_exit\({status}\)\n" if status else ""
                    self.check(("-n", str(pes), program("global_exit"), who, str(status)), status, text,
                               "flushed\n" * pes)


def is_program(pid):
    """Tell whether the process runs one of the programs."""
    try:
        return os.readlink(f"/proc/{pid}/exe").startswith(FOLDER.name)
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
