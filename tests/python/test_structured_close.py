# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The end of a worker's block: what is closed then, what is raised, and that nothing is left."""

import gc
import logging
import threading
import time
import weakref

import anyio
import pytest
import structured
import trio
from structured import Way, descriptors, served, silent, until, way  # noqa: F401

import ucxx
from ucxx.exceptions import UCXCloseError, UCXTimedOutError

HERE = "127.0.0.1"
LARGE = 80 << 20  # more than is fetched without a receive


def test_all_is_closed_and_says_so(way, options):
    async def main():
        kept = {}
        async with way.open_worker(options) as worker:
            listener = worker.create_listener(ip=HERE)
            endpoint = await worker.create_endpoint_from_worker_address(worker.address)
            kept["buffer"] = bytearray(8)
            async with anyio.create_task_group() as group:
                group.start_soon(worker.recv, kept["buffer"], 5)
                await anyio.sleep(0.01)
                group.cancel_scope.cancel()
        assert endpoint.closed and listener.closed and not endpoint.alive
        kept["buffer"].clear()
        for call in (
            lambda: endpoint.send(b"x", 1, True),
            lambda: endpoint.recv(bytearray(1), 1, True),
            lambda: endpoint.recv_obj(),
            lambda: worker.recv(bytearray(1), 1),
            lambda: worker.create_endpoint(HERE, 1),
            lambda: worker.create_endpoint_from_worker_address(worker.address),
            lambda: worker.flush(),
            lambda: worker.serve(silent),
            lambda: listener.accept(),
        ):
            with pytest.raises(UCXCloseError, match="ended|closed"):
                await call()
        for call in (worker.create_listener, endpoint.tag_probe, endpoint.am_probe, endpoint.abort):
            with pytest.raises(UCXCloseError, match="open_worker"):
                call()
        await endpoint.close()
        await endpoint.aclose()
        assert "ended" in repr(worker) and "closed" in repr(endpoint)

    way.run(main)


def test_what_the_block_raises_is_raised_itself(way):
    async def main():
        error = KeyError("mine")
        with pytest.raises(KeyError) as caught:
            async with way.open_worker():
                raise error
        assert caught.value is error and error.__context__ is None
        group = ExceptionGroup("mine", [KeyError()])
        with pytest.raises(ExceptionGroup) as caught:
            async with way.open_worker():
                raise group
        assert len(caught.value.exceptions) == 1 and type(caught.value.exceptions[0]) is KeyError
        with pytest.raises(ConnectionRefusedError):
            async with way.open_worker() as worker, await worker.create_endpoint(HERE, 1):
                pass

    way.run(main)


def test_what_a_callback_raises_ends_the_block(way):
    async def main():
        with pytest.raises(ZeroDivisionError):
            async with way.pair() as (here, there):
                here.set_close_callback(lambda: 1 / 0)
                there.abort()
                await anyio.sleep_forever()
        called = []
        async with way.pair() as (here, there):
            here.set_close_callback(called.append, ("closed",))
            there.set_close_callback(called.append, ("never",))
            there.set_close_callback(None)
            await there.close()
            await until(lambda: called)
        assert called == ["closed"]

    way.run(main)


def test_a_block_that_ends_well_waits_for_the_receiver(way, options):
    async def main():
        async with way.open_worker(options) as there, anyio.create_task_group() as group:
            listener = there.create_listener(ip=HERE)
            got = []

            async def late():
                endpoint = await listener.accept()
                await anyio.sleep(0.3)
                got.append(len((await endpoint.recv_multi())[0]))

            group.start_soon(late)
            async with way.open_worker(options) as here:
                endpoint = await here.create_endpoint(HERE, listener.port)
                group.start_soon(endpoint.send_multi, [bytes(LARGE)])
                await anyio.sleep(0.02)
            await until(lambda: got)
            assert got == [LARGE]

    way.run(main)


def test_what_a_block_that_ends_well_has_lost_is_raised(way, options):
    async def main():
        async with anyio.create_task_group() as group:
            failed = []

            async def sending(endpoint):
                try:
                    await endpoint.send_multi([bytes(LARGE)])
                except ucxx.UCXError as error:
                    failed.append(error)

            with pytest.raises(UCXTimedOutError, match=f"1 message with {LARGE} bytes"):
                async with way.open_worker(options, close_timeout=0.1) as worker:
                    endpoint = await worker.create_endpoint(HERE, server.port)
                    group.start_soon(sending, endpoint)
                    await anyio.sleep(0.05)
            await until(lambda: failed)

    with served(way, silent, options) as server:
        way.run(main)


@pytest.mark.parametrize("reason", ["exception", "cancel"])
def test_other_ends_wait_a_second_at_most_and_log_what_is_lost(way, options, reason, caplog):
    async def main():
        async with anyio.create_task_group() as group:

            async def sending(endpoint):
                with pytest.raises(ucxx.UCXError):
                    await endpoint.send_multi([bytes(LARGE)])

            begin = 0.0
            try:
                with anyio.CancelScope() as scope:
                    async with way.open_worker(options) as worker:
                        endpoint = await worker.create_endpoint(HERE, server.port)
                        server.stop()
                        group.start_soon(sending, endpoint)
                        await anyio.sleep(0.05)
                        begin = time.monotonic()
                        if reason == "exception":
                            raise KeyError
                        scope.cancel()
                        await anyio.sleep_forever()
            except KeyError:
                assert reason == "exception"
            assert time.monotonic() - begin < 5
            server.go_on()

    with caplog.at_level(logging.WARNING, "ucxx"), served(way, silent, options) as server:
        way.run(main)
    assert f"1 message with {LARGE} bytes" in caplog.text


def test_a_close_that_is_cancelled_ends_at_once(way, options):
    async def main():
        async with way.open_worker(options) as worker:
            async with anyio.create_task_group() as group:
                endpoint = await worker.create_endpoint(HERE, server.port)
                server.stop()
                failed = []

                async def sending():
                    with pytest.raises(ucxx.UCXError):
                        await endpoint.send_multi([bytes(LARGE)])
                    failed.append(True)

                group.start_soon(sending)
                await anyio.sleep(0.01)
                begin = time.monotonic()
                with anyio.move_on_after(0.05) as scope:
                    await endpoint.close()
                assert scope.cancelled_caught and endpoint.closed
                await until(lambda: failed)
                assert time.monotonic() - begin < 5
                server.go_on()
                await endpoint.close()

    with served(way, silent, options) as server:
        way.run(main)


def test_what_a_cancelled_block_raises_comes_out_as_it_is(way):
    async def main():
        with anyio.move_on_after(0.01):
            async with way.open_worker():
                try:
                    await anyio.sleep_forever()
                finally:
                    raise ValueError("on the way out")

    with pytest.raises(ValueError, match="^on the way out$"):
        way.run(main)


def test_a_block_whose_orderly_end_is_cancelled(way, options):
    async def main():
        begin = time.monotonic()
        with anyio.move_on_after(0.3) as scope:
            async with anyio.create_task_group() as group:

                async def sending(endpoint):
                    with pytest.raises(ucxx.UCXError):
                        await endpoint.send_multi([bytes(LARGE)])

                async with way.open_worker(options) as worker:
                    endpoint = await worker.create_endpoint(HERE, server.port)
                    group.start_soon(sending, endpoint)
                    await anyio.sleep(0.05)
        assert scope.cancelled_caught and endpoint.closed
        assert time.monotonic() - begin < 5

    with served(way, silent, options) as server:
        way.run(main)


def test_a_forceful_close():
    async def main():
        async with Way("trio").open_worker() as worker:
            endpoint = await worker.create_endpoint(HERE, server.port)
            begin = time.monotonic()
            async with trio.open_nursery() as nursery:

                async def sending():
                    with pytest.raises(ucxx.UCXError):
                        await endpoint.send_multi([bytes(LARGE)])

                nursery.start_soon(sending)
                await trio.sleep(0.05)
                await trio.aclose_forcefully(endpoint)
            assert endpoint.closed and time.monotonic() - begin < 5

    with served(Way("trio"), silent) as server:
        Way("trio").run(main)


def test_abort_ends_what_is_pending(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            async with anyio.create_task_group() as group:

                async def receiving():
                    with pytest.raises(ucxx.UCXCanceledError):
                        await here.recv(bytearray(1))

                group.start_soon(receiving)
                await anyio.sleep(0.01)
                here.abort()
            with pytest.raises(ConnectionResetError):
                await there.recv(bytearray(1))

    way.run(main)


def test_nothing_is_left(way, options):
    async def block():
        async with way.pair(options) as (here, there):
            await here.send(b"12345678")
            await there.recv(bytearray(8))
            with anyio.move_on_after(0.001):
                await there.recv(bytearray(8))
        return weakref.ref(here.worker), weakref.ref(here)

    async def counts():
        references = await block()
        gc.collect()
        return [one() for one in references], descriptors(), threading.active_count()

    async def main():
        before = [await counts() for _ in range(3)][-1]
        after = [await counts() for _ in range(5)][-1]
        assert after[0] == [None, None]
        assert after[1:] <= before[1:]

    way.run(main)


def test_a_request_that_the_end_of_the_block_ends(way, options):
    async def main():
        async with anyio.create_task_group() as group:
            ended = []

            async def receiving(receive):
                with pytest.raises(ucxx.UCXCanceledError):
                    await receive()
                ended.append(True)

            async with way.open_worker(options) as worker:
                endpoint = await worker.create_endpoint_from_worker_address(worker.address)
                group.start_soon(receiving, lambda: worker.recv(bytearray(1), 5))
                group.start_soon(receiving, lambda: endpoint.recv(bytearray(1), 6, True))
                group.start_soon(receiving, endpoint.am_recv)
                await anyio.sleep(0.01)
            await until(lambda: len(ended) == 3)

    way.run(main)


def test_workers_beside_each_other(way):
    async def main():
        async with way.open_worker() as one:
            async with way.open_worker() as other:
                endpoint = await one.create_endpoint_from_worker_address(other.address)
                await endpoint.send(b"x", 1, True)
                await other.recv(bytearray(1), 1)
            with pytest.raises(ConnectionResetError):
                await endpoint.recv(bytearray(1), 1, True)

    way.run(main)
    way.run(main)  # in a run after the first


def test_wrong_options(way):
    async def main():
        for error, arguments, options in (
            (ucxx.exceptions.UCXInvalidParamError, [{"NO_SUCH": "1"}], {}),
            (ValueError, [], {"progress_mode": "thread"}),
            (ValueError, [], {"close_timeout": -1}),
            (TypeError, [], {"close_time": 1}),
        ):
            with pytest.raises(error):
                async with way.open_worker(*arguments, **options):
                    pass

    way.run(main)


def test_a_context_for_several_workers(way):
    async def main():
        context = ucxx.core.UCXContext()
        async with way.open_worker(context) as one, way.open_worker(context) as other:
            endpoint = await one.create_endpoint_from_worker_address(other.address)
            await endpoint.send(b"x", 1, True)
            await other.recv(bytearray(1), 1)

    way.run(main)


def test_ctrl_c(way, run_with_helpers):
    status, said = run_with_helpers(f"""
import os, signal, threading
import anyio
from structured import Way

way = Way({way.name!r})

async def main():
    async with way.pair() as (here, there):
        async def talk():
            buffer = bytearray(1)
            while True:
                await here.send(b"x")
                await there.recv(buffer)
        async with anyio.create_task_group() as group:
            group.start_soon(talk)
            group.start_soon(here.recv, bytearray(1))
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            await anyio.sleep(20)

try:
    way.run(main)
except KeyboardInterrupt:
    print("interrupted")
except BaseExceptionGroup as group:
    assert group.split(KeyboardInterrupt)[1] is None, group
    print("interrupted")
""")
    assert (status, said) == (0, "interrupted\n"), said


def test_fork(way, run_with_helpers):
    status, said = run_with_helpers(f"""
import os, sys
from structured import Way
import ucxx

way = Way({way.name!r})

async def main():
    async with way.pair() as (here, there):
        child = os.fork()
        if child == 0:
            try:
                here.send(b"x").send(None)
            except ucxx.UCXError as error:
                print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        await here.send(b"x")
        await there.recv(bytearray(1))

way.run(main)
""")
    assert status == 0 and "child of fork opens a worker of its own" in said, said
    assert len(said.splitlines()) == 1
