# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Locks that all PEs share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ucxx import _shmem

if TYPE_CHECKING:
    from numpy.typing import NDArray


def new_lock() -> NDArray[np.int64]:
    """Make a lock: a symmetric array of one element, free at first. Collective."""
    return _shmem.make_lock(1, np.int64)


class Lock:
    """A lock that one PE at a time holds; a context manager.

    To make one and to destroy it is collective. One thread of a PE at a time uses it.
    """

    __slots__ = ("_is_held", "_word")

    def __init__(self) -> None:
        """Make it, on all PEs."""
        self._word = _shmem.make_lock_of_class(1, np.int64)
        self._is_held = False

    def acquire(self, blocking: bool = True) -> bool:
        """Take it; return whether it is taken. Without `blocking` it is not waited for.

        Raises:
            RuntimeError: this PE holds it already: it would wait for itself.
        """
        if self._is_held:
            raise RuntimeError("acquire: this PE holds the lock already")
        if blocking:
            _shmem.lock_acquire(self._word)
            self._is_held = True
        else:
            self._is_held = not _shmem.lock_try(self._word)
        return self._is_held

    def release(self) -> None:
        """Give it back; what this PE has put before is there for the next holder.

        Raises:
            RuntimeError: this PE does not hold it.
        """
        if not self._is_held:
            raise RuntimeError("release: this PE does not hold the lock")
        self._is_held = False
        _shmem.lock_release(self._word)

    def destroy(self) -> None:
        """End it, on all PEs; nobody holds it. Nothing happens to one that has ended."""
        if self._is_held:
            raise RuntimeError("destroy: this PE holds the lock: release it first")
        _shmem.lock_destroy(self._word)

    def __enter__(self) -> Lock:
        """Take it."""
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        """Give it back."""
        self.release()
