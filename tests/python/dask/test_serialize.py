# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of devices: who takes them, and how they come out. Where there is a GPU, with its memory."""

import asyncio

import comms
import numpy as np
import pytest
from comms import connected, within
from distributed.protocol import deserialize, to_serialize
from distributed.protocol.serialize import serialize as dask_serialize

from ucxx.dask import devices, serialize

WITH, WITHOUT = {"recipient": {"ucxx": {"device": True}}}, {"recipient": {}}


@pytest.mark.parametrize("value", [1, "text", np.arange(3), [1], object()], ids=repr)
def test_what_is_on_the_host_is_left_to_dask(value):
    with pytest.raises(NotImplementedError):
        serialize.dump(value, WITH)


class OnHost:
    """As a tensor of PyTorch on the host."""

    @property
    def __cuda_array_interface__(self):
        raise AttributeError("on the host")


def test_a_tensor_of_the_host_is_left_to_dask():
    with pytest.raises(NotImplementedError):
        serialize.dump(OnHost(), WITH)


def test_without_a_gpu_nothing_changes(monkeypatch):
    monkeypatch.setattr(devices, "has_cuda", lambda: False)
    assert serialize.serializers({"ucxx": {"device": True}}) is None
    assert serialize.abilities() == {"device": False}


@pytest.mark.parametrize("said", [{}, {"ucxx": None}, {"ucxx": {}}, {"ucxx": {"device": "yes"}}])
def test_who_does_not_say_that_it_takes_devices_gets_none(monkeypatch, said):
    monkeypatch.setattr(devices, "has_cuda", lambda: True)
    assert serialize.serializers(said) == ("ucxx", "dask", "pickle")
    assert serialize.serializers({"ucxx": {"device": True}}) == ("ucxx", "cuda", "dask", "pickle")


def test_the_handshake_tells():
    async def main():
        async with connected("self", comms.echo) as comm:
            assert comm.remote_info["ucxx"] == serialize.abilities()

    asyncio.run(main())


def test_what_was_staged_comes_out_as_numpy_without_a_gpu(monkeypatch):
    monkeypatch.setattr(devices, "has_cuda", lambda: False)
    content = np.arange(6.0)
    array = serialize.load({"library": "torch", "shape": (2, 3), "dtype": "<f8"}, [memoryview(content).cast("B")])
    np.testing.assert_array_equal(array, content.reshape(2, 3))


@pytest.mark.skipif(not devices.has_cuda(), reason="there is no GPU")
@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_memory_of_a_gpu(library):
    module = pytest.importorskip(library)
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
