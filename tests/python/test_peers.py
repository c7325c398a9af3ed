# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Two processes: every kind of transfer by each channel, and peers that close, are killed or stop."""

import asyncio
import pickle
import signal

import handlers
import numpy as np
import pytest
from served import served, within

import ucxx

TCP = {"UCXX_LOCAL": "off"}


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


def run(server, program, options, mode="loop"):
    """Run `program(endpoint)` against the server."""

    async def main():
        ucxx.init(options, progress_mode=mode)
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", server.port))
        try:
            return await within(program(endpoint))
        finally:
            await within(endpoint.close())

    return asyncio.run(main())


@pytest.mark.parametrize("mode", ["loop", "thread"])
def test_objects_and_buffers(options, mode):
    async def program(endpoint):
        for thing in ({"a": [1, 2]}, "text", None, {"x": np.arange(1000)}):
            await endpoint.send_obj(thing)
            if options:
                received = await endpoint.recv_obj(allow_pickle=True)
            else:
                received = await endpoint.recv_obj()
            np.testing.assert_equal(received, thing)
        for size in (0, 1, 5000, 3 << 20):
            data = np.random.default_rng(size).bytes(size)
            await endpoint.send_obj(data)
            assert bytes(await endpoint.recv_obj()) == data

    with served(handlers.echo_anything, options, mode) as server:
        run(server, program, options, mode)


def test_pickles_of_another_host_are_refused():
    async def program(endpoint):
        await endpoint.send_obj({"a": 1})
        with pytest.raises(ucxx.UCXError, match="allow_pickle=True"):
            await endpoint.recv_obj()

    with served(handlers.echo_anything, TCP) as server:
        run(server, program, TCP)


def test_pickle_of_any_peer_is_refused_on_a_trusted_endpoint():
    # A receive by a tag alone takes what any peer sends, also beside an endpoint to a trusted one.
    class Harm:
        def __reduce__(self):
            return (pytest.fail, ("the pickle of a stranger ran",))

    async def main():
        address = ucxx.get_worker_address()
        trusted = await ucxx.create_endpoint_from_worker_address(address)
        await trusted.send_multi([pickle.dumps(Harm())], tag=2, force_tag=True)
        with pytest.raises(ucxx.UCXError, match="some peer has sent a pickled object"):
            await trusted.recv_obj(2, force_tag=True)

    asyncio.run(main())


@pytest.mark.parametrize("frames", [[], [b""], [b"", b"1", b"2"]])
def test_frames_that_are_no_object_are_an_error(frames):
    async def program(endpoint):
        await endpoint.send_multi(frames)
        with pytest.raises(ucxx.UCXError, match="frames, which send_obj has not sent"):
            await endpoint.recv_obj()

    with served(handlers.echo_frames) as server:
        run(server, program, {})


def test_listener_between_two_loops_belongs_to_the_next():
    asyncio.run(asyncio.sleep(0))

    async def first():
        ucxx.get_worker_address()

    asyncio.run(first())

    async def handle(endpoint):
        await endpoint.send(b"hello123")

    listener = ucxx.create_listener(handle)

    async def second():
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", listener.port))
        buffer = bytearray(8)
        await within(endpoint.recv(buffer))
        await within(endpoint.close())
        return buffer

    assert asyncio.run(second()) == b"hello123"
    listener.close()


def test_many_at_once(options):
    async def program(endpoint):
        buffers = [bytearray(8) for _ in range(200)]
        receiving = [endpoint.recv(buffer) for buffer in buffers]
        for i in range(200):
            await endpoint.send(i.to_bytes(8))
        await asyncio.gather(*receiving)
        assert [int.from_bytes(buffer) for buffer in buffers] == list(range(200))

    with served(handlers.echo_bytes, options) as server:
        run(server, program, options)


@pytest.mark.parametrize("mode", ["loop", "thread"])
def test_killed_peer_raises_in_every_task(options, mode):
    async def program(endpoint):
        tasks = [asyncio.create_task(_received(endpoint, tag)) for tag in range(20)]
        await asyncio.sleep(0)
        server.signal(signal.SIGKILL)
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(error, ucxx.UCXConnectionResetError) for error in ended), ended
        assert all(isinstance(error, ConnectionResetError) for error in ended)
        assert not endpoint.alive
        with pytest.raises(ucxx.UCXError):
            await endpoint.send(b"late")

    with served(handlers.silent, options, mode) as server:
        run(server, program, options, mode)


async def _received(endpoint, tag):
    await endpoint.recv(bytearray(8), tag)


def test_stopped_peer_is_slow_not_dead(options):
    async def program(endpoint):
        server.signal(signal.SIGSTOP)
        buffer = bytearray(8)
        receiving = asyncio.create_task(endpoint.recv(buffer))
        await endpoint.send(b"12345678")
        done, _ = await asyncio.wait([receiving], timeout=0.3)
        assert not done and endpoint.alive
        server.signal(signal.SIGCONT)
        assert await receiving == 8

    with served(handlers.echo_bytes, options) as server:
        run(server, program, options)


def test_what_came_before_the_close_can_be_received(options):
    async def program(endpoint):
        while endpoint.alive:
            await asyncio.sleep(0.01)
        probe = endpoint.tag_probe(remove=True)
        assert probe.matched and probe.length == 8
        buffer = bytearray(8)
        assert await endpoint.recv_with_handle(buffer, probe) == 8
        assert buffer == b"goodbye!"
        with pytest.raises(ucxx.UCXConnectionResetError):
            await endpoint.recv(buffer)

    with served(handlers.leave, options) as server:
        run(server, program, options)


def test_nobody_listens(options):
    async def main():
        ucxx.init(options)
        with pytest.raises(ucxx.UCXError):
            await within(ucxx.create_endpoint("127.0.0.1", 1))

    asyncio.run(main())


def test_names_are_resolved_beside_the_loop(options):
    async def main():
        ucxx.init(options)
        turns = []
        ticking = asyncio.create_task(_tick(turns))
        endpoint = await within(ucxx.create_endpoint("localhost", server.port))
        await within(endpoint.close())
        with pytest.raises(ucxx.UCXError, match="no-such-host.invalid"):
            await within(ucxx.create_endpoint("no-such-host.invalid", server.port))
        ticking.cancel()
        assert turns

    with served(handlers.echo_bytes, options) as server:
        asyncio.run(main())


async def _tick(turns):
    while True:
        turns.append(True)
        await asyncio.sleep(0)


def test_close_ends_pending_receives(options):
    async def program(endpoint):
        task = asyncio.create_task(_received(endpoint, None))
        await asyncio.sleep(0)
        await endpoint.close()
        await endpoint.close()
        with pytest.raises(ucxx.UCXCanceledError):
            await task
        assert not isinstance(task.exception(), asyncio.CancelledError)

    with served(handlers.silent, options) as server:
        run(server, program, options)


def test_hundred_clients(options):
    async def main():
        ucxx.init(options)
        endpoints = await within(
            asyncio.gather(*(ucxx.create_endpoint("127.0.0.1", server.port) for _ in range(100)))
        )

        async def exchange(endpoint, number):
            buffer = bytearray(8)
            for i in range(20):
                await endpoint.send((100 * number + i).to_bytes(8))
                await endpoint.recv(buffer)
                assert int.from_bytes(buffer) == 100 * number + i

        await within(asyncio.gather(*(exchange(one, i) for i, one in enumerate(endpoints))))
        await within(asyncio.gather(*(endpoint.close() for endpoint in endpoints)))

    with served(handlers.echo_bytes, options) as server:
        asyncio.run(main())
