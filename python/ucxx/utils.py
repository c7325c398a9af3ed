# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Helpers of programs written for RAPIDS UCXX; `ucxx` itself has them, too."""

from ucxx._interfaces import get_address
from ucxx._logger import get_ucxpy_logger

__all__ = ["get_address", "get_ucxpy_logger"]
