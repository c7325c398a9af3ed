# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests with the memory of a GPU, for a machine that has one: pytest tests/python/dask/gpu.py."""

import asyncio
import importlib
import importlib.util

import comms
import pytest
from comms import connected, within
from distributed.protocol import deserialize, to_serialize
from distributed.protocol.serialize import serialize as dask_serialize

from ucxx.dask import serialize

LIBRARIES = [name for name in ("torch", "cupy") if importlib.util.find_spec(name)]
WITHOUT = {"recipient": {}}


@pytest.mark.parametrize("library", LIBRARIES)
def test_memory_of_a_gpu(library):
    module = importlib.import_module(library)
    array = module.arange(100_000, **({"device": "cuda"} if library == "torch" else {}))
    header, frames = dask_serialize(array, serializers=serialize.FAMILIES[1], context=WITHOUT)
    assert isinstance(frames[0], memoryview)
    back = deserialize(header, frames)
    assert type(back) is type(array)
    assert bool((back == array).all())

    async def main():
        async with connected("local", comms.echo) as comm:
            await within(comm.write({"x": to_serialize(array)}))
            received = (await within(comm.read()))["x"]
            assert type(received) is type(array)
            assert bool((received == array).all())

    asyncio.run(main())
