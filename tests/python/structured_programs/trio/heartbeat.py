# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A server that gives clients up that say nothing for too long."""

import trio

import ucxx.trio


async def guard(endpoint):
    beat = bytearray(1)
    try:
        while True:
            with trio.fail_after(0.5):
                await endpoint.recv(beat, tag="beat")
    except trio.TooSlowError:
        print("given up")
    except ConnectionResetError:
        print("gone")


async def beat(endpoint, count):
    for _ in range(count):
        await endpoint.send(b".", tag="beat")
        await trio.sleep(0.01)


async def main():
    async with ucxx.trio.open_worker() as worker, trio.open_nursery() as nursery:
        listener = await nursery.start(worker.serve, guard)
        async with await worker.create_endpoint("127.0.0.1", listener.port) as lively:
            await beat(lively, 20)
        async with await worker.create_endpoint("127.0.0.1", listener.port) as silent:
            await beat(silent, 5)
            try:
                await silent.recv(bytearray(1))
            except ConnectionResetError:
                print("hung up")
        nursery.cancel_scope.cancel()


trio.run(main)
