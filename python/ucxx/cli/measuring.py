# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the benchmark commands share: their options, and the run of a ping-pong."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import ucxx
from ucxx.benchmarks import backends, kinds, measure, settings, units
from ucxx.benchmarks.message import ObjectMessage
from ucxx.cli import facts, output, results

_C = TypeVar("_C", bound=Callable[..., Any])
_Measured = TypeVar("_Measured")

# A type of parameter can be subscripted in new versions of click only.
if TYPE_CHECKING:
    _Numbers = click.ParamType[tuple[int, ...]]
    _Two = click.ParamType[tuple[int | None, int | None]]
else:
    _Numbers = _Two = click.ParamType


class Sizes(_Numbers):
    """Sizes with suffixes, separated by commas, or a sweep."""

    name = "SIZE,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return a tuple of ints."""
        if isinstance(value, tuple):
            return value
        try:
            return units.read_sizes(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Counts(_Numbers):
    """Numbers within limits, separated by commas."""

    name = "N,..."

    def __init__(self, least: int, most: int, example: str) -> None:
        """Set the limits, and what an error gives as an example."""
        self._least, self._most, self._example = least, most, example

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return a tuple of ints."""
        if isinstance(value, tuple):
            return value
        words = [word.strip() for word in value.split(",")]
        if not all(
            word.isdecimal() and self._least <= int(word) <= self._most for word in words
        ):
            limits = f"numbers from {self._least} to {self._most}"
            self.fail(f"{value!r}: {limits}, for example {self._example}", param, ctx)
        return tuple(map(int, words))


class Pin(_Two):
    """Two numbers of processors that this process may use; `-` is any."""

    name = "A,B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int | None, int | None]:
        """Return a tuple of two ints, None for any."""
        if isinstance(value, tuple):
            return value
        usable = os.sched_getaffinity(0)
        words = [word.strip() for word in value.split(",")]
        if len(words) != 2 or not all(word == "-" or word.isdecimal() for word in words):
            self.fail(f"{value!r}: two processor numbers, for example 0,1", param, ctx)
        numbers = _number(words[0]), _number(words[1])
        if strangers := {number for number in numbers if number is not None} - usable:
            there = ",".join(map(str, sorted(usable)))
            self.fail(
                f"no processor {min(strangers)} for this process; there are {there}", param, ctx
            )
        return numbers


def _number(word: str) -> int | None:
    return None if word == "-" else int(word)


def size(text: str) -> int:
    """Return the bytes that an option says. Raises click.BadParameter."""
    try:
        return units.read_size(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


pin_option = click.option(
    "--pin", type=Pin(), help="Processors of the two processes; - is any of them."
)
runs_option = click.option(
    "--runs",
    type=click.IntRange(1, 1000),
    default=5,
    show_default=True,
    metavar="N",
    help="Measure everything so often, in turn; medians are shown, and the spread.",
)
json_option = click.option(
    "--json",
    "json_path",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write all figures as JSON.",
)

_OPTIONS = [
    click.option(
        "--backend",
        "names",
        multiple=True,
        type=click.Choice(backends.NAMES),
        help="Measure this one; repeatable. Without it: all that are installed.",
    ),
    click.option(
        "--iterations",
        type=click.IntRange(1, 10**7),
        metavar="N",
        help="Measured round trips of each size; default 5000, fewer for large sizes.",
    ),
    click.option(
        "--warm-up",
        type=click.IntRange(0, 10**7),
        metavar="N",
        help="Round trips before them; default a tenth.",
    ),
    runs_option,
    pin_option,
    click.option(
        "--content",
        type=click.Choice(settings.CONTENTS),
        default="buffer",
        show_default=True,
        help="What is sent: buffers, or a small dict as an object.",
    ),
    click.option(
        "--object-type",
        type=click.Choice(kinds.NAMES),
        help="Whose memory is sent; without it NumPy's, if it is installed.",
    ),
    click.option(
        "--multi-buffers",
        "buffers",
        type=click.IntRange(1, 1000),
        default=1,
        metavar="N",
        help="Buffers of SIZE bytes in each message.",
        show_default=True,
    ),
    click.option(
        "--receive-into",
        type=click.Choice(settings.RECEIVE_INTO),
        default="same",
        show_default=True,
        help="The same memory, new memory each time, or memory that the library gives.",
    ),
    click.option(
        "--active-messages",
        is_flag=True,
        help="UCXX sends active messages; the library gives their memory.",
    ),
    click.option(
        "--progress-mode",
        type=click.Choice(settings.MODES),
        default="loop",
        show_default=True,
        help="Who moves the workers of UCXX.",
    ),
    click.option(
        "--pause",
        "pause_us",
        type=click.FloatRange(0, 1e6),
        default=0,
        metavar="US",
        help="Compute so many microseconds before each send, not measured: the peer sleeps by then.",
    ),
]


def options(function: _C) -> _C:
    """Add the options that both commands have."""
    return functools.reduce(lambda f, option: option(f), reversed(_OPTIONS), function)


def run(names: Iterable[str], runs: int, values: dict[str, Any]) -> dict[str, Any]:
    """Measure backends; return a report for JSON. Those that cannot do it are skipped.

    Args:
        names: of backends; none: all.
        runs: how often.
        values: those of Settings, as a dict.

    Raises:
        click.ClickException: one has failed.
    """
    plan = _settings(values)
    reasons = {
        name: measure.reason_to_skip(name, plan) for name in dict.fromkeys(names or backends.NAMES)
    }
    chosen = [name for name, reason in reasons.items() if reason is None]
    return {
        **header(),
        "settings": {"runs": runs, **dataclasses.asdict(plan)},
        "skipped": {name: reason for name, reason in reasons.items() if reason},
        "results": _rows(chosen, runs, plan),
    }


def repeated(total: int, measured: Callable[..., _Measured], *args: Any) -> _Measured:
    """Return `measured(*args, on_run=...)`, which calls that `total` times, behind a progress bar.

    Raises:
        click.ClickException: it has failed.
    """
    with progress() as bar:
        task = bar.add_task(measured.__module__.rpartition(".")[2], total=total)
        try:
            return measured(*args, on_run=functools.partial(bar.advance, task))
        except measure.BenchmarkError as error:
            raise click.ClickException(str(error)) from error


def tell(
    rows: list[dict[str, Any]],
    columns: tuple[str, str, str],
    json_path: str | None,
    **values: Any,
) -> None:
    """Show the rows of `repeated`, and write the JSON; `values` are those of the options."""
    report = {**header(), "settings": values, "results": rows}
    if json_path:
        output.write_json(json_path, report)
    results.show_spread(rows, columns, report)


def header() -> dict[str, Any]:
    """Return what each report says of its circumstances."""
    return {
        "ucxx": ucxx.__version__,
        "ucx": facts.ucx(),
        "environment": facts.environment(),
        "load": os.getloadavg()[0],
    }


def _settings(values: dict[str, Any]) -> settings.Settings:
    if values["active_messages"] and (values["buffers"] > 1 or values["content"] == "dict"):
        raise click.BadParameter("they carry one buffer", param_hint="--active-messages")
    if values["content"] == "dict":
        if values["buffers"] > 1 or values["receive_into"] != "same":
            raise click.BadParameter("with it there are no buffers", param_hint="--content dict")
        values["sizes"] = (ObjectMessage.size(),)
    try:
        kinds.kind(values["object_type"])
    except Exception as error:  # CuPy without a GPU has errors of its own
        raise click.ClickException(f"--object-type {values['object_type']}: {error}") from error
    return settings.Settings(**values)


def _rows(names: Sequence[str], runs: int, plan: settings.Settings) -> list[dict[str, Any]]:
    total = runs * sum(plan.round_trips(size) for size in plan.sizes)
    with progress() as bar:
        tasks = {name: bar.add_task(name, total=total) for name in names}
        try:
            return measure.measure(
                names, plan, runs, lambda name, count: bar.advance(tasks[name], count)
            )
        except measure.BenchmarkError as error:
            raise click.ClickException(str(error)) from error


def progress() -> Progress:
    """Return a progress bar, which only a terminal shows."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description:<10}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
