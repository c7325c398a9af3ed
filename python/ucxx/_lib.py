# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The names of modules that programs written for RAPIDS UCXX import: what they have is in `ucxx.core`.

    import ucxx._lib.libucxx as ucx_api

A module, and no folder: a folder of that name is the sign of RAPIDS' package in the same place.
"""

import sys

from ucxx import core as libucxx

arr = libucxx

sys.modules[f"{__name__}.libucxx"] = libucxx
sys.modules[f"{__name__}.arr"] = arr
