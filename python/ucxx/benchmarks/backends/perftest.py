# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The same messages from C++, by ucxx-perftest: what Python is to cost next to nothing beside."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING

import ucxx
from ucxx.benchmarks.backends.base import SyncBackend

if TYPE_CHECKING:
    from ucxx.benchmarks.settings import Settings

_PROGRESS = {
    "loop": "polling",
    "polling": "polling",
    "blocking": "blocking",
    "thread": "thread-blocking",
    "thread-polling": "thread-polling",
}
_SECONDS = 120


def _program() -> str | None:
    """Return the program of the build folder that this package is in, else of the path."""
    build = pathlib.Path(ucxx.__file__).parents[2]
    beside = build / "src" / "tools" / "ucxx-perftest"
    return str(beside) if beside.exists() else shutil.which("ucxx-perftest")


class Backend(SyncBackend):
    """A program with two processes of its own."""

    gives_memory = True
    meets = False

    @classmethod
    def missing(cls) -> str | None:
        """Return that the program is not there, or None."""
        return None if _program() else "there is no ucxx-perftest"

    @classmethod
    def unfit(cls, settings: Settings) -> str | None:
        """Return why it cannot do what the settings say, None if it can."""
        if settings.pause_us and settings.progress_mode != "blocking":
            return "it does not pause; --progress-mode blocking is nearest"
        if settings.receive_into == "new":
            return "it receives into the same memory each time"
        if settings.pin is not None and None in settings.pin:
            return "it pins both processes or none"
        return super().unfit(settings)

    @classmethod
    def measured(cls, settings: Settings) -> Iterator[tuple[int, int, dict[str, float]]]:
        """Run it; yield (size, round trips, {figure: us of half a round trip}) of each size."""
        test = "multi_lat" if settings.is_multi else "tag_lat"
        for size in settings.sizes:
            count = settings.round_trips(size)
            command = [_program() or "ucxx-perftest", "--test", test, "--sizes", str(size)]
            command += ["--json", "-", "--iterations", str(count)]
            command += ["--warmup", str(settings.unmeasured(size))]
            command += ["--progress", _PROGRESS[settings.progress_mode]]
            command += ["--frames", str(settings.buffers)] if settings.is_multi else []
            command += ["--cpus", ",".join(map(str, settings.pin)) if settings.pin else "none"]
            yield size, count, cls._run(command)

    @staticmethod
    def _run(command: list[str]) -> dict[str, float]:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"it has not ended within {_SECONDS} s") from error
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"it has ended with {done.returncode}")
        ours = json.loads(done.stdout)["results"][0]["ucxx"]
        return {
            "p50": ours["p50_us"]["median"],
            "p99": ours["p99_us"]["median"],
            "mean": ours["average_us"]["median"],
        }
