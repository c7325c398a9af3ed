# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""UCXX for programs of trio: `pip install 'ucxx[trio]'`.

    async with ucxx.trio.open_worker() as worker:
        endpoint = await worker.create_endpoint("10.0.0.1", 13337)
        await endpoint.send(b"hello")

Endpoints and listeners have the methods of the asyncio API, with the same arguments and results; what
fails raises the exceptions of `ucxx`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Unpack

try:
    import trio  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "trio":
        raise
    raise ModuleNotFoundError(
        "ucxx.trio needs trio, which is not installed: pip install 'ucxx[trio]'", name="trio"
    ) from None

from ucxx._structured import of_trio, scope
from ucxx._structured.endpoint import Endpoint
from ucxx._structured.listener import Listener
from ucxx._structured.worker import Worker

if TYPE_CHECKING:
    from ucxx.core import UCXContext
    from ucxx.types import WorkerOptions

__all__ = ["Endpoint", "Listener", "Worker", "open_worker"]


def open_worker(
    options: Mapping[str, object] | UCXContext | None = None,
    *,
    progress_mode: str = "loop",
    **worker_options: Unpack[WorkerOptions],
) -> contextlib.AbstractAsyncContextManager[Worker]:
    """Open a worker for a block: `async with open_worker() as worker`.

    Tasks of the block's own move it, and sleep when there is nothing to do. At the end of the block its
    listeners and endpoints are closed, and nothing of it runs any more: orderly if the block has ended
    well, which raises what was lost, as `Endpoint.close` does; after an exception or a cancel within a
    second, and what is lost then is only logged. What the block raises it raises itself, not in a group.

    Args:
        options: settings of UCX without `UCX_`, and `UCXX_...`; they beat the environment. Or a
            `core.UCXContext`, which several workers may share.
        progress_mode: "loop": an await looks for its end for a moment before it suspends its task, as
            long as peers answer that soon. "blocking": it does not.
        worker_options: those of `ucxx.types.WorkerOptions`, by name: `close_timeout=30`.

    Raises:
        RuntimeError: no task of trio runs here.
        TypeError, ValueError: an option is unknown, or has a value that makes no sense.
    """
    return scope.worker_scope(of_trio.running(), options, progress_mode, worker_options)
