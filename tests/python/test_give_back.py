# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Cancelled receives lose no message: it goes back, and the next receive gets it, in its order."""

import asyncio
import contextlib
import gc
import pickle
import time

import pytest
import uvloop

import ucxx
from ucxx import core

MODES = ["loop", "polling", "blocking", "thread", "thread-polling"]
CHANNELS = ["self", "local", "tcp"]
LARGE = 8 << 20
LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


class Peer:
    """Sends to the worker of the running loop, from a worker of its own, or that one."""

    def __init__(self, channel):
        self._marks = 1 << 32
        if channel == "self":
            self._worker = ucxx._asyncio.runtime.runtime().worker()
        else:
            config = {"UCXX_LOCAL": "off" if channel == "tcp" else "auto"}
            self._worker = core.UCXWorker(core.UCXContext(config))
            self._worker.start_progress_thread()

    async def meet(self, channel):
        address = ucxx.get_worker_address()
        own = address if channel == "self" else self._worker.address
        self.there = await ucxx.create_endpoint_from_worker_address(own)
        if channel == "self":
            self._endpoint = self.there
        else:
            self._endpoint = core.UCXEndpoint.create_from_worker_address(self._worker, address)
        return self.there

    def send(self, kind, content):
        return KINDS[kind][0](self._endpoint, content)

    async def arrived(self):
        """All that was sent before has come."""
        self._marks += 1
        self._endpoint.tag_send(b"", self._marks)
        await asyncio.wait_for(self.there.recv(bytearray(0), self._marks, force_tag=True), 10)


async def recv(endpoint, size):
    buffer = bytearray(size)
    assert await endpoint.recv(buffer, 1, force_tag=True) == size
    return bytes(buffer)


async def recv_multi(endpoint, size):
    frames = await endpoint.recv_multi(2, force_tag=True)
    return b"".join(bytes(frame) for frame in frames)


async def recv_obj(endpoint, size):
    return await endpoint.recv_obj(3, force_tag=True, allow_pickle=True)


async def am_recv(endpoint, size):
    return bytes(await endpoint.am_recv())


async def stream_recv(endpoint, size):
    buffer = bytearray(size)
    await endpoint.stream_recv(buffer)
    return bytes(buffer)


KINDS = {
    "recv": (lambda endpoint, content: endpoint.tag_send(content, 1), recv),
    "recv_multi": (
        lambda endpoint, content: endpoint.tag_send_multi([content[:3], b"", content[3:]], 2),
        recv_multi,
    ),
    "recv_obj": (
        lambda endpoint, content: endpoint.tag_send_multi([pickle.dumps(content)], 3),
        recv_obj,
    ),
    "am_recv": (lambda endpoint, content: endpoint.am_send(content), am_recv),
    "stream_recv": (lambda endpoint, content: endpoint.stream_send(content), stream_recv),
}


def run(program, channel="self", mode="loop", loop="asyncio"):
    async def main():
        peer = Peer(channel)
        await peer.meet(channel)
        try:
            await program(peer)
        finally:
            peer.there.abort()

    ucxx.init({"UCXX_LOCAL": "off"} if channel == "tcp" else {}, progress_mode=mode)
    try:
        with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
            runner.run(asyncio.wait_for(main(), 30))
    finally:
        gc.collect()
        ucxx.reset()


def numbers(first, end):
    return [number.to_bytes(8) for number in range(first, end)]


async def expect(peer, kind, contents):
    for content in contents:
        receiving = KINDS[kind][1](peer.there, len(content))
        assert await asyncio.wait_for(receiving, 10) == content


MOVED_HERE = [
    *(("loop", channel) for channel in CHANNELS),
    ("polling", "local"),
    ("blocking", "tcp"),
]
MOVED_BY_THREADS = [*(("thread", channel) for channel in CHANNELS), ("thread-polling", "local")]
everywhere = pytest.mark.parametrize(("mode", "channel"), MOVED_HERE + MOVED_BY_THREADS)
kinds = pytest.mark.parametrize("kind", KINDS)


@everywhere
@kinds
def test_polling_with_a_message_that_is_there(kind, channel, mode):
    async def program(peer):
        contents = numbers(0, 5)
        for content in contents:
            peer.send(kind, content)
        await peer.arrived()
        for _ in range(10):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(KINDS[kind][1](peer.there, 8), 0)
        got = []
        for timeout in (1e-9, 1e-5, 2e-5):
            with contextlib.suppress(TimeoutError):
                got.append(await asyncio.wait_for(KINDS[kind][1](peer.there, 8), timeout))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0):
                    await asyncio.sleep(0)
                    got.append(await KINDS[kind][1](peer.there, 8))
        assert got == contents[: len(got)]
        await expect(peer, kind, contents[len(got) :])

    run(program, channel, mode)


# With a thread the buffer stays pinned until the thread has said that it is free.
@pytest.mark.parametrize(("mode", "channel"), MOVED_HERE)
@pytest.mark.parametrize("kind", ["recv", "recv_multi", "am_recv", "stream_recv"])
def test_the_request_itself_is_polled(kind, channel, mode):
    async def program(peer):
        contents = numbers(0, 3)
        for content in contents:
            peer.send(kind, content)
        await peer.arrived()
        buffer = bytearray(8)
        for _ in range(10):
            request = {
                "recv": lambda: peer.there.recv(buffer, 1, force_tag=True),
                "recv_multi": lambda: peer.there.recv_multi(2, force_tag=True),
                "am_recv": lambda: peer.there.am_recv(),
                "stream_recv": lambda: peer.there.stream_recv(buffer),
            }[kind]()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(request, 0)
            buffer.clear()  # it is ours again, where the worker is moved by this thread
            buffer.extend(bytes(8))
        await expect(peer, kind, contents)

    run(program, channel, mode)


@everywhere
@kinds
def test_cancelled_in_the_turn_in_which_the_message_comes(kind, channel, mode):
    async def program(peer):
        contents = numbers(0, 5)
        tasks = [asyncio.create_task(KINDS[kind][1](peer.there, 8)) for _ in contents]
        await asyncio.sleep(0)
        for content in contents:
            peer.send(kind, content)
        until = time.monotonic() + 0.02
        while time.monotonic() < until:
            ucxx.progress()
        for task in tasks:
            assert task.cancel()
        for task in tasks:
            with pytest.raises(asyncio.CancelledError):
                await task
        await expect(peer, kind, contents)

    run(program, channel, mode)


@everywhere
@kinds
def test_cancelled_while_the_message_moves(kind, channel, mode):
    async def program(peer):
        content = bytes(range(256)) * (LARGE // 256)
        sending = peer.send(kind, content)
        for pause in (0, 0.001):
            task = asyncio.create_task(KINDS[kind][1](peer.there, LARGE))
            await asyncio.sleep(pause)
            if not task.cancel():
                assert task.result() == content
                sending = peer.send(kind, content)
                continue
            with pytest.raises(asyncio.CancelledError):
                await task
        await expect(peer, kind, [content])
        del sending

    run(program, channel, mode)


@everywhere
def test_a_thousand_polls_keep_the_order(channel, mode):
    async def program(peer):
        count = 1000
        got = []
        for number in range(count):
            peer.send("recv", number.to_bytes(8))
            try:
                got.append(await asyncio.wait_for(recv(peer.there, 8), number % 3 * 1e-5))
            except TimeoutError:
                pass
        while len(got) < count:
            got.append(await asyncio.wait_for(recv(peer.there, 8), 10))
        assert [int.from_bytes(one) for one in got] == list(range(count))

    run(program, channel, mode)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("mode", MODES)
def test_groups_of_receives(mode, loop):
    async def program(peer):
        contents = numbers(0, 4)

        async def group():
            async with asyncio.TaskGroup() as tasks:
                for _ in contents:
                    tasks.create_task(recv(peer.there, 8))
                await asyncio.sleep(0)
                for content in contents:
                    peer.send("recv", content)
                until = time.monotonic() + 0.005
                while time.monotonic() < until:
                    ucxx.progress()
                raise ValueError

        with pytest.raises(ExceptionGroup):
            await group()
        await expect(peer, "recv", contents)
        for content in contents:
            peer.send("recv", content)
        gathering = asyncio.gather(*(recv(peer.there, 8) for _ in contents))
        gathering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gathering
        await expect(peer, "recv", contents)

    run(program, mode=mode, loop=loop)


def test_what_somebody_has_is_theirs():
    async def program(peer):
        buffer = bytearray(8)
        looks = {
            "await": lambda request: asyncio.wait_for(request, 5),
            "result": lambda request: request.result(),
            "exception": lambda request: request.exception(),
            "wait": lambda request: request.wait(5),
            "check_error": lambda request: request.check_error(),
            "completed": lambda request: request.completed,
        }
        for name, look in looks.items():
            peer.send("recv", b"12345678")
            request = peer.there.recv(buffer, 1, force_tag=True)
            seen = look(request)
            if name == "await":
                await seen
            request.close()
            assert request.status == 0 and buffer == b"12345678", name
            buffer.clear()
            buffer.extend(bytes(8))
            assert not peer.there.tag_probe(tag=1, force_tag=True)

    run(program)


def test_who_has_the_buffers_has_the_message():
    async def program(peer):
        peer.send("recv_multi", b"12345678")
        request = peer.there.recv_multi(2, force_tag=True)
        while not request.done():
            await asyncio.sleep(0)
        buffers = request.py_buffers
        request.close()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(peer.there.recv_multi(2, force_tag=True), 0.05)
        assert b"".join(map(bytes, buffers)) == b"12345678"

    run(program)


def test_one_that_is_given_back_says_so():
    async def program(peer):
        peer.send("recv", b"12345678")
        buffer = bytearray(8)
        request = peer.there.recv(buffer, 1, force_tag=True)
        assert request.done()
        with pytest.raises(BufferError):
            buffer.clear()
        request.close()
        buffer.clear()
        assert request.cancelled() and request.status == -16 and request.received_length == 0
        with pytest.raises(asyncio.CancelledError):
            await request
        with pytest.raises(ucxx.UCXCanceledError):
            request.wait()
        with pytest.raises(ucxx.UCXCanceledError):
            request.check_error()
        request.close()
        probe = peer.there.tag_probe(remove=True, tag=1, force_tag=True)
        assert probe and probe.length == 8
        again = peer.there.recv_with_handle(bytearray(8), probe)
        assert again.done()
        again.close()
        await expect(peer, "recv", [b"12345678"])

    run(program)


def test_a_receive_that_waits_gets_it():
    async def program(peer):
        first = peer.there.recv(bytearray(8), 1, force_tag=True)
        second = asyncio.create_task(recv(peer.there, 8))
        await asyncio.sleep(0)
        peer.send("recv", b"12345678")
        assert first.done() and not second.done()
        first.close()
        assert await asyncio.wait_for(second, 5) == b"12345678"

    run(program)


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_stream_receive_with_a_part_ends(channel):
    async def program(peer):
        peer.send("stream_recv", b"part")
        await peer.arrived()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(stream_recv(peer.there, 100), 0.02)
        await expect(peer, "stream_recv", [b"pa", b"rt"])

    run(program, channel)


def test_a_stream_with_a_gap_fails():
    async def program(peer):
        peer.send("stream_recv", b"onetwo")
        requests = [peer.there.stream_recv(bytearray(3)) for _ in range(2)]
        await requests[1]
        requests[0].close()
        with pytest.raises(ConnectionResetError, match="its own bytes have no place in the stream"):
            await peer.there.stream_recv(bytearray(3))

    run(program)


def test_objects_that_are_refused_stay():
    async def program(peer):
        there = peer.there
        peer.send("recv_obj", b"an object")
        with pytest.raises(ucxx.UCXError, match="allow_pickle=True"):
            await there.recv_obj(3, force_tag=True)
        await expect(peer, "recv_obj", [b"an object"])

        await there.send_multi([b""] * 3, 3, force_tag=True)
        with pytest.raises(ucxx.UCXError, match="a message of 3 frames"):
            await there.recv_obj(3, force_tag=True)
        assert len(await there.recv_multi(3, force_tag=True)) == 3

        await there.send_obj(b"bytes", 3, force_tag=True)
        for allocator in (lambda nbytes: 1 / 0, lambda nbytes: bytes(nbytes)):
            with pytest.raises((ZeroDivisionError, ValueError)):
                await there.recv_obj(3, allocator, force_tag=True)
        assert bytes(await there.recv_obj(3, force_tag=True)) == b"bytes"

        await there.send_multi([b"no pickle"], 3, force_tag=True)
        with pytest.raises(ucxx.UCXError, match="cannot be unpickled"):
            await there.recv_obj(3, force_tag=True, allow_pickle=True)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(there.recv_multi(3, force_tag=True), 0.02)

    run(program)


def test_an_endpoint_that_counts_its_receives():
    async def program(peer):
        there = peer.there
        there.close_after_n_recv(2)
        for content in numbers(0, 2):
            peer.send("recv", content)
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(there.recv(bytearray(8), 1, force_tag=True), 0)
        peer.send("recv_obj", b"object")
        with pytest.raises(ucxx.UCXError):
            await there.recv_obj(3, force_tag=True)
        for content in numbers(0, 2):
            assert not there.closed
            await expect(peer, "recv", [content])
        assert there.closed

    run(program)


def test_a_coroutine_that_is_dropped():
    async def program(peer):
        peer.send("recv", b"12345678")

        async def receiving():
            await peer.there.recv(bytearray(8), 1, force_tag=True)
            await asyncio.sleep(10)

        class Stop(BaseException):
            pass

        coroutine = recv(peer.there, 8)
        coroutine.close()
        request = peer.there.recv(bytearray(8), 1, force_tag=True)
        with pytest.raises(Stop):
            request.throw(Stop)
        task = asyncio.create_task(receiving())  # it has got the message
        await asyncio.sleep(0)
        assert not peer.there.tag_probe(tag=1, force_tag=True)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(program)


NO_MEMORY = """
import asyncio, logging, resource, ucxx

logging.basicConfig(format="%(levelname)s %(message)s")
SIZE = 256 << 20


async def main():
    address = ucxx.get_worker_address()
    here = await ucxx.create_endpoint_from_worker_address(address)
    data, buffer = bytearray(SIZE), bytearray(SIZE)
    receiving = here.recv(buffer, 1, force_tag=True)
    await here.send(data, 1, force_tag=True)
    task = asyncio.ensure_future(receiving)
    task.cancel()
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.RLIM_INFINITY))
    try:
        await task
    except MemoryError as error:
        print(error)


asyncio.run(main())
"""


def test_without_memory_for_it_the_cancel_raises(run_python):
    status, said = run_python(NO_MEMORY)
    assert status == 0, said
    assert "a message of 268435456 bytes that a cancelled receive had received is lost" in said
    assert "ERROR tag receive: no memory to give a message of 268435456 bytes back" in said
