# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A cluster of many workers: several of them, of one thread each, in every process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable, Collection, Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from distributed import Client, Scheduler, Worker

from ucxx.testing import Peer

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

SECONDS = 120  # the longest that a step may take, with 100 processes on two processors
_QUIET: dict[str, Any] = {"dashboard": False, "dashboard_address": ":0"}


class Cluster:
    """The processes of a cluster: the scheduler's, and those of the workers, whose names are 0, 1, 2, ...

    Attributes:
        address: of the scheduler.
        scheduler: its process.
        processes: the processes that run workers, with the names of these.
    """

    def __init__(self, protocol: str, workers: int, processes: int) -> None:
        """Start the scheduler; the workers are to be dealt out to so many processes by `fill`."""
        groups: dict[int, set[int]] = {}
        for name in range(workers):
            groups.setdefault(name * processes // workers, set()).add(name)
        self._groups = list(groups.values())
        self.workers = workers
        self.processes: dict[Peer, set[int]] = {}
        self.scheduler = Peer(_schedule, protocol)
        self.address: str = self.scheduler.receive(SECONDS)

    def fill(self, client: Client, count: int | None = None) -> None:
        """Start those of the first `count` workers, or of all, that the cluster lacks; wait until they are there."""
        wanted = set(range(self.workers if count is None else count))
        missing = wanted - set(names(client).values())
        for group in self._groups:
            if group & missing:
                peer = Peer(_work, self.address, sorted(group & missing))
                self.processes[peer] = group & missing
        client.wait_for_workers(len(wanted), timeout=SECONDS)

    def retire(self, client: Client, left: int) -> None:
        """Retire all workers but the first `left`; wait until the processes without workers have ended."""
        client.retire_workers([address for address, name in names(client).items() if name >= left])
        self._join([peer for peer, those in self.processes.items() if min(those) >= left])

    def kill(self, count: int) -> None:
        """End the last `count` processes by SIGKILL."""
        for peer in list(self.processes)[-count:]:
            peer.kill()
            del self.processes[peer]

    def end(self) -> None:
        """End all processes: the workers close first."""
        for peer in self.processes:
            _hang_up(peer)
        self._join(list(self.processes))
        self.scheduler.end()

    def _join(self, peers: Collection[Peer]) -> None:
        for peer in peers:
            with contextlib.suppress(TimeoutError):
                peer.join(SECONDS)
            peer.end()
            del self.processes[peer]


@contextlib.contextmanager
def running(protocol: str, workers: int, processes: int) -> Iterator[Cluster]:
    """Give a cluster that has no workers yet; all of its processes end."""
    cluster = Cluster(protocol, workers, processes)
    try:
        yield cluster
    finally:
        cluster.end()


def names(client: Client) -> dict[str, int]:
    """Return the names of all workers that are there, by their addresses."""
    found: dict[str, int] = client.run(_name)
    return found


def _name(dask_worker: Worker) -> int:
    name: int = dask_worker.name
    return name


def _hang_up(peer: Peer) -> None:
    with contextlib.suppress(OSError):  # it has ended
        peer.send("end")


def _schedule(words: Connection, protocol: str) -> None:
    async def main() -> None:
        async with Scheduler(protocol=protocol, host="127.0.0.1", port=0, **_QUIET) as scheduler:
            words.send(scheduler.address)
            await _word(words)

    _run(main)


def _work(words: Connection, scheduler: str, names: Collection[int]) -> None:
    async def main() -> None:
        workers = [Worker(scheduler, name=name, nthreads=1, memory_limit=0, **_QUIET) for name in names]
        await asyncio.gather(*workers)
        ends = [asyncio.create_task(end) for end in (_closed(workers), _word(words))]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.gather(*(worker.close() for worker in workers))

    _run(main)


async def _closed(workers: Collection[Worker]) -> None:
    await asyncio.gather(*(worker.finished() for worker in workers))


async def _word(words: Connection) -> None:
    """Wait until the process that started this one says something, or hangs up."""
    loop, said = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(words.fileno(), said.set)
    try:
        await said.wait()
    finally:
        loop.remove_reader(words.fileno())


def _run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends the process without a word
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # workers that are retired or killed are errors
    asyncio.run(main())
