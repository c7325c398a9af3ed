# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of the two processes of oshrun, of which each may be killed: oshrun_killed_check.py OSHRUN.

A job ends as a whole: jobs.Job fails where a process of it is left.
"""

import os
import signal
import subprocess
import time
import unittest

from jobs import OSHRUN, Job, children_of, fields, is_stopped, start, start_ready, wait_for

# A PE that is deaf, and what it leaves behind in a session of its own: as deaf.
PE = ("sh", "-c", "trap '' TERM INT HUP; (setsid sh -c 'sleep 100 & sleep 100; :' &) ; echo ready; "
      "sleep 100; :")
PES = 3
KILLED = "oshrun: the process of oshrun that was started (pid {}) was killed\n"
# PEs that need a while to end, and say that they had it.
SLOW = ("sh", "-c", "trap 'kill $!; sleep 0.4; echo bye; exit' TERM; sleep 100 & echo ready; wait")


class KilledTest(unittest.TestCase):
    """One of both is killed by SIGKILL."""

    def test_the_one_that_was_started(self):
        job = start_ready(PES, *PE)
        begin = time.monotonic()
        job.process.kill()
        wait_for(lambda: not job.processes())
        self.assertLess(time.monotonic() - begin, 10)  # 1 s for SIGTERM, then SIGKILL
        status, _, err = job.end()
        self.assertEqual((status, err), (-signal.SIGKILL, KILLED.format(job.pid)))

    def test_the_group_of_the_one_that_was_started(self):
        """As `kill -9 %1` in a shell does: all PEs are in it, and what they left behind is not."""
        job = start_ready(PES, *PE, process_group=0)
        os.killpg(job.pid, signal.SIGKILL)
        wait_for(lambda: not job.processes())
        self.assertEqual(job.end()[0], -signal.SIGKILL)

    def test_while_the_job_is_stopped(self):
        for stop in (lambda job: os.killpg(job.pid, signal.SIGSTOP),
                     lambda job: os.kill(job.runner, signal.SIGSTOP)):
            job = start_ready(PES, *PE, process_group=0)
            runner = job.runner
            stop(job)
            wait_for(lambda job=job, runner=runner: is_stopped(job.pid) or is_stopped(runner))
            job.process.kill()
            wait_for(lambda job=job: not job.processes())
            self.assertEqual(job.end()[0], -signal.SIGKILL)

    def test_the_one_that_runs_the_job(self):
        job = start_ready(PES, *PE)
        runner = job.runner
        os.kill(runner, signal.SIGKILL)
        status, _, err = job.end()
        self.assertEqual(status, 128 + signal.SIGKILL)
        self.assertEqual(err, f"oshrun: the process of oshrun that ran the job (pid {runner}) was "
                              "killed by signal 9 (Killed)\n")

    def test_what_it_had_before_stays(self):
        job = Job("sh", "-c", 'sleep 100 & echo $!; exec "$@"', "-", OSHRUN, "-n", "1", "sh", "-c",
                  "echo; sleep 100")
        other = int(job.line())
        job.line()
        runner = next(pid for pid in children_of(job.pid) if pid != other)
        os.kill(runner, signal.SIGKILL)
        self.assertEqual(job.process.wait(20), 128 + signal.SIGKILL)
        self.assertEqual(job.processes(), [other])
        os.kill(other, signal.SIGKILL)
        job.end()

    def test_before_there_are_pes(self):
        for _ in range(20):
            job = start("-n", "4", "sleep", "100")
            job.process.kill()
            wait_for(lambda job=job: not job.processes())
            job.end()


class SignalsTest(unittest.TestCase):
    """A signal counts once, whichever of both it reaches, and how often at once."""

    def end_by(self, send):
        """Start a job of deaf PEs, have it signalled, and return its status and how long it took."""
        job = start_ready(PES, *PE, process_group=0)
        begin = time.monotonic()
        send(job)
        status = job.end()[0]
        return status, time.monotonic() - begin

    def test_once(self):
        for send in (lambda job: os.kill(job.pid, signal.SIGTERM),
                     lambda job: os.kill(job.runner, signal.SIGTERM),
                     lambda job: os.killpg(job.pid, signal.SIGTERM),
                     lambda job: (os.kill(job.pid, signal.SIGTERM),
                                  os.killpg(job.pid, signal.SIGTERM))):
            status, took = self.end_by(send)
            self.assertEqual(status, 128 + signal.SIGTERM)
            self.assertGreater(took, 0.95)

    def test_timeout(self):
        """timeout(1) signals the process, and then its group."""
        job = Job("timeout", "2", OSHRUN, "-n", "2", *SLOW)
        status, out, _ = job.end()
        self.assertEqual((status, sorted(out.split())), (124, ["bye", "bye", "ready", "ready"]))

    def test_the_one_that_runs_the_job_is_stopped(self):
        job = start_ready(PES, *PE)
        os.kill(job.runner, signal.SIGSTOP)
        job.send(signal.SIGTERM)
        self.assertEqual(job.end()[0], 128 + signal.SIGTERM)

    def test_stopped(self):
        """The one that was started is stopped: the job goes on, and it answers when it goes on."""
        job = start_ready(PES, "sh", "-c", "echo ready; sleep 1; exit 3", stderr=subprocess.DEVNULL)
        job.send(signal.SIGSTOP)
        wait_for(lambda: is_stopped(job.pid))
        runner = job.runner
        wait_for(lambda: fields(runner)["State"].startswith("Z"))
        job.send(signal.SIGCONT)
        self.assertEqual(job.end()[0], 3)


if __name__ == "__main__":
    unittest.main()
