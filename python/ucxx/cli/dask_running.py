# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Runs a benchmark of Dask, and shows, writes and draws what it has found."""

from __future__ import annotations

import importlib
import pathlib
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ucxx.benchmarks import kinds
from ucxx.benchmarks.dask import figures
from ucxx.cli import dask_options, measuring, output, pictures, results

if TYPE_CHECKING:
    from ucxx.benchmarks.dask.figures import Outcome

_WORKERS = 2


class Needs(NamedTuple):
    """Modules, and what installs them."""

    modules: tuple[str, ...]
    extra: str


CLUSTERS = Needs(("distributed",), "ucxx[dask]")
ARRAYS = Needs(("numpy", "dask.array"), "dask[array]")
FRAMES = Needs(("pandas", "pyarrow", "dask.dataframe"), "dask[dataframe]")
_CUDF = Needs(("cudf", "dask_cudf"), "cudf-cu12 dask-cudf-cu12")


def run(name: str, values: dict[str, Any], *needs: Needs, size_name: str = "size") -> None:
    """Measure, show, write and draw.

    Args:
        name: of the benchmark's module.
        values: those of the options.
        needs: what it needs beside CLUSTERS.
        size_name: what the size is called in the report.

    Raises:
        click.ClickException: for what is missing or fails.
    """
    for need in (CLUSTERS, *needs):
        _need(need)
    json_path, plot, several = values.pop("json_path"), values.pop("plot"), values["protocols"]
    if plot is not None:
        pictures.check(plot)
    _check_backend(values.get("object_type", ""))
    names = dask_options.protocols(values)
    outcome = _outcome(name, names, values)
    if "size" in values:
        values[size_name] = values.pop("size")
    report = _report(outcome, {"workers": _WORKERS, "protocols": names, **values})
    results.show_compared(report)
    if json_path:
        output.write_json(json_path, report)
    if plot is not None:
        _draw(_kind(outcome, bool(several), len(names)), plot, report)


def _need(needs: Needs) -> None:
    for module in needs.modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise click.ClickException(f"this needs {module} ({error}): pip install '{needs.extra}'") from error


def _check_backend(name: str) -> None:
    if name == "cudf":
        _need(_CUDF)
    elif name in kinds.NAMES:
        try:
            kinds.kind(name)
        except Exception as error:  # CuPy without a GPU has errors of its own
            raise click.ClickException(f"--backend {name}: {error}") from error


def _outcome(name: str, protocols: tuple[str, ...], values: dict[str, Any]) -> Outcome:
    measured = importlib.import_module(f"ucxx.benchmarks.dask.{name}").measure
    total = len(protocols) * values["runs"]
    what = [values[key] for key in ("size", "object_type", "workers", "processes") if key in values]
    outcome: Outcome = measuring.repeated(total, measured, protocols, *what, values["runs"])
    return outcome


def _report(outcome: Outcome, settings: dict[str, Any]) -> dict[str, Any]:
    report = {
        **measuring.header(),
        "settings": settings,
        "transports": outcome.transports,
        "results": outcome.rows,
    }
    if outcome.streams:
        report["streams"] = {
            title: {protocol: stream.json() for protocol, stream in found.items()}
            for title, found in outcome.streams.items()
        }
    return report


def _kind(outcome: Outcome, by_sets: bool, count: int) -> str:
    """Return the module that draws it.

    Args:
        outcome: what is drawn.
        by_sets: --protocols has named what is measured.
        count: of what is measured; 1: nothing was compared.

    Raises:
        click.ClickException: it has no rates, and several sets.
    """
    has_rates = any(row["unit"] == figures.RATE for row in outcome.rows)
    if has_rates and (by_sets or (count == 1 and not outcome.streams)):
        return "rates"
    if count > 2 and not outcome.streams:
        raise click.ClickException(f"--plot compares two protocols where there are no rates in GB/s, not {count}")
    return "task_stream" if outcome.streams else "bars"


def _draw(kind: str, plot: pathlib.Path, report: dict[str, Any]) -> None:
    drawing = importlib.import_module(f"ucxx.benchmarks.dask.{kind}")
    pictures.draw(plot, drawing.draw, report)
    click.echo(f"{plot} is written")
