# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark dask`: Dask over ucx:// and over tcp://, in turn."""

from __future__ import annotations

import functools
import importlib
import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ucxx.benchmarks import kinds
from ucxx.benchmarks.dask import payload
from ucxx.cli import SETTINGS, measuring, output, pictures, results

if TYPE_CHECKING:
    from ucxx.benchmarks.dask.figures import Outcome

_C = TypeVar("_C", bound=Callable[..., Any])

_PROTOCOLS = ("ucx", "ucxx", "tcp")
_WORKERS = 2

_OPTIONS = [
    click.option(
        "--protocol",
        type=click.Choice(_PROTOCOLS),
        default="ucx",
        show_default=True,
        help="What is measured.",
    ),
    click.option(
        "--compare",
        type=click.Choice(_PROTOCOLS),
        default="tcp",
        show_default=True,
        help="What it is compared with; the same one: nothing.",
    ),
    measuring.runs_option,
    measuring.json_option,
    click.option(
        "--plot",
        type=click.Path(dir_okay=False, writable=True, path_type=pathlib.Path),
        metavar="FILE.png",
        help="Draw it.",
    ),
]


def _options(function: _C) -> _C:
    """Add the options that all of these commands have."""
    return functools.reduce(lambda f, option: option(f), reversed(_OPTIONS), function)


def _size_option(name: str, default: str, text: str) -> Callable[[_C], _C]:
    return click.option(
        name,
        "size",
        metavar="SIZE",
        default=default,
        show_default=True,
        callback=lambda ctx, param, value: measuring.size(value),
        help=text,
    )


def _backend_option(*names: str) -> Callable[[_C], _C]:
    return click.option(
        "--backend",
        "object_type",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help="Whose arrays.",
    )


@click.group(
    name="dask",
    short_help="Measure Dask over ucx:// beside tcp://.",
    context_settings=SETTINGS,
)
def command() -> None:
    """Measure Dask over ucx:// beside tcp://, in turn, on this machine.

    All payloads are random. Figures are medians of all runs; the last column says how many times faster the
    protocol is than the one that it is compared with.
    """


@command.command(short_help="Connections alone, without a cluster.", context_settings=SETTINGS)
@_size_option("--up-to", "256M", "The largest message.")
@_backend_option(*payload.NAMES)
@_options
def comm(**values: Any) -> None:
    """Measure connections between two processes: connects, round trips, and arrays one way."""
    _run("comm", values, "up_to")


@command.command(short_help="One large array, and the smallest works.", context_settings=SETTINGS)
@_size_option("--size", "256M", "Bytes of the array.")
@_backend_option(*payload.NAMES)
@_options
def transfer(**values: Any) -> None:
    """Measure clusters: an array from worker to worker, client.run, start and restart."""
    _run("transfer", values)


@command.command(short_help="An array and its transpose.", context_settings=SETTINGS)
@_size_option("--size", "512M", "Bytes of the array.")
@_backend_option("numpy", "cupy")
@_options
def transpose(**values: Any) -> None:
    """Compute (x + x.T).sum() on two workers: every block is needed where its mirror image is.

    Wall time, when workers compute and receive, and the bandwidth of transfers above 1 MB, by quartiles.
    --plot draws the tasks and transfers of each worker, before and after.
    """
    _run("transpose", values, needs=("numpy", "dask.array"), extra="dask[array]")


@command.command(short_help="Two data frames.", context_settings=SETTINGS)
@_size_option("--size", "96M", "Bytes of each frame.")
@_options
def merge(**values: Any) -> None:
    """Merge two frames of pandas on two workers, by tasks and by P2P.

    Wall time, when workers compute and receive, and the bandwidth of transfers above 1 MB, by quartiles;
    how long those of P2P take Dask does not tell. --plot draws the tasks and transfers of each worker.
    """
    _run("merge", values, needs=("pandas", "pyarrow", "dask.dataframe"), extra="dask[dataframe]")


def _run(
    name: str,
    values: dict[str, Any],
    size_name: str = "size",
    needs: tuple[str, ...] = (),
    extra: str = "",
) -> None:
    """Measure, show, write and draw. Raises click.ClickException for what is missing or fails."""
    _need(("distributed",), "ucxx[dask]")
    _need(needs, extra)
    json_path, plot = values.pop("json_path"), values.pop("plot")
    if plot is not None:
        pictures.check(plot)
    if "object_type" in values:
        _check_backend(values["object_type"])
    outcome = _outcome(name, values)
    values[size_name] = values.pop("size")
    report = {
        **measuring.header(),
        "settings": {"workers": _WORKERS, **values},
        "results": outcome.rows,
    }
    if outcome.streams:
        report["streams"] = {
            title: {protocol: stream.json() for protocol, stream in found.items()}
            for title, found in outcome.streams.items()
        }
    if json_path:
        output.write_json(json_path, report)
    if plot is not None:
        _draw(plot, report)
    results.show_compared(report)


def _need(modules: tuple[str, ...], extra: str) -> None:
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise click.ClickException(f"this needs {module} ({error}): pip install '{extra}'") from error


def _check_backend(name: str) -> None:
    try:
        kinds.kind(name)
    except Exception as error:  # CuPy without a GPU has errors of its own
        raise click.ClickException(f"--backend {name}: {error}") from error


def _outcome(name: str, values: dict[str, Any]) -> Outcome:
    protocols = tuple(dict.fromkeys((values["protocol"], values["compare"])))
    what = [values[key] for key in ("size", "object_type") if key in values]
    measured = importlib.import_module(f"ucxx.benchmarks.dask.{name}").measure
    total = len(protocols) * values["runs"]
    outcome: Outcome = measuring.repeated(total, measured, protocols, *what, values["runs"])
    return outcome


def _draw(plot: pathlib.Path, report: dict[str, Any]) -> None:
    kind = "task_stream" if "streams" in report else "bars"
    drawing = importlib.import_module(f"ucxx.benchmarks.dask.{kind}")
    pictures.draw(plot, drawing.draw, report)
    click.echo(f"{plot} is written")
