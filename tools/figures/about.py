# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Where and when something was measured, and in which state of the machine."""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import time
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 60


def machine() -> str:
    """Return '2 x Intel(R) Xeon(R) Processor'."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    names = re.findall(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    return f"{os.cpu_count()} x {names[0] if names else platform.machine()}"


def system() -> str:
    """Return 'Linux 6.18, Debian GNU/Linux 12 (bookworm)'."""
    release = ".".join(platform.release().split(".")[:2])
    name = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    return f"Linux {release}, {name}".rstrip(", ")


def commit() -> str:
    """Return the commit, with '+' where what is measured differs from it."""
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, timeout=LIMIT_S,
                              check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", ".", ":!docs", ":!*.md")
        return git("rev-parse", "--short", "HEAD") + ("+" if changed else "")
    except (subprocess.SubprocessError, OSError):
        return "unknown"


def line_ns(bench: pathlib.Path) -> float:
    """Return how long a cache line takes from one processor to the other, in nanoseconds."""
    said = subprocess.run([bench / "benchmarks/figures/figure_line"], capture_output=True, check=True, timeout=LIMIT_S)
    return round(json.loads(said.stdout)["line_ns"]["median"])


def busy_percent() -> float:
    """Return how much of all processors other programs take, in a second without a measurement."""
    def times() -> list[int]:
        return [int(word) for word in pathlib.Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:9]]

    first = times()
    time.sleep(1)
    spent = [after - before for before, after in zip(first, times(), strict=True)]
    idle = spent[3] + spent[4]  # and what waits for disks
    return round(100 * (1 - idle / max(1, sum(spent))), 1)


def before(bench: pathlib.Path) -> dict[str, Any]:
    """Return what is known before a set is measured."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": commit(),
        "machine": machine(),
        "system": system(),
        "busy_percent": busy_percent(),
        "line_ns": [line_ns(bench)],
    }


def after(about: dict[str, Any], bench: pathlib.Path) -> None:
    """Add the state afterwards."""
    about["line_ns"].append(line_ns(bench))
