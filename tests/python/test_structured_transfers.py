# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Every transfer in tasks of trio and anyio: results, errors, checkpoints."""

import contextlib

import anyio
import numpy as np
import pytest
import trio
import trio.testing
from structured import Way, served, until, way  # noqa: F401

import structured
import ucxx
from ucxx import core

SIZES = [0, 16, 20_000, 3 << 20]


@contextlib.asynccontextmanager
async def started(function, *args):
    """Run a function beside the block, and wait for its end."""
    async with anyio.create_task_group() as group:
        group.start_soon(function, *args)
        yield


@pytest.mark.parametrize("size", SIZES)
def test_messages_come_back(way, options, size):
    sent = bytes(i % 251 for i in range(min(size, 5000))) * max(1, size // 5000)

    async def echo(there):
        buffer = bytearray(len(sent) + 5)
        assert await there.recv(buffer, "tag") == len(sent)
        await there.send(buffer[: len(sent)])
        await there.send_multi(await there.recv_multi())
        await there.am_send(await there.am_recv())
        await there.send_obj(await there.recv_obj(allow_pickle=True))

    async def main():
        async with way.pair(options) as (here, there), started(echo, there):
            assert await here.send(sent, tag="tag") is None
            buffer = bytearray(len(sent))
            assert await here.recv(buffer) == len(sent)
            assert buffer == sent
            assert await here.send_multi([sent, b"", sent]) is None
            assert [bytes(frame) for frame in await here.recv_multi()] == [sent, b"", sent]
            await here.am_send(sent)
            assert bytes(await here.am_recv()) == sent
            await here.send_obj({"a": sent})
            assert await here.recv_obj(allow_pickle=True) == {"a": sent}

    way.run(main)


def test_streams(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            async with anyio.create_task_group() as group:
                group.start_soon(here.stream_send, b"12345678" * 1000)
                buffer = bytearray(3000)
                assert await there.stream_recv(buffer) == 3000
                rest = bytearray(8000)
                got = 0
                while got < 5000:
                    got += await there.stream_recv(memoryview(rest)[got:], some=True)
            assert buffer + rest[:5000] == b"12345678" * 1000
            with pytest.raises(RuntimeError):
                await here.stream_send(b"")

    way.run(main)


def test_memory_of_the_peer(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            memory = there.worker.create_memory_handle(8 * 100)
            key = here.create_remote_key(bytes(memory.create_remote_key()))
            assert await here.put(np.arange(100), key) is None
            await here.flush()
            buffer = np.zeros(10, dtype=np.int64)
            assert await here.get(buffer, key, 80) == 80
            assert buffer.tolist() == list(range(10, 20))
            add = core.AtomicOperation.ADD
            assert await here.atomic_fetch(add, 5, key, 8) == 1
            await here.atomic_post(add, 5, key, 8)
            await here.flush()
            assert await here.atomic_compare_swap(11, 12, key, 8) == 11
            assert np.frombuffer(memoryview(memory), dtype=np.int64)[1] == 12
            await here.worker.flush()

    way.run(main)


def test_probes(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            assert not there.tag_probe(tag=7)
            await here.send(b"probed", tag=7)
            await until(lambda: there.tag_probe(tag=7))
            found = there.tag_probe(tag=7, remove=True)
            assert found.length == 6 and not there.tag_probe(tag=7)
            buffer = bytearray(6)
            assert await there.recv_with_handle(buffer, found) == 6
            assert buffer == b"probed"
            with pytest.raises(TypeError, match=r"tag_probe\(tag=7\)"):
                there.tag_probe(7)
            assert not there.am_probe()
            await here.am_send(b"x")
            await until(there.am_probe)

    way.run(main)


def test_messages_of_any_peer(way, options):
    async def main():
        async with way.open_worker(options) as worker:
            endpoint = await worker.create_endpoint_from_worker_address(worker.address)
            await endpoint.send(b"hello", 5, force_tag=True)
            buffer = bytearray(5)
            assert await worker.recv(buffer, 5) == 5
            with pytest.raises(ValueError, match="no tags of its own"):
                await endpoint.send(b"x")
            await endpoint.send(b"probed", 6, True)
            await until(lambda: worker.tag_probe(6))
            await worker.recv_with_handle(bytearray(6), worker.tag_probe(6, remove=True))

    way.run(main)


def test_handlers_of_active_messages(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            got = []
            there.worker.register_am_receiver_callback(
                9, lambda request, endpoint: got.append((request, endpoint))
            )
            with pytest.raises(RuntimeError, match="has a callback"):
                there.worker.register_am_receiver_callback(9, print)
            with pytest.raises(TypeError, match="callable"):
                there.worker.register_am_receiver_callback(10, None)
            for content in (b"x", b"y" * 100_000):
                await here.am_send(content, id=9, header=b"head")
                await until(lambda: got)
                request, endpoint = got.pop()
                assert bytes(request.result()) == content and endpoint is there
                assert request.recv_header == b"head"

    way.run(main)


def test_errors_are_those_of_ucxx(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            await here.send(b"too long")
            with pytest.raises(ucxx.UCXMessageTruncatedError):
                await there.recv(bytearray(2))
            for wrong, error in (
                (lambda: here.send(5), TypeError),
                (lambda: here.send(b"", tag=-1), ValueError),
                (lambda: here.recv(b"read-only"), ValueError),
                (lambda: here.send_multi(b"frames"), TypeError),
                (lambda: here.create_remote_key(b"none"), ucxx.exceptions.UCXInvalidParamError),
                (lambda: here.receive_ahead(-1), ValueError),
            ):
                with pytest.raises(error):
                    waited = wrong()
                    await waited

    way.run(main)


def test_pickles_of_strangers_are_refused_and_stay(way):
    async def main():
        async with way.pair({"UCXX_LOCAL": "off"}) as (here, there):
            await here.send_obj({"a": 1})
            with pytest.raises(ucxx.UCXError, match="allow_pickle=True"):
                await there.recv_obj()
            assert await there.recv_obj(allow_pickle=True) == {"a": 1}
            await here.send_obj(b"bytes")
            assert await there.recv_obj(allocator=bytearray) == bytearray(b"bytes")

    way.run(main)


def test_an_allocator_makes_the_memory(way):
    made = []

    def allocate(nbytes):
        made.append(bytearray(nbytes))
        return made[-1]

    async def main():
        async with way.pair() as (here, there):
            there.worker.set_allocator("host", allocate)
            async with anyio.create_task_group() as group:
                group.start_soon(here.am_send, bytes(1 << 20))
                assert len(await there.am_recv()) == 1 << 20
            assert [len(one) for one in made] == [1 << 20]

    way.run(main)


def test_many_transfers_at_once(way, options):
    count = 3000

    async def main():
        async with way.pair(options) as (here, there):
            buffers = [bytearray(2) for _ in range(count)]
            async with anyio.create_task_group() as group:
                for number, buffer in enumerate(buffers):
                    group.start_soon(there.recv, buffer, number)
                await anyio.lowlevel.checkpoint()
                for number in reversed(range(count)):
                    await here.send(number.to_bytes(2), number)
            assert [int.from_bytes(buffer) for buffer in buffers] == list(range(count))

    way.run(main)


def test_order_of_messages(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            got = []

            async def receive():
                buffer = bytearray(4)
                for _ in range(500):
                    await there.recv(buffer)
                    got.append(int.from_bytes(buffer))

            async with started(receive):
                for number in range(500):
                    await here.send(number.to_bytes(4))
            assert got == list(range(500))

    way.run(main)


def test_every_await_is_a_checkpoint():
    async def main():
        async with Way("trio").pair() as (here, there):
            memory = there.worker.create_memory_handle(8)
            key = here.create_remote_key(bytes(memory.create_remote_key()))
            address = here.worker.address
            for make in (
                lambda: here.send(b"12345678"),
                lambda: there.recv(bytearray(8)),
                lambda: here.send_obj(b"object"),
                lambda: there.recv_obj(),
                lambda: here.am_send(b"x"),
                lambda: there.am_recv(),
                lambda: here.stream_send(b"x"),
                lambda: there.stream_recv(bytearray(1)),
                lambda: here.put(b"12345678", key),
                lambda: here.get(bytearray(8), key),
                lambda: here.flush(),
                lambda: here.worker.flush(),
                lambda: here.worker.create_endpoint_from_worker_address(address),
                lambda: here.close(),
                lambda: here.close(),
            ):
                with trio.testing.assert_checkpoints():
                    await make()
            with there.worker.create_listener() as listener:
                with trio.testing.assert_checkpoints():
                    await here.worker.create_endpoint_from_worker_address(address)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(listener.accept)
                    with trio.testing.assert_checkpoints():
                        await here.worker.create_endpoint("127.0.0.1", listener.port)
                with trio.testing.assert_checkpoints():
                    await listener.aclose()

    trio.run(main)


@pytest.mark.parametrize("mode", ["loop", "blocking"])
def test_between_processes(way, options, mode):
    async def main():
        async with way.open_worker(options, progress_mode=mode) as worker:
            async with await worker.create_endpoint("127.0.0.1", server.port) as endpoint:
                for size in (1, 1000, 1 << 20):
                    await endpoint.send_obj(bytes(size))
                    assert bytes(await endpoint.recv_obj()) == bytes(size)

    with served(way, structured.echo, options) as server:
        way.run(main)


def test_an_asyncio_peer(way, options):
    import handlers
    from served import served as served_by_asyncio

    async def main():
        async with way.open_worker(options) as worker:
            async with await worker.create_endpoint("localhost", server.port) as endpoint:
                await endpoint.send_obj([1, 2])
                assert await endpoint.recv_obj(allow_pickle=True) == [1, 2]

    with served_by_asyncio(handlers.echo_anything, options) as server:
        way.run(main)
