# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ping-pong between two processes, by UCXX and by its rivals: `python -m ucxx benchmark`."""
