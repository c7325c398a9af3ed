# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The end of the package, at the place that `import ucxx` has among the handlers of atexit.

A program that registers a handler after that import can use ucxx in it, also where UCX is loaded later.
"""

import atexit
from collections.abc import Callable

_calls: list[Callable[[], object]] = []


def call(function: Callable[[], object]) -> None:
    """Have a function called there."""
    _calls.append(function)


@atexit.register
def _end() -> None:
    for function in _calls:
        function()
