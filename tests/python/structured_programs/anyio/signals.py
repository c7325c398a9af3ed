# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A server that ends orderly at SIGTERM: what it has sent arrives."""

import os
import signal
import sys

import anyio

import ucxx.anyio


async def last_words(endpoint):
    try:
        await anyio.sleep_forever()
    finally:
        with anyio.move_on_after(5, shield=True):
            await endpoint.send_obj(b"goodbye")


async def serve():
    async with ucxx.anyio.open_worker() as worker, anyio.create_task_group() as group:
        with anyio.open_signal_receiver(signal.SIGTERM) as signals:
            listener = await group.start(worker.serve, last_words, 0, "127.0.0.1")
            print(listener.port, flush=True)
            async for _ in signals:
                group.cancel_scope.cancel()
                break
    print("ended")


async def listen(port):
    async with ucxx.anyio.open_worker() as worker:
        async with await worker.create_endpoint("127.0.0.1", port) as endpoint:
            print("connected", flush=True)
            print(bytes(await endpoint.recv_obj()).decode())


if len(sys.argv) > 1:
    anyio.run(listen, int(sys.argv[1]), backend=os.environ.get("BACKEND", "asyncio"))
else:
    anyio.run(serve, backend=os.environ.get("BACKEND", "asyncio"))
