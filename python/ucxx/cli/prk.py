# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark prk`: the Parallel Research Kernels, in C and Python, beside MPI."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ucxx.benchmarks.prk import KERNELS, compare, tools
from ucxx.cli import SETTINGS, measuring, output, pictures, results

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_F = TypeVar("_F", bound="Callable[..., Any]")


def _chosen(name: str, among: Sequence[str], text: str) -> Callable[[_F], _F]:
    return click.option(
        f"--{name}",
        f"{name}s",
        multiple=True,
        type=click.Choice(among),
        help=f"{text}; repeatable. Without it: all that are installed.",
    )


def _number(name: str, default: int, text: str) -> Callable[[_F], _F]:
    return click.option(
        name,
        type=click.IntRange(1, 10**6),
        default=default,
        show_default=True,
        metavar="N",
        help=text,
    )


@click.command(
    name="prk",
    short_help="Parallel Research Kernels: C and Python, OpenSHMEM and MPI.",
    context_settings=SETTINGS,
)
@click.argument("kernels", nargs=-1, metavar="[KERNEL]...", type=click.Choice(KERNELS))
@_chosen("language", compare.LANGUAGES, "What computes")
@_chosen("model", compare.MODELS, "What PEs talk by")
@click.option(
    "--pes",
    type=measuring.Counts(1, 1024, "1,2,4"),
    default="2",
    show_default=True,
    help="How many PEs. With 1 among them: also the efficiency of the others.",
)
@_number("--order", 2000, "Rows and columns.")
@_number("--radius", 2, "Of the star of stencil.")
@click.option(
    "--variant",
    type=click.Choice(("alltoall", "get")),
    default="alltoall",
    show_default=True,
    help="How transpose exchanges blocks.",
)
@_number(
    "--iterations",
    50,
    "Measured iterations of each run, after one that warms up. Steps of synch_global and reduce take "
    "microseconds: a hundred times as many; of refcount thirty times as many, of random a fifth.",
)
@click.option(
    "--bind",
    type=click.Choice(("core", "none")),
    default="core",
    show_default=True,
    help="Whether each PE gets a core of its own, if there are as many.",
)
@click.option(
    "--mpi",
    "mpi_folder",
    type=click.Path(exists=True, file_okay=False, resolve_path=True),
    metavar="FOLDER",
    help="Where mpiexec and mpicc are; of a virtual environment also its Python is taken.",
)
@click.option(
    "--oshmem",
    "oshmem_folder",
    type=click.Path(exists=True, file_okay=False, resolve_path=True),
    metavar="FOLDER",
    help="Where oshrun and oshcc of another OpenSHMEM library are: /usr/bin has Open MPI's on Debian. "
    "Python calls it by the adapter that python -m ucxx shmem adapt made.",
)
@measuring.runs_option
@measuring.json_option
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True, path_type=pathlib.Path),
    metavar="FILE.png",
    help="Where to draw. The efficiency goes to another file, beside it: FILE_efficiency.png.",
)
def command(
    kernels: tuple[str, ...],
    languages: tuple[str, ...],
    models: tuple[str, ...],
    pes: tuple[int, ...],
    bind: str,
    mpi_folder: str | None,
    oshmem_folder: str | None,
    runs: int,
    json_path: str | None,
    plot: pathlib.Path | None,
    **sizes: Any,
) -> None:
    """Run kernels in each language over each model, in turn.

    Without a KERNEL: all. The same code computes over both models.
    """
    if plot is not None:
        pictures.check(plot)
    plan = compare.Plan(bind=bind == "core", **sizes)
    everything = compare.cases(
        dict.fromkeys(kernels or KERNELS),
        tuple(dict.fromkeys(pes)),
        dict.fromkeys(languages or compare.LANGUAGES),
        tuple(dict.fromkeys(models or _known(oshmem_folder))),
    )
    report = _measured(everything, plan, runs, {"mpi": mpi_folder, "oshmem": oshmem_folder})
    if json_path:
        output.write_json(json_path, report)
    _show(report)
    if plot is not None and report["results"]:
        _draw(report, plot)
    if report["failed"]:
        raise click.ClickException("\n".join(f"{k}: {v}" for k, v in report["failed"].items()))


def _known(oshmem_folder: str | None) -> list[str]:
    """Return all models, but another OpenSHMEM library only where it was named."""
    return [model for model in compare.MODELS if model != "oshmem" or oshmem_folder is not None]


def _draw(report: dict[str, Any], path: pathlib.Path) -> None:
    from ucxx.benchmarks.prk import plot as drawing

    pictures.draw(path, drawing.draw, report)
    if results.have_efficiency(report):
        beside = path.with_name(f"{path.stem}_efficiency{path.suffix}")
        pictures.draw(beside, drawing.draw_efficiency, report)


def _measured(
    everything: list[compare.Case], plan: compare.Plan, runs: int, folders: dict[str, str | None]
) -> dict[str, Any]:
    there = {model: _found(model, folders.get(model)) for model in compare.MODELS}
    reasons = {case: compare.reason_to_skip(case, there) for case in everything}
    todo = [case for case in everything if reasons[case] is None]
    usable = {model: found for model, found in there.items() if isinstance(found, tools.Tools)}
    with measuring.progress() as bar:
        tasks = {kernel: bar.add_task(kernel, total=0) for kernel in _kernels(todo)}
        for kernel, task in tasks.items():
            bar.update(task, total=runs * sum(case.kernel == kernel for case in todo))
        rows, failed = compare.measure(
            todo, usable, plan, runs, lambda case: bar.advance(tasks[case.kernel])
        )
    return {
        **measuring.header(),
        "settings": {"runs": runs, **dataclasses.asdict(plan)},
        "tools": {model: found.version for model, found in usable.items()},
        "skipped": _skipped(reasons),
        "failed": {f"{case.kernel}, {case.column}": why for case, why in failed.items()},
        "results": rows,
    }


def _skipped(reasons: dict[compare.Case, str | None]) -> dict[str, str]:
    """Return why cases are skipped, those of all kernels in one line."""
    skipped = {}
    for case, reason in reasons.items():
        if reason is None:
            continue
        is_of_all = all(reasons[other] == reason for other in reasons if other.column == case.column)
        skipped[case.column if is_of_all else f"{case.kernel}, {case.column}"] = reason
    return skipped


def _found(model: str, folder: str | None) -> tools.Tools | tools.Missing:
    if model == "oshmem" and folder is None:
        return tools.Missing("--oshmem FOLDER says where it is")
    try:
        return tools.find("mpi" if model == "mpi" else "shmem", folder)
    except tools.Missing as missing:
        return missing


def _kernels(cases: list[compare.Case]) -> list[str]:
    return list(dict.fromkeys(case.kernel for case in cases))


def _show(report: dict[str, Any]) -> None:
    if report["results"]:
        results.show_rates(report)
    console = output.console()
    if any(map(compare.is_oversubscribed, report["results"])):
        console.print("4 on 2: 4 PEs share 2 processors, they are oversubscribed")
    for column, why in report["skipped"].items():
        console.print(f"{column} was skipped: {why}")
    versions = "; ".join(report["tools"].values())
    runs = report["settings"]["runs"]
    of_runs = f"medians of {runs} runs, in turn" if runs > 1 else "those of one run"
    console.print(
        f"{versions}; rates and ratios are {of_runs}; load {report['load']:.1f}",
        style="dim",
    )
