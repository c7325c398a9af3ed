# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The kinds of objects whose transfers differ, told by the name of a type: the scheduler knows no more of an object."""

from __future__ import annotations

import functools

HOST, DEVICE, PICKLED = "host array", "device array", "pickled"
KINDS = (HOST, DEVICE, PICKLED)

_ON_DEVICES = frozenset({"cudf", "cupy", "rmm"})
_ON_EITHER = frozenset({"jax", "jaxlib", "torch"})


@functools.lru_cache(maxsize=1024)
def kind_of(name: str | None, has_gpu: bool) -> str:
    """Return the kind of an object.

    Args:
        name: of its type, as `dask.utils.typename` has it; None: it is not known.
        has_gpu: where it is; some libraries have arrays of both sorts.
    """
    if name == "numpy.ndarray":
        return HOST
    library = (name or "").partition(".")[0]
    if library in _ON_DEVICES or (name or "").startswith("numba.cuda.") or (has_gpu and library in _ON_EITHER):
        return DEVICE
    return PICKLED
