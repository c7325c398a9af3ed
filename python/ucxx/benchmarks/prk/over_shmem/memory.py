# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The symmetric memory of a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx import shmem

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


class Memory:
    """Symmetric arrays that are freed together, in the same order on all PEs."""

    def __init__(self) -> None:
        """Hold none."""
        self._arrays: list[NDArray[Any]] = []

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike = float) -> NDArray[Any]:
        """Return a new array. All PEs call it."""
        array: NDArray[Any] = shmem.zeros(shape, dtype)
        self._arrays.append(array)
        return array

    def free(self) -> None:
        """Free all. All PEs call it."""
        while self._arrays:
            shmem.free(self._arrays.pop())
