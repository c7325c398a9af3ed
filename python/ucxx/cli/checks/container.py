# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Whether we are in a container, and what it limits."""

import os
import pathlib

from ucxx.cli.checks import NOTE, OK, Finding, bytes_text, read

_MARKS = {".dockerenv": "Docker", "run/.containerenv": "Podman"}
_WORDS = ("docker", "kubepods", "containerd", "libpod", "lxc")
# Cgroup v1 says this, or near it, for no limit.
_NO_LIMIT = 1 << 60


def container(root: pathlib.Path) -> Finding:
    """Tell the kind of container, and the limits of its cgroup."""
    kind, limits = _kind(root), _limits(root)
    if kind is None and not limits:
        return Finding("container", OK, "none, and no limits of a cgroup")
    costs, fixes = [], []
    if kind is not None:
        costs.append("processes of other containers are met by TCP, unless they share the network")
        fixes.append("one network namespace and one user for both: docs/how-to/containers.md")
    if "processors" in limits:
        costs.append("spinning uses up the share of the processors")
        fixes.append("no progress mode that polls")
    found = ", ".join([kind or "no container", *(f"{k}: {v}" for k, v in limits.items())])
    return Finding("container", NOTE, found, "; ".join(costs), "; ".join(fixes))


def _kind(root: pathlib.Path) -> str | None:
    for mark, name in _MARKS.items():
        if (root / mark).exists():
            return name
    groups = read(root / "proc/self/cgroup") or ""
    return next((word for word in _WORDS if word in groups), None)


def _limits(root: pathlib.Path) -> dict[str, str]:
    limits = {}
    memory, processors = _memory(root), _processors(root)
    if memory is not None:
        limits["memory"] = bytes_text(memory)
    if processors is not None:
        limits["processors"] = f"{processors:g}"
    return limits


def _file(root: pathlib.Path, name: str, controller: str) -> str | None:
    """Return a file of our cgroup: version 2, then 1; within a container it is the topmost."""
    groups = dict.fromkeys(("", controller), "/")
    for line in (read(root / "proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        groups.update(dict.fromkeys(controllers.split(","), path))
    for group in (groups[controller], groups[""], "/"):
        for base in (f"sys/fs/cgroup/{controller}", "sys/fs/cgroup"):
            text = read(root / base / group.lstrip("/") / name)
            if text is not None:
                return text
    return None


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.lstrip("-").isdigit() else None


def _memory(root: pathlib.Path) -> int | None:
    found = [
        limit
        for name in ("memory.max", "memory.limit_in_bytes")
        if (limit := _number(_file(root, name, "memory"))) is not None
    ]
    return found[0] if found and found[0] < _NO_LIMIT else None


def _processors(root: pathlib.Path) -> float | None:
    first, _, second = (_file(root, "cpu.max", "cpu") or "").partition(" ")
    quota, period = _number(first), _number(second)
    if not second:
        quota = _number(_file(root, "cpu.cfs_quota_us", "cpu"))
        period = _number(_file(root, "cpu.cfs_period_us", "cpu"))
    if not quota or not period or quota < 0:
        return None
    share = quota / period
    return share if share < (os.cpu_count() or 1) else None
