# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Timeouts and retries: a server that is slow at first."""

import trio

import ucxx.trio


async def slow_at_first(endpoint):
    buffer = bytearray(1)
    try:
        for seconds in (30, 30, 0):
            await endpoint.recv(buffer)
            with trio.move_on_after(0.1):
                await trio.sleep(seconds)
                await endpoint.send(b"answer")
    except ConnectionResetError:
        pass


async def ask(endpoint):
    answer = bytearray(6)
    for attempt in range(1, 10):
        await endpoint.send(b"?")
        with trio.move_on_after(0.05) as scope:
            await endpoint.recv(answer)
        if not scope.cancelled_caught:
            return attempt, answer
    raise trio.TooSlowError


async def main():
    async with ucxx.trio.open_worker() as worker, trio.open_nursery() as nursery:
        listener = await nursery.start(worker.serve, slow_at_first)
        async with await worker.create_endpoint("127.0.0.1", listener.port) as endpoint:
            with trio.fail_after(10):
                attempt, answer = await ask(endpoint)
        print(f"{answer.decode()} after {'several attempts' if attempt > 1 else 'one'}")
        try:
            with trio.fail_after(0.05):
                await worker.recv(bytearray(1), tag=1)
        except trio.TooSlowError:
            print("nobody sends that")
        nursery.cancel_scope.cancel()


trio.run(main)
