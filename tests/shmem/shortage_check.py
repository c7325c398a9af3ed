# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A system that has no more memory, at each step of a start: shortage_check.py OSHRUN PRELOADED PROGRAM [TEST...].

PRELOADED is short_start.cpp. It lets so many calls for memory succeed in the processes of one name, and no more.
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from jobs import OSHRUN, run

PRELOADED, PROGRAM = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(2))
# More than any start needs.
MOST_CALLS = 50


def short(name, calls):
    """Return the environment for it."""
    return {"LD_PRELOAD": PRELOADED, "UCXX_TEST_SHORT": f"{name}:{calls}"}


class ShortageTest(unittest.TestCase):
    """A start without memory is an error that says so, of the whole job."""

    def check_each(self, name, start, text):
        """Let the memory end at each step; return after how many there was enough."""
        for calls in range(MOST_CALLS):
            with self.subTest(name=name, calls=calls):
                status, err = start(short(name, calls))
                if status == 0:
                    self.assertEqual(err, "")
                    return calls
                self.assertEqual(status, 1, err)
                self.assertRegex(err, text)
                self.assertNotIn("signal", err)
        self.fail(f"{name} has never enough")

    @staticmethod
    def start_all(environment):
        """Run two PEs in that environment."""
        status, _, err = run("-n", "2", PROGRAM, "nothing", environment=environment)
        return status, err

    @staticmethod
    def start_one(environment):
        """Run two PEs, of which the second one has that environment."""
        words = " ".join(f"{name}={value}" for name, value in environment.items())
        status, _, err = run("-n", "2", "sh", "-c", f"case ${{UCXX_SHMEM_LAUNCH#*:}} in 1:*) export {words};; "
                             f"esac; exec {PROGRAM} nothing")
        return status, err

    @staticmethod
    def start_alone(environment):
        """Run the program without oshrun."""
        done = subprocess.run([PROGRAM, "nothing"], capture_output=True, text=True, check=False, timeout=20,
                              env={**os.environ, **environment})
        return done.returncode, done.stderr

    def test_oshrun(self):
        """It gives the pages that it reads to itself: those of all PEs, and of each one."""
        calls = self.check_each(pathlib.Path(OSHRUN).name, self.start_all, re.compile(
            r"^oshrun: no memory for 2 PEs with \d+ bytes of heap and \d+ of statics each, \d+ bytes in all: "
            r"the system has no more; use a lower SHMEM_SYMMETRIC_SIZE or fewer PEs$", re.M))
        self.assertEqual(calls, 3)

    def test_pes(self):
        text = r"ucxx: PE \d of 2: (shmem_init: .*memory|the machine has no memory for .* static variables)"
        name = pathlib.Path(PROGRAM).name
        self.assertGreater(self.check_each(name, self.start_all, text), 2)
        self.assertGreater(self.check_each(name, self.start_one, text.replace(r"\d", "1", 1)), 2)

    def test_alone(self):
        name = pathlib.Path(PROGRAM).name
        self.assertGreater(self.check_each(name, self.start_alone, "ucxx: PE 0 of 1: shmem_init: .*memory"), 1)


if __name__ == "__main__":
    unittest.main()
