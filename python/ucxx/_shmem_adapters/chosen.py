# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Which OpenSHMEM library the environment asks for: UCXX_SHMEM."""

from __future__ import annotations

import os
import pathlib

from ucxx._shmem_adapters import kept

VARIABLE = "UCXX_SHMEM"
OWN = "ucxx"


def chosen_path() -> str | None:
    """Return the path of the adapter that UCXX_SHMEM names, or None: UCXX's own library.

    Raises:
        ImportError: there is no such adapter.
    """
    return path_of(os.environ.get(VARIABLE, ""))


def path_of(name: str) -> str | None:
    """Return the path of an adapter, by its name or path, or None: UCXX's own library.

    Raises:
        ImportError: there is no such adapter.
    """
    if name in ("", OWN):
        return None
    path = pathlib.Path(name) if "/" in name else kept.folder() / f"{name}.so"
    if not os.path.isfile(path):
        raise ImportError(_missing(name, path))
    return str(path.absolute())


def chosen() -> kept.Adapter | None:
    """Return the adapter that UCXX_SHMEM names, or None: UCXX's own library.

    Raises:
        ImportError: there is no such adapter, or nothing is known of it.
    """
    path = chosen_path()
    return None if path is None else kept.read(pathlib.Path(path))


def _missing(name: str, path: pathlib.Path) -> str:
    names = [file.stem for file in kept.paths()]
    return (f"{VARIABLE} = {name!r}: there is no adapter {path}; there are: {', '.join([OWN, *names])}. "
            "python -m ucxx shmem adapt makes one of a library's oshcc")
