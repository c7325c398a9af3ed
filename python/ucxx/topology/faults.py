# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Errors of the readers: they name the file and the line."""

from __future__ import annotations

from ucxx.topology.machine import TopologyError

_MOST_SHOWN = 60


def at(name: str, line: int, said: str) -> TopologyError:
    """Return an error that names a file and a line of it."""
    return TopologyError(f"{name}, line {line}: {said}")


def shown(value: str | None) -> str:
    """Return a value as an error shows it: quoted, and cut where it is long."""
    if value is None:
        return "nothing"
    return repr(value) if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]!r} and so on"
