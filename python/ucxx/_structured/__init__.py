# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What `ucxx.trio` and `ucxx.anyio` are made of.

Nothing here imports trio or anyio but `of_trio` and `of_anyio`, which give the few primitives of each
(`library`). A `scope` owns a worker, and the `loop` by which two tasks of the program's move it.
"""
