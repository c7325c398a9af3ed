# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a comm promises to Dask, within a process, between two of a machine, and by UCX."""

import asyncio
import gc
import logging
import threading

import comms
import numpy as np
import pytest
from comms import connected, served, until, within
from distributed.comm.core import CommClosedError, connect
from distributed.protocol import Serialized, to_serialize
from distributed.protocol.utils_test import get_host_array

MESSAGES = {
    "dict": {"op": "identity", "reply": True, "numbers": (1, 2.5, None)},
    "text": "ä" * 100_000,
    "bytes": b"x" * 3_000_000,
    "empty": {},
}
ARRAYS = {
    "small": np.arange(10.0),
    "kib": np.arange(128.0),
    "large": np.arange(300_000.0),
    "empty": np.zeros((0, 3)),
    "zero-dimensional": np.array(5, dtype="i2"),
    "fortran": np.asfortranarray(np.arange(60_000.0).reshape(200, 300)),
    "strided": np.arange(100_000)[::7],
    "negative": np.arange(5000)[::-1],
    "broadcast": np.broadcast_to(np.arange(1000), (500, 1000)),
    "structured": np.zeros(700, dtype=[("a", "i4"), ("b", "f8")]),
    "dates": np.arange(5000).astype("M8[s]"),
    "objects": np.array([1, "two", None], dtype=object),
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_messages_come_back(channel, message):
    async def main():
        async with connected(channel, comms.echo) as comm:
            assert await within(comm.write(message)) > 0
            assert await within(comm.read()) == message

    asyncio.run(main())


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_arrays_come_back(channel, array):
    async def main():
        async with connected(channel, comms.echo) as comm:
            await within(comm.write({"x": to_serialize(array)}))
            received = (await within(comm.read()))["x"]
            assert received.dtype == array.dtype
            assert received.shape == array.shape
            np.testing.assert_array_equal(received, array)

    asyncio.run(main())


def test_arrays_are_writable_as_they_were(channel):
    async def main():
        fixed = np.arange(100_000.0)
        fixed.flags.writeable = False
        async with connected(channel, comms.echo) as comm:
            for size in (10, 100_000):
                await within(comm.write([to_serialize(np.arange(float(size))), to_serialize(fixed[:size])]))
                free, held = await within(comm.read())
                free += 1
                assert free[-1] == size
                assert not held.flags.writeable

    asyncio.run(main())


def test_pandas_and_arrow_come_back(channel):
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"a": range(5000), "b": [f"text {i}" for i in range(5000)]})

    async def main():
        async with connected(channel, comms.echo) as comm:
            await within(comm.write([to_serialize(frame), to_serialize(arrow.Table.from_pandas(frame))]))
            received, table = await within(comm.read())
            assert received.equals(frame)
            assert table.to_pandas().equals(frame)

    asyncio.run(main())


def test_an_array_keeps_little_more_than_its_bytes(channel):
    async def main():
        async with connected(channel, comms.echo) as comm:
            arrays = [np.full(size, 1, dtype="u1") for size in (1, 3000, 3000, 100_000)]
            await within(comm.write([*map(to_serialize, arrays), b"y" * 500_000]))
            for array in (await within(comm.read()))[:4]:
                assert memoryview(bottom(array)).nbytes <= array.nbytes * 1.05 + 2048

    asyncio.run(main())


def bottom(array):
    """Return what has the memory of an array."""
    while True:
        if isinstance(array, memoryview):
            array = array.obj
        elif isinstance(array, np.ndarray) and array.base is not None:
            array = array.base
        else:
            return array


def test_many_small_arrays_are_one_message(channel):
    arrays = [np.full(3, i) for i in range(1000)]

    async def main():
        async with connected(channel, comms.forward) as comm:
            # More frames than a message has buffers.
            await within(comm.write([to_serialize(arrays[i % 1000]) for i in range(34_000)]), 60)
            received = await within(comm.read(), 60)
            assert len(received) == 34_000
            assert all(received[i][0] == i % 1000 for i in range(0, 34_000, 999))

    asyncio.run(main())


def test_what_is_not_deserialised_is_sent_on(channel):
    async def main():
        array = np.arange(200_000.0)
        async with connected(channel, comms.forward) as comm:
            await within(comm.write({"x": to_serialize(array)}))
            comm.deserialize = False
            message = (await within(comm.read()))["x"]
            assert isinstance(message, Serialized)
            comm.deserialize = True
            await within(comm.write({"x": message}))
            np.testing.assert_array_equal((await within(comm.read()))["x"], array)

    asyncio.run(main())


def test_what_cannot_be_serialised_leaves_the_comm_as_it_was(channel, caplog):
    async def main():
        async with connected(channel, comms.echo) as comm:
            with pytest.raises(TypeError):
                await within(comm.write({"x": to_serialize(threading.Lock())}, on_error="raise"))
            await within(comm.write("next"))
            assert await within(comm.read()) == "next"

    caplog.set_level(logging.CRITICAL + 1, "distributed")
    asyncio.run(main())


def test_a_write_ends_though_nobody_reads(channel):
    async def main():
        async with connected(channel, comms.read_nothing) as comm:
            assert await within(comm.write(b"x" * 8_000_000)) > 8_000_000

    asyncio.run(main())


@pytest.mark.parametrize("size", [100, 100_000, 64_000_000])
def test_both_may_write_before_they_read(channel, size):
    async def main():
        async with connected(channel, comms.write_before_reading) as comm:
            await within(comm.write(size))
            await within(comm.write(b"b" * size))
            assert len(await within(comm.read())) == size
            assert await within(comm.read()) == size

    asyncio.run(main())


def test_a_write_during_a_read(channel):
    async def main():
        async with connected(channel, comms.echo) as comm:
            reading = asyncio.create_task(comm.read())
            await asyncio.sleep(0)
            await within(comm.write("now"))
            assert await within(reading) == "now"

    asyncio.run(main())


def test_what_was_written_before_close_is_read(channel):
    async def main():
        async with connected(channel, comms.write_and_close) as comm:
            assert [await within(comm.read()) for _ in range(2)] == [0, 1]
            assert len(await within(comm.read())) == 16_000_000
            with pytest.raises(CommClosedError):
                await within(comm.read())

    asyncio.run(main())


def test_a_comm_whose_peer_has_gone_is_closed_and_still_read(channel):
    async def main():
        async with connected(channel, comms.say_goodbye) as comm:
            await until(comm.closed)  # nobody reads
            with pytest.raises(CommClosedError):
                await within(comm.write("too late"))
            assert await within(comm.read()) == "goodbye"
            with pytest.raises(CommClosedError):
                await within(comm.read())

    asyncio.run(main())


@pytest.mark.parametrize("turns", [0, 1, 3])
def test_a_cancelled_read_aborts(channel, turns):
    async def main():
        async with connected(channel, comms.echo) as comm:
            await within(comm.write("something"))
            reading = asyncio.create_task(comm.read())
            for _ in range(turns):
                await asyncio.sleep(0)
            reading.cancel()
            done, _ = await asyncio.wait([reading], timeout=comms.DEADLINE)
            assert done
            if reading.cancelled() and turns:
                assert comm.closed()
                with pytest.raises(CommClosedError):
                    await within(comm.read())

    asyncio.run(main())


def test_a_cancelled_write_aborts(channel):
    async def main():
        async with connected(channel, comms.read_nothing) as comm:
            array = to_serialize(np.zeros(50_000_000, dtype="u1"))

            async def write():
                while True:
                    await comm.write(array)

            # Nobody reads, so one of them has to wait.
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(write(), 1)
            assert comm.closed()

    asyncio.run(main())


def test_close_ends_a_pending_read(channel):
    async def main():
        async with connected(channel, comms.echo) as comm:
            reading = asyncio.create_task(comm.read())
            await asyncio.sleep(0)
            await within(comm.close())
            with pytest.raises(CommClosedError):
                await within(reading)
            await within(comm.close())
            comm.abort()
            assert comm.closed()

    asyncio.run(main())


class Thread:
    """An object that arrives as the number of the thread that has deserialised it."""

    def __reduce__(self):
        return threading.get_ident, ()


@pytest.mark.parametrize("limit", [False, 1, 1_000_000])
def test_dask_says_what_is_deserialized_in_a_helper_thread(monkeypatch, limit):
    async def main():
        async with connected("self", comms.echo) as comm:
            await within(comm.write({"x": to_serialize(Thread())}))
            there = (await within(comm.read()))["x"] != threading.get_ident()
            assert there == (limit == 1)

    monkeypatch.setattr("distributed.comm.utils.OFFLOAD_THRESHOLD", limit)
    asyncio.run(main())


def test_abort_by_another_thread():
    async def main():
        comms.ENDED.clear()
        async with connected("self", comms.tell_end) as comm:
            assert await within(comm.read()) == "here"
            thread = threading.Thread(target=comm.abort)
            thread.start()
            await asyncio.to_thread(thread.join)
            assert comm.closed()
            await until(lambda: comms.ENDED)
            assert comms.ENDED == [True]

    asyncio.run(main())


def test_a_dropped_comm_is_aborted_with_a_warning(caplog):
    async def main():
        comms.ENDED.clear()
        async with served("self", comms.tell_end) as address:
            comm = await within(connect(address))
            assert await within(comm.read()) == "here"
            name = comm.local_address
            del comm
            gc.collect()
            await until(lambda: comms.ENDED)
            assert any("dropped" in record.message and name in record.message for record in caplog.records)

    asyncio.run(main())


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_both_ends_agree_on_their_addresses(channel, host):
    async def main():
        listening = "ucx://[::1]:0" if host == "[::1]" else "ucx://127.0.0.1:0"
        async with served(channel, comms.addresses, listening) as contact:
            called = f"ucx://{host}:{contact.rpartition(':')[2]}"
            comm = await within(connect(called))
            second = await within(connect(called))
            local, peer, of_handshake, same_host = await within(comm.read())
            assert comm.peer_address == called
            assert comm.local_address == peer == of_handshake
            assert comm.local_address not in ("", second.local_address, called)
            assert same_host
            assert comm.same_host
            if host != "localhost":
                assert local == called
            comm.abort()
            second.abort()

    asyncio.run(main())


def test_received_memory_is_an_ordinary_array():
    async def main():
        async with connected("self", comms.echo) as comm:
            await within(comm.write(to_serialize(np.arange(100_000.0))))
            get_host_array(await within(comm.read()))

    asyncio.run(main())
