# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Both sides send first, whatever the kind, and receive then."""

import asyncio

import handlers
import pytest
from served import CHANNELS, served, within

import ucxx


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


@pytest.mark.parametrize("mode", ["loop", "thread"])
@pytest.mark.parametrize("options", CHANNELS.values(), ids=CHANNELS)
def test_between_processes(options, mode):
    async def main():
        ucxx.init(options, progress_mode=mode)
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", server.port))
        for size in handlers.SIZES:
            await within(handlers.exchange_sending_first(endpoint, size))
        endpoint.abort()

    with served(handlers.send_first, options, mode) as server:
        asyncio.run(main())
