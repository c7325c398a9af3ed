# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the workers of this process do: descriptions, dumps, counters."""

from __future__ import annotations

import os
from typing import Any, TextIO

from ucxx import _core
from ucxx._asyncio.runtime import runtime


def describe() -> str:
    """Return a text: of each worker its peers, channels, endpoints, and what is pending since when.

    Raises nothing for a worker whose loop lets nobody in for a minute; the text says so.
    """
    return _core._describe_all()


def dump(file: str | os.PathLike[str] | TextIO | None = None, json: bool = False) -> str:
    """Return what `describe` says, all that is pending, and the last operations that have ended.

    Args:
        file: where it is also written to: a path, or an object with `write`, as `sys.stderr`.
        json: the same for programs: the fields of `WorkerReport`, times in seconds.
    """
    text = _json_of_all() if json else _core._dump_all()
    if isinstance(file, str | os.PathLike):
        with open(file, "a", encoding="utf-8") as opened:
            opened.write(text)
    elif file is not None:
        file.write(text)
    return text


def _json_of_all() -> str:
    from json import dumps  # rarely wanted

    return dumps({"process": os.getpid(), "workers": _core._report_all()}) + "\n"


def stats() -> dict[str, Any]:
    """Return the counters of the running loop's worker, as a dict.

    `peers` has a dict for each peer that it is connected to, `pool` what `core.pool_stats()` returns.
    """
    worker = runtime().worker()
    return {**worker.stats(), "peers": _core._peers_of(worker), "pool": _core.pool_stats()}
