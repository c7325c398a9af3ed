# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The API of asyncio: its functions, and what a process and an event loop have of it."""
