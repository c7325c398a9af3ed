# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Connecting, listening and serving in tasks of trio and anyio."""

import socket
import time

import anyio
import pytest
from structured import crash, echo, served, until, way  # noqa: F401

import structured
import ucxx
from ucxx.exceptions import UCXCloseError, UCXRejectedError, UCXTimedOutError, UCXUnreachableError

HERE = "127.0.0.1"


@pytest.fixture
def silent():
    """A port where the kernel takes callers, and nobody answers."""
    with socket.create_server((HERE, 0)) as listening:
        yield listening.getsockname()[1]


@pytest.fixture
def closed():
    """A port where nobody listens."""
    with socket.create_server((HERE, 0)) as listening:
        port = listening.getsockname()[1]
    return port


def test_nobody_listens(way, options, closed):
    async def main():
        async with way.open_worker(options) as worker:
            with pytest.raises(UCXUnreachableError, match=f"connect.*{HERE}:{closed}") as error:
                await worker.create_endpoint(HERE, closed)
            assert isinstance(error.value, ConnectionRefusedError)

    way.run(main)


def test_nobody_answers(way, silent):
    async def main():
        async with way.open_worker() as worker:
            for seconds in (0.1, 0.2):
                begin = time.monotonic()
                with pytest.raises(UCXTimedOutError, match=str(silent)) as error:
                    await worker.create_endpoint(HERE, silent, connect_timeout=seconds)
                assert isinstance(error.value, TimeoutError)
                assert seconds * 0.9 < time.monotonic() - begin < 5
            for limit in (None, float("inf"), 60):
                with anyio.move_on_after(0.05) as scope:
                    await worker.create_endpoint(HERE, silent, connect_timeout=limit)
                assert scope.cancelled_caught

    way.run(main)


def test_arguments_that_make_no_sense(way):
    async def main():
        async with way.open_worker() as worker:
            for error, arguments in (
                (TypeError, (5, 80)),
                (ValueError, (HERE, 70000)),
                (ValueError, (HERE, 80, True, -1)),
                (ValueError, (HERE, 80, True, float("nan"))),
                (TypeError, (HERE, 80, True, "5")),
                (ValueError, (HERE, 80, True, 5, -1)),
            ):
                with pytest.raises(error):
                    await worker.create_endpoint(*arguments)
            with pytest.raises(ucxx.UCXError, match="no-such-name"):
                await worker.create_endpoint("no-such-name.invalid", 80)
            with pytest.raises(ValueError, match="port"):
                worker.create_listener(70000)
            with pytest.raises(ValueError, match="receive_ahead"):
                worker.create_listener(receive_ahead=-1)
            with worker.create_listener(ip=HERE) as listener:
                with pytest.raises(ucxx.UCXError, match=str(listener.port)):
                    worker.create_listener(listener.port, HERE)

    way.run(main)


def test_callers_wait_until_they_are_accepted(way, options):
    async def main():
        async with way.open_worker(options) as worker, anyio.create_task_group() as group:
            with worker.create_listener(ip=HERE) as listener:
                connected = []

                async def call(number):
                    endpoint = await worker.create_endpoint(HERE, listener.port)
                    connected.append(endpoint)
                    await endpoint.send(bytes([number]))

                for number in range(30):
                    group.start_soon(call, number)
                await anyio.sleep(0.05)  # long enough for all of them to be there
                assert connected == []
                accepted = [await listener.accept() for _ in range(30)]
                numbers = set()
                buffer = bytearray(1)
                for endpoint in accepted:
                    await endpoint.recv(buffer)
                    numbers.add(buffer[0])
                assert numbers == set(range(30)) and len(connected) == 30

    way.run(main)


def test_a_caller_whom_nobody_accepts_in_time(way, options):
    async def main():
        async with way.open_worker(options) as worker:
            with worker.create_listener(ip=HERE) as listener:
                with pytest.raises(UCXTimedOutError):
                    await worker.create_endpoint(HERE, listener.port, connect_timeout=0.1)

    way.run(main)


def test_closing_a_listener(way, options):
    async def main():
        async with way.open_worker(options) as worker, anyio.create_task_group() as group:
            listener = worker.create_listener(ip=HERE)
            port = listener.port
            refused = []

            async def accept():
                with pytest.raises(UCXCloseError, match="listener is closed"):
                    await listener.accept()
                refused.append("accept")

            async def call():
                with pytest.raises((UCXRejectedError, UCXUnreachableError, ConnectionResetError)):
                    await worker.create_endpoint(HERE, port)
                refused.append("call")

            group.start_soon(call)
            await until(lambda: listener._callers)
            listener._callers.clear()  # as if nobody had called: accept waits
            group.start_soon(accept)
            await anyio.sleep(0.01)
            await listener.aclose()
            await until(lambda: len(refused) == 2)
            assert listener.closed and "closed" in repr(listener)
            with pytest.raises(UCXCloseError):
                await listener.accept()

    way.run(main)


def test_a_listener_that_is_dropped_is_closed(way):
    async def main():
        async with way.open_worker() as worker:
            port = worker.create_listener(ip=HERE).port
            with pytest.raises(ucxx.UCXError):
                await worker.create_endpoint(HERE, port)

    way.run(main)


def test_a_server_with_a_hundred_clients(way, options):
    async def main():
        async with way.open_worker(options) as worker, anyio.create_task_group() as group:
            listener = await group.start(worker.serve, echo, None, HERE)

            closing = []

            async def client(number):
                async with await worker.create_endpoint(HERE, listener.port) as endpoint:
                    for size in (number, 1000 * number):
                        await endpoint.send_obj(bytes([number]) * size)
                        assert bytes(await endpoint.recv_obj()) == bytes([number]) * size
                    await until(lambda: listener.active_clients == 100 or closing)
                    closing.append(number)

            async with anyio.create_task_group() as clients:
                for number in range(100):
                    clients.start_soon(client, number)
            assert sorted(closing) == list(range(100))
            await until(lambda: listener.active_clients == 0)
            group.cancel_scope.cancel()
        assert listener.closed

    way.run(main)


def test_a_hundred_clients_of_another_process(way, options):
    async def main():
        async with way.open_worker(options) as worker:

            async def client(number):
                async with await worker.create_endpoint(HERE, server.port) as endpoint:
                    await endpoint.send_obj([number])
                    assert await endpoint.recv_obj(allow_pickle=True) == [number]

            async with anyio.create_task_group() as clients:
                for number in range(100):
                    clients.start_soon(client, number)

    with served(way, structured.echo, options) as server:
        way.run(main)


def test_what_a_handler_raises_ends_the_server(way):
    async def main():
        async with way.open_worker() as worker:
            with pytest.raises(ExceptionGroup) as error:
                async with anyio.create_task_group() as group:
                    listener = await group.start(worker.serve, crash, None, HERE)
                    endpoint = await worker.create_endpoint(HERE, listener.port)
                    await endpoint.send(b"x")
                    await anyio.sleep_forever()
            assert error.group_contains(ZeroDivisionError)
            assert listener.closed
            with pytest.raises(ConnectionResetError):
                await endpoint.recv(bytearray(1))

    way.run(main)


def test_handlers_in_a_nursery_of_the_program_outlive_the_server(way):
    async def main():
        async with way.open_worker() as worker, anyio.create_task_group() as handlers:
            async with anyio.create_task_group() as group:

                async def serve(*, task_status):
                    await worker.serve(
                        echo, ip=HERE, handler_nursery=handlers, task_status=task_status
                    )

                listener = await group.start(serve)
                endpoint = await worker.create_endpoint(HERE, listener.port)
                group.cancel_scope.cancel()
            assert listener.closed
            await endpoint.send_obj(b"still")
            assert bytes(await endpoint.recv_obj()) == b"still"
            await endpoint.close()

    way.run(main)


def test_what_a_handler_has_sent_before_it_returns_arrives(way, options):
    content = bytes(4 << 20)

    async def goodbye(endpoint):
        await endpoint.send(b"goodbye!")
        await endpoint.send_multi([content, content[:100_000]])

    async def main():
        async with way.open_worker(options) as worker, anyio.create_task_group() as group:
            listener = await group.start(worker.serve, goodbye, None, HERE)
            endpoint = await worker.create_endpoint(HERE, listener.port)
            buffer = bytearray(8)
            await endpoint.recv(buffer)
            assert buffer == b"goodbye!"
            assert [len(one) for one in await endpoint.recv_multi()] == [4 << 20, 100_000]
            await until(lambda: listener.active_clients == 0)
            group.cancel_scope.cancel()

    way.run(main)


def test_messages_that_are_taken_as_they_come(way, options):
    large = bytes(65 << 20)

    async def main():
        async with way.open_worker(options) as worker, anyio.create_task_group() as group:
            with worker.create_listener(ip=HERE, receive_ahead=256 << 20) as listener:
                ends = []

                async def accept():
                    ends.append(await listener.accept())

                group.start_soon(accept)
                endpoint = await worker.create_endpoint(HERE, listener.port, receive_ahead=1)
                await endpoint.send_multi([large])  # before anybody receives it
                assert len((await ends[0].recv_multi())[0]) == len(large)

    way.run(main)
