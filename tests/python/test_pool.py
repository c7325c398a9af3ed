# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The memory that large received buffers lie in: what it takes, its limits, and that it goes back."""

import asyncio
import gc
import os
import threading

import handlers
import numpy as np
import pytest
from served import served, within

import ucxx
from ucxx import core

CHANNELS = {"local": {}, "tcp": {"UCXX_LOCAL": "off"}}
MIB = 1 << 20
SIZE = 70_000_000


def block_of(size):
    """Return memory of the library, which goes back when it is dropped."""
    return core.MemoryHandle(core.UCXContext(), size)


@pytest.fixture(autouse=True)
def fresh():
    """Leave the limits as they were, and nothing initialised."""
    gc.collect()
    block_of(MIB)
    before = core.pool_stats()
    core.trim_pool()
    yield
    core.set_pool_limits(before["idle_limit_bytes"], before["total_limit_bytes"])
    gc.collect()
    ucxx.reset()


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def grown(start):
    """Return by how many bytes each process has grown since `start`, by its number."""
    return [resident(pid) - bytes_then for pid, bytes_then in start.items()]


async def talk(endpoint):
    """Exchange one small object."""
    await within(endpoint.send_obj(np.zeros(8, np.uint8)))
    await within(endpoint.recv_obj())


def test_trim_gives_back_what_is_idle():
    block_of(8 * MIB)
    assert core.pool_stats()["idle_bytes"] == 8 * MIB
    assert ucxx.trim_pool() == 8 * MIB
    assert core.pool_stats()["idle_bytes"] == 0
    assert core.trim_pool() == 0


def test_limits_are_set_one_by_one():
    used = core.pool_stats()["used_bytes"]
    core.set_pool_limits(total_bytes=used + 5 * MIB, idle_bytes=3 * MIB)
    core.set_pool_limits()
    core.set_pool_limits(idle_bytes=np.uint64(2 * MIB))
    ucxx.set_pool_limits(None, None)
    stats = core.pool_stats()
    assert (stats["idle_limit_bytes"], stats["total_limit_bytes"]) == (2 * MIB, used + 5 * MIB)
    first = block_of(4 * MIB)
    second = block_of(4 * MIB)
    np.asarray(second)[:] = 1  # it is there all the same
    assert core.pool_stats()["used_bytes"] == used + 4 * MIB
    del first, second
    assert core.pool_stats()["idle_bytes"] == 2 * MIB


@pytest.mark.parametrize("name", ["idle_bytes", "total_bytes", "device_idle_bytes", "staging_bytes"])
@pytest.mark.parametrize(
    ("value", "error"), [(-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("1", TypeError)]
)
def test_wrong_limits_are_named(name, value, error):
    before = core.pool_stats()
    with pytest.raises(error, match=rf"{name} must be an int from 0 to 2\*\*64 - 1, not"):
        core.set_pool_limits(**{name: value})
    assert core.pool_stats() == before


@pytest.mark.parametrize("channel", CHANNELS)
def test_received_array_takes_the_memory_of_its_bytes(channel):
    async def main(port):
        ucxx.init(CHANNELS[channel])
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", port))
        before = core.pool_stats()
        for _ in range(3):
            await within(endpoint.send_obj(np.ones(SIZE, np.uint8)))
            received = await within(endpoint.recv_obj())
            assert SIZE <= core.pool_stats()["used_bytes"] - before["used_bytes"] <= 1.05 * SIZE
            assert int(received.sum(dtype=np.int64)) == SIZE
            del received
        stats = core.pool_stats()
        assert stats["used_bytes"] == before["used_bytes"]
        assert stats["reused"] - before["reused"] >= 2
        await within(endpoint.close())

    with served(handlers.echo, CHANNELS[channel]) as server:
        asyncio.run(main(server.port))


def test_threads_trim_while_arrays_come():
    over = threading.Event()

    def trim():
        while not over.is_set():
            core.trim_pool()
            core.set_pool_limits(idle_bytes=MIB)

    async def main(port):
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", port))
        for number in range(20):
            await within(endpoint.send_obj(np.full(MIB, number, np.uint8)))
            assert (await within(endpoint.recv_obj()) == number).all()
        await within(endpoint.close())

    threads = [threading.Thread(target=trim) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        with served(handlers.echo) as server:
            asyncio.run(main(server.port))
    finally:
        over.set()
        for thread in threads:
            thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("channel", CHANNELS)
def test_ten_seconds_later_both_sides_are_as_small_as_before(channel):
    async def main(server):
        ucxx.init(CHANNELS[channel])
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", server.port))
        await talk(endpoint)
        start = {pid: resident(pid) for pid in (os.getpid(), server.pid)}
        sent = np.ones(SIZE, np.uint8)
        kept = []
        for _ in range(6):
            await within(endpoint.send_obj(sent))
            kept.append(await within(endpoint.recv_obj()))
        assert grown(start)[0] >= 3 * SIZE  # the peer has copied the rest
        del sent
        kept.clear()
        await talk(endpoint)  # the peer drops what it has had last
        loop = asyncio.get_running_loop()
        end = loop.time() + 10
        # Both: memory goes back in steps, and what else a process gives back counts as resident too.
        while max(kept_bytes := [core.pool_stats()["idle_bytes"], *grown(start)]) > 64 * MIB:
            assert loop.time() < end, kept_bytes
            await asyncio.sleep(0.2)
        await within(endpoint.close())

    with served(handlers.echo, CHANNELS[channel]) as server:
        asyncio.run(main(server))


def test_forked_child_has_none(run_python):
    status, said = run_python(
        """
import os
from ucxx import core
block = core.MemoryHandle(core.UCXContext(), 1 << 20)
child = os.fork()
if child == 0:
    core.set_pool_limits(0, 0)
    has_none = core.trim_pool() == 0 and core.pool_stats()["used_bytes"] == 0
    os._exit(0 if has_none else 1)
assert os.waitpid(child, 0)[1] == 0
assert core.pool_stats()["used_bytes"] == 1 << 20
assert core.pool_stats()["idle_limit_bytes"] > 0
"""
    )
    assert status == 0, said
