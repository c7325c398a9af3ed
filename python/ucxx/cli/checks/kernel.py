# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the kernel permits: copies between processes, and shared memory."""

import os
import pathlib

from ucxx.cli.checks import NOTE, OK, Finding, bytes_text, read

# UCX's own shared memory takes some MiB for each worker.
_SHM_BYTES = 256 << 20

_SCOPES = {
    1: "1: a process may look into its children only",
    2: "2: only who has CAP_SYS_PTRACE may look into others",
    3: "3: no process may look into another one",
}


def ptrace_scope(root: pathlib.Path) -> Finding:
    """Tell what Yama says about processes that look into each other."""
    name = "ptrace scope"
    scope = read(root / "proc/sys/kernel/yama/ptrace_scope")
    if scope is None:
        return Finding(name, OK, "no Yama in this kernel")
    if scope == "0":
        return Finding(name, OK, "0: processes of one user may copy from each other")
    return Finding(
        name,
        NOTE,
        _SCOPES.get(int(scope) if scope.isdigit() else -1, scope),
        "large messages go through the ring of the local channel, on some machines slower than "
        "copies by the kernel",
        "measure first; then `sysctl kernel.yama.ptrace_scope=0`, or CAP_SYS_PTRACE",
    )


def shared_memory(root: pathlib.Path) -> Finding:
    """Tell the size of /dev/shm, which the local channel does not use and UCX does."""
    name = "/dev/shm"
    try:
        room = os.statvfs(root / "dev/shm")
    except OSError:
        found = "is not there"
    else:
        size, free = room.f_blocks * room.f_frsize, room.f_bavail * room.f_frsize
        found = f"{bytes_text(size)}, {bytes_text(free)} free"
        if min(size, free) >= _SHM_BYTES:
            return Finding(name, OK, found)
    return Finding(
        name,
        NOTE,
        found,
        "nothing to the local channel, which needs no files; UCX's own shared memory (with "
        "UCXX_LOCAL=off) and other libraries may run out of it",
        "a larger one: `docker run --shm-size=1g`, or an emptyDir of medium Memory in Kubernetes",
    )
