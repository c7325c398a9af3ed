# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Frees the name ucx:// in every process that imports Dask, before `distributed` takes it.

Dask asks packages for a scheme by entry points, but only for one that nobody has registered; and importing
`distributed.comm` registers ucx:// itself: a backend for ucx-py until 2025.8, since then one that
raises. It does not where its module cannot be imported.

The standard library only: who uses no ucx:// must not pay for it.
"""

import sys


def register(sizeof: object) -> None:
    """Do that; called by the entry point in group `dask.sizeof`, which is asked first of all."""
    del sizeof
    if "distributed.comm" not in sys.modules:
        sys.modules.setdefault("distributed.comm.ucx", None)  # type: ignore[arg-type]
