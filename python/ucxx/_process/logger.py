# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The logger of the package."""

import logging

logger = logging.getLogger("ucxx")
logger.addHandler(logging.NullHandler())  # silent, until the program wants to know


def get_ucxpy_logger() -> logging.Logger:
    """Return the logger `ucxx`, of the package; the program sets its level and handlers."""
    return logger
