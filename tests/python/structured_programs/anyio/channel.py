# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Active messages into a memory object stream, and three tasks that take from it."""

import os

import anyio

import ucxx.anyio

COUNT = 100


async def consumer(receive_channel, results):
    async with receive_channel:
        async for request in receive_channel:
            results.append(int(request.result()[0]))
            await anyio.sleep(0)


async def main():
    results = []
    async with ucxx.anyio.open_worker() as worker:
        send_channel, receive_channel = anyio.create_memory_object_stream(COUNT)
        worker.register_am_receiver_callback(
            1, lambda request, endpoint: send_channel.send_nowait(request)
        )
        endpoint = await worker.create_endpoint_from_worker_address(worker.address)
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(consumer, receive_channel.clone(), results)
            receive_channel.close()
            for number in range(COUNT):
                await endpoint.am_send(bytes([number]), id=1)
            while send_channel.statistics().current_buffer_used or len(results) < COUNT:
                await anyio.sleep(0.001)
            send_channel.close()
    print(sum(results))


anyio.run(main, backend=os.environ.get("BACKEND", "asyncio"))
