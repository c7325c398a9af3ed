# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The adapters of this user: files in the cache folder, and what is known of each."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, NamedTuple


class Adapter(NamedTuple):
    """An adapter to an OpenSHMEM library."""

    path: pathlib.Path
    oshcc: str
    #: The command that starts a job: `[*launcher, "-n", "2", program]`.
    launcher: list[str]
    vendor: str
    version: tuple[int, int]
    #: The C functions of OpenSHMEM 1.6 that it does not have, deprecated ones left out.
    lacks: list[str]

    @property
    def name(self) -> str:
        """What UCXX_SHMEM calls it."""
        return self.path.stem


def folder() -> pathlib.Path:
    """Return where adapters are kept; it need not be there."""
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "ucxx/shmem"


def adapters() -> list[Adapter]:
    """Return all that are kept, by name."""
    return [read(path) for path in sorted(folder().glob("*.so"))]


def read(path: pathlib.Path) -> Adapter:
    """Return what is known of an adapter.

    Raises:
        ImportError: what is known is not there, or cannot be read.
    """
    about = path.with_suffix(".json")
    try:
        known: dict[str, Any] = json.loads(about.read_text())
        return Adapter(path, known["oshcc"], known["launcher"], known["vendor"],
                       (known["major"], known["minor"]), known["lacks"])
    except (OSError, ValueError, KeyError) as error:
        raise ImportError(f"{about}, which belongs to the adapter {path.name}, cannot be read "
                          f"({type(error).__name__}: {error}): make the adapter anew: "
                          "python -m ucxx shmem adapt") from None


def write(adapter: Adapter) -> None:
    """Write what is known of an adapter beside it."""
    known = {"oshcc": adapter.oshcc, "launcher": adapter.launcher, "vendor": adapter.vendor,
             "major": adapter.version[0], "minor": adapter.version[1], "lacks": adapter.lacks}
    adapter.path.with_suffix(".json").write_text(json.dumps(known, indent=1) + "\n")
