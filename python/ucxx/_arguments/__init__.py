# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What callers give: checks, addresses, tags, CUDA's streams and graphs of other libraries."""
