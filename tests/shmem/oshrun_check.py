# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of oshrun with programs that are no PEs: oshrun_check.py OSHRUN [TEST...]."""

import contextlib
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from jobs import (LIMIT_S, OSHRUN, VERSION, Job, fields, is_stopped, run, run_limited, start,
                  wait_for)

SLEEP = ("sleep", "100")
# PEs that say when their handlers are there.
POLITE = ("sh", "-c", "trap 'kill $!; echo bye; exit' TERM; sleep 100 & echo ready; wait")
DEAF = ("sh", "-c", "trap '' TERM INT HUP; echo ready; while :; do sleep 100; done")


def lines(text):
    """Return the lines, in a fixed order."""
    return sorted(text.splitlines())


def start_ready(pes, *command, **options):
    """Start PEs that each say a line first, and wait for all of these."""
    job = start("-n", str(pes), *command, **options)
    for _ in range(pes):
        job.line()
    return job


@contextlib.contextmanager
def folder_of(**texts):
    """Give a folder with executable files."""
    with tempfile.TemporaryDirectory() as name:
        for file, text in texts.items():
            path = pathlib.Path(name, file)
            path.write_text(text)
            path.chmod(0o755)
        yield pathlib.Path(name)


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


class StartTest(unittest.TestCase):
    """What PEs find."""

    def test_who_they_are(self):
        status, out, _ = run("-n", "3", "sh", "-c", "echo ${UCXX_SHMEM_LAUNCH#*:}; readlink "
                             "/proc/self/fd/${UCXX_SHMEM_LAUNCH%%:*} | cut -d: -f1")
        self.assertEqual(status, 0)
        self.assertEqual(lines(out), ["0:3", "1:3", "2:3", "socket", "socket", "socket"])

    def test_nothing_else_is_inherited(self):
        _, out, _ = run("-n", "3", "--tag-output", "sh", "-c", "echo /proc/self/fd/*; :")
        for line in out.splitlines():
            self.assertEqual(len(line.split()), 1 + 4 + 1, line)  # tag, 0 1 2, socket, the listing

    def test_other_launchers_variables(self):
        others = {"PMI_RANK": "1", "PMIX_NAMESPACE": "x", "OMPI_COMM_WORLD_SIZE": "2",
                  "UCXX_SHMEM_LAUNCH": "0:1:2", "SLURM_PROCID": "3", "PMIY": "4"}
        _, out, _ = run("-n", "1", "env", environment=others)
        found = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
        self.assertRegex(found.pop("UCXX_SHMEM_LAUNCH"), r"^\d+:0:1$")
        self.assertEqual({name for name in others if name in found}, {"SLURM_PROCID", "PMIY"})

    def test_variables(self):
        status, out, err = run(
            "-n", "1", "-x", "A=1 2", "-x", "GIVEN", "-x", "B=1", "-x", "B=2", "-x", "PMI_RANK=5", "-x",
            "MISSING", "sh", "-c", 'echo "$A,$B,$GIVEN,$PMI_RANK"', environment={"GIVEN": "g", "B": "0"})
        self.assertEqual((status, out), (0, "1 2,2,g,5\n"))
        self.assertEqual(err, "oshrun: -x MISSING: it is not set here, so the PEs do not get it\n")

    def test_standard_input(self):
        job = start("-n", "3", "--tag-output", "sh", "-c", "wc -c", stdin=subprocess.PIPE)
        status, out, _ = job.end("four")
        self.assertEqual((status, lines(out)), (0, ["[0] 4", "[1] 0", "[2] 0"]))

    def test_folder(self):
        with folder_of(here="#!/bin/sh\npwd\n") as folder:
            self.assertEqual(run("-n", "1", "--wdir", folder, "pwd")[1], f"{folder}\n")
            job = start("-n", "1", "--wdir", "/", "./here", cwd=folder)
            self.assertEqual(job.end(), (0, "/\n", ""))

    def test_signals_are_as_found(self):
        show = ("grep", "-E", "^Sig(Blk|Ign|Cgt)", "/proc/self/status")
        for before in ("", "trap '' INT CHLD PIPE; "):
            with self.subTest(before):
                alone = Job("sh", "-c", before + 'exec "$@"', "-", *show).end()
                job = Job("sh", "-c", before + 'exec "$@"', "-", OSHRUN, "-n", "1", *show).end()
                self.assertEqual(job, alone)

    def test_bind(self):
        usable = sorted(os.sched_getaffinity(0))
        pes = len(usable) + 1
        status, out, err = run("-n", str(pes), "--bind", "core", "--tag-output", "grep",
                               "Cpus_allowed_list", "/proc/self/status")
        self.assertEqual(status, 0)
        self.assertRegex(err, rf"^oshrun: --bind core: {pes} PEs share {len(usable)} processors?\n$")
        self.assertEqual(lines(out), lines("\n".join(
            f"[{pe}] Cpus_allowed_list:\t{usable[pe % len(usable)]}" for pe in range(pes))))
        self.assertEqual(run("-n", str(pes), "--bind", "none", "true"), (0, "", ""))

    def test_many(self):
        job = Job("sh", "-c", 'ulimit -S -n 64; exec "$@"', "-", OSHRUN, "-n", "150", "--tag-output",
                  "sh", "-c", "ulimit -n")
        status, out, err = job.end()
        self.assertEqual((status, lines(out)), (0, sorted(f"[{pe}] 64" for pe in range(150))), err)

    def test_too_many(self):
        status, _, err = run_limited("-n 40", "-n", "100", *SLEEP)
        self.assertEqual(status, 1)
        self.assertRegex(err, r"^oshrun: cannot start PE \d+: socketpair: Too many open files\n$")

    def test_closed_descriptors(self):
        job = Job("sh", "-c", 'exec "$@" <&- >&- 2>&-', "-", OSHRUN, "-n", "2", "--tag-output", "sh",
                  "-c", "echo x; echo y >&2; exit 4")
        self.assertEqual(job.end(), (4, "", ""))

    def test_within_another_job(self):
        job = run("-n", "1", OSHRUN, "-n", "2", "sh", "-c", "echo ${UCXX_SHMEM_LAUNCH#*:}; ls "
                  "/proc/self/fd | wc -l")
        self.assertEqual((job[0], lines(job[1])), (0, ["0:2", "1:2", "5", "5"]))

    def test_quick(self):
        """A bound for a busy machine; benchmarks tell the figures."""
        best = min(self.seconds(2) for _ in range(5))
        self.assertLess(best, 0.05)
        self.assertLess(self.seconds(64), 2)

    @staticmethod
    def seconds(pes):
        """Return how long a job takes that does nothing."""
        begin = time.perf_counter()
        subprocess.run([OSHRUN, "-n", str(pes), "true"], check=True, timeout=LIMIT_S)
        return time.perf_counter() - begin


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

    def test_stopped_one_takes_its_end(self):
        job = start_ready(2, *POLITE)
        pe = wait_for(lambda: named(job, "sh", 2))[0]
        os.kill(pe, signal.SIGSTOP)
        wait_for(lambda: is_stopped(pe))
        job.send(signal.SIGTERM)
        self.assertEqual(job.end()[:2], (143, "bye\nbye\n"))


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
        oshrun = wait_for(lambda: named(self.job, "oshrun", 2))
        members = [*oshrun, *wait_for(lambda: named(self.job, "sleep", 2))]
        os.write(self.terminal, b"\x1a")
        wait_for(lambda: all(is_stopped(pid) for pid in members))
        os.killpg(os.getpgid(oshrun[0]), signal.SIGCONT)
        wait_for(lambda: not any(is_stopped(pid) for pid in members))
        os.kill(members[2], signal.SIGKILL)
        self.assertEqual(self.job.process.wait(LIMIT_S), 137)

    def test_end_of_the_terminal(self):
        os.close(self.terminal)
        self.terminal = os.open("/dev/null", os.O_RDONLY)
        self.check_end(-signal.SIGHUP, "oshrun: received signal 1 (Hangup)\n")


def named(job, name, count):
    """Return the processes of a job with this name, if there are so many."""
    found = []
    for pid in job.processes():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if fields(pid)["Name"] == name:
                found.append(pid)
    return found if len(found) == count else []


if __name__ == "__main__":
    unittest.main()
