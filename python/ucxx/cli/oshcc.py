# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The programs `oshcc` and `oshc++` of an environment, where UCXX is installed as a wheel.

The two that do the work find headers and library by their own place, which is the package. How to get
there from the folder of programs depends on the installation, and only the interpreter knows it.
"""

import os
import sys
from typing import NoReturn


def oshcc() -> NoReturn:
    """Compile and link OpenSHMEM programs in C."""
    _execute("oshcc")


def oshcxx() -> NoReturn:
    """Compile and link OpenSHMEM programs in C++."""
    _execute("oshc++")


def _execute(name: str) -> NoReturn:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.path.join(package, "bin", name)
    os.execv("/bin/sh", ["sh", path, *sys.argv[1:]])
