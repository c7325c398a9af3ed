# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""An echo server, and a client that talks to it: python echo.py, and python echo.py PORT."""

import sys
from itertools import count

import trio

import ucxx.trio

CONNECTION_COUNTER = count()


async def echo_server(endpoint):
    ident = next(CONNECTION_COUNTER)
    print(f"echo_server {ident}: started")
    try:
        while True:
            data = await endpoint.recv_obj()
            print(f"echo_server {ident}: received data {bytes(data)!r}")
            await endpoint.send_obj(data)
    except ConnectionResetError:
        print(f"echo_server {ident}: connection closed")


async def serve():
    async with ucxx.trio.open_worker() as worker, trio.open_nursery() as nursery:
        listener = await nursery.start(worker.serve, echo_server, 0, "127.0.0.1")
        print(listener.port, flush=True)
        await trio.to_thread.run_sync(sys.stdin.read)  # until Ctrl-D
        nursery.cancel_scope.cancel()


async def sender(endpoint):
    for number in range(5):
        await endpoint.send_obj(b"async can sometimes be confusing, but I believe in you! %d" % number)
        await trio.sleep(0.01)


async def receiver(endpoint):
    for _ in range(5):
        print("receiver: got data", bytes(await endpoint.recv_obj()))


async def talk(port):
    async with ucxx.trio.open_worker() as worker:
        async with await worker.create_endpoint("127.0.0.1", port) as endpoint:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(sender, endpoint)
                nursery.start_soon(receiver, endpoint)
    print("done")


if len(sys.argv) > 1:
    trio.run(talk, int(sys.argv[1]))
else:
    trio.run(serve)
