# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Whether Dask finds ucx://, without importing it."""

import re
from importlib import metadata

from ucxx.cli.checks import OK, PROBLEM, Finding

_NAME = "Dask"
_OLDEST = (2024, 8)
_RIVALS = re.compile(r"distributed[-_]ucxx([-_]cu\d+)?", re.IGNORECASE)


def dask() -> Finding:
    """Tell which distributed there is, and whether `ucx://` is served by this package."""
    try:
        version = metadata.version("distributed")
    except metadata.PackageNotFoundError:
        return Finding(_NAME, OK, "distributed is not installed; for ucx://: pip install 'ucxx[dask]'")
    found = f"distributed {version}"
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        return Finding(
            _NAME, PROBLEM, f"{found}, older than {oldest}", "ucx:// may not work",
            f"pip install 'distributed>={oldest}'",
        )  # fmt: skip
    if rivals := _rivals():
        return Finding(
            _NAME, PROBLEM, f"{found}, and {', '.join(rivals)}, which registers ucx://, too",
            "Dask takes either, which may fail", f"pip uninstall {' '.join(rivals)}",
        )  # fmt: skip
    served = {entry.name for entry in metadata.entry_points(group="distributed.comm.backends")
              if entry.value.startswith("ucxx.dask.")}  # fmt: skip
    if served != {"ucx", "ucxx"}:
        return Finding(
            _NAME, PROBLEM, f"{found}, which finds no entry points of ucxx", "ucx:// is unknown to Dask",
            "install the package (pip install .); of a folder of PYTHONPATH Dask sees no entry points",
        )  # fmt: skip
    return Finding(_NAME, OK, f"{found}, ucx:// and ucxx:// by ucxx")


def _rivals() -> list[str]:
    names = {str(package.metadata["Name"]) for package in metadata.distributions()}
    return sorted(name for name in names if _RIVALS.fullmatch(name))
