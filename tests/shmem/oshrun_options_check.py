# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The command line of oshrun: oshrun_options_check.py OSHRUN [TEST...]. The programs are no PEs."""

import unittest

from jobs import VERSION, folder_of, lines, run


class OptionsTest(unittest.TestCase):
    """The command line."""

    def check(self, words, text, status=2):
        """Compare status and message of what cannot be started."""
        found, out, err = run(*words)
        self.assertEqual((found, out), (status, ""), err)
        self.assertRegex(err, f"^oshrun: {text}[^\n]*\n$")

    def test_help_and_version(self):
        for option in ("--help", "-h"):
            status, out, _ = run(option)
            self.assertEqual(status, 0)
            for word in ("-n N", "--tag-output", "--timeout", "--bind", "-x", "--wdir", "127"):
                self.assertIn(word, out)
        self.assertRegex(VERSION, r"^\d+\.\d+\.\d+$")

    def test_refused(self):
        for words, text in (
                ((), "no program is named"),
                (("-n", "2"), "no program is named"),
                (("true",), "the number of PEs is missing; use oshrun -n N"),
                (("-n", "0", "true"), "-n 0: use a number of PEs from 1 to 65536"),
                (("-n", "-3", "true"), "-n -3: use"),
                (("-np", "two", "true"), "-n two: use"),
                (("-n", "2x", "true"), "-n 2x: use"),
                (("-n", "65537", "true"), "-n 65537: use"),
                (("-n", "99999999999", "true"), "-n 99999999999: use"),
                (("-n",), "-n: its value is missing"),
                (("--frob", "-n", "2", "true"), "unknown option '--frob'; see oshrun --help"),
                (("-z", "-n", "2", "true"), "unknown option '-z'"),
                (("-n", "2", "--timeout", "0", "true"), "--timeout 0: use seconds"),
                (("-n", "2", "--timeout", "nan", "true"), "--timeout nan: use seconds"),
                (("-n", "2", "--timeout", "1e30", "true"), "--timeout 1e30: use seconds"),
                (("-n", "2", "--bind", "socket", "true"), "--bind socket: use none, or core"),
                (("-n", "2", "--wdir", "/nowhere", "true"), "--wdir /nowhere: use a folder"),
                (("-n", "2", "-x", "=3", "true"), "-x '=3': use NAME or NAME=VALUE"),
                (("-n", "2", "true", ":", "-n", "2", "false"), "':' among the arguments: .*MPMD")):
            with self.subTest(words):
                self.check(words, text)

    def test_program(self):
        with folder_of(a="#!/nowhere/interpreter\n", b="\x7fELF nonsense") as folder:
            (folder / "plain").touch()
            for word, status, text in (
                    ("no-such-program", 127, "no-such-program: program not found in the folders of PATH"),
                    ("./no/such", 127, "./no/such: program not found"),
                    ("/", 126, "/: not executable: Is a directory"),
                    (f"{folder}/plain", 126, f"{folder}/plain: not executable: Permission denied"),
                    (f"{folder}/a", 127, f"{folder}/a: cannot be executed: No such file"),
                    ("", 127, ": program not found")):
                with self.subTest(word):
                    self.check(("-n", "2", word), text, status)

    def test_equals_and_order(self):
        status, out, _ = run("--np=2", "--tag-output", "--timeout=9", "echo", "-n", "--np", "x")
        self.assertEqual((status, lines(out)), (0, ["[0] --np x", "[1] --np x"]))

    def test_script_without_interpreter(self):
        with folder_of(script="echo $1\n") as folder:
            self.assertEqual(run("-n", "1", folder / "script", "x y")[:2], (0, "x y\n"))


if __name__ == "__main__":
    unittest.main()
