# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The flags of `dask ucx worker`: those of the settings, and those that `dask worker` has as well."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import click
from dask.utils import parse_timedelta

from ucxx.dask.clusters.missing import NOT_HERE
from ucxx.dask.clusters.settings import BINDINGS, PLACEMENTS, Settings

_CHOICES = {"placement": PLACEMENTS, "memory_binding": BINDINGS}


def _affinity(text: str) -> str | list[str] | None:
    """Read auto, none, or the CPUs of each worker with semicolons between."""
    if text == "auto":
        return text
    return None if text.lower() == "none" else text.split(";")


def _size(text: str) -> int | float | str:
    """Read bytes, a part of the GPU's memory as 0.5, or a text as 10GB."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _count(text: str) -> int | None:
    """Read a number from 1 on; auto is none."""
    if text == "auto":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) > 0):
        raise click.BadParameter(f"{text!r} is no number from 1 on, nor auto")
    return int(text)


def _time(text: str) -> str:
    """Check a number of seconds, or a time as 5m."""
    try:
        parse_timedelta(text)
    except (IndexError, KeyError, ValueError):
        raise click.BadParameter(f"{text!r} is no time, as 30s or 5m") from None
    return text


# How texts are read, and how help calls them; the others stay texts.
_READ: dict[str, tuple[Callable[[str], Any], str]] = {
    "cpu_affinity": (_affinity, "auto|none|CPUS;CPUS..."),
    "n_workers": (_count, "N"),
    "threads_per_worker": (_count, "N"),
    "rmm_pool_size": (_size, "SIZE"),
    "rmm_maximum_pool_size": (_size, "SIZE"),
    "rmm_release_threshold": (_size, "SIZE"),
}


def _how(field: dataclasses.Field[Any]) -> dict[str, Any]:
    if field.name in _CHOICES:
        return {"type": click.Choice(_CHOICES[field.name])}
    if field.name in _READ:
        return {"type": _READ[field.name][0], "metavar": _READ[field.name][1]}
    return {}


def of_settings() -> Iterator[click.Option]:
    """Give an option for each setting that has a name on the command line."""
    for field in dataclasses.fields(Settings):
        flags, text = field.metadata["flags"], f"{field.metadata['text']}."
        if not flags:
            continue
        if "/" in flags[0] or field.name == "dry_run":
            yield click.Option([*flags, field.name], default=field.default, is_flag=True, help=text)
        else:
            yield click.Option(
                [*flags, field.name], default=field.default, help=text, show_default=field.default is not None, **_how(field)
            )  # fmt: skip


_FILE = click.Path(exists=True, dir_okay=False)


def _option(*names: str, help: str, **how: Any) -> Callable[[], click.Option]:
    return lambda: click.Option(list(names), help=help, **how)


# What `dask worker` has, too.
_OF_DASK = (
    _option("--host", help="Address at which workers listen; not together with --interface."),
    _option("--worker-port", help="Port of the workers, or a range as 9000:9100, which is dealt out to them."),
    _option("--nanny-port", help="Port of the nannies, or a range."),
    _option("--listen-address", help="Where the worker listens, as ucx://0.0.0.0:9000; for one worker."),
    _option("--contact-address", help="Where others call it, with --listen-address."),
    _option("--name", help="Name of the worker; of several NAME-0, NAME-1, ..."),
    _option("--memory-limit", default="auto", show_default=True, help="Memory of each worker: bytes, 5GB, a part of all, auto, 0 for none."),
    _option("--local-directory", help="Where workers keep files."),
    _option("--resources", default="", help="Resources of each worker, as 'GPU=2 MEM=10e9'."),
    _option("--scheduler-file", help="The file that `dask scheduler --scheduler-file` writes."),
    _option("--pid-file", type=click.Path(dir_okay=False, path_type=pathlib.Path), help="Where to write the number of this process."),
    _option("--dashboard/--no-dashboard", default=True, show_default=True, help="A page of each worker."),
    _option("--dashboard-address", default=":0", show_default=True, help="Where the page is."),
    _option("--dashboard-prefix", "http_prefix", default="", help="Prefix of the page's address."),
    _option("--death-timeout", type=_time, metavar="TIME", help="Seconds to wait for a scheduler."),
    _option("--lifetime", type=_time, metavar="TIME", help="Close the workers after this time."),
    _option("--preload", multiple=True, is_eager=True, help="Module or file that each worker imports at its start; repeatable."),
    _option("--preload-nanny", multiple=True, help="Module or file that each nanny imports at its start; repeatable."),
    _option("--worker-class", help="Class of the workers, as package.Class."),
    _option("--multiprocessing-method", type=click.Choice(("spawn", "forkserver")), default="spawn", show_default=True, help="How nannies start workers."),
    _option("--nanny/--no-nanny", default=True, show_default=True, help="Accepted for dask-jobqueue; a pinned worker has a nanny."),
    _option("--tls-ca-file", type=_FILE, help="Certificates of authorities (PEM)."),
    _option("--tls-cert", type=_FILE, help="Certificate (PEM)."),
    _option("--tls-key", type=_FILE, help="Private key (PEM)."),
)  # fmt: skip


def of_what_is_missing() -> Iterator[click.Option]:
    """Give options, which help does not show, that say what there is instead of a flag of dask-cuda."""
    for name, (nothing, instead) in NOT_HERE.items():
        flag = f"--{name.replace('_', '-')}"
        is_switch = False in nothing
        yield click.Option([flag], is_flag=is_switch, hidden=True, expose_value=False, callback=_refuse(flag, nothing, instead))


def _refuse(flag: str, nothing: tuple[Any, ...], instead: str) -> Callable[..., None]:
    def refuse(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        del context, parameter
        if value not in nothing:
            raise click.UsageError(f"{flag} is not there: {instead}")

    return refuse


def of_dask() -> Iterator[click.Option]:
    """Give the options that are as those of `dask worker`."""
    return (option() for option in _OF_DASK)
