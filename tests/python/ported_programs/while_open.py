# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A server's handler that polls whether its endpoint is open: it ends when the client goes."""

import asyncio
import multiprocessing as mp

import numpy as np

import ucxx as ucp


def client(port):
    async def run():
        ep = await ucp.create_endpoint("127.0.0.1", port)
        await ep.send(np.arange(10))
        await ep.recv(np.empty(1, dtype="i8"))
        # and ends without a word

    asyncio.run(run())


async def main():
    done = asyncio.Event()

    async def handler(ep):
        arr = np.empty(10, dtype="i8")
        await ep.recv(arr)
        await ep.send(arr[:1])
        while not ep.closed:
            await asyncio.sleep(0.01)
        print("the client has gone", ep.closed, ep.alive)
        done.set()

    listener = ucp.create_listener(handler)
    process = mp.get_context("spawn").Process(target=client, args=(listener.port,))
    process.start()
    await asyncio.wait_for(done.wait(), 20)
    process.join(20)
    listener.close()


if __name__ == "__main__":
    asyncio.run(main())
