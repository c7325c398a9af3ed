# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A job of oshrun in a terminal: oshrun_terminal_check.py OSHRUN [TEST...]. The programs are no PEs."""

import os
import pty
import signal
import sys
import unittest

from jobs import LIMIT_S, OSHRUN, Job, is_stopped, named, wait_for


class TerminalTest(unittest.TestCase):
    """A terminal's signals reach the PEs as well."""

    # A session, and in its terminal's foreground a job, as a shell does.
    SHELL = """
import fcntl, os, signal, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(os.waitpid(job, 0)[1]))
"""

    def setUp(self):
        self.terminal, inner = pty.openpty()
        self.job = Job(sys.executable, "-c", self.SHELL, OSHRUN, "-n", "2", "sh", "-c",
                       "echo ready; exec sleep 100", stdin=inner, stdout=inner)
        os.close(inner)
        self.seen = b""
        wait_for(lambda: self.read().count(b"ready") == 2)

    def tearDown(self):
        self.job.end()
        os.close(self.terminal)

    def read(self):
        """Return what the terminal has shown."""
        self.seen += os.read(self.terminal, 1000)
        return self.seen

    def check_end(self, status, err):
        """Compare status and errors of the job."""
        self.assertEqual(self.job.process.wait(LIMIT_S), status)
        self.assertEqual(self.job.process.stderr.read(), err)

    def test_interrupt(self):
        os.write(self.terminal, b"\x03")
        self.check_end(130, "oshrun: received signal 2 (Interrupt)\n")

    def test_stop(self):
        oshrun = min(wait_for(lambda: named(self.job, "oshrun", 2)))  # the one that was started
        members = [oshrun, *wait_for(lambda: named(self.job, "sleep", 2))]
        os.write(self.terminal, b"\x1a")
        wait_for(lambda: all(is_stopped(pid) for pid in members))
        os.killpg(oshrun, signal.SIGCONT)
        wait_for(lambda: not any(is_stopped(pid) for pid in members))
        os.kill(members[1], signal.SIGKILL)
        self.assertEqual(self.job.process.wait(LIMIT_S), 137)

    def test_end_of_the_terminal(self):
        os.close(self.terminal)
        self.terminal = os.open("/dev/null", os.O_RDONLY)
        self.check_end(-signal.SIGHUP, "oshrun: received signal 1 (Hangup)\n")


if __name__ == "__main__":
    unittest.main()
