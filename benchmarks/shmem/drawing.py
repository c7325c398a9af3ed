# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws shmem.json: what calls cost as bars, and collectives by size.

usage: python3 drawing.py FILE.json FILE.png
"""

import json
import pathlib
import statistics
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (the backend is chosen first)
from matplotlib import ticker  # noqa: E402

# Title, colour and marker; they stay apart for the colour-blind.
STYLES = {
    "UCXX": ("UCXX", "#0b4f6c", "o"),
    "OSHMEM": ("OSHMEM (Open MPI)", "#d95f02", "s"),
    "OSHMEM, basic": ("OSHMEM, --mca scoll ^mpi", "#e9a66b", "v"),
    "limit": ("limit: a bare function", "#9a9a9a", "D"),
}
BARS = ("UCXX", "OSHMEM", "limit")
PANELS = {"fcollect": "fcollect + sync", "alltoall": "alltoall + sync", "broadcast": "broadcast + sync",
          "sum": "sum of doubles + sync"}
SLOT = 0.8  # of a group of bars


def time_text(ns, _=None):
    """Return '10 us' for 10000."""
    for unit, name in ((1e9, "s"), (1e6, "ms"), (1e3, "\N{MICRO SIGN}s")):
        if ns >= unit:
            return f"{ns / unit:.3g} {name}"
    return f"{ns:.3g} ns"


def size_text(size, _=None):
    """Return '64K'."""
    for unit, name in ((1 << 20, "M"), (1 << 10, "K")):
        if size >= unit:
            return f"{size / unit:g}{name}"
    return f"{size:g}"


def bars(axes, rows):
    """Draw the rows from top to bottom, a bar for each library."""
    titles = [title for title in BARS if any(title in row["values"] for row in rows)]
    height = SLOT / len(titles)
    for number, title in enumerate(titles):
        label, color, _ = STYLES[title]
        found = [(place, row["values"][title]["median"]) for place, row in enumerate(rows)
                 if title in row["values"]]
        places, values = zip(*found)
        drawn = axes.barh([place - SLOT / 2 + height * (number + 0.5) for place in places], values,
                          height * 0.92, color=color, label=label)
        axes.bar_label(drawn, [time_text(value) for value in values], padding=3, fontsize=8, color="0.25")
    axes.set_yticks(range(len(rows)), [row["bar"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xscale("log")
    most = max(value["median"] for row in rows for value in row["values"].values())
    axes.set_xlim(1, most * 4)
    axes.set_title("Cost of a call (less is better)", fontsize=11, loc="left")
    finish(axes.xaxis, axes, time_text)
    axes.tick_params(axis="y", length=0)


def finish(axis, axes, text):
    """Make an axis of times readable."""
    axis.set_major_formatter(ticker.FuncFormatter(text))
    axis.grid(True, color="0.9", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def curves(axes, name, libraries):
    """Draw a collective by size: the median, and from least to most as a band."""
    for title, (label, color, marker) in STYLES.items():
        points = {int(size): values for size, values in libraries.get(title, {}).items()}
        if not points:
            continue
        sizes, values = list(points), list(points.values())
        axes.plot(sizes, [statistics.median(one) for one in values], color=color, marker=marker,
                  markersize=4.5, linewidth=2, label=label, zorder=3)
        axes.fill_between(sizes, [min(one) for one in values], [max(one) for one in values], color=color,
                          alpha=0.15, linewidth=0)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    sizes = sorted({int(size) for points in libraries.values() for size in points})
    axes.xaxis.set_major_locator(ticker.FixedLocator(sizes))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(size_text))
    axes.set_title(PANELS[name], fontsize=10, loc="left")
    finish(axes.yaxis, axes, time_text)


def panels_of(collectives):
    """Return a figure, the panel of the bars, and those of the collectives by name."""
    drawn = [name for name in PANELS if collectives.get(name, {}).get("UCXX")]
    if not drawn:
        figure, panel = plt.subplots(figsize=(9, 4.6), layout="constrained")
        return figure, panel, {}
    figure, panels = plt.subplot_mosaic(
        [["bars", *drawn[:2]], ["bars", *drawn[2:]]], figsize=(15, 8), width_ratios=(1.25, 1, 1),
        layout="constrained")
    for name in drawn:
        panels[name].sharey(panels[drawn[0]])
    for name in drawn[2:]:
        panels[name].set_xlabel("bytes of each PE")
    return figure, panels["bars"], {name: panels[name] for name in drawn}


def draw(report, path):
    """Write the picture of a report."""
    figure, left, panels = panels_of(report["collectives"])
    bars(left, [row for row in report["figures"] if row["bar"] and "UCXX" in row["values"]])
    for name, axes in panels.items():
        curves(axes, name, report["collectives"][name])
    labels = {}
    for axes in (left, *panels.values()):
        handles, titles = axes.get_legend_handles_labels()
        labels |= {title: handle for title, handle in zip(titles, handles) if title not in labels}
    figure.legend(labels.values(), labels.keys(), loc="outside lower center", ncols=len(labels),
                  frameon=False)
    figure.suptitle(f"OpenSHMEM between two processes of one machine; medians of {report['rounds']} rounds",
                    fontsize=11)
    figure.savefig(path, dpi=130)
    plt.close(figure)


if __name__ == "__main__":
    draw(json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2])
