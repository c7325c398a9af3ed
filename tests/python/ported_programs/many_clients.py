# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Forty clients of one server; each end closes after two receives."""

import asyncio

import numpy as np

import ucxx


async def main():
    served = []

    async def serve(ep):
        ep.close_after_n_recv(2)
        for _ in range(2):
            number = np.empty(1, dtype="i4")
            await ep.recv(number)
            served.append(int(number[0]))

    async def client(port, number):
        ep = await ucxx.create_endpoint("127.0.0.1", port)
        for _ in range(2):
            await ep.send(np.array([number], dtype="i4"))
        while not ep.closed:
            await asyncio.sleep(0.001)

    listener = ucxx.create_listener(serve)
    await asyncio.wait_for(asyncio.gather(*(client(listener.port, n) for n in range(40))), 20)
    print("served", len(served), sum(served))
    listener.close()


asyncio.run(main())
