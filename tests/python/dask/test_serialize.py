# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of devices: who takes them, and how they come out; gpu.py has those with a GPU."""

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
