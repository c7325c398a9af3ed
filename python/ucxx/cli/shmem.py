# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark shmem`: calls of OpenSHMEM in Python and C, beside MPI."""

from __future__ import annotations

import dataclasses
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ucxx.benchmarks import units
from ucxx.benchmarks.prk.tools import Missing
from ucxx.benchmarks.shmem import compare, figures, ping_pong, ways
from ucxx.cli import SETTINGS, measuring, output, pictures, ping_pong_tables, shmem_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    _Find = Callable[[str, pathlib.Path], ways.Way]

_F = TypeVar("_F", bound="Callable[..., Any]")
_LARGEST = 1 << 28  # the heap of a PE has room for it
_WAYS = tuple(dict.fromkeys((*ways.NAMES, *ping_pong.NAMES)))
_SIZES, _SIZES_OF_PING_PONG = "8,64,512,4K,32K,256K,1M,4M", "1:4M"
# Of the table and of the ping-pong, where nothing else is said.
_MS, _MS_OF_PING_PONG = 2.0, 0.2
_REPEATS, _REPEATS_OF_PING_PONG = 15, 100


def _sizes(
    ctx: click.Context, param: click.Parameter, value: tuple[int, ...] | None
) -> tuple[int, ...] | None:
    if value is None:
        return None
    if max(value) > _LARGEST:
        raise click.BadParameter(
            f"{max(value)} bytes: at most {units.size_text(_LARGEST)} would do, for which the symmetric "
            "heap of each PE has room"
        )
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
    short_help="Calls of OpenSHMEM, and its ping-pong: Python, C, MPI.",
    context_settings=SETTINGS,
)
@click.option(
    "--way",
    "names",
    multiple=True,
    type=click.Choice(_WAYS),
    help="Measure this one; repeatable. Without it: all that are installed.",
)
@click.option(
    "--figure",
    "chosen",
    multiple=True,
    type=click.Choice(figures.NAMES),
    help="Measure this only; repeatable. ping_pong, over size, is measured by itself. Without it: all "
    "others.",
)
@click.option(
    "--sizes",
    type=measuring.Sizes(),
    callback=_sizes,
    help="Bytes of puts for the bandwidth and of the ping-pong: a list, or FIRST:LAST, twice as much each; "
    f"K, M and G are powers of 1024.  [default: {_SIZES}; of ping_pong: {_SIZES_OF_PING_PONG}]",
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
    metavar="MS",
    help="About how long each repetition takes, which is one transfer at least.  "
    f"[default: {_MS:g}; of ping_pong: {_MS_OF_PING_PONG:g}]",
)
@click.option(
    "--repeats",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Repetitions of each figure in a run, whose median counts.  "
    f"[default: {_REPEATS}; of ping_pong: {_REPEATS_OF_PING_PONG}]",
)
@click.option(
    "--bind",
    type=click.Choice(("core", "none")),
    default="core",
    show_default=True,
    help="Whether each PE gets a core of its own, if there are as many.",
)
@_folder("mpi", "Where mpiexec and mpicc are")
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
    was built with. With `--figure ping_pong`: puts over size, of each OpenSHMEM library that is here, in
    C, Numba and Python, beside messages and puts of MPI.
    """
    is_ping_pong = _is_ping_pong(chosen)
    _check_ways(names, is_ping_pong)
    if plot is not None:
        if set(chosen) == {"start"}:
            raise click.BadParameter("of starts there is no picture", param_hint="--plot")
        pictures.check(plot)
    plan = compare.Plan(
        figures=chosen or figures.TABLE, bind=bind == "core", **_with_defaults(values, is_ping_pong)
    )
    find = _finder(is_ping_pong, {"mpi4py": mpi_folder, "shmem4py": shmem4py_folder})
    wanted = tuple(dict.fromkeys(names or (ping_pong.NAMES if is_ping_pong else ways.NAMES)))
    report = _measured(wanted, plan, runs, find)
    if json_path:
        output.write_json(json_path, report)
    (ping_pong_tables if is_ping_pong else shmem_tables).show(report)
    if plot is not None and report["results"]:
        _draw(plot, report, is_ping_pong)
    if report["failed"]:
        raise click.ClickException("\n".join(f"{k}: {v}" for k, v in report["failed"].items()))


def _is_ping_pong(chosen: tuple[str, ...]) -> bool:
    others = [name for name in chosen if name != figures.PING_PONG]
    if others and figures.PING_PONG in chosen:
        raise click.BadParameter(
            f"ping_pong is measured by itself, not with {others[0]}: two runs would do",
            param_hint="--figure",
        )
    return figures.PING_PONG in chosen


def _check_ways(names: tuple[str, ...], is_ping_pong: bool) -> None:
    have = ping_pong.NAMES if is_ping_pong else ways.NAMES
    for name in names:
        if name not in have:
            what = "has no ping_pong" if is_ping_pong else "has nothing but --figure ping_pong"
            raise click.BadParameter(
                f"{name} {what}: {', '.join(have)} would do", param_hint="--way"
            )


def _with_defaults(values: dict[str, Any], is_ping_pong: bool) -> dict[str, Any]:
    defaults = {
        "sizes": units.read_sizes(_SIZES_OF_PING_PONG if is_ping_pong else _SIZES),
        "ms": _MS_OF_PING_PONG if is_ping_pong else _MS,
        "repeats": _REPEATS_OF_PING_PONG if is_ping_pong else _REPEATS,
    }
    return {**defaults, **{name: value for name, value in values.items() if value is not None}}


def _finder(is_ping_pong: bool, folders: Mapping[str, str | None]) -> _Find:
    if is_ping_pong:
        return lambda name, scratch: ping_pong.find(name, folders["mpi4py"], scratch)
    return lambda name, scratch: ways.find(name, folders.get(name), scratch)


def _draw(path: pathlib.Path, report: dict[str, Any], is_ping_pong: bool) -> None:
    from ucxx.benchmarks.shmem import ping_pong_plot, plot

    pictures.draw(path, (ping_pong_plot if is_ping_pong else plot).draw, report)


def _measured(
    names: tuple[str, ...], plan: compare.Plan, runs: int, find: _Find
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="ucxx-") as scratch:
        found, skipped = _found(names, find, pathlib.Path(scratch))
        with measuring.progress() as bar:
            tasks = {way.name: bar.add_task(way.name, total=runs) for way in found}
            rows, failed = compare.measure(
                found, plan, runs, lambda name: bar.advance(tasks[name])
            )
    return {
        **measuring.header(),
        "settings": {"runs": runs, "ways": names, **dataclasses.asdict(plan)},
        "tools": {way.name: way.launcher.version for way in found},
        "skipped": skipped,
        "failed": failed,
        "results": rows,
    }


def _found(
    names: tuple[str, ...], find: _Find, scratch: pathlib.Path
) -> tuple[list[ways.Way], dict[str, str]]:
    """Return the ways that can be measured, and what the others miss."""
    found: list[ways.Way] = []
    skipped: dict[str, str] = {}
    for name in names:
        try:
            found.append(find(name, scratch))
        except Missing as missing:
            skipped[name] = str(missing)
    return found, skipped
