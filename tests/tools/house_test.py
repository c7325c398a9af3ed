# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The checks of the house find what they are for."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(tool, *args, **env):
    """Run a tool of ours; return its status and what it printed."""
    done = subprocess.run([sys.executable, "-B", ROOT / tool, *args], capture_output=True, text=True,
                          check=False, timeout=30, env={**os.environ, **env})
    return done.returncode, done.stdout + done.stderr


class TreeTest(unittest.TestCase):
    """A small tree of sources, made for each test."""

    def setUp(self):
        """Make the folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        """Write a file of the tree."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class LayersTest(TreeTest):
    """tools/check_layers."""

    def setUp(self):
        """Make the folders that the tool knows."""
        super().setUp()
        for folder in (ROOT / "src").rglob("*"):
            if folder.is_dir():
                (self.root / folder.relative_to(ROOT)).mkdir(parents=True)

    def violation(self, name, text):
        """Return what the tool says of a tree with this one file."""
        self.write(name, text)
        status, output = run("tools/check_layers", str(self.root))
        self.assertEqual(status, 0 if "keep to their layers" in output else 1, output)
        return output

    def test_include_upwards_is_found(self):
        said = self.violation("src/base/a.cpp", '#include "base/a.h"\n#include "api/b.h"\n')
        self.assertIn("src/base/a.cpp:2: base may not include api", said)

    def test_include_downwards_is_fine(self):
        said = self.violation("src/core/loop/a.cpp", '#include "ucp/b.h"\n#include <ucxx/worker.h>\n')
        self.assertIn("1 files keep", said)

    def test_include_of_a_higher_room_is_found(self):
        said = self.violation("src/core/bulk/a.cpp", '#include "core/wire/b.h"\n#include "core/link/c.h"\n')
        self.assertIn("src/core/bulk/a.cpp:2: core/bulk may not include core/link", said)
        self.assertNotIn("a.cpp:1:", said)

    def test_include_of_a_higher_room_that_is_listed_is_counted(self):
        self.write("tools/upward.txt", "src/core/bulk/a.cpp core/link\n")
        said = self.violation("src/core/bulk/a.cpp", '#include "core/link/c.h"\n#include "core/link/d.h"\n')
        self.assertIn("1 files keep to their layers; 1 point up", said)

    def test_line_of_the_list_that_is_true_no_more_is_found(self):
        self.write("tools/upward.txt", "src/core/bulk/a.cpp core/link\n")
        said = self.violation("src/core/bulk/a.cpp", '#include "core/wire/b.h"\n')
        self.assertIn("'src/core/bulk/a.cpp core/link' is true no more: remove the line", said)

    def test_file_of_the_core_in_no_room_is_found(self):
        self.assertIn("src/core has no row", self.violation("src/core/a.h", ""))

    def test_ucx_header_outside_its_folder_is_found(self):
        said = self.violation("src/door/a.cpp", "#include <ucp/api/ucp.h>\n")
        self.assertIn("door may not include UCX's headers", said)

    def test_ucx_call_outside_its_folder_is_found(self):
        said = self.violation("src/core/loop/a.cpp", "\n/* ucs_b() */ int x = ucp_worker_progress(w);\n")
        self.assertIn("src/core/loop/a.cpp:2: core/loop may not call ucp_worker_progress", said)
        self.assertNotIn("ucs_b", said)

    def test_ucx_call_in_its_folder_is_fine(self):
        said = self.violation("src/ucp/a.cpp", "#include <ucp/api/ucp.h>\nvoid f() { ucp_x(); }\n")
        self.assertIn("1 files keep", said)

    def test_public_header_that_includes_a_private_one_is_found(self):
        said = self.violation("include/ucxx/a.h", '#include "core/worker.h"\n')
        self.assertIn("a public header may not include core/worker.h", said)

    def test_base_includes_few_public_headers(self):
        said = self.violation("src/base/a.h", "#include <ucxx/exception.h>\n#include <ucxx/worker.h>\n")
        self.assertIn("a.h:2: base may not include the public header", said)
        self.assertNotIn("a.h:1:", said)

    def test_unknown_folder_is_found(self):
        self.assertIn("src/misc has no row in tools/layers.py", self.violation("src/misc/a.h", ""))

    def test_folder_of_the_table_that_does_not_exist_is_found(self):
        (self.root / "src/door").rmdir()
        said = self.violation("src/base/a.h", "")
        self.assertIn("src/door:1: tools/layers.py names this folder, which does not exist", said)
        self.assertNotIn("src/base:1:", said)


class NamesTest(TreeTest):
    """tools/check_names."""

    def said_of(self, source, header):
        """Return what the tool says of a tree with this source beside this header."""
        self.write("src/api/a.cpp", source)
        self.write("src/core/loop/b.h", header)
        status, output = run("tools/check_names", str(self.root))
        self.assertEqual(status, 0 if "no constant hides" in output else 1, output)
        return output

    def test_constant_of_a_header_is_found_in_a_source(self):
        said = self.said_of("constexpr Tag kTag{7};\n", "inline constexpr Tag kTag{3};\n")
        self.assertIn("src/api/a.cpp: kTag hides that of b.h", said)

    def test_other_forms_are_found(self):
        for form in ("const Limits kLimits;\n", "constexpr std::size_t kLimits = 3;\n",
                     "constexpr int kLimits[] = {1, 2};\n"):
            self.assertIn("kLimits", self.said_of(form, "inline const Limits kLimits;\n"), form)

    def test_constants_of_classes_are_their_own(self):
        self.assertIn("no constant", self.said_of("  static constexpr int kOne = 1;\n",
                                                  "inline constexpr int kOne = 1;\n"))


class ListsTest(TreeTest):
    """tools/check_lists."""

    def test_unlisted_source_is_found(self):
        self.write("src/CMakeLists.txt", "target_sources(x PRIVATE base/log.cpp)  # base/env.cpp\n")
        self.write("src/base/log.cpp", "")
        self.write("src/base/env.cpp", "")
        status, said = run("tools/check_lists", str(self.root))
        self.assertEqual(status, 1)
        self.assertEqual(said.split("\n")[0], "src/base/env.cpp: not in src/CMakeLists.txt")

    def test_unlisted_binding_is_found(self):
        self.write("python/CMakeLists.txt", "nanobind_add_module(_core bindings/module.cpp)\n")
        self.write("python/bindings/module.cpp", "")
        self.write("python/bindings/view.cpp", "")
        status, said = run("tools/check_lists", str(self.root))
        self.assertEqual((status, said), (1, "python/bindings/view.cpp: not in "
                                             "python/CMakeLists.txt\n"))


class SummaryTest(TreeTest):
    """tools/dev/summary.py."""

    RESULTS = """<testsuite>
      <testcase name="a" status="run"/>
      <testcase name="b" status="fail"><failure/></testcase>
      <testcase name="c" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
      </testcase>
      <testcase name="d" status="notrun"><skipped message="Unable to find executable"/></testcase>
      </testsuite>"""

    def summary(self, text, **env):
        """Return status and last line for one file of results."""
        self.write("dev/results.xml", text)
        status, said = run("tools/dev/summary.py", str(self.root / "dev/results.xml"), **env)
        return status, said.rstrip().split("\n")[-1]

    def test_counts(self):
        self.assertEqual(self.summary(self.RESULTS, CI=""), (1, "1 passed, 2 failed, 1 skipped"))

    def test_build_that_failed_counts(self):
        self.assertEqual(self.summary("", CI=""), (1, "0 passed, 1 failed, 0 skipped"))

    def test_skipped_fails_in_ci_only(self):
        results = self.RESULTS.replace('"fail"', '"run"').replace("Unable to find executable",
                                                                 "SKIP_RETURN_CODE=77")
        self.assertEqual(self.summary(results, CI=""), (0, "2 passed, 0 failed, 2 skipped"))
        self.assertEqual(self.summary(results, CI="true"), (1, "2 passed, 0 failed, 2 skipped"))

    def test_pytest_counts(self):
        results = """<testsuites><testsuite>
          <testcase classname="x" name="a"/>
          <testcase classname="x" name="b"><failure message="assert"/></testcase>
          <testcase classname="x" name="c"><error message="teardown"/></testcase>
          <testcase classname="x" name="d"><skipped type="pytest.skip"/></testcase>
          </testsuite></testsuites>"""
        self.assertEqual(self.summary(results, CI=""), (1, "1 passed, 2 failed, 1 skipped"))

    def test_no_test_is_a_failure(self):
        self.assertEqual(self.summary("<testsuite/>", CI=""), (1, "0 passed, 0 failed, 0 skipped"))


class SourcesTest(unittest.TestCase):
    """What a development build does not refuse."""

    def test_no_function_is_flattened(self):
        """With link-time optimisation GCC inlines the whole library into it: 24 GB, and no end."""
        sources = [path for top in ("include", "src", "python") for path in (ROOT / top).rglob("*")
                   if path.suffix in {".h", ".cpp"}]
        self.assertGreater(len(sources), 100)
        flattened = [str(path.relative_to(ROOT)) for path in sources
                     if "gnu::flatten" in path.read_text() or "__flatten__" in path.read_text()]
        self.assertEqual(flattened, [])


if __name__ == "__main__":
    unittest.main()
