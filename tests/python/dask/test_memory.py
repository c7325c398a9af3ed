# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What workers hold, as Dask and the system see it."""

import asyncio
import contextlib

import comms
import numpy as np
import pytest
from distributed import Client, Scheduler, Worker

import ucxx
from ucxx.dask import memory

LIMIT = 1 << 30


@pytest.fixture(autouse=True)
def pool():
    """Give the pool the limits back that it had."""
    before = ucxx.core.pool_stats()
    yield
    ucxx.set_pool_limits(before["idle_limit_bytes"], before["total_limit_bytes"])


@pytest.mark.parametrize("workers", [1, 2])
def test_the_pool_is_limited_as_its_workers_are(workers):
    async def main():
        async with Scheduler(protocol="ucx", dashboard_address=":0") as scheduler:
            async with contextlib.AsyncExitStack() as stack:
                for number in range(workers):
                    worker = Worker(scheduler.address, memory_limit=LIMIT, name=str(number))
                    await comms.within(stack.enter_async_context(worker))
                limits = ucxx.core.pool_stats()
            assert limits["total_limit_bytes"] == workers * LIMIT
            assert limits["idle_limit_bytes"] == workers * LIMIT // 16

    asyncio.run(main())
    ucxx.reset()


def test_a_worker_without_a_limit_leaves_the_pool_alone():
    before = ucxx.core.pool_stats()

    async def main():
        async with Scheduler(protocol="ucx", dashboard_address=":0") as scheduler:
            async with Worker(scheduler.address, memory_limit=0):
                pass

    asyncio.run(main())
    assert ucxx.core.pool_stats()["total_limit_bytes"] == before["total_limit_bytes"]
    ucxx.reset()


def test_others_than_workers_are_nothing():
    before = ucxx.core.pool_stats()
    for server in (None, object(), memory):
        memory.follow(before.__class__, server)
        memory.leave(before.__class__)
    assert ucxx.core.pool_stats()["total_limit_bytes"] == before["total_limit_bytes"]


def test_what_is_received_is_memory_of_the_pool():
    async def main():
        async with Scheduler(protocol="ucx", dashboard_address=":0") as scheduler:
            async with Worker(scheduler.address), Client(scheduler.address, asynchronous=True) as client:
                used = ucxx.core.pool_stats()["used_bytes"]
                future = await comms.within(client.scatter(np.ones(8 << 20, np.uint8)))
                assert ucxx.core.pool_stats()["used_bytes"] >= used + (8 << 20)
                future.release()
                await comms.until(lambda: ucxx.core.pool_stats()["used_bytes"] <= used)

    asyncio.run(main())
    ucxx.reset()
