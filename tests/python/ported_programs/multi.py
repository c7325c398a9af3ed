# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Frames of several arrays, sent and received in one await, back and forth."""

import asyncio

import numpy as np

import ucxx


async def echo(ep):
    frames = await ep.recv_multi()
    await ep.send_multi(frames)
    await ep.close()


async def main():
    listener = ucxx.create_listener(echo)
    ep = await ucxx.create_endpoint("127.0.0.1", listener.port)
    frames = [np.arange(n, dtype="f8") for n in (1, 1000, 100_000)]
    await ep.send_multi(frames)
    received = await ep.recv_multi()
    for sent, got in zip(frames, received, strict=True):
        np.testing.assert_array_equal(sent, got.view(sent.dtype))
    print("frames", [len(got) for got in received])
    await ep.close()
    listener.close()


asyncio.run(main())
