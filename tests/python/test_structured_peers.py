# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Peers of trio and anyio programs that die or stop in the middle, and what waiting costs."""

import time

import anyio
import handlers
import pytest
import served as of_asyncio
import structured
from structured import processor_seconds, silent, until, way  # noqa: F401

import ucxx

HERE = "127.0.0.1"


@pytest.fixture
def connected(way, options):
    """Return a function that runs `program(endpoint, server)` against a server that takes nothing."""

    def run(program, handler=silent):
        async def main():
            async with way.open_worker(options, close_timeout=1) as worker:
                endpoint = await worker.create_endpoint(HERE, server.port)
                await program(endpoint, server)

        with structured.served(way, handler, options) as server:
            way.run(main)

    return run


def test_a_peer_that_is_killed_ends_all_that_wait(connected):
    async def program(endpoint, server):
        ended = []

        async def waiting(transfer, *arguments):
            with pytest.raises(ConnectionResetError):
                await transfer(*arguments)
            ended.append(transfer)

        async with anyio.create_task_group() as group:
            for transfer, arguments in (
                (endpoint.recv, [bytearray(1)]),
                (endpoint.recv_obj, []),
                (endpoint.am_recv, []),
                (endpoint.stream_recv, [bytearray(1)]),
            ):
                group.start_soon(waiting, transfer, *arguments)
            await anyio.sleep(0.01)
            server.kill()
        assert len(ended) == 4 and not endpoint.alive
        with pytest.raises(ConnectionResetError):
            endpoint.raise_on_error()
        await endpoint.close()

    connected(program)


def test_a_peer_that_is_killed_during_a_large_send(connected):
    async def program(endpoint, server):
        async def sending():
            with pytest.raises(ucxx.UCXError):
                while True:
                    await endpoint.send_multi([bytes(8 << 20)])

        async with anyio.create_task_group() as group:
            group.start_soon(sending)
            await anyio.sleep(0.02)
            server.kill()
        await endpoint.close()  # the send has said what was lost

    connected(program)


def test_a_peer_that_is_killed_while_a_receive_is_cancelled(connected):
    async def program(endpoint, server):
        buffer = bytearray(8)
        with anyio.move_on_after(0.02):
            await endpoint.recv(buffer)
        server.kill()
        buffer.clear()
        with anyio.move_on_after(5) as scope, pytest.raises(ConnectionResetError):
            await endpoint.recv(bytearray(1))
        assert not scope.cancelled_caught

    connected(program)


def test_a_peer_that_is_stopped_and_goes_on(connected):
    async def program(endpoint, server):
        server.stop()
        await endpoint.send_obj(b"patience")
        with anyio.move_on_after(0.1) as scope:
            await endpoint.recv_obj()
        assert scope.cancelled_caught
        server.go_on()
        assert bytes(await endpoint.recv_obj()) == b"patience"

    connected(program, structured.echo)


def test_a_server_goes_on_when_a_client_is_killed(way, options):
    async def main():
        async with way.open_worker(options) as worker, anyio.create_task_group() as group:
            listener = await group.start(worker.serve, structured.echo, None, HERE)
            with ucxx.testing.running_peers(3, client, way.name, listener.port, options) as clients:
                for one in clients:
                    await anyio.to_thread.run_sync(one.receive)
                assert listener.active_clients == 3
                await anyio.to_thread.run_sync(clients[0].kill)
                await until(lambda: listener.active_clients == 2)
                for one in clients[1:]:
                    one.send("again")
                    await anyio.to_thread.run_sync(one.receive)
            await until(lambda: listener.active_clients == 0)
            group.cancel_scope.cancel()

    way.run(main)


def client(words, name, port, options):
    """Talk to the server, and tell; then again, when told."""

    async def main():
        async with structured.Way(name).open_worker(options) as worker:
            async with await worker.create_endpoint(HERE, port) as endpoint:
                while True:
                    await endpoint.send_obj(b"x" * 100)
                    assert len(await endpoint.recv_obj()) == 100
                    words.send("talked")
                    await anyio.to_thread.run_sync(words.recv, abandon_on_cancel=True)

    try:
        structured.Way(name).run(main, seconds=60)
    except EOFError:
        pass


def test_waiting_costs_nothing(way, options):
    """Two workers with tasks that wait, for a second: no more than a loop of the library itself."""

    async def main():
        async with way.pair(options) as (here, there), anyio.create_task_group() as group:
            for tag in range(20):
                group.start_soon(there.recv, bytearray(1), tag)
                group.start_soon(here.recv, bytearray(1), tag)
            await here.send(b"x", tag=0)
            await anyio.sleep(0.2)
            begin = processor_seconds()
            await anyio.sleep(1)
            used = processor_seconds() - begin
            group.cancel_scope.cancel()
        assert used < 0.02

    way.run(main)


def test_a_timer_is_in_time_beside_transfers(way, options):
    async def main():
        async with way.pair(options) as (here, there), anyio.create_task_group() as group:

            async def talk():
                buffer = bytearray(8)
                while True:
                    await here.send(b"12345678")
                    await there.recv(buffer)

            group.start_soon(talk)
            late = []
            for _ in range(50):
                begin = time.monotonic()
                await anyio.sleep(0.002)
                late.append(time.monotonic() - begin - 0.002)
            assert sorted(late)[25] < 0.005
            group.cancel_scope.cancel()

    way.run(main)


def test_a_server_of_asyncio_that_closes(way, options):
    async def main():
        async with way.open_worker(options) as worker:
            endpoint = await worker.create_endpoint(HERE, server.port)
            buffer = bytearray(8)
            await endpoint.recv(buffer)
            assert buffer == b"goodbye!"
            with pytest.raises(ConnectionResetError):
                await endpoint.recv(buffer)
            with pytest.raises(ucxx.UCXError):
                await endpoint.send(buffer)

    with of_asyncio.served(handlers.leave, options) as server:
        way.run(main)
