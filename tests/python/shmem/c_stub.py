# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Stands for `from ucxx import shmem`, as long as the extension that loads the library is not here.

UCXX_TEST_SHMEM is the folder of libucxx_shmem.so and oshrun.
"""

import ctypes
import importlib
import os
import pathlib
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILT = pathlib.Path(os.environ.get("UCXX_TEST_SHMEM", ROOT / "build/dev/src/shmem"))

for package in ("ucxx", "ucxx.shmem"):
    module = sys.modules.setdefault(package, types.ModuleType(package))
    module.__path__ = [str(ROOT / "python" / package.replace(".", "/"))]
shmem = sys.modules["ucxx.shmem"]
shmem.c = importlib.import_module("ucxx.shmem.c")
ctypes.CDLL(str(BUILT / "libucxx_shmem.so"))
