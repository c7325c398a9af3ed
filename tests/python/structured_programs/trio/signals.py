# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A server that ends orderly at SIGTERM: what it has sent arrives."""

import signal
import sys

import trio

import ucxx.trio


async def last_words(endpoint):
    try:
        await trio.sleep_forever()
    finally:
        with trio.CancelScope(shield=True, deadline=trio.current_time() + 5):
            await endpoint.send_obj(b"goodbye")


async def serve():
    async with ucxx.trio.open_worker() as worker, trio.open_nursery() as nursery:
        with trio.open_signal_receiver(signal.SIGTERM) as signals:
            listener = await nursery.start(worker.serve, last_words, 0, "127.0.0.1")
            print(listener.port, flush=True)
            async for _ in signals:
                nursery.cancel_scope.cancel()
                break
    print("ended")


async def listen(port):
    async with ucxx.trio.open_worker() as worker:
        async with await worker.create_endpoint("127.0.0.1", port) as endpoint:
            print("connected", flush=True)
            print(bytes(await endpoint.recv_obj()).decode())


if len(sys.argv) > 1:
    trio.run(listen, int(sys.argv[1]))
else:
    trio.run(serve)
