# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How the blocks of `async with` close what they have opened."""

# For so long the close of a block that an exception ends waits for the receivers of what was sent.
SECONDS_AFTER_ERROR = 1.0
