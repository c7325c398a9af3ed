# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a scheduler has learnt, as plain data and as tables."""

from __future__ import annotations

import heapq
import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ucxx.dask.learning.estimate import Estimate
from ucxx.dask.learning.knowledge import Knowledge
from ucxx.topology.wording import clean

_SLOWEST = 10  # pairs that are told
_NONE = "no links are known yet"
_COMPARED_BYTES = 1_000_000

_COLUMNS = ("class", "kind", "prior", "learnt", "spread", "samples")
_PAIR_COLUMNS = ("holder", "receiver", "kind", "learnt", "spread", "samples")


def of(knowledge: Knowledge, workers: Mapping[str, str]) -> dict[str, Any]:
    """Return what is known as data for a message.

    Args:
        knowledge: of the scheduler.
        workers: name of each worker by its address.
    """
    pairs = ((workers[one], workers[other], kind, estimate) for one, other, kind, estimate in knowledge.pairs()
             if one in workers and other in workers)  # fmt: skip
    slowest = heapq.nlargest(_SLOWEST, pairs, key=lambda pair: pair[3].seconds(_COMPARED_BYTES))
    return {
        "classes": [{"class": link, "kind": kind, **_figures(estimate)} for link, kind, estimate in knowledge.classes(workers)],
        "pairs": [
            {"holder": clean(holder), "receiver": clean(receiver), "kind": kind, **_figures(estimate)}
            for holder, receiver, kind, estimate in slowest
        ],
    }


def _figures(estimate: Estimate) -> dict[str, float]:
    latency, per_byte = estimate.prior
    return {
        "prior_gb_per_s": 1e-9 / per_byte, "prior_latency_us": latency * 1e6,
        "gb_per_s": 1e-9 / estimate.per_byte, "latency_us": estimate.latency * 1e6,
        "megabyte_us": estimate.seconds(_COMPARED_BYTES) * 1e6, "spread": estimate.spread, "samples": estimate.samples,
    }  # fmt: skip


class Bandwidths:
    """What the scheduler knows of the links between its workers.

    Printed it is a table, in a notebook one of HTML. `classes` and `pairs` are lists of dictionaries, for example for a
    data frame: bandwidths in 1e9 bytes a second, latencies in microseconds, `spread` the factor by which transfers usually
    miss what is learnt. `pairs` has the ten pairs of workers, by name, between which a megabyte takes longest.
    """

    def __init__(self, told: Mapping[str, Any]) -> None:
        """Keep what a scheduler tells."""
        self.classes: list[dict[str, Any]] = list(told["classes"])
        self.pairs: list[dict[str, Any]] = list(told["pairs"])

    def __str__(self) -> str:
        """Return two tables of text."""
        classes = _text(_COLUMNS, map(_class_row, self.classes)) if self.classes else _NONE
        return f"{classes}\n\nslowest pairs\n{_text(_PAIR_COLUMNS, map(_pair_row, self.pairs))}" if self.pairs else classes

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return two tables of HTML."""
        pairs = _html("slowest pairs", _PAIR_COLUMNS, map(_pair_row, self.pairs)) if self.pairs else ""
        return (_html("links", _COLUMNS, map(_class_row, self.classes)) if self.classes else f"<p>{_NONE}</p>") + pairs


def _class_row(row: Mapping[str, Any]) -> list[str]:
    prior = _way(row["prior_gb_per_s"], row["prior_latency_us"])
    return [row["class"], row["kind"], prior, *_learnt(row)]


def _pair_row(row: Mapping[str, Any]) -> list[str]:
    return [row["holder"], row["receiver"], row["kind"], *_learnt(row)]


def _learnt(row: Mapping[str, Any]) -> list[str]:
    if not row["samples"]:
        return ["-", "-", "0"]
    return [_way(row["gb_per_s"], row["latency_us"]), f"x {row['spread']:.2f}", str(row["samples"])]


def _way(gb_per_s: float, latency_us: float) -> str:
    rate = f"{gb_per_s:.3g} GB/s" if gb_per_s >= 0.1 else f"{gb_per_s * 1e3:.3g} MB/s"
    latency = f"{latency_us:.3g} us" if latency_us < 1e3 else f"{latency_us / 1e3:.3g} ms"
    return f"{rate}, {latency}"


def _text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(columns))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _html(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>" for row in rows)
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
