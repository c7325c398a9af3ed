# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws the rates of kernels: bars, or over the number of PEs where there are several."""

from __future__ import annotations

import statistics
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing
from ucxx.benchmarks.prk.compare import is_oversubscribed, title_of

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = {
    "c": "C",
    "numba": "Numba",
    "numpy": "NumPy",
    "shmem": "OpenSHMEM (UCXX)",
    "oshmem": "OpenSHMEM (another)",
    "mpi": "MPI",
}
_LOOKS = {
    "shmem": drawing.LOOKS["UCXX"],
    "oshmem": drawing.LOOKS["Open MPI's OSHMEM"]._replace(hatch="xxxx"),
    "mpi": drawing.LOOKS["MPI"],
}
_MOST_COLUMNS = 3
_SPREAD = ", from min to max"
_LINES = {"c": "-", "numba": "--", "numpy": ":"}
# The best efficiency of p PEs where that is not 1: a lock lets one PE work; strings are not shared out; a
# sum of vectors takes 2 p - 1 additions.
_BEST: dict[str, Callable[[int], float]] = {
    "refcount (lock)": lambda pes: 1 / pes,
    "synch_global": lambda pes: 1 / pes,
    "reduce": lambda pes: 2 - 1 / pes,
}
_BEST_NAME = "the best that is possible"
_IDEAL: dict[str, Any] = {"color": "0.6", "linewidth": 0.9, "linestyle": (0, (1, 1)), "zorder": 1}


def names_of(report: dict[str, Any]) -> dict[str, str]:
    """Return what languages and models are called in the pictures and tables of a report."""
    is_open_mpi = "Open MPI" in report.get("tools", {}).get("oshmem", "")
    return {**_NAMES, "oshmem": "OpenSHMEM (Open MPI)"} if is_open_mpi else _NAMES


@drawing.style()
def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format: medians, and from least to largest.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    kernels = list(dict.fromkeys(row["kernel"] for row in report["results"]))
    models = list(dict.fromkeys(row["model"] for row in report["results"]))
    names = names_of(report)
    columns = min(max(1, len(kernels)), _MOST_COLUMNS)
    rows = -(-len(kernels) // columns) or 1
    figure, panels = drawing.panels(columns, rows, height=0.5 + 2.5 * rows)
    for axes in panels[len(kernels) :]:
        axes.set_visible(False)
    for kernel, axes in zip(kernels, panels, strict=False):
        found = scaled([row for row in report["results"] if row["kernel"] == kernel])
        is_one = len({row["pes"] for row in found}) == 1
        if is_one:
            _bars(axes, found, models, names)
        else:
            _lines(axes, found, names)
        _finish(axes, found, is_one)
    drawing.legend(figure, 3)
    _say_how(figure, report, "More is better", _SPREAD)
    drawing.save(figure, path)


@drawing.style()
def draw_efficiency(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw how much of the rate of a PE alone each PE keeps: a panel for each kernel, with all that ran it.

    Raises:
        As `draw`; ValueError too where no kernel ran with 1 PE and with more.
    """
    alone = {_way(row): row for row in report["results"] if row["pes"] == 1}
    rows = [row for row in report["results"] if _way(row) in alone]
    kernels = list(dict.fromkeys(title_of(row) for row in rows if row["pes"] > 1))
    if not kernels:
        raise ValueError("no kernel ran with 1 PE and with more")
    columns = min(len(kernels), _MOST_COLUMNS)
    lines = -(-len(kernels) // columns)
    figure, panels = drawing.panels(columns, lines, height=1.3 + 1.9 * lines)
    for axes in panels[len(kernels) :]:
        axes.set_visible(False)
    names = names_of(report)
    for kernel, axes in zip(kernels, panels, strict=False):
        some = [
            {**row, "rates": _efficiencies(row, alone[_way(row)])}
            for row in rows
            if title_of(row) == kernel
        ]
        pes, best = sorted({row["pes"] for row in some}), _best_of(kernel)
        axes.plot(pes, [best(count) for count in pes], label=_BEST_NAME, **_IDEAL)
        _curves(axes, [{**row, "rate": statistics.median(row["rates"])} for row in some], names)
        axes.set_title(kernel, fontsize=drawing.LEAST_FONT)
        axes.set_ylim(bottom=0)
        _name_pes(axes, some)
    for axes in panels[::columns]:
        axes.set_ylabel("efficiency")
    drawing.legend(figure, 4)
    _say_how(figure, report, "Rate of p PEs / (p x rate of one)", _SPREAD)
    drawing.save(figure, path)


def _way(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["kernel"], row["language"], row["model"]


def _efficiencies(row: dict[str, Any], alone: dict[str, Any]) -> list[float]:
    """Return the efficiency of each run."""
    return [many / one / row["pes"] for many, one in zip(row["rates"], alone["rates"], strict=True)]


def _best_of(kernel: str) -> Callable[[int], float]:
    """Return the best efficiency of so many PEs."""
    return _BEST.get(kernel, lambda pes: 1.0)


def _name_pes(axes: Axes, rows: list[dict[str, Any]]) -> None:
    """Let the axis below be one of PEs, with a grey ground where these share processors."""
    axes.set_xticks(sorted({row["pes"] for row in rows}))
    many = [row["pes"] for row in rows if is_oversubscribed(row)]
    axes.set_xlabel("PEs (grey: oversubscribed)" if many else "PEs")
    if not many:
        return
    enough = [row["pes"] for row in rows if row["pes"] < min(many)]
    left, right = axes.get_xlim()
    axes.axvspan((max(enough) + min(many)) / 2 if enough else left, right, color="0.93", zorder=0, linewidth=0)
    axes.set_xlim(left, right)


def _say_how(figure: Figure, report: dict[str, Any], what: str, spread: str = "") -> None:
    if "tools" in report:
        runs, versions = report["settings"]["runs"], "; ".join(report["tools"].values())
        drawing.title(figure, f"{what}; medians of {runs} runs{spread}; {versions}")


def scaled(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with larger units where the numbers have more than four digits."""
    unit = rows[0]["unit"]
    scale, name = 1.0, unit
    if max(row["rate"] for row in rows) >= 1e4:
        scale, name = (1e3, unit.replace("M", "G")) if unit.startswith("M") else (1e6, f"million {unit}")
    return [
        {**row, "rate": row["rate"] / scale, "rates": [rate / scale for rate in row["rates"]], "unit": name}
        for row in rows
    ]


def _spread(rows: list[dict[str, Any]]) -> list[list[float]]:
    """Return how far the least and the largest rates are from the medians."""
    return [
        [row["rate"] - min(row["rates"]) for row in rows],
        [max(row["rates"]) - row["rate"] for row in rows],
    ]


def _bars(
    axes: Axes, rows: list[dict[str, Any]], models: list[str], names: dict[str, str]
) -> None:
    """Draw the models of each language side by side: as wide in all panels, around its name."""
    width = 0.84 / len(models)
    languages = list(dict.fromkeys(row["language"] for row in rows))
    places: dict[tuple[str, str], float] = {}
    for number, language in enumerate(languages):
        there = [row["model"] for row in rows if row["language"] == language]
        for place, model in enumerate(there):
            places[language, model] = number + (place - (len(there) - 1) / 2) * width
    for model in models:
        some = [row for row in rows if row["model"] == model]
        look = _LOOKS[model]
        axes.bar(
            [places[row["language"], model] for row in some],
            [row["rate"] for row in some],
            width,
            yerr=_spread(some),
            color="white" if look.hatch else look.colour,
            edgecolor=look.colour,
            hatch=look.hatch,
            error_kw={"elinewidth": 0.9},
            label=names[model],
        )
    axes.set_xticks(range(len(languages)), [names[language] for language in languages])
    axes.set_xlim(-0.6, len(languages) - 0.4)


def _lines(axes: Axes, rows: list[dict[str, Any]], names: dict[str, str]) -> None:
    _ideal(axes, rows)
    _curves(axes, rows, names)
    drawing.logarithmic(axes.yaxis, lambda rate: f"{rate:g}")
    _name_pes(axes, rows)


def _ideal(axes: Axes, rows: list[dict[str, Any]]) -> None:
    """Draw what PEs can be: as many times the best rate of a PE alone, at the best efficiency."""
    alone = [row["rate"] for row in rows if row["pes"] == 1]
    if alone:
        pes = sorted({row["pes"] for row in rows})
        best = _best_of(title_of(rows[0]))
        axes.plot(pes, [count * best(count) * max(alone) for count in pes], label=_BEST_NAME, **_IDEAL)


def _curves(axes: Axes, rows: list[dict[str, Any]], names: dict[str, str]) -> None:
    """Draw a curve for each language over each model, from least to largest."""
    for language, model in dict.fromkeys((row["language"], row["model"]) for row in rows):
        some = [row for row in rows if (row["language"], row["model"]) == (language, model)]
        axes.errorbar(
            [row["pes"] for row in some],
            [row["rate"] for row in some],
            yerr=_spread(some),
            color=_LOOKS[model].colour,
            linestyle=_LINES[language],
            marker=_LOOKS[model].marker,
            elinewidth=0.9,
            label=f"{names[language]}, {names[model]}",
        )


def _finish(axes: Axes, rows: list[dict[str, Any]], is_one: bool) -> None:
    sizes = ", ".join(f"{name} {value}" for name, value in rows[0]["sizes"].items())
    pes = f", {rows[0]['pes']} PEs" if is_one else ""
    axes.set_title(f"{rows[0]['kernel']}{pes}\n{textwrap.fill(sizes, 30)}", fontsize=drawing.LEAST_FONT)
    axes.set_ylabel(f"rate, {rows[0]['unit']}")
    axes.grid(False, axis="x")
