# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is received into memory of the library: ordinary arrays, which give it back when they die."""

import asyncio
import gc
import pickle

import numpy as np
import pytest

import ucxx
from ucxx import core

# Shares a block with others; has a block of malloc's; is library memory; is announced.
SIZES = [0, 1, 8192, 8193, 16385, 100_000, 3 << 20]
get_handler_name = (getattr(np, "_core", None) or np.core).multiarray.get_handler_name


def pattern(size):
    return np.arange(size, dtype="u1")


def receive(sizes, use=None):
    """Return what `use` makes of the frames of these sizes, received by a program of its own."""

    async def main():
        ep = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        frames = [pattern(size) for size in sizes]
        _, received = await asyncio.gather(
            ep.send_multi(frames, tag=0, force_tag=True), ep.recv_multi(tag=0, force_tag=True)
        )
        return use(received) if use else received

    try:
        return asyncio.run(main())
    finally:
        ucxx.reset()


def test_frames_are_ordinary_arrays():
    for size, array in zip(SIZES, receive(SIZES), strict=True):
        assert type(array) is np.ndarray and array.base is None and array.dtype == np.uint8
        assert array.shape == (size,)
        assert array.flags.owndata and array.flags.writeable and array.flags.c_contiguous and array.flags.f_contiguous
        assert np.array_equal(array, pattern(size))
        array += 1
        assert np.array_equal(array, pattern(size) + 1)


def test_large_ones_begin_where_vectors_do():
    for array in receive([8193, 12_000, 16_384, 16_385, 100_000, 3 << 20] * 3):
        assert array.ctypes.data % 64 == 0
        assert get_handler_name(array) == "ucxx"


def test_active_messages_are_ordinary_arrays():
    async def main():
        ep = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        for size in SIZES:
            _, array = await asyncio.gather(ep.am_send(pattern(size)), ep.am_recv())
            assert array.base is None and array.flags.owndata and np.array_equal(array, pattern(size))

    asyncio.run(main())
    ucxx.reset()


def free_bytes():
    gc.collect()
    return core.pool_stats()["idle_bytes"]


def test_memory_goes_back_to_the_pool_with_the_last_view():
    view = receive([3 << 20])[0][10:20]
    before = free_bytes()
    assert np.array_equal(view, pattern(3 << 20)[10:20])
    del view
    assert free_bytes() >= before + (3 << 20)


def test_a_small_frame_keeps_no_other_alive():
    small = receive([100, *[8192] * 60], lambda frames: frames[0])
    assert get_handler_name(small) != "ucxx"
    assert np.array_equal(small, pattern(100))


@pytest.mark.parametrize("size", [100_000, 3 << 20])
def test_an_array_can_be_resized(size):
    (array,) = receive([size])
    array.resize(2 * size, refcheck=False)
    assert np.array_equal(array[:size], pattern(size)) and array.flags.owndata
    assert not array[size:].any()
    array.resize(10, refcheck=False)
    assert np.array_equal(array, pattern(10)) and get_handler_name(array) == "ucxx"
    array.resize(0, refcheck=False)
    array.resize(size, refcheck=False)
    assert not array.any()


def test_an_array_that_cannot_grow_is_as_it_was():
    (array,) = receive([100_000])
    with pytest.raises(MemoryError):
        array.resize(2**46, refcheck=False)
    assert np.array_equal(array, pattern(100_000))


def test_it_pickles_and_copies():
    (array,) = receive([100_000])
    buffers = []
    data = pickle.dumps(array, protocol=5, buffer_callback=buffers.append)
    assert len(buffers) == 1 and np.array_equal(pickle.loads(data, buffers=buffers), array)
    assert np.array_equal(pickle.loads(pickle.dumps(array)), array)
    array.__setstate__(np.arange(3).__reduce__()[2])  # its memory becomes NumPy's
    assert np.array_equal(array, np.arange(3)) and get_handler_name(array) != "ucxx"
    assert np.array_equal(receive([100_000])[0].copy(), pattern(100_000))


def test_it_can_be_shaped_viewed_and_sent_on():
    (array,) = receive([1 << 20])
    floats = array.view("f8").reshape(-1, 2)
    assert floats.base is array
    memory = memoryview(array)
    assert memory.obj is array and not memory.readonly
    array.shape = (1024, -1)
    assert np.array_equal(array.ravel(), pattern(1 << 20))


AT_THE_END = """
import asyncio, os, numpy as np, ucxx
async def main():
    ep = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    frame = np.arange(1 << 20, dtype="u1")
    _, (array,) = await asyncio.gather(ep.send_multi([frame], tag=0, force_tag=True),
                                       ep.recv_multi(tag=0, force_tag=True))
    return array
array = asyncio.run(main())
child = os.fork()
if child == 0:
    assert array[5] == 5
    array.resize(10, refcheck=False)
    assert array[5] == 5
    del array
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert array[5] == 5
kept = array  # outlives the library's end
"""


def test_children_and_the_end_of_the_interpreter(run_python):
    assert run_python(AT_THE_END) == (0, "")


WITHOUT = """
import asyncio, sys
{before}
import ucxx
async def main():
    ep = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    frames = [b"", b"x" * 10, bytes(range(256)) * 256]
    _, received = await asyncio.gather(ep.send_multi(frames, tag=0, force_tag=True),
                                       ep.recv_multi(tag=0, force_tag=True))
    assert [bytes(frame) for frame in received] == frames
    assert {{type(frame).__name__ for frame in received}} == {{{kind!r}}}
    for frame in received:
        memory = memoryview(frame)
        assert not memory.readonly and memory.format == "B"
asyncio.run(main())
"""


def test_without_numpy_they_are_memoryviews(run_python):
    assert run_python(WITHOUT.format(before="sys.modules['numpy'] = None", kind="memoryview")) == (0, "")


def test_of_an_unknown_numpy_they_are_arrays_with_a_base(run_python):
    before = "import numpy; (getattr(numpy, '_core', None) or numpy.core)._multiarray_umath._ARRAY_API = None"
    assert run_python(WITHOUT.format(before=before, kind="ndarray")) == (0, "")
