# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Starts what the package is made of: a UCX, and then the extension, which needs one.

`from ucxx import _core` comes here: the package's `__getattr__` sends it. An import of `ucxx._core` by
itself would leave it to the dynamic linker to find libucp, which finds none, or another one.

Threads that import this at once wait for each other by Python's lock of the module. A lock besides that
one would be taken in another order by each of them.
"""

from ucxx._process.load import UcxInUse, load, without_interrupts

with without_interrupts():
    _ucx = load()
    import ucxx._core as _core

from ucxx._core import __git_commit__, __version__  # noqa: E402  UCX is in the process by now

__all__ = ["__git_commit__", "__ucx_version__", "__version__", "_core", "build_info", "get_ucx_version"]

__ucx_version__ = ".".join(map(str, _ucx.version))


def build_info() -> UcxInUse:
    """Return which UCX is in the process, by path and version, and why."""
    return _ucx


def get_ucx_version() -> tuple[int, int, int]:
    """Return the version of UCX as a tuple of three ints."""
    return _ucx.version
