# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a machine, or a cgroup, does not have left: memory_check.py OSHRUN PRELOADED ASKS STATICS [TEST...].

PRELOADED is short_start.cpp, which tells how much the machine has left; ASKS is asks_memory.cpp, STATICS
large_statics.cpp.
"""

import contextlib
import os
import pathlib
import subprocess
import sys
import unittest
import uuid

from jobs import LIMIT_S, OSHRUN, run, wait_for

PRELOADED, ASKS, STATICS = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(3))
MIB = 1 << 20
RESERVE = 256 * MIB
CGROUPS = pathlib.Path("/sys/fs/cgroup")


def left(mib):
    """Return the environment of a machine that has so many MiB left beside its reserve."""
    return {"LD_PRELOAD": PRELOADED, "UCXX_TEST_AVAILABLE": str(RESERVE + mib * MIB)}


class MemoryTest(unittest.TestCase):
    """The figure of the machine is injected: none of these jobs takes more than 200 MiB."""

    def test_what_is_left_is_given(self):
        self.assertEqual(run("-n", "1", ASKS, "100", environment=left(128)), (0, "memory\n", ""))

    def test_what_is_not_left_is_null(self):
        self.assertEqual(run("-n", "2", ASKS, "100", environment=left(63)), (0, "null\n", ""))

    def test_more_than_any_machine_has_is_null(self):
        environment = {"SHMEM_SYMMETRIC_SIZE": "8t"}
        self.assertEqual(run("-n", "2", ASKS, str(4 << 20), environment=environment), (0, "null\n", ""))

    def test_with_debug_it_says_why(self):
        status, _, err = run("-n", "1", ASKS, "600", environment={**left(500), "SHMEM_DEBUG": "1"})
        self.assertEqual(status, 0)
        self.assertIn(f"shmem_malloc: the machine has no memory for {600 * MIB} bytes on each PE: {500 * MIB} are left "
                      "for all programs, after a reserve; use less, or fewer PEs\n", err)

    def test_static_variables_without_room_end_the_job_before_main(self):
        status, out, err = run("-n", "2", STATICS, environment=left(0))
        self.assertEqual((status, out), (1, ""), err)
        self.assertRegex(err, r"ucxx: PE \d of 2: the machine has no memory for the 1\d{8} bytes of global and static "
                              r"variables of each PE: 0 are left for all programs, after a reserve; use fewer PEs, or "
                              r"shmem_malloc for less\n")

    def test_static_variables_with_room_are_symmetric(self):
        self.assertEqual(run("-n", "2", STATICS, environment=left(200)), (0, "main\nmain\n", ""))

    def test_static_variables_of_one_pe_need_no_room(self):
        self.assertEqual(run("-n", "1", STATICS, environment=left(0)), (0, "main\n", ""))


def is_removed(folder):
    """Remove a cgroup; tell whether the kernel knows by now that its processes have ended."""
    try:
        folder.rmdir()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def cgroup(limit):
    """Make a cgroup with so many bytes; yields its folder, or None where none can be made."""
    for parent, maximum in ((CGROUPS / "memory", "memory.limit_in_bytes"), (CGROUPS, "memory.max")):
        folder = parent / f"ucxx-{uuid.uuid4().hex}"
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            (folder / maximum).write_text(str(limit))
        except OSError:
            folder.rmdir()
            continue
        try:
            yield folder
        finally:
            wait_for(lambda: is_removed(folder))
        return
    yield None


class CgroupTest(unittest.TestCase):
    """A small cgroup of the kernel's, where this user may make one; else base/available_memory_test.cpp has to do."""

    def ask(self, folder, pes, mib):
        """Ask for memory in the cgroup."""
        done = subprocess.run(
            ["sh", "-c", 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"', "sh", folder, OSHRUN, "-n", str(pes), ASKS,
             str(mib)], capture_output=True, text=True, check=False, timeout=LIMIT_S,
            env={**os.environ, "SHMEM_SYMMETRIC_SIZE": "100g"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.strip()

    def test_what_the_cgroup_has_not_is_null(self):
        with cgroup(512 * MIB) as folder:
            if folder is None:
                self.skipTest("no cgroup can be made here")
            self.assertEqual(self.ask(folder, 2, 60_000), "null")
            self.assertEqual(self.ask(folder, 2, 180), "null")
            self.assertEqual(self.ask(folder, 2, 60), "memory")
            self.assertEqual(self.ask(folder, 1, 150), "memory")


if __name__ == "__main__":
    unittest.main()
