# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Everybody talks to everybody: each worker fetches a small result from each other one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from distributed import Client, Worker
from distributed.worker import get_data_from_worker

_BUSY_S = 0.05  # after which a worker asks again whose peer serves as many as it may


class Pairs:
    """A small result at each worker, which the others can fetch."""

    def __init__(self, client: Client) -> None:
        """Put the results there: each worker has its number."""
        self._client = client
        addresses = list(client.nthreads())
        self._futures = [
            client.submit(int, number, workers=[address], allow_other_workers=False, pure=False)
            for number, address in enumerate(addresses)
        ]
        client.gather(self._futures)
        self._places = [(address, future.key) for address, future in zip(addresses, self._futures, strict=True)]

    def talk(self) -> int:
        """Let everybody fetch from everybody; return how many results have come.

        Raises:
            ValueError: one of them was wrong.
        """
        found: dict[str, list[int]] = self._client.run(_fetch_all, self._places)
        for number, (address, _) in enumerate(self._places):
            if sorted(found[address]) != [other for other in range(len(self._places)) if other != number]:
                raise ValueError(f"the worker at {address} has got {sorted(found[address])}")
        return sum(map(len, found.values()))


async def _fetch_all(places: Sequence[tuple[str, str]], dask_worker: Worker) -> list[int]:
    """Return the results of the others, fetched all at once; the next one is asked first, so that all serve alike."""
    here = [address for address, _ in places].index(dask_worker.address)
    return await asyncio.gather(*(_fetch(dask_worker, *place) for place in (*places[here + 1 :], *places[:here])))


async def _fetch(worker: Worker, address: str, key: str) -> int:
    while True:
        answer = await get_data_from_worker(rpc=worker.rpc, keys=[key], worker=address, who=worker.address)
        if answer["status"] == "OK":
            return int(answer["data"][key])
        await asyncio.sleep(_BUSY_S)
