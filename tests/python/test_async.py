# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The asynchronous API: tasks, listeners, endpoints, tags, environment, reset."""

import array
import asyncio
import functools
import gc
import logging
import multiprocessing
import pickle
import time
import warnings
import weakref

import handlers
import numpy as np
import pytest
from served import served, within

import ucxx
from ucxx.testing import join_processes, run_in_subprocess, terminate_process


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    gc.collect()
    ucxx.reset()


def run(program, **arguments):
    """Run `program(here, there)`, two ends of a pair by a listener of this loop."""

    async def main():
        ucxx.init(**arguments)
        here, there = await pair()
        return await program(here, there)

    return asyncio.run(within(main()))


async def pair():
    """Return two ends of a pair."""
    accepted = asyncio.get_running_loop().create_future()
    listener = ucxx.create_listener(accepted.set_result)
    here = await ucxx.create_endpoint("127.0.0.1", listener.port)
    there = await accepted
    listener.close()
    return here, there


# Every awaitable, as the established API's coroutines are used.


def awaitables(here, there):
    """Return one of each kind, which all end."""
    return {
        "send": here.send(b"x"),
        "recv": there.recv(bytearray(1)),
        "send_multi": here.send_multi([b"1", b"2"], tag=2),
        "recv_multi": there.recv_multi(tag=2),
        "am_send": here.am_send(b"x"),
        "am_recv": there.am_recv(),
        "ucxx.recv": ucxx.recv(bytearray(1), tag=3),
        "forced send": here.send(b"x", tag=3, force_tag=True),
        "flush": here.flush(),
    }


async def in_tasks(all_of_them):
    for task in [asyncio.create_task(one) for one in all_of_them]:
        await task


async def as_futures(all_of_them):
    for future in [asyncio.ensure_future(one) for one in all_of_them]:
        await future


async def by_wait(all_of_them):
    done, pending = await asyncio.wait([asyncio.ensure_future(one) for one in all_of_them])
    assert len(done) == len(all_of_them) and not pending


async def by_wait_for(all_of_them):
    for one in all_of_them:
        await asyncio.wait_for(one, 5)


async def by_gather(all_of_them):
    await asyncio.gather(*all_of_them)


async def as_completed(all_of_them):
    for one in asyncio.as_completed(all_of_them):
        await one


@pytest.mark.parametrize("mode", ["loop", "thread"])
@pytest.mark.parametrize(
    "how", [in_tasks, as_futures, by_wait, by_wait_for, by_gather, as_completed]
)
def test_asyncio_takes_every_awaitable(how, mode):
    async def program(here, there):
        await how(list(awaitables(here, there).values()))

    run(program, progress_mode=mode)


def test_run_until_complete_and_threadsafe_take_it():
    async def program(here, there):
        loop = asyncio.get_running_loop()
        receiving = there.recv(bytearray(1))
        future = await asyncio.to_thread(asyncio.run_coroutine_threadsafe, receiving, loop)
        await here.send(b"x")
        assert await asyncio.wrap_future(future) == 1

    run(program)


def test_made_and_never_awaited_does_not_warn():
    async def program(here, there):
        here.send(b"x")
        there.recv(bytearray(1))
        gc.collect()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(program)


def test_cancel_message_is_kept():
    async def program(here, there):
        async def waiting():
            try:
                await there.recv(bytearray(1))
            except asyncio.CancelledError as error:
                return error.args
            return None

        task = asyncio.create_task(waiting())
        await asyncio.sleep(0)
        task.cancel(msg="the user went home")
        assert await task == ("the user went home",)
        request = there.recv(bytearray(1))
        request.cancel("by position")
        with pytest.raises(asyncio.CancelledError, match="by position"):
            await request
        with pytest.raises(TypeError, match=r"cancel\(\) got an unexpected keyword argument 'why'"):
            there.recv(bytearray(1)).cancel(why="no reason")

    run(program)


# Buffers and tags


@pytest.mark.parametrize(
    "message",
    [
        b"bytes",
        bytearray(b"bytes"),
        np.arange(5.0),
        np.array(7),
        np.empty(0),
        np.zeros((0, 3)),
        memoryview(b"123"),
        array.array("d", [1, 2]),
    ],
    ids=lambda message: type(message).__name__,
)
def test_messages_of_every_kind(message):
    async def program(here, there):
        size = memoryview(message).nbytes
        buffer = bytearray(size)
        receiving = there.recv(buffer)
        await here.send(message)
        assert await receiving == size
        assert buffer == memoryview(message).tobytes()

    run(program)


def test_address_is_a_message():
    async def program(here, there):
        address = ucxx.get_worker_address()
        buffer = bytearray(len(address))
        await asyncio.gather(here.send(address), there.recv(buffer))
        assert ucxx.get_ucx_address_from_buffer(buffer) == address

    run(program)


@pytest.mark.parametrize("tag", [0, 2**64 - 1, ("a", -1), (2**70,), "text", b"bytes", ("a", 1), 1.5, None, frozenset()])
def test_tags_of_every_kind(tag):
    async def program(here, there):
        buffers = bytearray(1), bytearray(1)
        other = there.recv(buffers[0], tag="another")
        receiving = there.recv(buffers[1], tag=tag)
        await here.send(b"x", tag=tag)
        await receiving
        await here.send(b"y", tag="another")
        await other
        assert buffers == (b"y", b"x")

    run(program)


def test_ints_of_numpy_are_ints():
    async def program(here, there):
        receiving = there.recv(bytearray(1), tag=np.int64(7))
        await here.send(b"x", tag=7)
        await receiving
        await here.send(b"x", tag=np.uint64(9), force_tag=True)
        assert ucxx.tag_probe(np.int8(9)).matched
        await ucxx.recv(bytearray(1), np.int16(9))

    run(program)


def test_tags_that_are_no_tags():
    async def program(here, _):
        with pytest.raises(TypeError, match="unhashable"):
            here.send(b"x", tag=[])
        for tag in (-1, 2**64, -(2**70), np.int64(-1)):
            for arguments in ({}, {"force_tag": True}):
                for call in (lambda *_, **tag: here.send(b"x", **tag), here.recv_multi, here.tag_probe,
                             lambda **tag: here.send_multi([b"x"], **tag),
                             lambda **tag: here.recv(bytearray(1), **tag)):  # fmt: skip
                    with pytest.raises(ValueError, match="a tag must be an int from 0 to .*, not .*-?[0-9]"):
                        call(tag=tag, **arguments)

    run(program)


def test_frames_can_be_sent_again():
    async def program(here, there):
        frames = [np.arange(3), b"header", bytearray(1 << 20), np.empty(0)]
        for _ in range(2):
            _, frames = await asyncio.gather(here.send_multi(frames), there.recv_multi())
        assert frames[0].view(np.int64).tolist() == [0, 1, 2]
        assert [len(frame) for frame in frames] == [24, 6, 1 << 20, 0]
        assert all(frame.dtype == np.uint8 for frame in frames)

    run(program)


@pytest.mark.parametrize("allocator", [bytearray, lambda nbytes: np.empty(nbytes, "u1")])
def test_allocator_of_objects(allocator):
    made = []

    def keeping(nbytes):
        made.append(allocator(nbytes))
        return made[-1]

    async def program(here, there):
        await here.send_obj(b"some bytes")
        received = await there.recv_obj(allocator=keeping)
        assert received is made[0] and bytes(received) == b"some bytes"

    run(program)


@pytest.mark.parametrize("head", [b"nonsense", pickle.dumps([1, 2, 3])[:-5], b"\x80\x05."])
def test_what_is_no_pickle_is_an_error_that_says_so(head):
    async def program(here, there):
        await here.send_multi([head])
        with pytest.raises(ucxx.UCXError, match=f"a pickle of {len(head)} bytes .* cannot be"):
            await there.recv_obj()
        await here.send_obj({"the next": 1})
        assert await there.recv_obj() == {"the next": 1}

    run(program)


def test_pickle_that_raises_is_an_error():
    async def program(here, there):
        await here.send_obj(Raising())
        with pytest.raises(ucxx.UCXError, match="ZeroDivisionError"):
            await there.recv_obj()

    run(program)


class Raising:
    """Raises when it is unpickled."""

    def __reduce__(self):
        """Say what to call."""
        return divmod, (1, 0)


# Probes


def test_probe_and_receive_also_after_the_peer_has_closed():
    async def program(here, there):
        assert not there.tag_probe().matched
        for tag in (None, "tag"):
            await here.send(b"hello", tag=tag)
        await here.close()
        while there.alive:
            await asyncio.sleep(0)
        assert there.tag_probe().length == 5
        probe = there.tag_probe(True)  # by position: remove
        assert probe.handle is not None
        buffer = bytearray(5)
        assert await there.recv_with_handle(buffer, probe) == 5
        assert not there.tag_probe().matched and there.tag_probe(tag="tag").matched
        assert await there.recv(buffer, tag="tag") == 5

    run(program)


def test_probe_of_the_worker_by_position():
    async def program(here, _):
        await here.send(b"x", tag=4, force_tag=True)
        assert ucxx.tag_probe(4).matched
        probe = ucxx.tag_probe(4, True)
        assert probe.sender_tag == 4 and not ucxx.tag_probe(4).matched

    run(program)


# Listeners


class Handler:
    """Handles one caller in each way that a callback can be written."""

    def __init__(self):
        """Begin with none."""
        self.endpoints = []

    def plain(self, endpoint):
        """Take it."""
        self.endpoints.append(endpoint)

    async def coroutine(self, endpoint):
        """Take it."""
        self.endpoints.append(endpoint)

    def with_argument(self, argument, endpoint):
        """Take it, in a partial."""
        assert argument == 1
        self.endpoints.append(endpoint)

    async def coroutine_with_argument(self, argument, endpoint):
        """Take it, in a partial."""
        self.with_argument(argument, endpoint)


@pytest.mark.parametrize("name", ["plain", "coroutine", "with_argument", "coroutine_with_argument"])
def test_callbacks_of_every_kind(name):
    handler = Handler()
    callback = getattr(handler, name)
    if name.endswith("argument"):
        callback = functools.partial(callback, 1)
    listener = ucxx.create_listener(callback)  # outside of a coroutine

    async def main():
        await ucxx.create_endpoint("127.0.0.1", listener.port)
        while not handler.endpoints:
            await asyncio.sleep(0)

    asyncio.run(within(main()))
    assert isinstance(listener.ip, str) and not listener.closed
    listener.close()
    listener.close()
    assert listener.closed
    handler.endpoints.clear()


@pytest.mark.parametrize("is_dropped", [False, True])
def test_stopped_listener_sends_callers_away_though_an_endpoint_of_it_lives(is_dropped):
    async def main():
        accepted = []
        listener = ucxx.create_listener(accepted.append)
        port = listener.port
        endpoint = await ucxx.create_endpoint("127.0.0.1", port)
        while not accepted:
            await asyncio.sleep(0)
        listener.close()
        if is_dropped:
            del listener
        with pytest.raises(ucxx.UCXError):
            await ucxx.create_endpoint("127.0.0.1", port)
        receiving = accepted[0].recv(bytearray(1))
        await endpoint.send(b"x")
        assert await receiving == 1 and len(accepted) == 1

    asyncio.run(within(main()))


def test_active_clients_and_a_dropped_listener(caplog):
    async def main():
        over = asyncio.Event()
        ended = []

        async def handle(endpoint):
            await over.wait()
            ended.append(endpoint)

        listener = ucxx.create_listener(handle)
        assert listener.active_clients == 0
        endpoint = await ucxx.create_endpoint("127.0.0.1", listener.port)
        while listener.active_clients == 0:
            await asyncio.sleep(0)
        port = listener.port
        with caplog.at_level(logging.WARNING, "ucxx"):
            del listener
        assert "Listener object is being destroyed" in caplog.text
        ucxx.create_listener(print, port)  # it is free again
        over.set()
        while not ended:
            await asyncio.sleep(0)
        await endpoint.close()

    asyncio.run(within(main()))


@pytest.mark.parametrize("kind", ["plain", "coroutine"])
def test_what_callbacks_raise_reaches_the_loop(kind):
    def plain(endpoint):
        raise ZeroDivisionError

    async def coroutine(endpoint):
        raise ZeroDivisionError

    async def main():
        reported = []

        def report(_, what):
            reported.append(type(what["exception"]))

        asyncio.get_running_loop().set_exception_handler(report)
        listener = ucxx.create_listener(plain if kind == "plain" else coroutine)
        await ucxx.create_endpoint("127.0.0.1", listener.port)
        while not reported:
            await asyncio.sleep(0)
        assert reported == [ZeroDivisionError]
        listener.close()

    asyncio.run(within(main()))


@pytest.mark.parametrize("port", [-1, 65536, "80", 1.5])
def test_port_that_is_none(port):
    async def main():
        with pytest.raises((ValueError, TypeError), match="a port must be an int from 0 to 65535, not"):
            ucxx.create_listener(print, port)
        with pytest.raises((ValueError, TypeError), match="a port must be an int from 0 to 65535, not"):
            await ucxx.create_endpoint("127.0.0.1", port)

    asyncio.run(within(main()))


def test_four_hundred_endpoints_on_four_listeners():
    async def main():
        accepted = []

        async def handle(endpoint):
            accepted.append(endpoint)
            buffer = bytearray(4)
            await endpoint.recv(buffer)
            await endpoint.send(buffer)

        listeners = [ucxx.create_listener(handle) for _ in range(4)]

        async def call(number):
            endpoint = await ucxx.create_endpoint("127.0.0.1", listeners[number % 4].port)
            buffer = bytearray(4)
            await endpoint.send(number.to_bytes(4))
            await endpoint.recv(buffer)
            assert int.from_bytes(buffer) == number
            await endpoint.close()

        await asyncio.gather(*(call(number) for number in range(400)))
        assert len(accepted) == 400
        for listener in listeners:
            listener.close()

    asyncio.run(within(main()))


# Ends


def test_receives_pending_at_a_close_end_canceled_on_both_sides():
    async def program(here, there):
        pending = [asyncio.ensure_future(one.recv(bytearray(1))) for one in (here, there)]
        await asyncio.sleep(0)
        await here.close()
        await here.close()
        for error in await asyncio.gather(*pending, return_exceptions=True):
            assert isinstance(error, ucxx.UCXCanceledError)
        with pytest.raises((ucxx.UCXConnectionResetError, ucxx.UCXEndpointTimeoutError)):
            await there.recv(bytearray(1))
        with pytest.raises((ucxx.UCXConnectionResetError, ucxx.UCXEndpointTimeoutError)):
            await there.send(b"late")
        with pytest.raises(ucxx.UCXCloseError):
            await here.send(b"late")
        for end in (here, there):
            assert end.closed and not end.alive
        assert "closed" in repr(here) and "failed" in repr(there)
        await there.close()
        await there.close()
        assert there.closed and "closed" in repr(there)
        with pytest.raises(RuntimeError):
            there.set_close_callback(print)
        ucxx.reset()

    run(program)


def test_abort_in_the_callback_of_a_listener():
    async def main():
        listener = ucxx.create_listener(lambda endpoint: endpoint.abort())
        with pytest.raises(ucxx.UCXError):
            endpoint = await ucxx.create_endpoint("127.0.0.1", listener.port)
            await endpoint.recv(bytearray(1))
        listener.close()

    asyncio.run(within(main()))


def test_numbers_stay_after_the_close():
    async def program(here, there):
        uid = here.uid
        assert uid != there.uid and uid > 0
        assert here.ucp_worker == ucxx.get_ucp_worker() > 0
        assert here.ucxx_worker == ucxx.get_ucxx_worker() > 0
        assert here.ucxx_endpoint > 0 and here.ucp_endpoint > 0
        await here.close()
        assert here.uid == uid

    run(program)


def test_close_callback():
    async def program(here, there):
        called = []
        there.set_close_callback(lambda: called.append("closed"))
        await here.close()
        while not called:
            await asyncio.sleep(0)
        assert called == ["closed"]

    run(program)


@pytest.mark.parametrize("count_from_ep_creation", [False, True])
def test_close_after_n_receives(count_from_ep_creation):
    async def program(here, there):
        for number in range(5):
            await here.send(bytes([number]))
        await here.send_multi([b"frame"])
        await here.am_send(b"message")
        buffer = bytearray(1)
        await there.recv(buffer)
        n = 7 if count_from_ep_creation else 6
        there.close_after_n_recv(n, count_from_ep_creation=count_from_ep_creation)
        with pytest.raises(ucxx.UCXError, match="has been set already"):
            there.close_after_n_recv(n)
        for number in range(1, 5):
            await there.recv(buffer)
            assert buffer[0] == number and not there.closed
        await there.recv_multi()
        assert not there.closed
        assert bytes(await there.am_recv()) == b"message"
        assert there.closed
        for receive in (lambda: there.recv(buffer), there.recv_multi, there.am_recv):
            with pytest.raises(ucxx.UCXCloseError, match="the endpoint is closed"):
                await receive()
        with pytest.raises(ucxx.UCXError):
            await here.recv(buffer)

    run(program)


def test_close_after_fewer_receives_than_there_were():
    async def program(here, there):
        await here.send(b"x")
        await here.send(b"x")
        await there.recv(bytearray(1))
        await there.recv(bytearray(1))
        with pytest.raises(ucxx.UCXError, match=r"close_after_n_recv\(1\): there have been 2"):
            there.close_after_n_recv(1, count_from_ep_creation=True)
        there.close_after_n_recv(2, count_from_ep_creation=True)
        assert there.closed

    run(program)


def test_receive_beyond_the_last_is_canceled():
    async def program(here, there):
        there.close_after_n_recv(1)
        tasks = [asyncio.create_task(there.recv(bytearray(1))) for _ in range(2)]
        await asyncio.sleep(0)
        await here.send(b"x")
        assert await tasks[0] == 1
        with pytest.raises(ucxx.UCXCanceledError):
            await tasks[1]

    run(program)


def address_of_a_dead_worker(queue):
    """Put the address of this process's worker into a queue, and end."""
    queue.put(bytes(ucxx.get_worker_address()))


def test_endpoint_to_a_dead_worker():
    queue = multiprocessing.get_context("spawn").Queue()
    process = run_in_subprocess(address_of_a_dead_worker, queue)
    address = ucxx.get_ucx_address_from_buffer(queue.get(timeout=20))
    join_processes([process], timeout=20)
    terminate_process(process)

    async def main():
        with pytest.raises(ucxx.UCXError, match="Destination is unreachable|Endpoint timeout"):
            endpoint = await ucxx.create_endpoint_from_worker_address(address)
            while endpoint.alive:
                await asyncio.sleep(0)
            endpoint.raise_on_error()

    asyncio.run(within(main()))


def test_address_travels_by_queue():
    async def program(here, there):
        address = ucxx.get_worker_address()
        queue = multiprocessing.get_context("spawn").Queue()
        queue.put(address)
        assert await asyncio.to_thread(queue.get, timeout=20) == address
        assert bytes(memoryview(address)) == bytes(address)

    run(program)


# Settings


def test_config_and_version_do_not_initialise():
    assert ucxx.get_config()["TLS"] and ucxx.get_ucx_version()
    ucxx.init({"TLS": "self"})  # it was not initialised yet
    assert ucxx.get_config()["TLS"] == "self"
    with pytest.raises(RuntimeError, match="initialised already"):
        ucxx.init()


def test_environment_takes_precedence(monkeypatch):
    monkeypatch.setenv("UCX_TLS", "tcp")
    ucxx.init({"TLS": "self"}, env_takes_precedence=True)
    assert ucxx.get_config()["TLS"] == "tcp"


def test_wrong_options():
    with pytest.raises(ucxx.UCXInvalidParamError, match="NO_SUCH_THING"):
        ucxx.init({"NO_SUCH_THING": "1"})


def test_something_at_info_and_nothing_at_error(caplog):
    with caplog.at_level(logging.INFO, "ucxx"):
        ucxx.init()
    assert [record.levelname for record in caplog.records] == ["INFO"]


DELAYED = "UCXPY_ENABLE_DELAYED_SUBMISSION"


@pytest.mark.parametrize(
    "mode, environment, argument, delays",
    [
        ("thread", {DELAYED: "1"}, None, True),
        (None, {DELAYED: "True"}, None, True),
        (None, {}, True, True),
        (None, {DELAYED: "1"}, False, False),
        ("thread-polling", {DELAYED: "0"}, None, False),
        ("thread", {"UCXPY_ENABLE_PYTHON_FUTURE": "1"}, None, False),
    ],
)
def test_delayed_submission(monkeypatch, mode, environment, argument, delays):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    async def program(here, there):
        assert here.worker.is_delayed_submission_enabled is delays
        buffer = bytearray(1)
        await asyncio.gather(here.send(b"x"), there.recv(buffer))

    run(program, progress_mode=mode, enable_delayed_submission=argument)


@pytest.mark.parametrize("name", ["ENABLE_DELAYED_SUBMISSION", "ENABLE_PYTHON_FUTURE"])
def test_what_needs_a_thread_says_so(monkeypatch, name):
    monkeypatch.setenv(f"UCXPY_{name}", "1")
    monkeypatch.setenv("UCXPY_PROGRESS_MODE", "blocking")
    with pytest.raises(ValueError, match=f"{name.lower()} needs a progress mode with a thread"):
        ucxx.init()
    monkeypatch.setenv(f"UCXPY_{name}", "perhaps")
    with pytest.raises(ValueError, match=f"UCXPY_{name}=perhaps is none of 1, true"):
        ucxx.init()


@pytest.mark.parametrize("mode", ["blocking", "polling", "thread", "thread-polling"])
def test_mode_of_the_environment(monkeypatch, mode):
    monkeypatch.setenv("UCXPY_PROGRESS_MODE", mode)

    async def program(here, there):
        await asyncio.gather(here.send(b"x"), there.recv(bytearray(1)))

    run(program)


@pytest.mark.parametrize("local", ["auto", "off", "only"])
def test_active_transports(local):
    async def main():
        ucxx.init({"UCXX_LOCAL": local})
        transports = ucxx.get_active_transports()
        assert "self" in transports and all(isinstance(name, str) for name in transports)
        assert ("local" in transports) == (local != "off")
        assert ("tcp" in transports) == (local != "only")
        if local != "only":
            assert "UCP context" in ucxx.get_ucp_context_info()
            assert "UCP worker" in ucxx.get_ucp_worker_info()

    asyncio.run(within(main()))


# Reset


def test_reset_is_refused_while_something_is_open():
    async def main():
        kept = await pair()
        with pytest.raises(ucxx.UCXError, match="Trying to reset UCX but not all Endpoints and/or"):
            ucxx.reset()
        for endpoint in kept:
            await endpoint.close()
        listener = ucxx.create_listener(print)
        with pytest.raises(ucxx.UCXError, match="Trying to reset UCX"):
            ucxx.reset()
        listener.close()
        request = ucxx.recv(bytearray(1), tag=1)
        with pytest.raises(ucxx.UCXError, match="Trying to reset UCX .*<ucxx.Request: tag receive, .*, pending>"):
            ucxx.reset()
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request

    asyncio.run(within(main()))
    ucxx.reset()
    ucxx.stop_notifier_thread()


def test_error_of_reset_keeps_nothing_alive():
    kept = []

    async def main():
        here, there = await pair()
        request = ucxx.recv(bytearray(1), tag=1)
        with pytest.raises(ucxx.UCXError, match="Trying to reset UCX") as caught:
            ucxx.reset()
        kept.append(caught.value)
        references = [weakref.ref(one) for one in (here, there, request)]
        del here, there, request
        assert [one() for one in references] == [None] * 3

    asyncio.run(within(main()))
    ucxx.reset()


def test_reset_collects_endpoints_in_cycles_of_garbage():
    async def main():
        endpoint, _ = await pair()
        endpoint.myself = endpoint

    gc.disable()
    try:
        asyncio.run(within(main()))
        ucxx.reset()
    finally:
        gc.enable()


def test_reset_does_not_count_what_has_failed():
    async def main():
        with served(handlers.echo_frames) as server:
            endpoint = await ucxx.create_endpoint("127.0.0.1", server.port)
            server.kill()
            with pytest.raises(ucxx.UCXConnectionResetError):
                await within(endpoint.recv(bytearray(1)))
        assert endpoint.closed and not endpoint.alive and "failed" in repr(endpoint)
        return endpoint

    endpoint = asyncio.run(within(main()))
    ucxx.reset()
    assert not endpoint.alive


def test_reset_between_loops():
    for _ in range(3):
        run(lambda here, there: asyncio.gather(here.send(b"x"), there.recv(bytearray(1))))
        gc.collect()
        ucxx.reset()


def test_dropped_receive_does_not_hinder_a_reset():
    async def main():
        ucxx.recv(bytearray(1), tag=1)

    asyncio.run(main())
    ucxx.reset()


def test_loops_after_one_another_have_a_fresh_worker():
    addresses = []

    async def main():
        addresses.append(ucxx.get_worker_address())
        here, there = await pair()
        await asyncio.gather(here.send(b"x"), there.recv(bytearray(1)))

    for _ in range(3):
        asyncio.run(within(main()))
    assert len(set(addresses)) == 3


# Processes


def test_two_processes():
    async def main():
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", server.port))
        await endpoint.send_obj({"a": np.arange(10)})
        received = await within(endpoint.recv_obj())
        assert received["a"].tolist() == list(range(10))
        await endpoint.close()

    with served(handlers.echo) as server:
        asyncio.run(main())


def fail():
    """End with an error."""
    raise SystemExit(3)


def test_processes_of_testing():
    process = run_in_subprocess(time.sleep, 0)
    join_processes([process], timeout=20)
    terminate_process(process)
    process = run_in_subprocess(time.sleep, 100)
    join_processes([process], timeout=0.01)
    terminate_process(process)
    assert not process.is_alive()
    process = run_in_subprocess(fail)
    join_processes([process], timeout=20)
    with pytest.raises(RuntimeError, match="exit code 3"):
        terminate_process(process)
