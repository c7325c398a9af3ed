# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The adapters of this user: files in the cache folder, and what is known of each."""

from __future__ import annotations

import fcntl
import json
import os
import pathlib
import shutil
from typing import Any, NamedTuple


class Adapter(NamedTuple):
    """An adapter to an OpenSHMEM library."""

    path: pathlib.Path
    oshcc: str
    #: The command that starts a job: `[*launcher, "-n", "2", program]`. Empty: none is known.
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
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):  # such are ignored: XDG Base Directory Specification
        cache = os.path.expanduser("~/.cache")
    return pathlib.Path(cache) / "ucxx/shmem"


def paths() -> list[pathlib.Path]:
    """Return the files of all adapters, by name."""
    return sorted(folder().glob("*.so"))


def adapters() -> list[Adapter]:
    """Return all adapters of which something is known, by name."""
    found = []
    for path in paths():
        try:
            found.append(read(path))
        except ImportError:
            continue  # `python -m ucxx shmem list` says what is wrong
    return found


def read(path: pathlib.Path) -> Adapter:
    """Return what is known of an adapter.

    Raises:
        ImportError: what is known is not there, or cannot be read.
    """
    about = path.with_suffix(".json")
    try:
        facts: dict[str, Any] = json.loads(about.read_text())
        return Adapter(path, _text(facts["oshcc"]), _texts(facts["launcher"]), _text(facts["vendor"]),
                       (int(facts["major"]), int(facts["minor"])), _texts(facts["lacks"]))  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ImportError(f"{about}, which belongs to the adapter {path.name}, cannot be read "
                          f"({type(error).__name__}: {error}): make the adapter anew: "
                          "python -m ucxx shmem adapt") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} must be a string")
    return value


def _texts(values: object) -> list[str]:
    if not isinstance(values, list):
        raise TypeError(f"{values!r} must be a list")
    return [_text(value) for value in values]


def keep(adapter: Adapter, library: pathlib.Path) -> None:
    """Put an adapter, and what is known of it, in their place; processes that use the one before keep it.

    Args:
        adapter: with the path where it is to be.
        library: the file that becomes the adapter, in the same file system.
    """
    facts = {"oshcc": adapter.oshcc, "launcher": adapter.launcher, "vendor": adapter.vendor,
             "major": adapter.version[0], "minor": adapter.version[1], "lacks": adapter.lacks}
    about = library.with_suffix(".json")
    about.write_text(json.dumps(facts, indent=1) + "\n")
    with open(folder() / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of two at once both files are of one
        adapter.path.with_suffix(".json").unlink(missing_ok=True)  # what is left by a kill is no mixture
        shutil.move(library, adapter.path)
        shutil.move(about, adapter.path.with_suffix(".json"))
