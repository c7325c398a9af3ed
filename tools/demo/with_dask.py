# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Connections of Dask over ucx:// and over tcp://, in turn: one short table."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

from compare import in_turn

PROTOCOLS = ("ucx", "tcp")
RUNS = 2
ROWS = ("connect and close, another comm open", "round trip of a small dict", "round trip of an array of 64KiB",
        "one way, an array of 1MiB", "one way, an array of 16MiB", "one way, an array of 256MiB")


def measure() -> list[dict[str, Any]]:
    """Return the rows of `python -m ucxx benchmark dask comm`; none where Dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        return []
    from ucxx.benchmarks.dask import comm

    turns = in_turn("Dask", [f"{protocol}://" for protocol in PROTOCOLS], RUNS)
    next(turns)
    return comm.measure(PROTOCOLS, comm.LARGEST, "numpy", RUNS, on_run=lambda: next(turns, None)).rows


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the table."""
    if not rows:
        yield "    not measured: distributed is not installed"
        return
    yield f"{'':<40}{'ucx://':>13}{'tcp://':>13}{'times faster':>15}"
    found = {(row["what"], row["protocol"]): row for row in rows}
    for what in ROWS:
        ucx, tcp = found[what, "ucx"], found[what, "tcp"]
        cells = "".join(f"{row['median']:.3g} {row['unit']}".rjust(13) for row in (ucx, tcp))
        yield f"{what:<40}{cells}{ucx['times_faster']:>15.2g}"
