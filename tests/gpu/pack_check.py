# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of a pack that carries the sources of the extension; by the Python that UCX's wheel is installed for."""

import json
import pathlib
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/gpu"))

import cases  # noqa: E402
import extension  # noqa: E402
import pack  # noqa: E402

LIMIT_S = 100


def said(command, **options):
    """Run a command that must end well; return what it prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=LIMIT_S, **options).stdout


class SourcesTest(unittest.TestCase):
    """What is laid into the folder `sources`."""

    def setUp(self):
        """Make a pack of the sources alone; its library is none."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.pack = pathlib.Path(temporary.name, "pack")
        self.build = pathlib.Path(temporary.name, "build")
        pack.copy(ROOT / "LICENSE", self.pack / "lib", "libucxx.so.0.1")
        (self.pack / "ucxx").mkdir()
        (self.pack / "pack.json").write_text('{"commit": "abc"}')
        pack.add_sources(pathlib.Path(sysconfig.get_path("purelib")), self.pack)

    def command(self):
        """Return the words that compile one source, and the folder of the build."""
        said([*extension.configuration(self.pack, self.build), "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
        entries = json.loads((self.build / "compile_commands.json").read_text())
        (entry,) = (entry for entry in entries if entry["file"].endswith("/module.cpp"))
        words = shlex.split(entry["command"])
        return words[: words.index("-o")]

    def test_nothing_is_missing_nor_taken_from_elsewhere(self):
        sources = self.pack / "sources"
        names = [*sources.glob("bindings/*.cpp"), sources / "nanobind/src/nb_combined.cpp"]
        self.assertGreater(len(names), 30)
        whole = self.build.parent / "whole.cpp"
        whole.write_text("".join(f'#include "{name}"\n' for name in names))
        robin = f"-I{sources}/nanobind/ext/robin_map/include"
        files = said([*self.command(), robin, "-M", whole], cwd=self.build.parent).replace("\\\n", " ").split()[1:]
        allowed = (str(self.pack), str(whole), "/usr/", sysconfig.get_path("include"))
        self.assertEqual([name for name in files if not name.startswith(allowed)], [])
        self.assertTrue(any(name.endswith("/ucp/api/ucp.h") for name in files))

    def test_it_is_built_where_it_is_missing(self):
        self.assertTrue(extension.is_needed(self.pack))
        (self.pack / "ucxx" / extension.NAME).touch()
        self.assertFalse(extension.is_needed(self.pack))

    def test_programs_of_python_need_it(self):
        needing = {case.name.partition(".")[0] for case in cases.CASES if case.imports_ucxx()}
        self.assertEqual(needing, {"doctor", "examples", "programs", "python", "topology"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
