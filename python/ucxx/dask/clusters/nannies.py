# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Starts the planned workers of this machine for a scheduler that runs elsewhere, and stays until they end."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
from collections.abc import Iterator
from typing import Any

import dask
from distributed import Nanny
from distributed._signals import wait_for_signals
from distributed.core import Status
from distributed.utils import parse_ports
from distributed.worker_memory import parse_memory_limit

from ucxx.dask.clusters.configuration import configuration
from ucxx.dask.clusters.plan import Plan
from ucxx.dask.clusters.settings import Settings
from ucxx.dask.clusters.spec import options_of

logger = logging.getLogger("distributed.dask_ucx_worker")

_SECONDS = 10  # for a worker to end by itself
_REASON = "dask-ucx-worker ends"


def ports_of(text: str | None, n_workers: int, flag: str) -> list[Any]:
    """Return the ports of each worker: any, or those of the range that fall to it in turn.

    Raises:
        ValueError: that is no range of ports, or there are fewer than workers.
    """
    try:
        ports = parse_ports(text)
    except ValueError as error:
        raise ValueError(f"{flag} {text} is no port, nor a range as 9000:9100: {error}") from None
    if ports in ([0], [None]):
        return [None] * n_workers
    if len(ports) < n_workers:
        raise ValueError(f"{flag} {text} has {len(ports)} ports, and there are {n_workers} workers; give a range as 9000:9100")
    own = [ports[number::n_workers] for number in range(n_workers)]
    return [one[0] if len(one) == 1 else one for one in own]


def run(scheduler: str | None, planned: Plan, settings: Settings, given: dict[str, Any]) -> None:
    """Start the workers, and return when all have ended, or have been closed for SIGINT or SIGTERM.

    Args:
        scheduler: its address; None: `scheduler_file` among the options or Dask's configuration has it.
        planned: the workers.
        settings: of which the plan was made.
        given: options of `Nanny`, and `worker_port`, `nanny_port`, `name`.
    """
    configured = configuration(settings)
    logger.info("Workers of this machine:\n%s", planned)
    with dask.config.set({"ucxx": configured}):
        asyncio.run(_run(scheduler, list(_options(planned, settings, configured, given))))


def _options(
    planned: Plan, settings: Settings, configured: dict[str, Any], given: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    n_workers, is_named = len(planned), given.pop("name") is not None
    ports = ports_of(given.pop("worker_port"), n_workers, "--worker-port")
    of_nannies = ports_of(given.pop("nanny_port"), n_workers, "--nanny-port")
    given["memory_limit"] = parse_memory_limit(given["memory_limit"], 1, n_workers, logger=logger)
    for number, worker in enumerate(planned.workers):
        options = options_of(planned, worker.name, settings, configured, given)
        yield {**options, "name": worker.name if is_named else None, "worker_port": ports[number], "port": of_nannies[number]}


async def _run(scheduler: str | None, options: list[dict[str, Any]]) -> None:
    nannies = [Nanny(scheduler, **each) for each in options]

    async def live() -> None:
        await asyncio.gather(*nannies)
        await asyncio.gather(*(nanny.finished() for nanny in nannies))

    tasks = [asyncio.create_task(live()), asyncio.create_task(wait_for_signals())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await asyncio.gather(*(_close(nanny) for nanny in nannies))
        for task in tasks:
            task.cancel()
        logger.info("End workers")


async def _close(nanny: Any) -> None:
    """Close a nanny. Dask would wait for a worker that is still starting, so the process of such a one ends first."""
    process = nanny.process
    with contextlib.suppress(OSError, asyncio.TimeoutError):
        if process is not None and process.status == Status.starting and process.process is not None:
            nanny.status = Status.failed  # so it starts no other one
            await process.process.terminate()
            await asyncio.wait_for(process.running.wait(), _SECONDS)  # its start has returned
            await asyncio.wait_for(process.stopped.wait(), _SECONDS)
        await nanny.close(timeout=_SECONDS, reason=_REASON)


def named(planned: Plan, name: str | None) -> Plan:
    """Return a plan whose workers are called NAME-0, NAME-1, ..., one alone NAME; None: as they are."""
    if name is None:
        return planned
    names = [name] if len(planned) == 1 else [f"{name}-{number}" for number in range(len(planned))]
    return Plan(
        planned.machine,
        (dataclasses.replace(worker, name=own) for worker, own in zip(planned.workers, names, strict=True)),
    )
