# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of ucxx_kills itself: kills_check.py FOLDER [TEST...]."""

import os
import pathlib
import time
import unittest

from programs import children, ended, is_running, run, start, wait_for

ROLES = ("witness", "survivor", "victim")


def one_run(*options, **environment):
    """Perform a single run; return the exit status and what is printed."""
    status, out, err = run("ucxx_kills", "--seed", "1", "--runs", "1", *options, **environment)
    return status, out + err


def computing(tool):
    """Return those processes of the tool which only keep cores busy."""
    return [pid for pid in children(tool)
            if b"busy" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")]


class KillsTest(unittest.TestCase):
    """ucxx_kills."""

    def requires_end_told(self, variable, role, why):
        """Who ends is named, with why, and nobody who waits for it is taken for silent."""
        begin = time.monotonic()
        status, text = one_run(**{variable: role})
        self.assertEqual(status, 1, text)
        self.assertRegex(text, rf"(?m)^crash: {role}: .*{why}")
        self.assertNotIn("silent", text)
        self.assertLess(time.monotonic() - begin, 20)

    def test_who_is_killed_at_its_start_is_told(self):
        """A witness, too, that the survivor waits for."""
        for role in ROLES:
            with self.subTest(role):
                self.requires_end_told("UCXX_TEST_DIES", role, "was ended by signal 9")

    def test_who_fails_at_its_start_is_told_with_the_reason(self):
        for role in ROLES:
            with self.subTest(role):
                self.requires_end_told("UCXX_TEST_FAILS", role, "it is told to fail")

    def test_busy_processes_are_of_the_same_session_and_end_with_the_tool(self):
        """Those of another session weigh as one, for the scheduler."""
        options = ("--seed", "1", "--runs", "1000000", "--busy", "2")
        with ended(start("ucxx_kills", *options)) as tool:
            wait_for(lambda: len(computing(tool.pid)) == 2)
            busy = computing(tool.pid)
            self.assertEqual({os.getsid(pid) for pid in busy}, {os.getsid(tool.pid)})
        wait_for(lambda: not any(is_running(pid) for pid in busy))

    def test_what_replays_a_run_says_that_it_had_delays(self):
        status, text = one_run("--delays", UCXX_TEST_DIES="witness")
        self.assertEqual(status, 1, text)
        self.assertIn("ucxx_kills --channel local --delays --seed 1 --only 0", text)
        status, text = one_run("--delays")
        self.assertEqual(status, 0, text)


if __name__ == "__main__":
    unittest.main()
