# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark shmem`: calls of OpenSHMEM in Python and C, beside MPI."""

from __future__ import annotations

import dataclasses
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ucxx.benchmarks.prk.tools import Missing
from ucxx.benchmarks.shmem import compare, figures, ways
from ucxx.cli import SETTINGS, measuring, output, pictures, shmem_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_F = TypeVar("_F", bound="Callable[..., Any]")
_LARGEST = 1 << 28  # the heap of a PE has room for it


def _sizes(ctx: click.Context, param: click.Parameter, value: tuple[int, ...]) -> tuple[int, ...]:
    if max(value) > _LARGEST:
        raise click.BadParameter(f"{max(value)} bytes: 256M at most")
    return tuple(sorted(set(value)))


def _folder(name: str, text: str) -> Callable[[_F], _F]:
    return click.option(
        f"--{name}",
        f"{name}_folder",
        type=click.Path(exists=True, file_okay=False, resolve_path=True),
        metavar="FOLDER",
        help=f"{text}; of a virtual environment also its Python is taken.",
    )


@click.command(
    name="shmem",
    short_help="Calls of OpenSHMEM: Python, C, shmem4py, mpi4py.",
    context_settings=SETTINGS,
)
@click.option(
    "--way",
    "names",
    multiple=True,
    type=click.Choice(ways.NAMES),
    help="Measure this one; repeatable. Without it: all that are installed.",
)
@click.option(
    "--figure",
    "chosen",
    multiple=True,
    type=click.Choice(figures.NAMES),
    help="Measure this only; repeatable.",
)
@click.option(
    "--sizes",
    type=measuring.Sizes(),
    callback=_sizes,
    default="8,64,512,4K,32K,256K,1M,4M",
    show_default=True,
    help="Bytes of puts for the bandwidth; K, M and G are powers of 1024.",
)
@click.option(
    "--pes",
    type=click.IntRange(2, 1024),
    default=2,
    show_default=True,
    metavar="N",
    help="How many PEs; all take part in collectives, PE 0 and PE 1 in the rest.",
)
@click.option(
    "--ms",
    type=click.FloatRange(0.001, 10_000),
    default=2,
    show_default=True,
    metavar="MS",
    help="About how long each repetition takes.",
)
@click.option(
    "--repeats",
    type=click.IntRange(1, 1000),
    default=15,
    show_default=True,
    metavar="N",
    help="Repetitions of each figure in a run, whose median counts.",
)
@click.option(
    "--bind",
    type=click.Choice(("core", "none")),
    default="core",
    show_default=True,
    help="Whether each PE gets a core of its own, if there are as many.",
)
@_folder("mpi", "Where mpiexec is")
@_folder("shmem4py", "Where the oshrun of its OpenSHMEM library is")
@measuring.runs_option
@measuring.json_option
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True, path_type=pathlib.Path),
    metavar="FILE.png",
    help="Where to draw.",
)
def command(
    names: tuple[str, ...],
    chosen: tuple[str, ...],
    bind: str,
    mpi_folder: str | None,
    shmem4py_folder: str | None,
    runs: int,
    json_path: str | None,
    plot: pathlib.Path | None,
    **values: Any,
) -> None:
    """Measure what calls of OpenSHMEM cost in Python and in C, and what MPI costs from Python.

    Each way runs in turn. `ucxx.shmem` and C run over UCXX's library, shmem4py over the one that it
    was built with.
    """
    if plot is not None:
        if set(chosen) == {"start"}:
            raise click.BadParameter("of starts there is no picture", param_hint="--plot")
        pictures.check(plot)
    plan = compare.Plan(figures=chosen or figures.NAMES, bind=bind == "core", **values)
    folders = {"mpi4py": mpi_folder, "shmem4py": shmem4py_folder}
    report = _measured(tuple(dict.fromkeys(names or ways.NAMES)), plan, runs, folders)
    if json_path:
        output.write_json(json_path, report)
    shmem_tables.show(report)
    if plot is not None and report["results"]:
        from ucxx.benchmarks.shmem import plot as drawing

        pictures.draw(plot, drawing.draw, report)
    if report["failed"]:
        raise click.ClickException("\n".join(f"{k}: {v}" for k, v in report["failed"].items()))


def _measured(
    names: tuple[str, ...], plan: compare.Plan, runs: int, folders: Mapping[str, str | None]
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="ucxx-") as scratch:
        found, skipped = _found(names, folders, pathlib.Path(scratch))
        with measuring.progress() as bar:
            tasks = {way.name: bar.add_task(way.name, total=runs) for way in found}
            rows, failed = compare.measure(
                found, plan, runs, lambda name: bar.advance(tasks[name])
            )
    return {
        **measuring.header(),
        "settings": {"runs": runs, "ways": names, **dataclasses.asdict(plan)},
        "tools": {way.name: way.tools.version for way in found},
        "skipped": skipped,
        "failed": failed,
        "results": rows,
    }


def _found(
    names: tuple[str, ...], folders: Mapping[str, str | None], scratch: pathlib.Path
) -> tuple[list[ways.Way], dict[str, str]]:
    """Return the ways that can be measured, and what the others miss."""
    found: list[ways.Way] = []
    skipped: dict[str, str] = {}
    for name in names:
        try:
            found.append(ways.find(name, folders.get(name), scratch))
        except Missing as missing:
            skipped[name] = str(missing)
    return found, skipped
