# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of one library, and facts as lines of JSON, for the programs beside this.

numpy stands in where no GPU is: its arrays are memory of the host.
"""

import importlib
import json
import statistics
import time
from typing import Any

SIZES = (8, 64 << 10, 16 << 20)
errors = 0


class Library:
    """cupy, torch or numpy: what makes an array, looks at one, and waits for the device."""

    def __init__(self, name: str) -> None:
        """Import it."""
        self.name = name
        self.module: Any = importlib.import_module(name)
        self.kind = "host" if name == "numpy" else "cuda"

    def empty(self, nbytes: int) -> Any:
        """Make bytes of the device."""
        if self.name == "torch":
            return self.module.empty(nbytes, dtype=self.module.uint8, device="cuda")
        return self.module.empty(nbytes, dtype="u1")

    def filled(self, nbytes: int, value: int) -> Any:
        """Make bytes of one value, there before this returns."""
        array = self.empty(nbytes)
        array[:] = value
        self.synchronize()
        return array

    def synchronize(self) -> None:
        """Wait until the device has done all."""
        if self.name == "torch":
            self.module.cuda.synchronize()
        elif self.name == "cupy":
            self.module.cuda.runtime.deviceSynchronize()

    def is_ours(self, array: Any) -> bool:
        """Tell whether it is an array of this library."""
        return isinstance(array, self.module.Tensor if self.name == "torch" else self.module.ndarray)

    def holds(self, array: Any, nbytes: int, value: int) -> bool:
        """Tell whether all bytes of an array, of the device or of the host, have the value."""
        return len(array) == nbytes and bool((array == value).all())


def fact(name: str, value: Any, unit: str | None = None) -> None:
    """Write a line."""
    line = {"fact": name, "value": value}
    print(json.dumps({**line, "unit": unit} if unit else line), flush=True)


def error(name: str, what: str) -> None:
    """Write a line that fails the program."""
    global errors
    errors += 1
    print(json.dumps({"fact": name, "error": what}), flush=True)


def check(name: str, is_true: bool, otherwise: str = "wrong bytes") -> None:
    """Write an error where something is not true."""
    if not is_true:
        error(name, otherwise)


class Times:
    """The median time of what is done between `begin` and `end`."""

    def __init__(self) -> None:
        """None yet."""
        self._all: list[float] = []

    def begin(self) -> None:
        """Start."""
        self._since = time.perf_counter()

    def end(self) -> None:
        """Stop."""
        self._all.append((time.perf_counter() - self._since) * 1e6)

    def tell(self, name: str) -> None:
        """Write the median."""
        fact(name, round(statistics.median(self._all), 1), "us")
