# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of a device between two workers of a process by ucxx.core: core_transfers.py LIBRARY."""

import sys
from collections.abc import Callable
from typing import Any

import arrays
import numpy

from ucxx import core

ROUNDS = 10
PATIENCE_S = 20


def moved(
    name: str,
    library: arrays.Library,
    size: int,
    send: Callable[[Any], core.UCXRequest[Any]],
    receive: Callable[[], core.UCXRequest[Any]],
    target: Any = None,
) -> None:
    """Send and receive some rounds; tell the time, and where what came lies."""
    times = arrays.Times()
    for number in range(ROUNDS):
        array = library.filled(size, number)
        times.begin()
        sent = send(array)
        came = receive().wait(PATIENCE_S)
        sent.wait(PATIENCE_S)
        times.end()
        data = target if target is not None else came
        frames = data if isinstance(data, (list, tuple)) else [data]
        for frame in frames:
            arrays.check(f"{name}, {size} bytes", library.holds(numpy_or_device(frame), size, number))
    times.tell(f"{name}, {size} bytes")
    arrays.fact(f"{name}, {size} bytes: comes as", type(frames[0]).__module__)


def numpy_or_device(frame: Any) -> Any:
    """A view that can be compared."""
    return numpy.frombuffer(frame, "u1") if isinstance(frame, memoryview) else frame


def transfers(library: arrays.Library, there: core.UCXEndpoint, here: core.UCXEndpoint) -> None:
    """Each kind, of each size."""
    for size in arrays.SIZES:
        host = numpy.zeros(size, "u1")
        moved("tag, into the host", library, size, lambda array: there.tag_send(array, tag=1),
              lambda: here.tag_recv(host, tag=1), host)  # fmt: skip
        array = library.empty(size)
        moved("tag, into an array", library, size, lambda array: there.tag_send(array, tag=1),
              lambda: here.tag_recv(array, tag=1), array)  # fmt: skip
        moved("stream, into an array", library, size, there.stream_send,
              lambda: here.stream_recv(array), array)  # fmt: skip
        moved("stream, into the host", library, size, there.stream_send,
              lambda: here.stream_recv(host), host)  # fmt: skip
        place = library.empty(size)
        moved("tag, into an array of the device", library, size, lambda array: there.tag_send(array, tag=1),
              lambda: here.tag_recv(place, tag=1), place)  # fmt: skip
        moved("stream, into an array of the device", library, size, there.stream_send,
              lambda: here.stream_recv(place), place)  # fmt: skip
        moved("two frames", library, size, lambda array: there.tag_send_multi([array, array], tag=2),
              lambda: here.tag_recv_multi(tag=2))  # fmt: skip
        moved("active message", library, size, there.am_send, here.am_recv)


def to_itself(library: arrays.Library, worker: core.UCXWorker) -> None:
    """To the own worker: all four pairs of host and device."""
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    for size in arrays.SIZES:
        for source in (numpy.full(size, 5, "u1"), library.filled(size, 5)):
            for place in (numpy.zeros(size, "u1"), library.empty(size)):
                name = f"to the own worker, {type(source).__module__} to {type(place).__module__}"
                times = arrays.Times()
                for _ in range(ROUNDS):
                    times.begin()
                    requests = [endpoint.tag_recv(place, tag=3), endpoint.tag_send(source, tag=3)]
                    core.wait_requests(worker, requests, timeout=PATIENCE_S)
                    times.end()
                arrays.check(f"{name}, {size} bytes", library.holds(place, size, 5))
                times.tell(f"{name}, {size} bytes")


def main(library: arrays.Library) -> None:
    """Two workers: the sender's is moved by a thread, the receiver's by who waits."""
    context = core.UCXContext()
    arrays.fact("UCX knows CUDA", context.cuda_support)
    arrays.check("UCX knows CUDA", context.cuda_support or library.kind == "host", "it does not")
    sender, receiver = core.UCXWorker(context), core.UCXWorker(context)
    receiver.set_allocator(library.kind, library.empty)
    sender.start_progress_thread()
    there = core.UCXEndpoint.create_from_worker_address(sender, receiver.address)
    here = core.UCXEndpoint.create_from_worker_address(receiver, sender.address)
    transfers(library, there, here)
    to_itself(library, receiver)


if __name__ == "__main__":
    main(arrays.Library(sys.argv[1]))
    sys.exit(arrays.errors != 0)
