# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the processes find that oshrun starts: oshrun_start_check.py OSHRUN [TEST...]. The programs are no PEs."""

import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

from jobs import LIMIT_S, OSHRUN, Job, folder_of, lines, run, run_limited, start

SLEEP = ("sleep", "100")
SYSTEM = pathlib.Path("/sys/devices/system/cpu")


def package_of(processor):
    """Return the number of a processor's package, 0 where the system does not say."""
    file = SYSTEM / f"cpu{processor}/topology/physical_package_id"
    return int(file.read_text()) if file.exists() else 0


def node_of(processor):
    """Return the number of a processor's NUMA node, 0 where the system does not say."""
    return next((int(path.name[4:]) for path in (SYSTEM / f"cpu{processor}").glob("node[0-9]*")), 0)


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
                  "UCXX_SHMEM_LAUNCH": "0:1:2", "UCXX_SHMEM_TAKEN": "1:1:2", "SLURM_STEP_NUM_TASKS": "2",
                  "SLURM_PROCID": "3", "PMIY": "4"}
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

    def test_relative_program_and_folder(self):
        """The folder of --wdir comes first, as under Open MPI, and then the one of oshrun."""
        with folder_of(both="#!/bin/sh\necho outside\n", outside="#!/bin/sh\necho outside\n") as folder:
            inner = folder / "inner"
            inner.mkdir()
            for name in ("both", "inside"):
                (inner / name).write_text("#!/bin/sh\necho inside\n")
                (inner / name).chmod(0o755)
            (inner / "outside").mkdir()  # nothing that can be executed
            for option in ("--wdir", "-wdir", "-wd"):
                for program, out in (("./both", "inside"), ("./inside", "inside"), ("./outside", "outside"),
                                     ("inner/inside", "inside"), ("both", "inside"), ("outside", "outside")):
                    with self.subTest(program, option=option):
                        job = start("-n", "1", option, "inner", program, cwd=folder,
                                    environment={"PATH": f".:{os.environ['PATH']}"})
                        self.assertEqual(job.end(), (0, f"{out}\n", ""))
            status, _, err = start("-n", "1", "--wdir", "inner", "./none", cwd=folder).end()
            self.assertEqual((status, err), (127, "oshrun: ./none: program not found\n"))

    def test_path_of_pes(self):
        """A program is found where its PEs would find it."""
        with folder_of(**{"only-here": "#!/bin/sh\necho $PATH\n"}) as folder:
            path = f"{folder}:{os.environ['PATH']}"
            for words in (("-x", f"PATH={path}"), ("-genv", "PATH", path), ("-x", "PATH=/", "-x", f"PATH={path}")):
                with self.subTest(words):
                    self.assertEqual(run("-n", "1", *words, "only-here"), (0, f"{path}\n", ""))
            self.assertEqual(run("-n", "1", "-x", "PATH=/nowhere", "true"),
                             (127, "", "oshrun: true: program not found in the folders of PATH\n"))

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

    def test_bind_to_sets(self):
        """PE i runs on the i-th package or NUMA node, in turns."""
        usable = os.sched_getaffinity(0)
        for what, number_of in (("socket", package_of), ("package", package_of), ("numa", node_of)):
            with self.subTest(what):
                sets = {}
                for processor in sorted(usable):
                    sets.setdefault(number_of(processor), set()).add(processor)
                expected = [members for _, members in sorted(sets.items())]
                pes = len(expected) + 1
                status, out, err = run("-n", str(pes), "--bind-to", what, "--tag-output", sys.executable, "-SEBc",
                                       "import os; print(*sorted(os.sched_getaffinity(0)))")
                self.assertEqual((status, err), (0, ""))
                self.assertEqual(lines(out), sorted(
                    f"[{pe}] " + " ".join(map(str, sorted(expected[pe % len(expected)]))) for pe in range(pes)))

    def test_many(self):
        job = Job("sh", "-c", 'ulimit -S -n 64; exec "$@"', "-", OSHRUN, "-n", "150", "--tag-output",
                  "sh", "-c", "ulimit -n")
        status, out, err = job.end()
        self.assertEqual((status, lines(out)), (0, sorted(f"[{pe}] 64" for pe in range(150))), err)

    def test_too_few_descriptors(self):
        """The message says how many are needed, and so many do."""
        for limit, words in ((16, ("-n", "8")), (40, ("-n", "100")), (40, ("-n", "20", "--tag-output"))):
            with self.subTest(words):
                if not (end := run_limited(f"-n {limit}", *words, *SLEEP)):
                    continue
                self.assertEqual(end[:2], (1, ""))
                found = re.fullmatch(rf"oshrun: {words[1]} PEs need (\d+) file descriptors, and {limit} are "
                                     r"allowed \(ulimit -n\); raise that limit, for example by ulimit -n \1, "
                                     r"or use fewer PEs\n", end[2])
                self.assertTrue(found, end[2])
                self.assertEqual(run_limited(f"-n {found[1]}", *words, "true"), (0, "", ""))

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
        self.assertLess(self.seconds(64), 10)

    @staticmethod
    def seconds(pes):
        """Return how long a job takes that does nothing."""
        begin = time.perf_counter()
        subprocess.run([OSHRUN, "-n", str(pes), "true"], check=True, timeout=LIMIT_S)
        return time.perf_counter() - begin


if __name__ == "__main__":
    unittest.main()
