# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The options of `python -m ucxx benchmark dask`."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ucxx.benchmarks.dask import transports
from ucxx.cli import measuring

_C = TypeVar("_C", bound=Callable[..., Any])

# A type of parameter can be subscripted in new versions of click only.
if TYPE_CHECKING:
    _Names = click.ParamType[tuple[str, ...]]
else:
    _Names = click.ParamType


class Sets(_Names):
    """Names of sets of transports, separated by commas."""

    name = "NAME,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return a tuple of names, each once."""
        if isinstance(value, tuple):
            return value
        names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
        for name in names:
            try:
                transports.named(name)
            except ValueError as error:
                self.fail(str(error), param, ctx)
        return names


_PROTOCOL, _COMPARE = "ucx", "tcp"

_OPTIONS = [
    click.option(
        "--protocol", type=click.Choice(list(transports.SETS)), show_default=_PROTOCOL, help="What is measured."
    ),
    click.option(
        "--compare",
        type=click.Choice(list(transports.SETS)),
        show_default=_COMPARE,
        help="What it is compared with; the same one: nothing.",
    ),
    click.option(
        "--protocols",
        type=Sets(),
        help="Instead of both: sets of transports side by side, compared with the first, e.g. tcp,ucx-tcp,ucx-local.",
    ),
    measuring.runs_option,
    measuring.json_option,
    click.option(
        "--plot",
        type=click.Path(dir_okay=False, writable=True, path_type=pathlib.Path),
        metavar="FILE.png",
        help="Draw it; with --protocols: bars in GB/s.",
    ),
]


def options(function: _C) -> _C:
    """Add the options that all of these commands have."""
    return functools.reduce(lambda f, option: option(f), reversed(_OPTIONS), function)


def protocols(values: dict[str, Any]) -> tuple[str, ...]:
    """Take the options out of `values`; return the sets that they name: the others are compared with the last.

    Raises:
        click.UsageError: both ways to name them are used. click.ClickException: one cannot run here.
    """
    protocol, compare, several = (values.pop(key) for key in ("protocol", "compare", "protocols"))
    if several and (protocol or compare):
        raise click.UsageError("--protocols names all of them: leave out --protocol and --compare")
    names = (*several[1:], several[0]) if several else (protocol or _PROTOCOL, compare or _COMPARE)
    for name in names:
        if missing := transports.named(name).missing():
            raise click.ClickException(f"{name} cannot run here: {missing}")
    return tuple(dict.fromkeys(names))


def size_option(name: str, default: str, text: str) -> Callable[[_C], _C]:
    """Return the option for a number of bytes."""
    return click.option(
        name,
        "size",
        metavar="SIZE",
        default=default,
        show_default=True,
        callback=lambda ctx, param, value: measuring.size(value),
        help=text,
    )


def backend_option(*names: str) -> Callable[[_C], _C]:
    """Return the option for the library of the arrays or frames; the first is the default."""
    return click.option(
        "--backend",
        "object_type",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help="Whose arrays or frames.",
    )
