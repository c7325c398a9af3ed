# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Transfers that a stream starts and waits for, while Python goes on: stream_transfers.py LIBRARY.

LIBRARY is cupy, torch, numba, cuda_core or driver (streams.py). In each round the stream copies bytes down
from the device, sends and receives them, and copies what came up again; Python waits for none of it.
"""

import asyncio
import gc
import sys
from collections.abc import Callable
from typing import Any

import arrays
from streams import LIBRARIES, SIZE, Library

import ucxx
from ucxx import core

ROUNDS = 200
LAUNCHES = 50
PATIENCE_S = 20


class Ends:
    """Two ends of a pair."""

    def __init__(self, left: ucxx.Endpoint, right: ucxx.Endpoint) -> None:
        """Keep them."""
        self.left, self.right = left, right


class Round:
    """The buffers of what the stream does: down, over, up, and down again, where Python looks at it."""

    def __init__(self, library: Library) -> None:
        """Make them."""
        self.library = library
        self.sent, self.came, self.seen = library.host(), library.host(), library.host()
        self.here, self.there = library.device(), library.device()

    def fill(self, source: Any) -> None:
        """Put into the stream what makes the bytes that are sent."""
        self.library.up(self.here, source)
        self.library.add(self.here)
        self.library.down(self.sent, self.here)

    def exchange(self, ends: Ends) -> list[core.UCXRequest[Any]]:
        """Put the transfer into the stream. A large send ends when it is received: so neither waits first."""
        stream = self.library.stream
        condition = ucxx.cuda.stream(stream)
        requests: list[core.UCXRequest[Any]] = [
            ends.right.recv(self.library.buffer(self.came), 7, True, condition=condition),
            ends.left.send(self.library.buffer(self.sent), 7, True, condition=condition),
        ]
        for request in requests:
            request.wait_on(stream)
        return requests

    def use(self, into: Any) -> None:
        """Put into the stream what uses the bytes that came."""
        self.library.up(self.there, self.came)
        self.library.add(self.there)
        self.library.down(into, self.there)

    def right(self, value: int, into: Any) -> bool:
        """Tell whether these bytes are what became of `value`."""
        expected = (value + 2 * self.library.adds) % 256
        return bool((self.library.view(into) == expected).all())

    def warm(self, source: Any) -> None:
        """The first launch of a kernel waits for all streams, so it comes before any transfer."""
        self.fill(source)
        self.use(self.seen)
        self.library.synchronize()


async def rounds(ends: Ends, library: Library) -> None:
    """All of them are put into the stream before anybody looks."""
    one = Round(library)
    sources = [library.host() for _ in range(ROUNDS)]
    results = [library.host() for _ in range(ROUNDS)]
    for number, source in enumerate(sources):
        library.view(source)[:] = number % 256
    one.warm(sources[0])
    ucxx.cuda.attach()
    times = arrays.Times()
    requests: list[core.UCXRequest[Any]] = []
    times.begin()
    for source, result in zip(sources, results, strict=True):
        one.fill(source)
        requests += one.exchange(ends)
        one.use(result)
    times.end()
    times.tell(f"to put {ROUNDS} rounds of {SIZE} bytes into a stream")
    library.synchronize()
    wrong = [number for number, result in enumerate(results) if not one.right(number % 256, result)]
    arrays.check("rounds ahead", not wrong, f"wrong bytes in rounds {wrong[:10]}")
    await asyncio.wait_for(asyncio.gather(*requests), PATIENCE_S)


async def batches(ends: Ends, library: Library) -> None:
    """The same by one call of the driver for each round."""
    one = Round(library)
    source = library.host()
    library.view(source)[:] = 5
    one.warm(source)
    times = arrays.Times()
    for _ in range(10):
        library.view(one.seen)[:] = 0
        times.begin()
        one.fill(source)
        with ucxx.cuda.batch(library.stream):
            requests = one.exchange(ends)
        one.use(one.seen)
        library.synchronize()
        times.end()
        arrays.check("a batch", one.right(5, one.seen))
        await asyncio.wait_for(asyncio.gather(*requests), PATIENCE_S)
    times.tell(f"a round of {SIZE} bytes in a batch")


async def graph(ends: Ends, library: Library) -> None:
    """The same as a graph, launch after launch; its requests end with it."""
    one = Round(library)
    source = library.host()
    library.view(source)[:] = 0
    one.warm(source)
    launches: list[Callable[[], None]] = []
    with library.captured(launches):
        one.fill(source)
        requests = one.exchange(ends)
        one.use(one.seen)
    times = arrays.Times()
    for number in range(1, LAUNCHES + 1):
        library.view(source)[:] = number
        times.begin()
        launches[0]()
        library.synchronize()
        times.end()
        if not one.right(number, one.seen):
            arrays.error("a graph", f"wrong bytes in launch {number}")
            break
    times.tell(f"a launch of a graph that sends and receives {SIZE} bytes")
    launches.clear()
    gc.collect()
    await asyncio.wait_for(asyncio.gather(*requests), PATIENCE_S)


def the_legacy_stream(library: Library) -> None:
    """What is said of it."""
    try:
        ucxx.cuda.stream(0)
    except ucxx.UCXInvalidParamError as error:
        arrays.fact("the legacy default stream", str(error))
    else:
        arrays.error("the legacy default stream", "it was taken")
    arrays.fact("the stream", type(library.stream).__module__)


async def main(library: Library) -> None:
    """Connect, and do all."""
    ucxx.init(progress_mode="thread")
    accepted: asyncio.Future[ucxx.Endpoint] = asyncio.get_running_loop().create_future()
    listener = ucxx.create_listener(accepted.set_result)
    ends = Ends(await ucxx.create_endpoint("127.0.0.1", listener.port), await accepted)
    listener.close()
    the_legacy_stream(library)
    await rounds(ends, library)
    await batches(ends, library)
    if library.captures:
        await graph(ends, library)
    await asyncio.gather(ends.left.close(), ends.right.close())


if __name__ == "__main__":
    asyncio.run(main(LIBRARIES[sys.argv[1]]()))
    sys.exit(arrays.errors != 0)
