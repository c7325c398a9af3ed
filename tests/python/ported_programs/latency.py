# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A ping-pong that prints its figures as the benchmarks there do."""

import asyncio
import statistics
import time

import numpy as np

import ucxx
from ucxx.utils import format_bytes, parse_bytes, print_key_value, print_separator

SIZE, ROUNDS = parse_bytes("4 kiB"), 20


async def pong(ep):
    buffer = np.empty(SIZE, dtype="u1")
    for _ in range(ROUNDS):
        await ep.recv(buffer)
        await ep.send(buffer)
    await ep.close()


async def main():
    listener = ucxx.create_listener(pong)
    ep = await ucxx.create_endpoint("127.0.0.1", listener.port)
    buffer, times = np.empty(SIZE, dtype="u1"), []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        await ep.send(buffer)
        await ep.recv(buffer)
        times.append((time.perf_counter() - began) / 2)
    print_separator(length=10)
    print_key_value("Bytes", format_bytes(SIZE))
    print_key_value("Rounds", len(times))
    assert statistics.median(times) > 0
    await ep.close()
    listener.close()


asyncio.run(main())
