# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A client that is killed: the server's loop over its endpoint ends."""

import asyncio
import multiprocessing as mp

import ucxx


def client(port):
    async def run():
        ep = await ucxx.create_endpoint("127.0.0.1", port)
        await ep.recv(bytearray(1))

    asyncio.run(run())


async def main():
    accepted = asyncio.Queue()
    listener = ucxx.create_listener(accepted.put_nowait)
    process = mp.get_context("spawn").Process(target=client, args=(listener.port,))
    process.start()
    ep = await asyncio.wait_for(accepted.get(), 20)
    ep.set_close_callback(lambda: print("close callback"))
    process.kill()
    while not ep.closed:
        await asyncio.sleep(0.01)
    print("closed")
    process.join()
    listener.close()


if __name__ == "__main__":
    asyncio.run(main())
