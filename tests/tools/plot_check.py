# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of `./dev plot` and of the demo's plot: plot_check.py PERFTEST [CASE...].

They draw what ucxx-perftest has measured. Where this Python has no matplotlib (./dev test installs none),
a stand-in takes what would be drawn, and no picture is made.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

PERFTEST = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = {"UCX_MEM_MMAP_HOOK_MODE": "reloc", "UCX_MEM_MALLOC_RELOC": "n", **os.environ}


def stand_in():
    """Return what can be imported instead of matplotlib."""
    matplotlib = mock.MagicMock()

    def subplots(rows, columns, **_):
        panels = [[mock.MagicMock() for _ in range(columns)] for _ in range(rows)]
        for panel in sum(panels, []):
            panel.get_legend_handles_labels.return_value = ([], [])
        return mock.MagicMock(), panels

    matplotlib.pyplot.subplots.side_effect = subplots
    return {"matplotlib": matplotlib, "matplotlib.pyplot": matplotlib.pyplot}


HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
if not HAS_MATPLOTLIB:
    sys.modules.update(stand_in())
sys.path.insert(0, str(ROOT / "tools" / "demo"))
import plot  # noqa: E402 (after its library)
import sweep  # noqa: E402


def measure(path, *arguments):
    """Write what ucxx-perftest measures."""
    subprocess.run([PERFTEST, "--seconds", "0.01", "--timeout", "20", "--json", path, *arguments],
                   check=True, timeout=100, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    return path


class PlotTest(unittest.TestCase):
    """Each in a folder of its own."""

    def setUp(self):
        """Make the folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.picture = self.folder / "out.png"

    def expect_picture(self):
        """A PNG, where something can draw one."""
        if HAS_MATPLOTLIB:
            self.assertEqual(self.picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_sweeps(self):
        one = measure(self.folder / "one.json", "--test", "tag_lat,am_bw", "--sizes", "0,8,4K")
        two = measure(self.folder / "two.json", "--test", "tag_lat", "--sizes", "8:64:8", "--threads", "2")
        names = [(name, [row["size"] for row in rows]) for name, _, rows in sweep.curves([one, two])]
        self.assertEqual(names, [("one: tag_lat", [0, 8, 4096]), ("one: am_bw", [0, 8, 4096]),
                                 ("two: tag_lat", [8, 64])])
        self.assertEqual([name for name, _, _ in sweep.curves([one])], ["tag_lat", "am_bw"])
        with mock.patch.object(sweep, "latency", wraps=sweep.latency) as latency, \
                mock.patch.object(sweep, "bandwidth", wraps=sweep.bandwidth) as bandwidth:
            sweep.draw([one, two], self.picture)
        self.assertEqual([call.args[1] for call in latency.call_args_list], ["one: tag_lat", "two: tag_lat"])
        (_, name, rows, _), = (call.args for call in bandwidth.call_args_list)
        self.assertEqual((name, [row["size"] for row in rows]), ("one: am_bw", [8, 4096]))
        self.expect_picture()

    def test_comparison(self):
        times = {"UCXX, C++": {"8": [0.2, 0.3, 0.2], "65536": [6, 7, 8]}, "asyncio streams": {"8": [30, 40, 35]},
                 "something new": {"8": [1, 1, 1]}}
        with mock.patch.object(plot, "curve", wraps=plot.curve) as curve:
            plot.draw({"half_round_trip_us": times, "processors": [0, 1], "rounds": 3}, self.picture)
        self.assertEqual([call.args[1] for call in curve.call_args_list[::2]], list(times))
        self.assertEqual(curve.call_args_list[0].args[2], [(8, (0.2, 0.2, 0.3)), (65536, (7, 6, 8))])
        self.assertEqual(curve.call_args_list[1].args[2], [(65536, (65536 / 7 / 1e3, 65536 / 8 / 1e3, 65536 / 6 / 1e3))])
        self.expect_picture()

    def test_wrong_files(self):
        path = self.folder / "other.json"
        for text, said in {"{}": "not written by ucxx-perftest", "[]": "list", "x": "Expecting value",
                           '{"tool": "ucxx-perftest"}': "results"}.items():
            path.write_text(text)
            with self.subTest(text), self.assertRaisesRegex(SystemExit, f"plot: {path}: .*{said}"):
                sweep.draw([path], self.picture)
        with self.assertRaisesRegex(SystemExit, "No such file"):
            sweep.draw([self.folder / "none.json"], self.picture)
        nothing = measure(self.folder / "nothing.json", "--sizes", "0")
        with self.assertRaisesRegex(SystemExit, "no size above 0"):
            sweep.draw([nothing], self.picture)

    def test_the_command_says_what_it_needs(self):
        done = subprocess.run([ROOT / "dev", "plot"], capture_output=True, text=True, check=False, timeout=20)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("ucxx-perftest --json", done.stderr)

    def test_texts(self):
        self.assertEqual([plot.size_text(size) for size in (8, 1 << 10, 3 << 19, 1 << 30)],
                         ["8", "1K", "1.5M", "1G"])
        self.assertEqual([plot.time_text(us) for us in (0.5, 1500, 2e6)], ["0.5 µs", "1.5 ms", "2 s"])
        self.assertEqual([plot.rate_text(rate) for rate in (10, 0.02, 3e-5)], ["10 GB/s", "20 MB/s", "30 kB/s"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
