# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Messages that an endpoint takes as they come, while its program does something else."""

import asyncio

import handlers
import pytest
from served import CHANNELS, served, within

import ucxx

LARGE = len(handlers.HELD[2])


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


@pytest.mark.parametrize("mode", ["loop", "thread"])
@pytest.mark.parametrize("options", CHANNELS.values(), ids=CHANNELS)
def test_sends_end_before_the_receiver_receives(options, mode):
    async def main():
        ucxx.init(options, progress_mode=mode)
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", server.port))
        await within(endpoint.send_multi(handlers.HELD))
        objects = [endpoint.send_obj(handlers.HELD[2]) for _ in range(2)]
        await within(asyncio.gather(*objects))
        await within(endpoint.send(b"!", tag="now"))
        await within(endpoint.recv(bytearray(1)))
        endpoint.abort()

    with served(handlers.receive_when_told, options, mode) as server:
        asyncio.run(main())


@pytest.mark.parametrize("as_named", ["both", "caller", "address"])
def test_the_argument_of_each_function(as_named):
    async def main():
        ucxx.init()
        accepted = asyncio.get_running_loop().create_future()
        listener = ucxx.create_listener(accepted.set_result, receive_ahead=1 << 20)
        if as_named == "address":
            endpoint = await ucxx.create_endpoint_from_worker_address(
                ucxx.get_worker_address(), receive_ahead=1
            )
            await within(endpoint.send_multi([bytes(LARGE)], tag=1, force_tag=True))
            frames = await within(endpoint.recv_multi(tag=1, force_tag=True))
            assert [len(frame) for frame in frames] == [LARGE]
        else:
            ahead = {"receive_ahead": 1} if as_named == "both" else {}
            endpoint = await within(ucxx.create_endpoint("127.0.0.1", listener.port, **ahead))
            other = await within(accepted)
            await within(endpoint.send_multi([bytes(LARGE)]))
            if as_named == "both":
                await within(other.send_multi([bytes(LARGE)]))
                await within(endpoint.recv_multi())
            await within(other.recv_multi())
            other.abort()
        endpoint.abort()
        listener.close()

    asyncio.run(main())


def test_what_is_held_goes_with_the_endpoint():
    async def main():
        ucxx.init()
        accepted = asyncio.get_running_loop().create_future()
        listener = ucxx.create_listener(accepted.set_result, receive_ahead=1 << 20)
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", listener.port))
        other = await within(accepted)
        used = ucxx.core.pool_stats()["used_bytes"]
        await within(endpoint.send_multi([bytes(LARGE)]))
        assert ucxx.core.pool_stats()["used_bytes"] >= used + LARGE
        await within(other.close())
        assert ucxx.core.pool_stats()["used_bytes"] <= used
        endpoint.abort()
        listener.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("value", "error"),
    [(-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("1", TypeError), (None, TypeError)],
)
def test_wrong_numbers_of_bytes(value, error):
    async def main():
        ucxx.init()
        with pytest.raises(error, match="receive_ahead"):
            ucxx.create_listener(print, receive_ahead=value)
        with pytest.raises(error, match="receive_ahead"):
            await ucxx.create_endpoint("127.0.0.1", 1, receive_ahead=value)
        address = ucxx.get_worker_address()
        with pytest.raises(error, match="receive_ahead"):
            await ucxx.create_endpoint_from_worker_address(address, receive_ahead=value)
        endpoint = await ucxx.create_endpoint_from_worker_address(address)
        with pytest.raises(error, match="nbytes"):
            endpoint.receive_ahead(value)
        endpoint.abort()

    asyncio.run(main())
