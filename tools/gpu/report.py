# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the tests have shown: results.json, log.txt, and the table at the end."""

import json
import pathlib
import time
from typing import Any

from cases import Case
from run import Ended

MOST_LOG_BYTES = 1 << 20  # of one test


class Results:
    """Both files, written anew with each test."""

    def __init__(self, folder: pathlib.Path, pack: pathlib.Path, machine: dict[str, Any]) -> None:
        """Begin them in a folder, which is made."""
        folder.mkdir(parents=True, exist_ok=True)
        self._json, self._log = folder / "results.json", folder / "log.txt"
        self._log.write_text("")
        self._whole: dict[str, Any] = {
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "pack": json.loads((pack / "pack.json").read_text()),
            "machine": machine,
            "tests": [],
        }
        self._write()

    def add(self, case: Case, ended: Ended) -> None:
        """Judge one test, and write it down."""
        data, how, note = case.judge(ended)
        row = {"name": case.name, "result": how, "seconds": round(ended.seconds, 2), "note": note}
        self._whole["tests"].append({**row, "command": case.shown(), "data": data})
        with self._log.open("a") as log:
            said = "\n".join(filter(None, (ended.out[:MOST_LOG_BYTES], ended.err[:MOST_LOG_BYTES])))
            log.write(f"== {case.name}: {how}, {ended.seconds:.1f} s\n$ {case.shown()}\n{said}\n")
        self._write()

    def _write(self) -> None:
        new = self._json.with_suffix(".new")
        new.write_text(json.dumps(self._whole, indent=1) + "\n")
        new.replace(self._json)

    def passed(self) -> bool:
        """Tell whether all have, and there was one."""
        tests = self._whole["tests"]
        return bool(tests) and all(test["result"] == "ok" for test in tests)

    def table(self) -> str:
        """Return one line a test, and how many passed."""
        tests = self._whole["tests"]
        failed = sum(test["result"] != "ok" for test in tests)
        lines = [f"{'test':<22}{'s':>7}  result"]
        for test in tests:
            note = f" ({test['note']})" if test["note"] else ""
            lines.append(f"{test['name']:<22}{test['seconds']:>7.1f}  {test['result']}{note}")
        device = self._whole["machine"].get("gpu") or "a GPU that nvidia-smi does not know"
        lines.append(f"{len(tests) - failed} passed, {failed} failed on {device}; {self._json}")
        return "\n".join(lines)
