# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of a device from one process to another under asyncio: asyncio_transfers.py LIBRARY.

The process that is started sends; this one receives and looks at every byte.
"""

import asyncio
import sys
from typing import Any

import arrays
import numpy

import ucxx

ROUNDS = 10
PATIENCE_S = 20


async def send_all(port: int, library: arrays.Library) -> None:
    """The sender: each kind of transfer of each size."""
    async with await ucxx.create_endpoint("127.0.0.1", port) as endpoint:
        for size in arrays.SIZES:
            for number in range(ROUNDS):
                array = library.filled(size, number)
                await endpoint.send(array)
                await endpoint.send(array)
                await endpoint.send_multi([array, array[: size // 2]])
                await endpoint.am_send(array)
                # The largest go by UCX, which proves no user: pickles must be allowed from then on.
                assert await endpoint.recv_obj(allow_pickle=True) == number


async def receive(
    endpoint: ucxx.Endpoint, library: arrays.Library, size: int, number: int, times: dict[str, arrays.Times]
) -> str:
    """One round: into the host and into an array by tag; what an allocator makes for the others."""
    what = f"{library.name}, {size} bytes"
    host = numpy.zeros(size, "u1")
    times["tag, into the host"].begin()
    await endpoint.recv(host)
    times["tag, into the host"].end()
    arrays.check(f"{what}, tag", library.holds(host, size, number))
    array = library.empty(size)
    times["tag, into an array"].begin()
    await endpoint.recv(array)
    times["tag, into an array"].end()
    arrays.check(f"{what}, tag into an array", library.holds(array, size, number))
    times["two frames"].begin()
    frames = await endpoint.recv_multi()
    times["two frames"].end()
    for frame, length in zip(frames, (size, size // 2), strict=True):
        arrays.check(f"{what}, a frame", library.holds(frame, length, number))
        arrays.check(f"{what}, a frame", library.is_ours(frame), f"it is a {type(frame).__name__}")
    times["active message"].begin()
    message = await endpoint.am_recv()
    times["active message"].end()
    arrays.check(f"{what}, active message", library.holds(message, size, number))
    await endpoint.send_obj(number)
    return type(message).__module__


async def serve(endpoint: ucxx.Endpoint, library: arrays.Library) -> None:
    """The receiver."""
    for size in arrays.SIZES:
        names = ("tag, into the host", "tag, into an array", "two frames", "active message")
        times = {name: arrays.Times() for name in names}
        for number in range(ROUNDS):
            kind = await asyncio.wait_for(receive(endpoint, library, size, number, times), PATIENCE_S)
        for name, taken in times.items():
            taken.tell(f"{library.name}, {size} bytes, {name}")
        arrays.fact(f"{library.name}, {size} bytes: active messages come as", kind)
    await endpoint.close()


async def main(library: arrays.Library) -> None:
    """Listen, start the sender, and serve it."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def served(endpoint: ucxx.Endpoint) -> None:
        try:
            await serve(endpoint, library)
            done.set_result(None)
        except BaseException as failure:
            done.set_exception(failure)

    ucxx.set_allocator(library.kind, library.empty)
    listener = ucxx.create_listener(served)
    sender = await asyncio.create_subprocess_exec(
        sys.executable, "-B", __file__, library.name, str(listener.port))  # fmt: skip
    ended = asyncio.create_task(sender.wait())
    both: set[asyncio.Future[Any]] = {done, ended}
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.wait({done}, timeout=1)
    if not done.done():
        arrays.error("the sender", f"it ended with {ended.result()} before all was sent")
    elif failure := done.exception():
        await asyncio.wait({ended}, timeout=3)  # it may tell why
        if not ended.done():
            sender.kill()
        raise failure
    elif status := await ended:
        arrays.error("the sender", f"it ended with {status}")
    listener.close()


if __name__ == "__main__":
    chosen = arrays.Library(sys.argv[1])
    asyncio.run(send_all(int(sys.argv[2]), chosen) if len(sys.argv) > 2 else main(chosen))
    sys.exit(arrays.errors != 0)
