# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What oshrun makes of the output of its PEs: oshrun_output_check.py OSHRUN [TEST...]. The programs are no PEs."""

import os
import signal
import subprocess
import unittest

from jobs import fields, lines, named, run, start, wait_for


class OutputTest(unittest.TestCase):
    """--tag-output."""

    def test_lines(self):
        status, out, err = run("-n", "2", "--tag-output", "sh", "-c",
                               "printf 'a\\n\\nb'; printf 'c\\nlast'; echo e >&2")
        self.assertEqual((status, lines(err)), (0, ["[0] e", "[1] e"]))
        for pe in "01":
            own = [line for line in out.splitlines() if line.startswith(f"[{pe}]")]
            self.assertEqual(own, [f"[{pe}] a", f"[{pe}] ", f"[{pe}] bc", f"[{pe}] last"])

    def test_much_of_many(self):
        count, pes = 3000, 7
        status, out, _ = run("-n", str(pes), "--tag-output", "seq", "-f", "%060g", str(count))
        self.assertEqual(status, 0)
        expected = [f"{number:060}" for number in range(1, count + 1)]
        for pe in range(pes):
            prefix = f"[{pe}] "
            own = [line[len(prefix):] for line in out.splitlines() if line.startswith(prefix)]
            self.assertEqual(own, expected)

    def test_long_line(self):
        _, out, _ = run("-n", "1", "--tag-output", "sh", "-c",
                        "head -c 200000 /dev/zero | tr '\\0' x")
        pieces = [line.removeprefix("[0] ") for line in out.splitlines()]
        self.assertEqual([len(piece) for piece in pieces], [65536, 65536, 65536, 200000 - 3 * 65536])
        self.assertEqual(set("".join(pieces)), {"x"})

    def test_what_was_written_before_a_kill(self):
        _, out, err = run("-n", "1", "--tag-output", "sh", "-c",
                          "seq 9000; echo e >&2; printf last; kill -9 $$")
        self.assertEqual(len(out.splitlines()), 9001)
        self.assertTrue(out.endswith("\n[0] last\n"))
        self.assertRegex(err, r"^\[0\] e\noshrun: PE 0 \(pid \d+\) was killed by signal 9 \(Killed\)\n$")

    def test_what_is_left_behind_writes_for_ever(self):
        job = start("-n", "1", "--tag-output", "sh", "-c", "yes & read line; exit 6", stdin=subprocess.PIPE)
        self.assertEqual(job.line(), "[0] y")
        self.assertEqual(job.end("go\n")[0], 6)

    def test_nobody_reads(self):
        for option in ((), ("--tag-output",)):
            with self.subTest(option):
                job = start("-n", "2", *option, "yes")
                job.line()
                job.process.stdout.close()
                job.process.stdout = None
                status, _, err = job.end()
                self.assertEqual(status, 128 + signal.SIGPIPE)
                self.assertRegex(err, r"^oshrun: PE \d \(pid \d+\) was killed by signal 13 ")

    def test_full_device(self):
        """What is lost is told, as other programs do."""
        with open("/dev/full", "w", encoding="ascii") as full:
            job = start("-n", "2", "--tag-output", "echo", "x", stdout=full)
            self.assertEqual(job.end(), (1, None, "oshrun: cannot write to standard output, what the PEs "
                                         "wrote is lost: No space left on device\n"))

    def test_slow_reader(self):
        """PEs are watched though nobody takes their output; what they wrote comes later."""
        job = start("-n", "2", "--tag-output", "yes")
        pes = wait_for(lambda: named(job, "yes", 2))
        wait_for(lambda: all(fields(pid)["State"].startswith("S") for pid in pes))
        os.kill(pes[0], signal.SIGKILL)
        wait_for(lambda: sorted(named(job, "oshrun", 2)) == sorted(job.processes()))
        self.assertIsNone(job.process.poll())
        status, out, err = job.end()
        self.assertEqual((status, err.count("\n")), (137, 1))
        self.assertEqual({line[-3:] for line in out.splitlines()[:-2]}, {"] y"})
        self.assertGreater(len(out), 256 * 1024)


if __name__ == "__main__":
    unittest.main()
