# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of oshrun with PEs that speak to it by hand (fake_pe.py): oshrun_pes_check.py OSHRUN [TEST...]."""

import os
import select
import signal
import subprocess
import time
import unittest

from jobs import FAKE_PE, OSHRUN, VERSION, Job, run_fake, run_limited, start_fake, wait_for

PE = r"PE (\d+) \(pid \d+\)"


def by_pe(*codes, before="hello()\n"):
    """Return the code of all PEs: one for each, the last one for all others."""
    branches = [f"if pe == {number}:\n" + indent(code) for number, code in enumerate(codes[:-1])]
    return before + "".join(f"{branch}el" for branch in branches) + "if 1:\n" + indent(codes[-1])


def indent(code):
    """Return the code as a block."""
    return "".join(f" {line}\n" for line in code.splitlines())


class FakeTest(unittest.TestCase):
    """What the tests below share."""

    def check(self, pes, code, status, text, *options, most=8.0, **more):
        """Run PEs; compare status, message and how long it takes."""
        begin = time.monotonic()
        found, err = run_fake(pes, code, *options, **more)
        self.assertRegex(err, f"^oshrun: {text}\n$" if text else "^$")
        self.assertEqual(found, status)
        self.assertLess(time.monotonic() - begin, most)


class HelloTest(FakeTest):
    """Hello and welcome."""

    def test_one_memory_for_all(self):
        self.check(3, """
assert hello() == (1, "")
put(200, 70 + pe)
until(lambda: [get(200, other) for other in range(pes)] == [70, 71, 72])
put(STATE, FINALIZED)""", 0, "")

    def test_two_jobs(self):
        code = by_pe("print(os.stat(memfd).st_ino, flush=True)\ninput()", "pass")
        jobs = [start_fake(2, code, stdin=subprocess.PIPE) for _ in range(2)]
        self.assertNotEqual(*[job.line() for job in jobs])
        self.assertEqual([job.end("\n")[0] for job in jobs], [0, 0])

    def test_others_than_the_first(self):
        for fields, text in (
                ("inode=6, executable='/x/b'",
                 "PE 1 runs /x/b, PE 0 runs /x/a: all PEs of a job run one program"),
                ("inode=6, executable='/x/b\\x1b[31m' + 'y' * 300",
                 r"PE 1 runs /x/b\?\[31my+, PE 0 runs /x/a: all PEs of a job run one program"),
                ("heap=4096", r"PE 1 has 4096 bytes of heap \(SHMEM_SYMMETRIC_SIZE\), PE 0 has 1048576: .*"),
                ("statics=8192", "PE 1 has 8192 bytes of symmetric statics, PE 0 has 4096: .*")):
            with self.subTest(fields):
                self.check(3, by_pe("hello()\nmark()\nsignal.pause()",
                                    f"until_marked()\nhello({fields})\nsignal.pause()",
                                    "signal.pause()", before=""), 1, text)

    def test_other_versions(self):
        for fields, text in (("version='9.9.9'", r"UCXX 9\.9\.9 \(protocol 2\)"),
                             ("protocol=7", rf"UCXX {VERSION} \(protocol 7\)")):
            with self.subTest(fields):
                self.check(1, f"hello({fields})\nsignal.pause()", 1, "PE 0 uses the OpenSHMEM library of "
                           rf"{text}, but oshrun is of UCXX {VERSION} \(protocol 2\): use the oshrun .*")
        self.check(1, "oshrun.send(hello_bytes()[:100])\nsignal.pause()", 1, "PE 0 uses .*")

    def test_answer_to_a_refused_one(self):
        """Who is deaf to SIGTERM is told as well."""
        self.check(1, """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
accepted, reason = hello(version="9.9.9")
assert accepted == 0 and memory is None
print(reason, file=sys.stderr)""", 1, "(PE 0 uses .*)\n\\1")

    def test_too_much_memory(self):
        for heap in (2**64 - 1, 2**63, 2**47):
            with self.subTest(heap):
                self.check(2, f"hello(heap={heap})\nsignal.pause()", 1,
                           f"no memory for {heap} bytes of heap and 4096 of statics: .*")
        self.check(9, f"hello(heap={2**45})\nsignal.pause()", 1,
                   f"no memory for 9 PEs with {2**45} bytes of heap and 4096 of statics each, .*")

    def test_limits(self):
        for option, name in (("-v", "RLIMIT_AS"), ("-f", "RLIMIT_FSIZE")):
            with self.subTest(name):
                end = run_limited(f"{option} 800000", "-n", "2", "-x", f"VERSION={VERSION}", *FAKE_PE,
                                  "hello(heap=1 << 30)\nsignal.pause()")
                if not end:
                    continue
                self.assertEqual(end[0], 1)
                self.assertRegex(end[2], r"^oshrun: no memory for 2 PEs with 1073741824 bytes of heap .* each, "
                                 rf"\d+ bytes in all: .*; {name} \(ulimit {option}\) is \d+ bytes; use .*\n$")

    def test_garbage(self):
        for message, text in (
                ("b'x'", r"PE 0 sent oshrun 1 bytes that no library of UCXX sends \(kind 0x78\)"),
                ("b'nonsense' * 30", "PE 0 sent oshrun 240 bytes that no library of UCXX sends .*"),
                ("b'x' * 100000", "PE 0 sent oshrun 1024 bytes .*"),
                ("struct.pack('=I', GLOBAL_EXIT)", "PE 0 sent oshrun 4 bytes .*"),
                ("hello_bytes()", "a second program of PE 0 uses OpenSHMEM, and a PE is one process: .*")):
            with self.subTest(message):
                self.check(1, f"hello()\noshrun.send({message})\nsignal.pause()", 1, text)

    def test_descriptors_of_a_pe(self):
        for count, text in ((2, "PE 0 sent oshrun 1 bytes .*"),
                            (50, "PE 0 sent oshrun more descriptors than any library of UCXX")):
            self.check(1, f"hello()\nsocket.send_fds(oshrun, [b'x'], [0] * {count})\nsignal.pause()", 1, text)
        self.check(1, "socket.send_fds(oshrun, [hello_bytes()], [0] * 8)\nassert receive()[0]", 0, "")

    def test_killed_oshrun_is_noticed(self):
        """A PE that is no child of oshrun has sent the end of a pipe."""
        job = Job(OSHRUN, "-n", "2", "-x", f"VERSION={VERSION}", "sh", "-c", '"$@"; :', "-", *FAKE_PE, """
read, write = os.pipe()
socket.send_fds(oshrun, [hello_bytes()], [write])
os.close(write)
receive()
print("there", flush=True)
assert os.read(read, 1) == b""
print("noticed", flush=True)""")
        for _ in range(2):
            self.assertEqual(job.line(), "there")
        job.send(signal.SIGSTOP)  # it would end what is left of the job
        os.kill(job.runner, signal.SIGKILL)
        for _ in range(2):
            self.assertEqual(job.line(), "noticed")
        job.process.kill()
        wait_for(lambda: not job.processes())
        self.assertEqual(job.end()[0], -signal.SIGKILL)

    def test_closed_socket(self):
        self.check(2, "hello()\noshrun.close()\nput(STATE, FINALIZED)", 0, "")


class FailureTest(FakeTest):
    """A PE fails while others wait."""

    def test_what_the_others_were_in(self):
        for code, status, text in (
                ("die()", 137, r"PE 1 \(pid \d+\) was killed by signal 9 \(Killed\)"),
                ("die(signal.SIGSEGV)", 139, r"PE 1 \(pid \d+\) was killed by signal 11 \(Segmentation fault\)"),
                ("sys.exit(3)", 3, r"PE 1 \(pid \d+\) exited with status 3")):
            with self.subTest(code):
                self.check(2, by_pe("waits('shmem_barrier_all', 1)\nsignal.pause()",
                                    f"until_waiting(0)\n{code}"),
                           status, f"{text}; PE 0 was in shmem_barrier_all")

    def test_several(self):
        self.check(5, by_pe("waits('shmem_barrier_all')\nsignal.pause()",
                            "until_waiting(0, 2, 3)\nuntil_state(RUNNING, 4)\ndie()",
                            "waits('shmem_quiet')\nsignal.pause()",
                            "waits('shmem_barrier_all')\nsignal.pause()", "signal.pause()"),
                   137, f"{PE} was killed by .*; PEs 0 and 3 were in shmem_barrier_all, PE 2 was in shmem_quiet")

    def test_many(self):
        self.check(13, by_pe("until_waiting(*range(1, 13))\ndie()", "waits('shmem_sync_all')\nsignal.pause()"),
                   137, f"{PE} was killed by .*; PEs 1, 2, 3, 4, 5, 6, 7, 8 and 4 more were in shmem_sync_all",
                   most=8)

    def test_one_that_waits_a_little_later(self):
        self.check(2, by_pe("until(lambda: get(300, 1))\nuntil(lambda: has_ended(get(300, 1)))\n"
                            "waits('shmem_barrier_all', 1)\nsignal.pause()",
                            "until_state(RUNNING, 0)\nput(300, os.getpid())\ndie()"),
                   137, f"{PE} was killed by .*; PE 0 was in shmem_barrier_all")

    def test_call_that_is_no_name(self):
        self.check(2, by_pe("waits(b'\\x1b[2Jx\\n' + b'y' * 42)\nsignal.pause()", "until_waiting(0)\ndie()"),
                   137, f"{PE} was killed by .*; PE 0 was in " + r"\?\[2Jx\?y{42}")

    def test_signal_and_timeout(self):
        code = by_pe("waits('shmem_barrier_all', 1)\nuntil_marked()", "until_waiting(0)\n"
                     "print('there', flush=True)\nuntil_marked()")
        job = start_fake(2, code, environment={"MARK_FILE": "/nowhere/at/all"})
        job.line()
        job.send(signal.SIGINT)
        self.assertEqual(job.end()[::2], (130, "oshrun: received signal 2 (Interrupt); PE 0 was in "
                                               "shmem_barrier_all\n"))
        self.check(2, code, 124, r"the job has not ended within 2 s \(--timeout\); PE 0 was in "
                   "shmem_barrier_all, PE 1 was in no call that waits", "--timeout", "2")

    def test_only_the_first_failure_counts(self):
        self.check(3, by_pe("waits('shmem_quiet')\nsignal.signal(signal.SIGTERM, lambda *_: os._exit(9))\n"
                            "mark()\nsignal.pause()", "until_marked()\ndie()", "signal.pause()"),
                   137, rf"{PE} was killed by signal 9 \(Killed\); PE 0 was in shmem_quiet")


class LeavingTest(FakeTest):
    """A PE leaves with status 0."""

    def test_all_leave(self):
        for state in ("ABSENT", "ATTACHED", "RUNNING", "FINALIZED"):
            with self.subTest(state):
                self.check(3, f"hello({state})", 0, "")

    def test_missed_by_one(self):
        for state, text in (("RUNNING", "without shmem_finalize"), ("ATTACHED", "without shmem_init")):
            with self.subTest(state):
                self.check(3, by_pe("waits('shmem_barrier_all', 1)\nsignal.pause()",
                                    f"put(STATE, {state})", "signal.pause()"), 1,
                           rf"PE 1 \(pid \d+\) exited with status 0 {text}; PE 0 was in shmem_barrier_all")

    def test_missed_at_init(self):
        self.check(2, by_pe("hello(ATTACHED)\nwaits('shmem_init', 1)\nsignal.pause()", "pass", before=""), 1,
                   r"PE 1 \(pid \d+\) exited with status 0 without shmem_init; PE 0 was in shmem_init")

    def test_missed_by_all(self):
        """It takes longer where they do not say whom they wait for, or it has finalized."""
        for code, text in (("pass", "without shmem_finalize"),
                           ("put(STATE, FINALIZED)", "after shmem_finalize")):
            with self.subTest(code):
                self.check(3, by_pe(code, "waits('shmem_int_wait_until')\nsignal.pause()"), 1,
                           rf"PE 0 \(pid \d+\) exited with status 0 {text}; PEs 1 and 2 were in "
                           "shmem_int_wait_until", most=6)

    def test_not_missed(self):
        """A PE that goes on is not ended: one whose waits change, or that is in none."""
        begin = time.monotonic()
        self.check(3, by_pe("for _ in range(130):\n  waits('shmem_quiet', 1)\n  time.sleep(0.01)",
                            "pass", "until(lambda: get(WAITS, 0) >= 130)"), 0, "", most=8)
        self.assertGreater(time.monotonic() - begin, 1.2)


class GlobalExitTest(FakeTest):
    """shmem_global_exit."""

    def test_statuses(self):
        for given, status in ((7, 7), (0, 0), (256 + 3, 3), (-1, 255)):
            with self.subTest(given):
                text = rf"PE 1 called shmem_global_exit\({given}\)" if given else ""
                self.check(3, by_pe("waits('shmem_barrier_all')\nsignal.pause()",
                                    f"until_waiting(0)\nglobal_exit({given})\nsys.exit({status})",
                                    "signal.pause()"), status, text)

    def test_first_one_counts(self):
        self.check(3, by_pe("global_exit(5)\nmark()\nsignal.pause()",
                            "until_marked()\nglobal_exit(6)\nsys.exit(6)"), 5,
                   r"PE 0 called shmem_global_exit\(5\)")

    def test_by_the_word_alone(self):
        self.check(2, by_pe("struct.pack_into('=I', memory, EXIT_STATUS, 256 + 4)\nsys.exit(4)",
                            "signal.pause()"), 4, r"a PE called shmem_global_exit\(4\)")

    def test_others_may_leave_by_themselves(self):
        job = start_fake(2, by_pe("global_exit(2)\nsys.exit(2)", """
signal.signal(signal.SIGTERM, lambda *_: print("terminated", flush=True))
print("there", flush=True)
until(lambda: struct.unpack_from("=I", memory, EXIT_STATUS)[0])
print("left", flush=True)""").replace("global_exit(2)", """until_state(RUNNING, 1)
 struct.pack_into('=I', memory, EXIT_STATUS, 256 + 2)
 global_exit(2)"""))
        self.assertEqual(job.end()[:2], (2, "there\nleft\n"))

    def test_deaf_ones(self):
        begin = time.monotonic()
        self.check(2, by_pe("until_waiting(1)\nglobal_exit(1)\nsys.exit(1)",
                            "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwaits('shmem_quiet')\n"
                            "while True: signal.pause()"), 1, r"PE 0 called shmem_global_exit\(1\)")
        self.assertGreater(time.monotonic() - begin, 1.4)


class StoppedTest(FakeTest):
    """A stopped PE is slow, not dead: it is stopped while the other tests run."""

    def test_it_is_named_and_waited_for(self):
        job, pe = STOPPED
        with self.subTest("named after 10 s"):
            wait_for(lambda: select.select([job.process.stderr], [], [], 0)[0])
            self.assertEqual(job.process.stderr.readline(),
                             f"oshrun: PE 0 (pid {pe}) is stopped (signal 19); the job waits for it\n")
            self.assertGreater(time.monotonic() - STOPPED_SINCE, 10)
        os.kill(pe, signal.SIGCONT)
        status, _, err = job.end()
        self.assertEqual(status, 1)
        self.assertRegex(err, r"^oshrun: PE 1 \(pid \d+\) exited with status 0 without shmem_finalize; "
                         "PE 0 was in shmem_barrier_all\n$")


def setUpModule():
    """Stop a PE that waits for one that leaves then."""
    global STOPPED, STOPPED_SINCE
    job = start_fake(2, by_pe(
        "waits('shmem_barrier_all', 1)\nput(300, os.getpid())\nprint(os.getpid(), flush=True)\n"
        "signal.pause()",
        "until(lambda: get(300, 0) and open(f'/proc/{get(300, 0)}/stat').read().split()[2] == 'T')"))
    pe = int(job.line())
    STOPPED, STOPPED_SINCE = (job, pe), time.monotonic()
    os.kill(pe, signal.SIGSTOP)


if __name__ == "__main__":
    unittest.main()
