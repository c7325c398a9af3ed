# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A program as users write it. test_types.py has mypy look at it, strictly, and runs it."""

from __future__ import annotations

import asyncio
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import ucxx
from ucxx import core
from ucxx.types import BufferLike, StreamLike

Bytes = NDArray[np.uint8]


async def serve(endpoint: ucxx.Endpoint) -> None:
    numbers: NDArray[np.int64] = np.empty(3, dtype=np.int64)
    assert_type(await endpoint.recv(numbers), int)
    await endpoint.send(numbers)
    await endpoint.send_multi(await endpoint.recv_multi())
    await endpoint.close()


async def transfers(endpoint: ucxx.Endpoint) -> None:
    numbers = np.arange(3, dtype=np.int64)
    sent, received = await asyncio.gather(endpoint.send(numbers), endpoint.recv(numbers))
    assert_type(sent, None)
    assert_type(received, int)

    frames: list[BufferLike] = [b"one", bytearray(2), memoryview(b"three"), numbers]
    await asyncio.wait_for(endpoint.send_multi(frames), timeout=10)
    task = asyncio.create_task(endpoint.recv_multi())
    assert_type(task, asyncio.Task[list[Bytes]])
    assert_type(await task, list[Bytes])


async def prepared(endpoint: ucxx.Endpoint) -> None:
    async with (
        endpoint.prepare_send(bytearray(4), tag=1, partitions=2) as send,
        endpoint.prepare_recv(bytearray(4), tag=2) as receive,
    ):
        assert_type(send, ucxx.PreparedSend)
        assert_type(receive, ucxx.PreparedRecv)
        send.start()
        send.ready(0)
        send.ready(1, 2)
        assert_type(receive.arrived(0), bool)
        assert_type(send.wait(), core.UCXRequest[None])
        assert_type((send.nbytes, send.partitions, send.iterations), tuple[int, int, int])


async def futures(endpoint: ucxx.Endpoint) -> None:
    request: core.UCXRequest[int] = endpoint.recv(bytearray(1), tag=1)
    request.add_done_callback(lambda done: print(done.cancelled()))
    assert_type(request.cancel(), bool)
    try:
        assert_type(await asyncio.shield(request), int)
    except asyncio.CancelledError:
        assert request.cancelled()
    assert_type(request.get_loop(), asyncio.AbstractEventLoop)


async def main() -> None:
    with ucxx.create_listener(serve) as listener:
        async with await ucxx.create_endpoint("127.0.0.1", listener.port) as endpoint:
            await futures(endpoint)
            await prepared(endpoint)
            await transfers(endpoint)
    assert_type(ucxx.core.pool_stats(), dict[str, int])
    assert_type(ucxx.trim_pool(), int)
    ucxx.set_pool_limits(idle_bytes=1 << 28, total_bytes=None)
    assert_type((ucxx.__version__, ucxx.__ucx_version__), tuple[str, str])


def close_callback(name: str) -> None:
    print("closed", name)


def synchronous() -> None:
    context = core.UCXContext({"TLS": "tcp"}, feature_flags=list(core.Feature))
    worker = core.UCXWorker(context)
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    endpoint.set_close_callback(close_callback, ("the endpoint",))

    buffer = bytearray(5)
    requests = [endpoint.tag_send(b"hello", core.Tag(7)), endpoint.tag_recv(buffer, 7)]
    core.wait_requests(worker, requests, timeout=10)
    assert_type(endpoint.flush().wait(timeout=10), None)

    with ucxx.cuda.host(repeat=True, start_timeout=5) as condition:
        assert_type(condition, ucxx.cuda.Condition)
        armed = endpoint.tag_send(b"hello", 7, condition=condition)
        condition.trigger()
        assert_type(condition.wait(1, timeout=10), None)
        assert_type(condition.error, Exception | None)
    assert_type(armed.wait(10), None)

    plans = (endpoint.prepare_send(b"hello", 9), endpoint.prepare_recv(buffer, 9, partitions=5))
    assert_type(core.start_all(plans), None)
    assert_type(core.wait_all(plans, timeout=10), None)
    assert_type(plans[1].arrived(4), bool)
    now = ucxx.cuda.host()
    assert_type(core.start_all(plans, condition=now, until="begun"), core.UCXRequest[None])
    now.trigger()
    core.wait_all(plans, timeout=10)
    core.wait_requests(worker, [plan.close() for plan in plans], timeout=10)

    memory = core.MemoryHandle(context, 8)
    key = core.RemoteKey.create_from_buffer(endpoint, bytes(memory.create_remote_key()))
    fetched = endpoint.atomic_fetch(core.AtomicOperation.ADD, 5, key)
    assert_type(fetched.wait(10), int)
    assert_type(endpoint.worker, core.UCXWorker)
    probe = worker.tag_probe(8, tag_mask=core.TagMaskFull)
    assert_type(probe.handle, int | None)
    try:
        endpoint.tag_send(b"", -1)
    except (ValueError, core.UCXError, ucxx.UCXInvalidParamError):
        endpoint.close_blocking()


def on_a_device(endpoint: core.UCXEndpoint, stream: StreamLike, graph: int) -> None:
    """Typed only: it needs a device."""
    assert_type(ucxx.cuda.available(), bool)
    ucxx.cuda.attach()
    with ucxx.cuda.batch(stream) as batch:
        sent = endpoint.tag_send(b"hello", 7, condition=ucxx.cuda.stream(stream, start_timeout=1))
        sent.wait_on(stream)
        batch.submit()
    first = ucxx.cuda.graph(graph)
    endpoint.flush(condition=first)
    assert_type(first.node, int)
    assert_type(ucxx.cuda.graph(graph, after=[first.node]), ucxx.cuda.Condition)
    plan = endpoint.prepare_send(bytearray(8), 9, partitions=2, contributors=4)
    assert_type(plan.start(stream=stream), core.UCXRequest[None])
    assert_type(plan.ready(stream=stream), core.UCXRequest[None])
    assert_type(plan.ready(0, stream=stream), core.UCXRequest[None])
    assert_type(plan.ready(1, 2, stream=stream), core.UCXRequest[None])
    plan.wait_on(stream)
    assert_type(plan.handle, ucxx.cuda.DeviceHandle)
    assert_type(ucxx.cuda.kernel(repeat=True).handle.ptr, int)


if __name__ == "__main__":
    asyncio.run(main())
    synchronous()
