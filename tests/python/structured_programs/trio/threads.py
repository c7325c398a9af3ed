# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A handler that computes in a thread, which reports by a message of its own."""

import functools

import trio

import ucxx.trio


def compute(endpoint, number):
    for percent in (50, 100):
        trio.from_thread.run(functools.partial(endpoint.send_obj, b"%d %%" % percent, tag="progress"))
    return b"%d" % sum(range(number))


async def answer(endpoint):
    number = int(bytes(await endpoint.recv_obj()))
    await endpoint.send_obj(await trio.to_thread.run_sync(compute, endpoint, number))


async def main():
    async with ucxx.trio.open_worker() as worker, trio.open_nursery() as nursery:
        listener = await nursery.start(worker.serve, answer)
        async with await worker.create_endpoint("127.0.0.1", listener.port) as endpoint:
            await endpoint.send_obj(b"100000")
            for _ in range(2):
                print(bytes(await endpoint.recv_obj(tag="progress")).decode())
            print(bytes(await endpoint.recv_obj()).decode())
        nursery.cancel_scope.cancel()


trio.run(main)
