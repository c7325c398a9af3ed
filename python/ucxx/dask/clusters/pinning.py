# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Pins this process to CPUs and NUMA nodes, as its environment says, before UCX starts.

A cluster writes the environment, and the nanny gives it to the worker's process. UCX ranks network cards by the CPUs of
the thread that starts it, so afterwards would be too late.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import sys
from collections.abc import Iterable, MutableMapping

from ucxx.topology.machine import format_cpus, parse_cpus

AFFINITY = "UCXX_CPU_AFFINITY"  # 0-4,40-44
MEMORY = "UCXX_MEMORY_BINDING"  # bind:0,1 or preferred:0

_POLICIES = {"preferred": 1, "bind": 2}  # of set_mempolicy(2)
_SYSTEM_CALL = {"x86_64": 238, "aarch64": 237, "ppc64le": 261}
_MOST_NODES = 1024


def environment(cpus: Iterable[int], memory_binding: str | None, nodes: Iterable[int]) -> dict[str, str]:
    """Return what a worker's process needs in its environment to be pinned; no CPU: it is not."""
    found = {}
    if text := format_cpus(cpus):
        found[AFFINITY] = text
    if memory_binding is not None:
        found[MEMORY] = f"{memory_binding}:{format_cpus(nodes)}"
    return found


def apply(environ: MutableMapping[str, str] = os.environ) -> None:
    """Pin this process, all of its threads, as the environment says, and take these settings out of it.

    They are of this process alone; those that it starts inherit the affinity.

    Raises:
        RuntimeError: UCX was started before, or the system refuses; it names the setting.
    """
    affinity, memory = environ.pop(AFFINITY, ""), environ.pop(MEMORY, "")
    asked = [f"{name}={value}" for name, value in ((AFFINITY, affinity), (MEMORY, memory)) if value]
    if asked and ucx_has_started():
        raise RuntimeError(
            f"{' and '.join(asked)}: too late, UCX was started before in this process, and ranks network cards by the "
            "CPUs that it had then. The program's main module, which each worker imports first, calls ucxx.init() or uses "
            "ucx://; let it do so below `if __name__ == '__main__':`, or give cpu_affinity=None and memory_binding=None"
        )
    if affinity:
        _pin(parse_cpus(affinity))
    if memory:
        _bind(memory)


def ucx_has_started() -> bool:
    """Tell whether this process uses UCX already; asking loads nothing."""
    runtime = sys.modules.get("ucxx._asyncio.runtime")
    return runtime is not None and runtime.known_runtime() is not None


def _pin(cpus: frozenset[int]) -> None:
    before = os.sched_getaffinity(0)
    try:
        pin_threads(cpus)
    except OSError as error:
        raise RuntimeError(
            f"{AFFINITY}={format_cpus(cpus)} cannot be set: {error.strerror}; this process may use "
            f"{format_cpus(before)} (its affinity and its cgroup)"
        ) from error


def pin_threads(cpus: Iterable[int]) -> None:
    """Pin all threads of this process, also those that other threads start meanwhile.

    Raises:
        OSError: the system refuses.
    """
    os.sched_setaffinity(0, cpus)
    wanted = os.sched_getaffinity(0)  # the kernel leaves out what a cgroup forbids
    others = True
    while others:  # once all that start threads are pinned, new ones are, too
        others = False
        for thread in map(int, os.listdir("/proc/self/task")):
            with contextlib.suppress(ProcessLookupError):  # it has ended
                if os.sched_getaffinity(thread) != wanted:
                    os.sched_setaffinity(thread, wanted)
                    others = True


def _bind(text: str) -> None:
    """Have memory of this thread, and of those that it starts, from some NUMA nodes."""
    policy, _, nodes = text.partition(":")
    if policy not in _POLICIES or platform.machine() not in _SYSTEM_CALL:
        raise RuntimeError(f"{MEMORY}={text} cannot be set: it is bind:0,1 or preferred:0, on {', '.join(_SYSTEM_CALL)}")
    wanted = sorted(parse_cpus(nodes))[: 1 if policy == "preferred" else None]
    mask = (ctypes.c_ulong * (_MOST_NODES // 64))()
    for node in wanted:
        if node >= _MOST_NODES:
            raise RuntimeError(f"{MEMORY}={text} cannot be set: there is no NUMA node {node}")
        mask[node // 64] |= 1 << node % 64
    library = ctypes.CDLL(None, use_errno=True)
    if library.syscall(_SYSTEM_CALL[platform.machine()], _POLICIES[policy], mask, ctypes.c_ulong(_MOST_NODES + 1)) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise RuntimeError(
            f"{MEMORY}={text} cannot be set: {reason}; containers may forbid set_mempolicy (cap-add SYS_NICE, or a "
            "seccomp profile that has it), and memory_binding=None does without"
        )
