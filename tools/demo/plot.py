# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws what compare.py measured.

usage: plot.py FILE.json FILE.png
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

from ucxx.benchmarks import drawing
from ucxx.benchmarks.plot import draw_times


def draw(report: dict[str, Any], path: str | pathlib.Path) -> None:
    """Write the picture of what compare.py has measured: programs in the order of their looks."""
    measured = report["half_round_trip_us"]
    known = [name for name in drawing.LOOKS if name in measured]
    names = known + [name for name in measured if name not in known]
    times = {name: {int(size): us for size, us in measured[name].items()} for name in names}
    first, second = report["processors"]
    draw_times(times, f"Messages of two processes on processors {first} and {second}: medians of {report['rounds']} runs, "
                      "bands from min to max", path)


if __name__ == "__main__":
    draw(json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2])
