# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of the demo, without its minutes of measuring: demo_check.py BUILD [CASE...].

PYTHONPATH names the Python package of BUILD. What measures is replaced; files go from process to process.
"""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO = ROOT / "tools" / "demo"
os.environ.update({"UCX_MEM_MMAP_HOOK_MODE": "reloc", "UCX_MEM_MALLOC_RELOC": "n"} | dict(os.environ))

sys.path.insert(0, str(DEMO))
import compare  # noqa: E402 (after its folder)
import demo  # noqa: E402
import with_dask  # noqa: E402
import with_shmem  # noqa: E402
import with_shmem_python  # noqa: E402

ROWS = ["UCXX, C++", "ucx_perftest", "UCXX, asyncio", "UCXX, ucxx.core", "mpi4py", "RAPIDS UCXX, polling",
        "RAPIDS UCXX, default", "asyncio streams"]


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        """Say so."""
        return True


def said(function, stream=io.StringIO):
    """Return what a function returns, and what it says at stderr."""
    with contextlib.redirect_stderr(stream()) as errors:
        return function(), errors.getvalue()


def printed(function):
    """Return what a function returns, and what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()):
        return function(), output.getvalue()


class FolderTest(unittest.TestCase):
    """Each in a folder of its own."""

    def setUp(self):
        """Make the folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, name, content=b"x"):
        """Return the path of a file."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return path


class TableTest(unittest.TestCase):
    """The table of messages."""

    def lines(self, times, absent):
        """Return the lines of a report that has been in a JSON file."""
        return list(compare.table(json.loads(json.dumps({"half_round_trip_us": times, "absent": absent}))))

    def test_rows_have_one_order(self):
        times = {name: {8: [1 + place]} for place, name in enumerate(["something new", *reversed(ROWS)])}
        lines = self.lines(times, {})
        self.assertEqual([line[:22].strip() for line in lines], ["", *ROWS, "something new"])

    def test_columns_are_of_the_report(self):
        lines = self.lines({"mpi4py": {1 << 21: [100], 16: [0.5, 0.7, 0.6]},
                            "UCXX, C++": {16: [0.25], 3 << 10: [1]}}, {})
        self.assertEqual(re.split(r"  +", lines[0].strip()), ["16 B", "3 KiB", "2 MiB"])
        self.assertEqual(re.split(r"  +", lines[1]), ["UCXX, C++", "0.25 us", "1 us", "-"])
        self.assertEqual(re.split(r"  +", lines[2]), ["mpi4py", "0.6 us", "-", "21 GB/s"])

    def test_what_has_failed_says_so(self):
        lines = self.lines({"mpi4py": {8: [1]}}, {"asyncio streams": "why", "UCXX, C++": "because", "mpi4py": "late"})
        self.assertEqual([re.split(r"  +", line) for line in lines[2:]],
                         [["UCXX, C++", "not measured: because"], ["mpi4py", "failed later: late"],
                          ["asyncio streams", "not measured: why"]])


class ProgressTest(FolderTest):
    """What is said while something is measured."""

    def steps(self, what, rounds):
        """Return the lines of a log."""
        return [f"measuring {what}: round {number} of {rounds} ..." for number in range(1, rounds + 1)] + [""]

    def measure_messages(self):
        """Measure with programs of which the second and third fail, in the first and second round."""
        good = mock.Mock(side_effect=lambda: {"good": {8: 1.5}})
        bad = mock.Mock(side_effect=compare.Absent("Traceback:\nnot here\n"))
        late = mock.Mock(side_effect=[{"late": {8: 2.5}}, OSError("gone")])
        parts = {(8,): 10}
        with mock.patch.object(compare, "ways", return_value={"good": good, "bad": bad, "late": late}) as ways:
            report = compare.measure_all(pathlib.Path("perftest"), parts, 3)
        ways.assert_called_once_with(pathlib.Path("perftest"), parts)
        self.assertEqual([program.call_count for program in (good, bad, late)], [3, 1, 2])
        return report

    def test_messages_in_a_log(self):
        report, errors = said(self.measure_messages)
        self.assertEqual(errors.splitlines(), self.steps("messages", 3))
        self.assertEqual(report["half_round_trip_us"], {"good": {8: [1.5] * 3}, "late": {8: [2.5]}})
        self.assertEqual(report["absent"], {"bad": "not here", "late": "gone"})
        self.assertEqual(report["rounds"], 3)

    def test_messages_on_a_terminal(self):
        _, errors = said(self.measure_messages, Terminal)
        self.assertNotIn("\n", errors)
        shown = errors.split("\r\033[K")
        self.assertIn("measuring messages: round 2 of 3: good", shown)
        self.assertEqual(shown[-1], "")

    def asked(self, way):
        """Return the sizes that a program is asked for, and how often each where it is told that."""
        def run(command, **_):
            words = list(map(str, command))
            if "--sizes" in words:
                found.extend((int(size), None) for size in words[words.index("--sizes") + 1].split(","))
                return subprocess.CompletedProcess(command, 0, '{"results": []}', "")
            found.extend(tuple(map(int, word.split(":"))) for word in words if ":" in word)
            return subprocess.CompletedProcess(command, 0, "{}", "")

        def measure(_, settings, runs):
            found.extend((size, settings.iterations) for size in settings.sizes)
            return []

        found = []
        with mock.patch.object(subprocess, "run", run), mock.patch.object(compare.measure, "measure", measure), \
                mock.patch.object(compare, "backend", lambda _: mock.Mock(**{"missing.return_value": None})), \
                mock.patch.object(compare, "RAPIDS", pathlib.Path(sys.executable)):
            way()
        return found

    def test_each_program_gets_the_sizes(self):
        ways = compare.ways(pathlib.Path("perftest"), {(16, 32): 5, (64,): 2})
        self.assertEqual(sorted([*ways, "ucx_perftest"]), sorted(ROWS))
        for shown, way in ways.items():
            with self.subTest(shown):
                times = (None, None, None) if shown == "UCXX, C++" else (5, 5, 2)
                self.assertEqual(self.asked(way), list(zip((16, 32, 64), times)))

    def test_perftest_that_fails(self):
        with self.assertRaisesRegex(compare.Absent, "^exit status 1$"):
            compare.by_perftest(pathlib.Path("/bin/false"), compare.PARTS)

    def test_dask(self):
        def measure(protocols, _, __, runs, on_run):
            for _ in range(runs * len(protocols)):
                on_run()
            return types.SimpleNamespace(rows=["row"])

        comm = mock.Mock(LARGEST=1, measure=measure)
        modules = {"ucxx.benchmarks.dask": mock.Mock(comm=comm), "ucxx.benchmarks.dask.comm": comm}
        with mock.patch.dict(sys.modules, modules), mock.patch.object(importlib.util, "find_spec"):
            rows, errors = said(with_dask.measure)
        self.assertEqual((rows, errors.splitlines()), (["row"], self.steps("Dask", with_dask.RUNS)))

    def test_shmem_python(self):
        def measure(ways, _, runs, on_run):
            for way in ways * runs:
                on_run(way.name)
            return [], {}

        with mock.patch.object(with_shmem_python.ways, "find", lambda name, *_: types.SimpleNamespace(name=name)), \
                mock.patch.object(with_shmem_python.compare, "measure", measure):
            _, errors = said(lambda: with_shmem_python.measure(self.folder))
        first, *steps = errors.splitlines()
        self.assertEqual(steps, self.steps("OpenSHMEM from Python", with_shmem_python.RUNS))
        self.assertIn("compiling", first)

    def measure_shmem(self, status):
        """Measure with a program that writes a report and ends with a status."""
        program = self.folder / "benchmark.py"
        program.write_text("import pathlib, sys\n"
                           f"if {status} < 2: pathlib.Path(sys.argv[-1], 'shmem.json').write_text('{{}}')\n"
                           f"sys.exit('no picture' if {status} else 0)\n")
        (self.folder / "shmem.json").write_text("of an earlier run")
        with mock.patch.object(with_shmem, "BENCHMARK", program):
            return said(lambda: with_shmem.measure(BUILD, self.folder))

    def test_shmem(self):
        report, errors = self.measure_shmem(0)
        self.assertEqual(report["afterwards"], None)
        self.assertRegex(errors, r"\Ameasuring OpenSHMEM in C.* \.\.\.\n\n\Z")
        self.assertIn("no picture", self.measure_shmem(1)[0]["afterwards"])
        with self.assertRaisesRegex(with_shmem.Failed, "no picture"):
            self.measure_shmem(2)

    def test_example_that_fails(self):
        lines, _ = said(lambda: list(with_shmem.run_examples(self.folder)))
        self.assertEqual([line.split(":")[:2] for line in lines], [[name, " failed"] for name in with_shmem.EXAMPLES])


class FilesTest(FolderTest):
    """Files from one process to another."""

    def test_files_arrive(self):
        files = [self.written("small", b"abc"), self.written("large", os.urandom(1 << 20))]
        _, output = printed(lambda: demo.send(demo.programs(BUILD), files, self.folder / "received"))
        self.assertRegex(output, r"\nsmall +3  .* yes\nlarge +1,048,576  .* yes\n")
        self.assertEqual((self.folder / "received/large").read_bytes(), files[1].read_bytes())

    def test_damage_is_found(self):
        digests = iter(["a", "b", "b"])
        with mock.patch.object(demo, "digest", lambda path: next(digests)), \
                self.assertRaisesRegex(demo.Failed, "not what was sent"):
            printed(lambda: demo.send(demo.programs(BUILD), [self.written("one")], self.folder / "received"))

    def test_receiver_that_does_not_start(self):
        with self.assertRaisesRegex(demo.Failed, "did not start"):
            printed(lambda: demo.send({"send_files": pathlib.Path("/bin/false")}, [], self.folder / "received"))


class PartsTest(FolderTest):
    """The parts of the demo one after another, each replaced."""

    PARTS = ["send", "measure", "measure_dask", "show_shmem", "show_shmem_python"]

    def run_main(self, *failing, files=(__file__,)):
        """Run the demo; return its status or last word, its output, and which parts have begun."""
        begun = []

        def part(name):
            begun.append(name)
            if name in failing:
                raise RuntimeError(f"{name} is broken")

        out = self.folder / "out"
        arguments = ["demo.py", "--build", str(BUILD), "--out", str(out), *map(str, files)]
        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.object(sys, "argv", arguments))
            stack.enter_context(mock.patch.dict(os.environ))
            for name in self.PARTS:
                stack.enter_context(mock.patch.object(demo, name, lambda *_, name=name: part(name)))
            status, output = printed(self.main)
        return status, output, begun

    def main(self):
        """Run the demo; return its status or last word."""
        try:
            return demo.main()
        except SystemExit as end:
            return end.code

    def test_wrong_files_are_refused(self):
        missing = self.folder / "missing"
        for files, word in {
            (self.written("there"), missing): f"demo: no such file: {missing}",
            (self.folder,): f"demo: no such file: {self.folder}",
            (self.written("one/same"), self.written("two/same")): "demo: two of the files have the same name",
        }.items():
            with self.subTest(word):
                self.assertEqual(self.run_main(files=files), (word, "", []))
        self.assertFalse((self.folder / "out").exists())

    def test_order(self):
        status, output, begun = self.run_main()
        self.assertEqual((status, begun), (0, self.PARTS))
        self.assertNotIn("failed", output)

    def test_part_that_fails_does_not_end_the_demo(self):
        status, output, begun = self.run_main("measure", "show_shmem")
        self.assertEqual((status, begun), (0, self.PARTS))
        self.assertIn("demo: messages: failed: measure is broken\n", output)
        self.assertIn("demo: OpenSHMEM in C: failed: show_shmem is broken\n", output)

    def test_status_is_of_the_files(self):
        status, output, begun = self.run_main("send")
        self.assertEqual((status, begun), (1, self.PARTS))
        self.assertIn("demo: files: failed: send is broken\n", output)
        self.assertTrue(output.endswith("demo: the files have not arrived whole\n"))


class EndingTest(FolderTest):
    """Pictures, and what to try next."""

    def test_pictures(self):
        self.assertEqual(next(demo.ending(self.folder)), "\nThree things to try next:")
        picture = self.folder / "shmem.png"
        picture.touch()
        self.assertEqual(next(demo.ending(self.folder)), f"{picture}  {demo.PICTURES['shmem.png']}")

    def test_commands_name_what_the_demo_builds(self):
        function = re.search(r"^dev_demo\(\) \{\n(.*?)^\}", (ROOT / "tools/dev/build.sh").read_text(), re.S | re.M)[1]
        targets = re.search(r"--build build/dev --target((?:[^\n]*\\\n)*[^\n]*)", function)[1].split()
        self.assertIn("ucxx-info", targets)
        self.assertEqual(len(demo.NEXT), 3)
        for command, does in demo.NEXT.items():
            self.assertIn(command, "\n".join(demo.ending(self.folder)))
            self.assertNotIn("\n", does)
            paths = [word.split("=")[-1] for word in shlex.split(command) if "/" in word]
            self.assertGreater(len(paths), 0)
            for path in paths:
                with self.subTest(command=command, path=path):
                    self.expect(path, targets, function)

    def expect(self, path, targets, function):
        """The demo builds this, runs it, or it lies in the clone."""
        if path == ".venv/bin/python":
            self.assertIn(path, function)
        elif path == "build/dev/python":
            self.assertIn("_core", targets)
            self.assertTrue((BUILD / "python/ucxx/__main__.py").is_file())
        elif path.startswith("build/dev/"):
            self.assertIn(pathlib.Path(path).name, targets)
            self.assertTrue(os.access(BUILD / path.removeprefix("build/dev/"), os.X_OK), path)
        else:
            self.assertTrue((ROOT / path).is_file(), path)


if __name__ == "__main__":
    unittest.main(verbosity=2)
