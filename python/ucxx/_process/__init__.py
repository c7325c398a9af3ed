# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a process has once: UCX, the extension, the log, the thread of callbacks, a beginning and an end."""
