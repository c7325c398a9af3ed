# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What this process may use: the rows of /proc/self/limits."""

import pathlib
import re
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from ucxx.cli.checks import NOTE, OK, PROBLEM, Finding, bytes_text, read

_P = ParamSpec("_P")

# docs/how-to/containers.md: two that meet need 20, and each local peer 3.
_FILES_AT_LEAST, _FILES_BY_PEER = 20, 3


def _soft_limit(root: pathlib.Path, name: str) -> int | None:
    """Return a soft limit as a number, None for unlimited; raises LookupError without it."""
    row = re.search(rf"^{name}\s+(\S+)", read(root / "proc/self/limits") or "", re.MULTILINE)
    if row is None:
        raise LookupError(name)
    return None if row[1] == "unlimited" else int(row[1])


def _reading(
    name: str, row: str
) -> Callable[
    [Callable[Concatenate[int | None, _P], tuple[str, ...]]],
    Callable[Concatenate[pathlib.Path, _P], Finding],
]:
    """Make a check of a function of one limit, which says so where the limit cannot be read."""

    def wrap(
        check: Callable[Concatenate[int | None, _P], tuple[str, ...]],
    ) -> Callable[Concatenate[pathlib.Path, _P], Finding]:
        def checked(root: pathlib.Path, /, *args: _P.args, **kwargs: _P.kwargs) -> Finding:
            try:
                limit = _soft_limit(root, row)
            except LookupError:
                return Finding(name, NOTE, "cannot be read: /proc is not there or not whole")
            return Finding(name, *check(limit, *args, **kwargs))

        checked.__doc__ = check.__doc__
        return checked

    return wrap


@_reading("open files", "Max open files")
def open_files(limit: int | None) -> tuple[str, ...]:
    """Tell for how many peers the file descriptors are enough."""
    if limit is None:
        return OK, "unlimited"
    peers = max(0, limit - _FILES_AT_LEAST) // _FILES_BY_PEER
    found = f"{limit}: enough for about {peers} local peers, if nothing else has files open"
    if peers >= 256:
        return OK, found
    cost = "endpoints end with UCXNoResourceError when there are no descriptors left"
    return (
        PROBLEM if peers < 16 else NOTE,
        found,
        cost,
        "`ulimit -n 4096`, or LimitNOFILE= of systemd",
    )


@_reading("locked memory", "Max locked memory")
def locked_memory(limit: int | None, has_rdma: bool) -> tuple[str, ...]:
    """Tell whether RDMA devices can have as much memory as they need."""
    found = "unlimited" if limit is None else bytes_text(limit)
    if limit is None:
        return OK, found
    if not has_rdma:
        return OK, f"{found}; only RDMA devices need more, and there are none"
    cost = "UCX registers memory with RDMA devices, which fails beyond the limit: errors, or TCP"
    return (
        PROBLEM,
        found,
        cost,
        "`ulimit -l unlimited`, LimitMEMLOCK=infinity of systemd, or "
        "`docker run --ulimit memlock=-1`",
    )


@_reading("address space", "Max address space")
def address_space(limit: int | None) -> tuple[str, ...]:
    """Tell whether addresses are limited, which the library's memory does not bear."""
    if limit is None:
        return OK, "unlimited"
    cost = "no memory of the library's that peers can map: large messages are copied once more"
    return NOTE, bytes_text(limit), cost, "`ulimit -v unlimited`"
