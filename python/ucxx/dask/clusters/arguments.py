# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arguments that a cluster hands on to Dask: looked at before anything starts."""

from __future__ import annotations

import difflib
import inspect
import logging
from collections.abc import Iterable, Mapping
from typing import Any

from distributed import LocalCluster, Nanny, Worker
from distributed.utils import import_term

from ucxx.dask.clusters.settings import names


# Names that other classes, or the command, have for the same.
_CALLED_HERE = {"nthreads": "threads_per_worker", "nworkers": "n_workers", "net_devices": "ucx_net_devices"}
_NO_NAMES = {"self", "args", "kwargs", "worker_kwargs", *_CALLED_HERE}


def require_known(owner: str, given: Iterable[str], *classes: type | None) -> None:
    """Refuse an argument that Dask has not either; Dask would tell it when the workers have failed.

    Args:
        owner: what was called, for the error.
        given: names of arguments that are no settings.
        classes: which they go to.

    Raises:
        TypeError: with the names that are like it.
    """
    known = set().union(*map(_names_of, classes)) - _NO_NAMES
    for name in given:
        if name in _CALLED_HERE:
            raise TypeError(f"{owner} has no argument {name!r}; here it is {_CALLED_HERE[name]!r}")
        if name not in known:
            of_lower_case = {**_CALLED_HERE, **{one.lower(): one for one in {*known, *names()}}}
            like = [of_lower_case[one] for one in difflib.get_close_matches(name.lower(), of_lower_case, 3)]
            hint = f"; did you mean {' or '.join(like)}?" if like else "; it has its own and those of Nanny and Worker"
            raise TypeError(f"{owner} has no argument {name!r}{hint}")


def require_known_of_worker(number: int, options: Mapping[str, Any], more: Iterable[str]) -> None:
    """Refuse an option of one worker that neither its place nor Dask has.

    Raises:
        TypeError: with the names that are like it.
    """
    own = {"nthreads", *more}
    require_known(f"worker_options of worker {number}", (name for name in options if name not in own), Nanny, Worker)


def _names_of(cls: type | None) -> set[str]:
    """Return the arguments of a class; of a class of the user also those of the classes that it is made of."""
    if cls is None:
        return set()
    bases = [cls] if cls.__module__.startswith("distributed.") else cls.__mro__[:-1]
    made = (vars(base)["__init__"] for base in bases if "__init__" in vars(base))
    return {name for function in made for name in inspect.signature(function).parameters}


def level_of(silence_logs: Any) -> Any:
    """Return the level below which logs are silenced: programs for dask-cuda say True, which is 1 for `logging`."""
    return logging.WARNING if silence_logs is True else silence_logs


def class_of(given: Any) -> Any:
    """Return a class of workers or nannies that is given as such or by its name; None for None.

    Raises:
        TypeError: it is neither, or not there.
    """
    try:
        cls = import_term(given) if isinstance(given, str) else given
    except (ImportError, AttributeError) as error:
        raise TypeError(f"worker_class {given!r} cannot be imported: {error}") from error
    if cls is not None and not (isinstance(cls, type) and issubclass(cls, (Nanny, Worker))):
        raise TypeError(f"worker_class must be a class of Worker or Nanny, or its name, not {given!r}")
    return cls


def root_of(error: BaseException) -> BaseException:
    """Return what made an error: Dask wraps it, and says only that something has failed to start."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error
