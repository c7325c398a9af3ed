# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The ping-pong of the demo with more sizes and rounds: messages.py FILE.json."""

import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/demo"))
import compare  # noqa: E402 (after its folder)
from demo import ENVIRONMENT  # noqa: E402

# Sizes of messages, and how often each goes to and fro in one run.
PARTS = {(8, 64, 512, 4 << 10, 16 << 10): 2000, (64 << 10, 256 << 10): 500, (1 << 20, 4 << 20): 100,
         (16 << 20, 64 << 20): 15}
ROUNDS = 5

if __name__ == "__main__":
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    report = compare.measure_all(ROOT / "build/bench/src/tools/ucxx-perftest", PARTS, ROUNDS)
    pathlib.Path(sys.argv[1]).write_text(json.dumps(report))
