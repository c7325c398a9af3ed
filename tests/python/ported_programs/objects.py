# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Objects of many kinds, as programs send them without thinking of their memory."""

import asyncio

import numpy as np

import ucxx


async def main():
    accepted = asyncio.Queue()
    listener = ucxx.create_listener(accepted.put_nowait)
    here = await ucxx.create_endpoint("127.0.0.1", listener.port)
    there = await accepted.get()
    times = np.zeros(4, dtype=[("when", "M8[s]"), ("what", "i4")])
    for thing in (b"bytes", memoryview(b"strided view")[::2], {"a": times}, times[::2], np.datetime64("2026-01-01"), "text", 7):
        _, got = await asyncio.gather(here.send_obj(thing), there.recv_obj())
        print(type(thing).__name__, type(got).__name__)
    await here.close()
    await there.close()
    listener.close()


asyncio.run(main())
