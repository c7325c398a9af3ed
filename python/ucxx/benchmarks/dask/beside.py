# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A thread that computes in Python beside a loop that receives: how much of its speed it keeps."""

from __future__ import annotations

import threading
import time
from typing import Any

_ALONE_S = 0.3


class Beside:
    """Answers "alone" and "begin", and to "end" how the thread went between them."""

    def __init__(self) -> None:
        """Have no thread yet."""
        self._thread: _Thread | None = None
        self._alone = 0.0

    def answer(self, op: str) -> dict[str, Any]:
        """Measure the thread alone; or begin; or end."""
        if op == "alone":
            thread = _Thread()
            time.sleep(_ALONE_S)
            self._alone, _ = thread.end()
        elif op == "begin":
            self._thread = _Thread()
        elif self._thread is not None:
            rate, pause = self._thread.end()
            return {"slower": self._alone / rate, "pause": pause}
        return {}


class _Thread(threading.Thread):
    """Counts how often it looks at the clock."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._ends = False
        self._rate = self._pause = 0.0
        self.start()

    def run(self) -> None:
        count, pause = 0, 0.0
        begin = last = time.perf_counter()
        while not self._ends:
            now = time.perf_counter()
            if now - last > pause:
                pause = now - last
            last = now
            count += 1
        self._rate, self._pause = count / (last - begin), pause

    def end(self) -> tuple[float, float]:
        """Return how often it has looked each second, and the longest time between two looks, in seconds."""
        self._ends = True
        self.join()
        return self._rate, self._pause
