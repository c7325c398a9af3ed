# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws the rates of kernels: bars, or over the number of PEs where there are several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

_NAMES = {"c": "C", "numba": "Numba", "numpy": "NumPy", "shmem": "OpenSHMEM (UCXX)", "mpi": "MPI"}
_LOOKS = {"shmem": drawing.LOOKS["UCXX"], "mpi": drawing.LOOKS["MPI"]}
_MOST_COLUMNS = 3
_LINES = {"c": ("-", "o"), "numba": ("--", "s"), "numpy": (":", "^")}


@drawing.style()
def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format: medians, and from least to largest.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    kernels = list(dict.fromkeys(row["kernel"] for row in report["results"]))
    columns = min(max(1, len(kernels)), _MOST_COLUMNS)
    rows = -(-len(kernels) // columns) or 1
    figure, panels = drawing.panels(columns, rows, height=0.5 + 2.5 * rows)
    for axes in panels[len(kernels) :]:
        axes.set_visible(False)
    for kernel, axes in zip(kernels, panels, strict=False):
        found = [row for row in report["results"] if row["kernel"] == kernel]
        is_one = len({row["pes"] for row in found}) == 1
        (_bars if is_one else _lines)(axes, found)
        _finish(axes, found, is_one)
    drawing.legend(figure, 3)
    if "tools" in report:
        runs, versions = report["settings"]["runs"], "; ".join(report["tools"].values())
        drawing.title(figure, f"More is better; medians of {runs} runs, from min to max; {versions}")
    drawing.save(figure, path)


def _spread(rows: list[dict[str, Any]]) -> list[list[float]]:
    """Return how far the least and the largest rates are from the medians."""
    return [
        [row["rate"] - min(row["rates"]) for row in rows],
        [max(row["rates"]) - row["rate"] for row in rows],
    ]


def _bars(axes: Axes, rows: list[dict[str, Any]]) -> None:
    languages = list(dict.fromkeys(row["language"] for row in rows))
    models = list(dict.fromkeys(row["model"] for row in rows))
    width = 0.8 / len(models)
    for number, model in enumerate(models):
        some = [row for row in rows if row["model"] == model]
        aside = (number - (len(models) - 1) / 2) * width
        axes.bar(
            [languages.index(row["language"]) + aside for row in some],
            [row["rate"] for row in some],
            width,
            yerr=_spread(some),
            color="white" if _LOOKS[model].hatch else _LOOKS[model].colour,
            edgecolor=_LOOKS[model].colour,
            hatch=_LOOKS[model].hatch,
            error_kw={"elinewidth": 0.9},
            label=_NAMES[model],
        )
    axes.set_xticks(range(len(languages)), [_NAMES[language] for language in languages])


def _lines(axes: Axes, rows: list[dict[str, Any]]) -> None:
    for language, model in dict.fromkeys((row["language"], row["model"]) for row in rows):
        some = [row for row in rows if (row["language"], row["model"]) == (language, model)]
        style, marker = _LINES[language]
        axes.errorbar(
            [row["pes"] for row in some],
            [row["rate"] for row in some],
            yerr=_spread(some),
            color=_LOOKS[model].colour,
            linestyle=style,
            marker=marker,
            elinewidth=0.9,
            label=f"{_NAMES[language]}, {_NAMES[model]}",
        )
    drawing.logarithmic(axes.yaxis, lambda rate: f"{rate:g}")
    axes.set_xticks(sorted({row["pes"] for row in rows}))
    axes.set_xlabel("PEs")


def _finish(axes: Axes, rows: list[dict[str, Any]], is_one: bool) -> None:
    sizes = ", ".join(f"{name} {value}" for name, value in rows[0]["sizes"].items())
    pes = f", {rows[0]['pes']} PEs" if is_one else ""
    axes.set_title(f"{rows[0]['kernel']}{pes}\n{sizes}", fontsize=drawing.LEAST_FONT)
    axes.set_ylabel(f"rate, {rows[0]['unit']}")
    axes.grid(False, axis="x")
