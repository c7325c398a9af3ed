# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the synchronous API, that of asyncio and those of trio and anyio have in common."""
