# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Switches learning on and off, and asks what was learnt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from distributed import Client
from distributed.core import Status, clean_exception
from distributed.deploy import Cluster
from distributed.protocol.pickle import dumps

from ucxx.dask.learning.plugin import LearnBandwidths
from ucxx.dask.learning.records import Bandwidths
from ucxx.dask.learning.transfers import NAME


def learn_bandwidths(target: Any, on: bool = True) -> Any:
    """Have the scheduler learn how fast the links between its workers are, or no longer.

    Args:
        target: a cluster or a client. With one that is asynchronous, await what is returned.
        on: False: the scheduler believes again what Dask believes, and forgets what it has learnt.

    What is learnt comes from transfers over ucx:// alone. Scheduler and workers need ucxx.

    Raises:
        RuntimeError: the target has not started, or is closed.
        TypeError: the target is neither.
    """
    return _on_scheduler(target, _begin if on else _end, lambda result: None)


def bandwidths(target: Any) -> Any:
    """Return what the scheduler knows of the links between its workers, a `Bandwidths`, which is a table.

    Args:
        target: a cluster or a client. With one that is asynchronous, await what is returned.

    Raises:
        ValueError: the scheduler does not learn.
        RuntimeError: the target has not started, or is closed.
        TypeError: the target is neither.
    """
    return _on_scheduler(target, _told, _read)


async def _begin(dask_scheduler: Any) -> None:
    await dask_scheduler.register_scheduler_plugin(LearnBandwidths(), name=NAME, idempotent=True)
    await dask_scheduler.plugins[NAME].told_workers()


async def _end(dask_scheduler: Any) -> None:
    plugin = dask_scheduler.plugins.get(NAME)
    if plugin is not None:
        plugin.put_back()
        dask_scheduler.remove_plugin(NAME)
    if NAME in dask_scheduler.worker_plugins:
        await dask_scheduler.unregister_worker_plugin(None, NAME)


def _told(dask_scheduler: Any) -> dict[str, Any]:
    plugin = dask_scheduler.plugins.get(NAME)
    return {"why_not": "ucxx.dask.learn_bandwidths(cluster) has it do so"} if plugin is None else plugin.told()


def _read(told: dict[str, Any]) -> Bandwidths:
    if "why_not" in told:
        raise ValueError(f"the scheduler does not learn bandwidths: {told['why_not']}")
    return Bandwidths(told)


def _on_scheduler(target: Any, function: Callable[..., Any], read: Callable[[Any], Any]) -> Any:
    """Call a function in the scheduler's process, and return what `read` makes of its result."""
    if not isinstance(target, (Client, Cluster)):
        raise TypeError(f"a cluster or a client is expected, not {target!r:.100}")
    scheduler = target.scheduler if isinstance(target, Client) else target.scheduler_comm
    if scheduler is None or target.status in ("closed", Status.closed):
        raise RuntimeError(f"{target!r:.100} has not started, or is closed; one that is asynchronous is to be awaited first")

    async def call() -> Any:
        response = await scheduler.run_function(function=dumps(function), args=dumps(()), kwargs=dumps({}), wait=True)
        if response["status"] == "error":
            _, error, traceback = clean_exception(**response)
            raise error.with_traceback(traceback)
        return read(response["result"])

    return target.sync(call)
