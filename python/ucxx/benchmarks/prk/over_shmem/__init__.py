# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The communication of the kernels over `ucxx.shmem`."""
