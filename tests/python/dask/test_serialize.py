# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of devices: who takes them, and how they come out; gpu.py has those with a GPU."""

import asyncio
import threading

import comms
import numpy as np
import pytest
from comms import connected, within
from distributed.protocol import deserialize, to_serialize
from distributed.protocol.serialize import serialize as dask_serialize

from ucxx.dask import devices, dlpack, serialize

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
    assert serialize.serializers({"ucxx": {"device": True}}) == ("dask", "ucxx", "pickle")
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


class Tensor:
    """Memory behind DLPack, which pickle does not take, on the host or as if elsewhere."""

    def __init__(self, array, device=None):
        self.array, self.device, self.lock = array, device, threading.Lock()

    def __dlpack__(self, **options):
        if options.pop("dl_device", None) is not None:
            self.copied = True
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        if self.device is None or hasattr(self, "copied"):
            return self.array.__dlpack_device__()
        return (self.device, 0)


class Picklable(Tensor):
    """As an array of a library that pickles them."""

    def __init__(self, array):
        self.array, self.device = array, None


TENSORS = {
    "plain": np.arange(60_000.0).reshape(200, 300),
    "small": np.arange(5, dtype="u1"),
    "strided": np.arange(1000, dtype="i2")[::3],
    "order of F": np.asfortranarray(np.arange(60, dtype="c8").reshape(6, 10)),
    "bools": np.ones((3, 3), dtype=bool),
    "empty": np.zeros((0, 3), dtype="f4"),
    "zero-dimensional": np.array(7, dtype="i8"),
}


@pytest.mark.parametrize("array", TENSORS.values(), ids=TENSORS)
def test_what_has_only_dlpack_comes_out_as_numpy(channel, array):
    async def main():
        async with connected(channel, comms.forward) as comm:
            await within(comm.write({"x": to_serialize(Tensor(array)), "y": to_serialize([Tensor(array), 1])}))
            msg = await within(comm.read())
            for received in (msg["x"], msg["y"][0]):
                assert type(received) is np.ndarray
                assert (received.dtype, received.shape) == (array.dtype, array.shape)
                np.testing.assert_array_equal(received, array)
                received[...] = 0  # it is the receiver's own

    asyncio.run(main())


def test_what_pickle_takes_comes_out_as_what_it_was():
    async def main():
        async with connected("self", comms.forward) as comm:
            for _ in range(2):
                await within(comm.write(to_serialize(Picklable(np.arange(3)))))
                received = await within(comm.read())
                assert type(received) is Picklable
                np.testing.assert_array_equal(received.array, np.arange(3))

    asyncio.run(main())


def test_what_nobody_takes_says_why():
    async def main():
        async with connected("self", comms.echo) as comm:
            with pytest.raises(TypeError, match="Could not serialize") as caught:
                await within(comm.write(to_serialize(Tensor(np.arange(3).astype("M8[s]"))), on_error="raise"))
            assert "DLPack" in str(caught.value.__cause__)
            await within(comm.write("next"))
            assert await within(comm.read()) == "next"

    asyncio.run(main())


def test_without_numpy_the_rest_works(run_python):
    code = """
import sys
sys.modules.update(dict.fromkeys(["numpy", "pandas", "bokeh"]))
import asyncio
from distributed.comm.core import connect, listen
from distributed.protocol import to_serialize

class Tensor:
    def __dlpack__(self): raise RuntimeError
    def __dlpack_device__(self): return (1, 0)
    def __reduce__(self): raise TypeError("not by pickle")

async def echo(comm):
    await comm.write(await comm.read())

async def main():
    async with listen("ucx://127.0.0.1", echo) as listener:
        comm = await connect(listener.contact_address)
        try:
            await comm.write(to_serialize(Tensor()), on_error="raise")
        except TypeError as error:
            print(error.__cause__)
        await comm.write({"x": to_serialize([b"a" * 100_000, {1: 2}])})
        print(len((await comm.read())["x"][0]), sys.modules["numpy"])
        comm.abort()

import logging
logging.disable()
asyncio.run(main())
"""
    status, said = run_python(code)
    assert status == 0, said
    assert said.endswith("100000 None\n")
    assert "import of numpy halted" in said


def test_memory_of_a_device_behind_dlpack_is_staged(monkeypatch):
    content = np.arange(6, dtype="f4").reshape(2, 3)
    cuda = Tensor(content, 2)

    class Memory:
        """As `ucxx.core.Array` of such a tensor."""

        c_contiguous = True
        __cuda_array_interface__ = content.__array_interface__ | {"typestr": "|V4", "strides": (12, 4)}

    copied = []
    monkeypatch.setattr(dlpack, "Array", lambda tensor: Memory())
    monkeypatch.setattr(devices, "to_host", lambda interface: copied.append(interface) or content.view("u1").data)
    header, frames = serialize.dump(cuda, WITHOUT)
    assert (header["shape"], header["dtype"], copied[0]["strides"]) == ((2, 3), "<f4", None)
    np.testing.assert_array_equal(np.frombuffer(frames[0], "f4"), content.ravel())
    header, (frame,) = serialize.dump(cuda, WITH)
    assert isinstance(frame, Memory)
    Memory.c_contiguous = False
    with pytest.raises(TypeError, match="strides"):
        serialize.dump(cuda, WITH)


def test_another_device_is_copied_by_its_library():
    header, frames = serialize.dump(Tensor(np.arange(6.0), 10), WITH)
    assert header == {"library": "numpy", "shape": (6,), "dtype": "<f8"}
    np.testing.assert_array_equal(np.frombuffer(frames[0]), np.arange(6.0))


def test_what_was_staged_comes_out_as_numpy_without_a_gpu(monkeypatch):
    monkeypatch.setattr(devices, "has_cuda", lambda: False)
    content = np.arange(6.0)
    array = serialize.load({"library": "torch", "shape": (2, 3), "dtype": "<f8"}, [memoryview(content).cast("B")])
    np.testing.assert_array_equal(array, content.reshape(2, 3))
