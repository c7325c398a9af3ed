# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The transpose benchmark with async and await, on the cores or GPUs of this machine: `python dask_transpose.py`."""

import asyncio
import collections
import statistics
import time
from typing import Any

import dask.array
from distributed import Client, wait

from ucxx.dask import LocalUCXCluster


async def transpose(client: Client, side: int, chunk: int) -> None:
    x = client.persist(dask.array.random.random((side, side), chunks=chunk))
    await wait(x)
    begun = time.perf_counter()
    await client.compute((x + x.T).sum())
    print(f"(x + x.T).sum() of {x.nbytes / 1e6:.0f} MB: {time.perf_counter() - begun:.2f} s")


def rates(dask_worker: Any) -> dict[str, list[float]]:  # runs in each worker: GB/s by sender
    found = collections.defaultdict(list)
    for transfer in dask_worker.transfer_incoming_log:
        if transfer["total"] > 1_000_000:
            found[transfer["who"]].append(transfer["total"] / transfer["duration"] / 1e9)
    return dict(found)


async def main() -> None:
    async with (
        LocalUCXCluster(asynchronous=True, dashboard_address=":0") as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        print(cluster.plan)
        for _ in range(3):
            await transpose(client, side=4096, chunk=512)
        names = {worker.address: worker.name for worker in cluster.scheduler.workers.values()}
        for receiver, found in (await client.run(rates)).items():
            for sender, many in found.items():
                rate = f"{statistics.median(many):.2f} GB/s, median of {len(many)} transfers"
                print(f"from worker {names[sender]} to {names[receiver]}: {rate}")


if __name__ == "__main__":
    asyncio.run(main())
