# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws the rates of kernels: bars, or over the number of PEs where there are several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

_NAMES = {"c": "C", "numba": "Numba", "numpy": "NumPy", "shmem": "OpenSHMEM (UCXX)", "mpi": "MPI"}
# Colours that the colour-blind can tell apart, and in grey, too.
_COLOURS = {"shmem": "#0b4f6c", "mpi": "#e39a4b"}
_LINES = {"c": ("-", "o"), "numba": ("--", "s"), "numpy": (":", "^")}


def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format: medians, and from least to largest.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    from matplotlib.figure import Figure

    kernels = list(dict.fromkeys(row["kernel"] for row in report["results"]))
    figure = Figure(figsize=(3.4 * max(1, len(kernels)) + 0.4, 3.3), layout="constrained")
    panels = figure.subplots(1, max(1, len(kernels)), squeeze=False)[0]
    for kernel, axes in zip(kernels, panels, strict=False):
        rows = [row for row in report["results"] if row["kernel"] == kernel]
        is_one = len({row["pes"] for row in rows}) == 1
        (_bars if is_one else _lines)(axes, rows)
        _finish(axes, rows, is_one)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=min(3, len(labels)),
        frameon=False,
        fontsize=8,
    )
    figure.savefig(path, dpi=200)


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
            color=_COLOURS[model],
            error_kw={"elinewidth": 0.9, "capsize": 2.5},
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
            color=_COLOURS[model],
            linestyle=style,
            marker=marker,
            markersize=4,
            linewidth=1.3,
            elinewidth=0.9,
            capsize=2.5,
            label=f"{_NAMES[language]}, {_NAMES[model]}",
        )
    axes.set_yscale("log")
    axes.set_xticks(sorted({row["pes"] for row in rows}))
    axes.set_xlabel("PEs", fontsize=9)


def _finish(axes: Axes, rows: list[dict[str, Any]], is_one: bool) -> None:
    sizes = ", ".join(f"{name} {value}" for name, value in rows[0]["sizes"].items())
    pes = f", {rows[0]['pes']} PEs" if is_one else ""
    axes.set_title(f"{rows[0]['kernel']}\n{sizes}{pes}", fontsize=9, loc="left")
    axes.set_ylabel(f"rate, {rows[0]['unit']}", fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(True, axis="y", color="0.9", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
