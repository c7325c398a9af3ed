# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The runner of `./dev gpu` (tools/gpu): what hangs or fails is a failed row, and loses no other one."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/gpu"))

import cases  # noqa: E402
import pack  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402

LIMIT_S = 20


def ended(program, limit_s=LIMIT_S):
    """Run a program of Python."""
    return run.run([sys.executable, "-B", "-c", program], dict(os.environ), limit_s)


class RunTest(unittest.TestCase):
    """A program with a limit."""

    def test_output_is_kept(self):
        done = ended("import sys; print('out'); print('err', file=sys.stderr)")
        self.assertEqual((done.how, done.out, done.err), ("ok", "out\n", "err\n"))

    def test_one_that_hangs_is_ended_and_what_it_said_is_kept(self):
        hangs = ("import signal, time\nsignal.signal(signal.SIGABRT, signal.SIG_IGN)\n"
                 "print('begun', flush=True)\ntime.sleep(1000)")  # fmt: skip
        done = ended(hangs, 0.5)
        self.assertEqual((done.how, done.out), ("hung, ended after 0 s", "begun\n"))

    def test_what_it_has_started_ends_with_it(self):
        done = ended("import subprocess\nprint(subprocess.Popen(['sleep', '1000']).pid)")
        state, deadline = pathlib.Path(f"/proc/{done.out.strip()}/stat"), time.monotonic() + LIMIT_S
        while state.exists() and state.read_text().split()[2] != "Z":
            self.assertLess(time.monotonic(), deadline)

    def test_bad_ends_are_told(self):
        self.assertEqual(ended("raise SystemExit(3)").how, "exit status 3")
        self.assertEqual(ended("import os; os.abort()").how, "killed by SIGABRT")
        self.assertIn("does not start", run.run(["/there/is/none"], {}, 1).how)


class CaseTest(unittest.TestCase):
    """What a test says, judged."""

    def judge(self, out, how="ok", **more):
        """Return the judgement on an output."""
        case = cases.Case("a.case", ("program",), **more)
        return case.judge(run.Ended(how, 1.0, out, "last words\n"))

    def test_lines_without_json_fail(self):
        self.assertEqual(self.judge("", data=cases.LINES)[1], "cannot read its output: no line of JSON")

    def test_lines_before_a_hang_are_kept(self):
        data, how, note = self.judge('{"fact": "a", "value": 1}\n{"fact": "b", "val', "hung",
                                     data=cases.LINES)  # fmt: skip
        self.assertEqual((len(data), how), (1, "hung"))
        self.assertIn("1 facts, 0 errors", note)

    def test_first_error_stands_in_the_table(self):
        line = '{"fact": "a", "error": "gone"}\n'
        self.assertEqual(self.judge(line, "exit status 1", data=cases.LINES)[2], "0 facts, 1 errors; a: gone")

    def test_what_a_model_foretells_is_told_beside_what_is_measured(self):
        value = {"ready": {"median": 133.2}, "thread": {"calls": 70.0}, "model": {"ready": 90.7, "thread": 72.4}}
        line = json.dumps({"fact": "halo", "value": value, "unit": "us"})
        self.assertEqual(self.judge(line, data=cases.LINES)[2], "1 facts, 0 errors; halo: ready 133.2 (model 90.7)")

    def test_tests_that_failed_are_named(self):
        rows = [{"test": "A.a", "result": "ok"}, {"test": "A.b", "result": "failed"},
                {"test": "A.c", "result": "hung"}, {"test": "A.b", "result": "ok", "alone": True}]  # fmt: skip
        out = "".join(f"{json.dumps(row)}\n" for row in rows)
        self.assertEqual(self.judge(out, "exit status 1", data=cases.TESTS)[2],
                         "2 passed, 1 failed; A.c (hung); A.b (passed only alone)")  # fmt: skip

    def test_missing_words_fail(self):
        self.assertEqual(self.judge("CUDA no", says="CUDA yes")[1], "its output lacks 'CUDA yes'")

    def test_names_choose(self):
        chosen, unknown = cases.choose(["facts.graph", "examples", "none"])
        self.assertEqual([case.name for case in chosen],
                         ["facts.graph", "examples.cupy", "examples.torch", "examples.ucp_stream_send",
                          "examples.ucp_graph_broadcast", "examples.ucp_prepared_loop",
                          "examples.ucp_put"])  # fmt: skip
        self.assertEqual(unknown, ["none"])
        self.assertEqual(len({case.name for case in cases.CASES}), len(cases.CASES))

    def test_all_programs_of_the_documents_are_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            programs = pathlib.Path(folder, "programs")
            pack.add_programs(programs)
            made = {f"{cases.PACK}/programs/{path.name}" for path in programs.iterdir()}
        made |= {f"{cases.PACK}/bin/gpu_{path.stem}" for path in (pack.ROOT / "examples/cuda").glob("*.c")}
        rows = cases.choose(["programs", "examples"])[0]
        self.assertEqual({row.words[-1] for row in rows}, made)
        self.assertGreater(len(rows), 2)


# Says what GoogleTest says; its tests do what their names tell.
PROGRAM = """#!{python} -B
import os, signal, sys, time
NAMES = ["Passes", "Fails", "Hangs", "Crashes", "Last"]
asked = {{word.partition("=")[0]: word.partition("=")[2] for word in sys.argv[1:]}}
if "--gtest_list_tests" in asked:
    tests = [f"  {{name}}/0  # GetParam() = 1" for name in NAMES]
    print("Running main()", "All/Some.", *tests, sep="\\n")
    sys.exit()
signal.signal(signal.SIGABRT, lambda *_: (print("stood there", flush=True), os._exit(1)))
names = asked["--gtest_filter"].split(":")
for name in names:
    print(f"[ RUN      ] {{name}}", flush=True)
    if "Hangs" in name:
        time.sleep(1000)
    if "Crashes" in name:
        os.kill(os.getpid(), signal.SIGKILL)
    is_bad = "Fails" in name and len(names) > 1
    print("too much" if is_bad else "", end="\\n" if is_bad else "")
    end = "[  FAILED  ] {{}}, where GetParam() = 1 (0 ms)" if is_bad else "[       OK ] {{}} (0 ms)"
    print(end.format(name))
"""


class ConditionsTest(unittest.TestCase):
    """The runner of tests of GoogleTest (tools/gpu/conditions.py)."""

    def test_one_that_hangs_or_crashes_loses_no_other(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program")
            program.write_text(PROGRAM.format(python=sys.executable))
            program.chmod(0o755)
            done = subprocess.run([sys.executable, "-B", ROOT / "tools/gpu/conditions.py", program, "*",
                                   "--processes", "1", "--limit", "3", "--seconds", "40"],
                                  capture_output=True, text=True, check=False, timeout=60)  # fmt: skip
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        ends = [(row["test"].split(".")[1], row["result"], row.get("alone", False)) for row in rows]
        self.assertEqual(ends, [
            ("Passes/0", "ok", False), ("Fails/0", "failed", False),
            ("Hangs/0", "hung, ended after 3 s", False), ("Crashes/0", "killed by SIGKILL", False),
            ("Last/0", "ok", False), ("Fails/0", "ok", True),
            ("Hangs/0", "hung, ended after 3 s", True), ("Crashes/0", "killed by SIGKILL", True)])  # fmt: skip
        self.assertEqual([rows[1]["said"], rows[2]["said"]], ["too much", "stood there"])
        self.assertEqual((done.returncode, done.stderr), (1, ""))


class FilesTest(unittest.TestCase):
    """What is left behind."""

    def test_results_are_whole_after_each_test(self):
        with tempfile.TemporaryDirectory() as folder:
            out, pack = pathlib.Path(folder, "out"), pathlib.Path(folder)
            (pack / "pack.json").write_text('{"commit": "abc"}')
            results = report.Results(out, pack, {"gpu": "a GPU"})
            self.assertFalse(results.passed())
            for how in ("ok", "exit status 1"):
                results.add(cases.Case("a", ("program",)), run.Ended(how, 1.0, "said\n", ""))
                whole = json.loads((out / "results.json").read_text())
                self.assertEqual(whole["tests"][-1]["result"], how)
            self.assertFalse(results.passed())
            self.assertEqual(whole["pack"], {"commit": "abc"})
            self.assertIn("1 passed, 1 failed on a GPU", results.table())
            self.assertEqual((out / "log.txt").read_text().count("said"), 2)
            self.assertEqual(len(list(out.iterdir())), 2)


class CommandTest(unittest.TestCase):
    """The whole program, where no driver is."""

    def command(self, *arguments):
        """Run it with a driver that does not load; return status and both outputs."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "libcuda.so.1").touch()
            pathlib.Path(folder, "pack.json").write_text("{}")
            done = subprocess.run([sys.executable, "-B", ROOT / "tools/gpu", "--pack", folder, *arguments],
                                  capture_output=True, text=True, check=False, timeout=60,
                                  env={**os.environ, "LD_LIBRARY_PATH": folder})  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def test_without_a_driver_it_says_so_in_one_line(self):
        status, out, err = self.command()
        self.assertEqual((status, out.count("\n"), err), (77, 1, ""))
        self.assertIn("no GPU can be used here", out)

    def test_unknown_names_and_a_missing_pack_are_told(self):
        for arguments in (["nonsense"], ["--pack", "/there/is/none"]):
            status, out, err = self.command(*arguments)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1))


if __name__ == "__main__":
    unittest.main()
