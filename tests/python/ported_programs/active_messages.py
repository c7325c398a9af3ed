# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Active messages both ways, and what the allocator of the program makes of them."""

import asyncio

import numpy as np

import ucxx


async def main():
    made = []

    def allocate(nbytes):
        made.append(nbytes)
        return np.empty(nbytes, dtype="u1")

    ucxx.set_allocator("host", allocate)
    accepted = asyncio.Queue()
    listener = ucxx.create_listener(accepted.put_nowait)
    here = await ucxx.create_endpoint("127.0.0.1", listener.port)
    there = await accepted.get()
    for size in (0, 10, 1 << 20):
        _, got = await asyncio.gather(here.am_send(bytearray(size)), there.am_recv())
        print(len(bytes(got)))
    print("allocated", made)
    await here.close()
    await there.close()
    listener.close()


asyncio.run(main())
