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


def require_known(cluster: str, given: Iterable[str], worker_class: type | None = None) -> None:
    """Refuse an argument that neither the cluster nor Dask has; Dask would tell it when the workers have failed.

    Args:
        cluster: its name, for the error.
        given: names of arguments.
        worker_class: the class of the workers, which may have more.

    Raises:
        TypeError: with the names that are like it.
    """
    known = {*names(), *_names_of(vars(LocalCluster)), *_names_of(vars(Nanny)), *_names_of(vars(Worker))}
    for base in () if worker_class is None else worker_class.__mro__[:-1]:
        known |= _names_of(vars(base))
    for name in given:
        if name not in known:
            like = difflib.get_close_matches(name, known, 3)
            hint = f"; did you mean {' or '.join(like)}?" if like else "; it has those of LocalCluster, Nanny and Worker"
            raise TypeError(f"{cluster} has no argument {name!r}{hint}")


def _names_of(attributes: Mapping[str, Any]) -> set[str]:
    """Return the arguments of the constructor that a class itself has."""
    return set(inspect.signature(attributes["__init__"]).parameters) if "__init__" in attributes else set()


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
