# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws what `ucxx-perftest --compare ucx_perftest --json` measured.

usage: plot.py FILE.json FILE.png
"""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (the backend is chosen first)
from matplotlib import ticker  # noqa: E402

OURS = {"color": "#0b6e99", "marker": "o", "label": "UCXX"}
THEIRS = {"color": "#d9822b", "marker": "s", "label": "ucx_perftest", "linestyle": "--"}


def size_text(size, _=None):
    """Return '64K' for 65536."""
    for unit, name in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if size >= unit:
            return f"{size / unit:g}{name}"
    return f"{size:g}"


def time_text(us, _=None):
    """Return '10 ms' for 10000."""
    for unit, name in ((1e6, "s"), (1e3, "ms")):
        if us >= unit:
            return f"{us / unit:g} {name}"
    return f"{us:g} \N{MICRO SIGN}s"


def rate_text(gb_per_second, _=None):
    """Return '10 MB/s' for 0.01; a megabyte is 1e6 bytes."""
    for unit, name in ((1, "GB/s"), (1e-3, "MB/s")):
        if gb_per_second >= unit * 0.999:
            return f"{gb_per_second / unit:g} {name}"
    return f"{gb_per_second / 1e-6:g} kB/s"


def repetitions(row, who, to_value):
    """Return the middle, least and most of what was measured for one size."""
    values = sorted(to_value(row, us) for us in row[who]["repetitions_us"])
    return values[len(values) // 2], values[0], values[-1]


def gb_per_s(row, us):
    """Return the bandwidth of a time per message."""
    return row["bytes"] / us / 1e3


def curve(axes, rows, who, style, points):
    """Draw one program: the middle, and from least to most as a band."""
    sizes = [row["size"] for row in rows]
    middle, least, most = zip(*(points(row, who) for row in rows))
    axes.plot(sizes, middle, markersize=4.5, linewidth=1.6, zorder=3, **style)
    axes.fill_between(sizes, least, most, color=style["color"], alpha=0.18, linewidth=0)


def ratio(axes, rows, key, better):
    """Draw ours / theirs; equal is 1."""
    sizes = [row["size"] for row in rows]
    values = [row["ratio"][key] for row in rows]
    middle = [value["median"] for value in values]
    axes.axhline(1, color="0.35", linewidth=1)
    axes.plot(sizes, middle, color=OURS["color"], marker="o", markersize=4, linewidth=1.4)
    axes.fill_between(sizes, [value["min"] for value in values], [value["max"] for value in values],
                      color=OURS["color"], alpha=0.18, linewidth=0)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_locator(ticker.FixedLocator([0.125, 0.25, 0.5, 0.8, 1, 1.25, 2, 4, 8]))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_ylim(min([*middle, 0.75]) / 1.2, max([*middle, 1.5]) * 1.2)
    axes.set_ylabel("UCXX / ucx_perftest")
    # Where the curve is not: what gets better with the size ends at the top or the bottom.
    height, at = (0.05, "bottom") if better == "more" else (0.95, "top")
    axes.annotate(f"{better} is better", (0.99, height), xycoords="axes fraction", ha="right", va=at,
                  fontsize=9, color="0.35")


def column(above, below, title, unit):
    """Name the axes of one column; both share the sizes."""
    above.set_title(title, fontsize=11, loc="left")
    above.set_yscale("log")
    above.yaxis.set_major_formatter(ticker.FuncFormatter(unit))
    handles, labels = above.get_legend_handles_labels()
    above.legend(handles[::-1], labels[::-1], frameon=False, loc="upper left")
    below.set_xlabel("message size (bytes)")
    for axes in (above, below):
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(ticker.LogLocator(base=16, numticks=20))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(size_text))
        axes.grid(True, color="0.9", linewidth=0.7)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    above.tick_params(labelbottom=False)


def draw(report, path):
    """Write the picture."""
    rows = report["results"]
    latency = [row for row in rows if row["test"] == "tag_lat" and "ratio" in row]
    bandwidth = [row for row in rows if row["test"] == "tag_bw" and "ratio" in row]
    figure, panels = plt.subplots(2, 2, figsize=(11, 6.8), height_ratios=[2.4, 1], sharex="col",
                                  layout="constrained")

    def typical(row, who):
        time = row[who]["p50_us"]
        return time["median"], time["min"], time["max"]

    for who, style in (("ucx_perftest", THEIRS), ("ours", OURS)):
        curve(panels[0][0], latency, who, style, typical)
        curve(panels[0][1], bandwidth, who, style, lambda row, name: repetitions(row, name, gb_per_s))
    ratio(panels[1][0], latency, "p50", "less")
    ratio(panels[1][1], bandwidth, "rate", "more")
    column(panels[0][0], panels[1][0], "Latency: half a round trip (median)", time_text)
    window = bandwidth[0]["window"] if bandwidth else 0
    column(panels[0][1], panels[1][1], f"Bandwidth: one way, {window} messages under way", rate_text)

    options = report["options"]
    figure.suptitle(f"UCXX {report['version']}: tag messages between two processes over {report['transports']}, "
                    f"{options['progress']}; UCX {report['ucx']['version']}; "
                    f"median of {options['repeat']} runs, bands from least to most", fontsize=10.5)
    figure.savefig(path, dpi=130)
    plt.close(figure)


if __name__ == "__main__":
    draw(json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2])
