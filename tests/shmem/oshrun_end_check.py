# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How a job of oshrun ends: oshrun_end_check.py OSHRUN [TEST...]. The programs are no PEs."""

import os
import signal
import subprocess
import time
import unittest

from jobs import LIMIT_S, OSHRUN, Job, is_stopped, named, run, start_ready, wait_for

SLEEP = ("sleep", "100")
# PEs that say when their handlers are there.
POLITE = ("sh", "-c", "trap 'kill $!; echo bye; exit' TERM; sleep 100 & echo ready; wait")
DEAF = ("sh", "-c", "trap '' TERM INT HUP; echo ready; while :; do sleep 100; done")


class EndTest(unittest.TestCase):
    """How a job ends."""

    def test_statuses(self):
        mine = "${UCXX_SHMEM_LAUNCH#*:}"
        for code, status, text in (
                ("exit 0", 0, "^$"),
                (f"case {mine} in 1:*) exit 3;; *) sleep 100; esac", 3,
                 r"^oshrun: PE 1 \(pid \d+\) exited with status 3\n$"),
                (f"case {mine} in 1:*) kill -9 $$;; *) sleep 100; esac", 137,
                 r"^oshrun: PE 1 \(pid \d+\) was killed by signal 9 \(Killed\)\n$"),
                (f"case {mine} in 0:*) kill -11 $$;; *) exit 0; esac", 139,
                 r"^oshrun: PE 0 \(pid \d+\) was killed by signal 11 \(Segmentation fault\)\n$"),
                ("exit 300", 44, r"^oshrun: PE \d \(pid \d+\) exited with status 44\n$")):
            with self.subTest(code):
                found, out, err = run("-n", "3", "sh", "-c", code)
                self.assertEqual((found, out), (status, ""))
                self.assertRegex(err, text)

    def test_signals_end_the_job(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(number):
                job = start_ready(2, *POLITE)
                job.send(number)
                status, out, err = job.end()
                self.assertEqual((status, out), (128 + number, "bye\nbye\n"))
                self.assertRegex(err, rf"^oshrun: received signal {int(number)} \(\w+\)\n$")

    def test_signals_for_pes(self):
        """SIGUSR1 and SIGUSR2 go on to the PEs, whichever process of oshrun gets them, and end nothing."""
        code = "trap 'echo got' USR1; trap 'echo bye; exit' USR2; echo ready; while :; do sleep 0.02; done"
        for receiver in (lambda job: job.pid, lambda job: job.runner):
            job = start_ready(2, "sh", "-c", code)
            for _ in range(2):
                os.kill(receiver(job), signal.SIGUSR1)
                self.assertEqual([job.line(), job.line()], ["got", "got"])
            os.kill(receiver(job), signal.SIGUSR2)
            self.assertEqual(job.end(), (0, "bye\nbye\n", ""))

    def test_signals_for_pes_without_a_handler(self):
        for number in (signal.SIGUSR1, signal.SIGUSR2):
            with self.subTest(number):
                job = start_ready(2, "sh", "-c", "echo ready; exec sleep 100")
                wait_for(lambda job=job: named(job, "sleep", 2))
                job.send(number)
                status, _, err = job.end()
                self.assertEqual(status, 128 + number)
                self.assertRegex(err, rf"^oshrun: PE \d \(pid \d+\) was killed by signal {int(number)} .*\n$")

    def test_signals_for_pes_that_were_ignored(self):
        job = Job("sh", "-c", "trap '' USR1; exec \"$@\"", "-", OSHRUN, "-n", "1", "sh", "-c",
                  "echo; read line; exit 5", stdin=subprocess.PIPE)
        job.line()
        job.send(signal.SIGUSR1)
        self.assertEqual(job.end("go\n")[0], 5)

    def test_deaf_ones(self):
        """SIGKILL comes after a second; a second signal makes it come at once."""
        took = {}
        for again in (False, True):
            job = start_ready(2, *DEAF)
            begin = time.monotonic()
            job.send(signal.SIGINT)
            if again:
                job.send(signal.SIGTERM)
            self.assertEqual(job.end()[0], 130)
            took[again] = time.monotonic() - begin
        self.assertGreater(took[False], 0.95)
        self.assertLess(took[True], took[False])

    def test_ignored_hangup(self):
        job = Job("nohup", OSHRUN, "-n", "1", "sh", "-c", "echo; read line; exit 5",
                  stdin=subprocess.PIPE)
        job.line()
        job.send(signal.SIGHUP)
        self.assertEqual(job.end("go\n")[0], 5)

    def test_timeout(self):
        begin = time.monotonic()
        status, _, err = run("-n", "2", "--timeout", "0.2", *SLEEP)
        self.assertEqual(status, 124)
        self.assertEqual(err, "oshrun: the job has not ended within 0.2 s (--timeout); PEs 0 and 1 "
                              "were in no call that waits\n")
        self.assertTrue(0.2 <= time.monotonic() - begin < 5)
        self.assertEqual(run("-n", "2", "--timeout", "20", "true"), (0, "", ""))

    def test_timeout_of_a_stopped_one(self):
        stop = "case ${UCXX_SHMEM_LAUNCH#*:} in 1:*) kill -STOP $$; esac; sleep 100"
        status, _, err = run("-n", "2", "--timeout", "1", "sh", "-c", stop)
        self.assertEqual(status, 124)
        self.assertIn("; PE 0 was in no call that waits, PE 1 was stopped\n", err)

    def test_what_a_program_leaves_behind(self):
        for code in ("sleep 100 & exit 0",
                     "(setsid sh -c 'sleep 100 & sleep 100' &) ; exit 0",
                     "sh -c 'sh -c \"sleep 100; :\"; :' & exit 0",
                     "sleep 100 & exit 3"):
            with self.subTest(code):
                self.assertEqual(run("-n", "2", "sh", "-c", code)[0], int(code[-1]))

    def test_a_deaf_one_is_left_behind(self):
        begin = time.monotonic()
        status, out, _ = run("-n", "1", "sh", "-c", "trap '' TERM HUP INT; (setsid sh -c "
                             "'echo x; sleep 100 & sleep 100; :' &) ; exit 0")
        self.assertEqual((status, out), (0, "x\n"))
        self.assertTrue(0.95 < time.monotonic() - begin < 5)

    def test_what_it_had_before_stays(self):
        job = Job("sh", "-c", 'sleep 100 & echo $!; exec "$@"', "-", OSHRUN, "-n", "1", "true")
        other = int(job.line())
        self.assertEqual(job.process.wait(LIMIT_S), 0)
        self.assertEqual(job.processes(), [other])
        os.kill(other, signal.SIGKILL)
        job.end()

    def test_script_with_a_stopped_process_goes_on(self):
        """As in a batch job: nobody else of the session has its process group."""
        code = 'sleep 100 & kill -STOP $!; "$@"; status=$?; kill -KILL $!; echo $status'
        found = subprocess.run(("sh", "-c", code, "-", OSHRUN, "-n", "2", "sh", "-c", "exit 3"),
                               capture_output=True, text=True, timeout=LIMIT_S, check=False,
                               start_new_session=True)
        self.assertEqual((found.returncode, found.stdout), (0, "3\n"))

    def test_stopped_one_takes_its_end(self):
        job = start_ready(2, *POLITE)
        pe = wait_for(lambda: named(job, "sh", 2))[0]
        os.kill(pe, signal.SIGSTOP)
        wait_for(lambda: is_stopped(pe))
        job.send(signal.SIGTERM)
        self.assertEqual(job.end()[:2], (143, "bye\nbye\n"))


if __name__ == "__main__":
    unittest.main()
