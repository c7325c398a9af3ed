# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The block that owns a worker: what is made of it ends with it, and nothing runs afterwards."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

from ucxx import _core
from ucxx._process import log
from ucxx._process.logger import logger
from ucxx._shared.closing import SECONDS_AFTER_ERROR
from ucxx._structured.loop import WorkerLoop
from ucxx._structured.worker import Worker
from ucxx.core import UCXContext, UCXWorker

if TYPE_CHECKING:
    from ucxx._structured.library import Library
    from ucxx.types import WorkerOptions

MODES = ("loop", "blocking")


def new_worker(
    library: Library,
    options: Mapping[str, object] | UCXContext | None,
    mode: str,
    worker_options: WorkerOptions,
) -> Worker:
    """Return a worker that is bound to a loop of its own. Raises for a wrong argument."""
    if mode not in MODES:
        raise ValueError(
            f"progress_mode {mode!r} is none of {', '.join(MODES)}: a task of the program's moves the worker"
        )
    context = options if isinstance(options, UCXContext) else UCXContext(options)
    core = UCXWorker(context, **worker_options)
    loop = WorkerLoop(library, core.progress)
    core._bind(loop, _core.Mode.Loop, mode != "blocking")  # type: ignore[arg-type]  # as much as it needs
    log.watch(loop)  # type: ignore[arg-type]
    return Worker(core, context, loop)


@contextlib.asynccontextmanager
async def worker_scope(
    library: Library,
    options: Mapping[str, object] | UCXContext | None,
    mode: str,
    worker_options: WorkerOptions,
) -> AsyncIterator[Worker]:
    """Give a worker, moved by tasks that end with the block."""
    worker = new_worker(library, options, mode, worker_options)
    loop = worker._loop
    alone: BaseException | None = None
    try:
        async with library.open_nursery() as nursery:
            nursery.start_soon(loop.move)
            nursery.start_soon(loop.watch)
            async with _ending(worker, loop):
                yield worker
    except BaseExceptionGroup as group:
        if len(group.exceptions) > 1:
            raise
        alone = group.exceptions[0]
    finally:
        worker._end()
    if alone is not None:
        raise alone  # of the block, or of a callback: no group of one, which the nursery makes


@contextlib.asynccontextmanager
async def _ending(worker: Worker, loop: WorkerLoop) -> AsyncIterator[None]:
    """Close what is left: orderly after a block that has ended well, else within a second."""
    try:
        try:
            yield
        except BaseException:
            await _close_quickly(worker, loop)
            raise
        await _close_orderly(worker, loop)
    finally:
        loop.stop()


async def _close_orderly(worker: Worker, loop: WorkerLoop) -> None:
    """Raise what was lost; a group, where several endpoints have lost something."""
    try:
        lost = await worker._close(None)
    except loop.library.cancelled:
        await _close_quickly(worker, loop)
        raise
    if len(lost) == 1:
        raise lost[0]
    if lost:
        raise ExceptionGroup("endpoints that were closed with their worker", lost)


async def _close_quickly(worker: Worker, loop: WorkerLoop) -> None:
    with loop.library.cancel_scope(shield=True):
        for error in await worker._close(SECONDS_AFTER_ERROR):
            logger.warning("%r: %s", worker, error)
