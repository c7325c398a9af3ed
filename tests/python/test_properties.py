# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Properties: arrays of any shape, type and layout, lists of frames, objects, orders of cancelling."""

import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ucxx import core

settings.register_profile("ucxx", deadline=None, max_examples=60, derandomize=True,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ucxx")

DTYPES = st.one_of(
    arrays.scalar_dtypes().filter(lambda dtype: dtype.kind not in "O"),
    arrays.array_dtypes(arrays.integer_dtypes() | arrays.floating_dtypes(), max_size=3),
)
SHAPES = arrays.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=6)


@pytest.fixture(scope="module")
def ends():
    """Return two endpoints of one worker."""
    worker = core.UCXWorker(core.UCXContext())
    return [core.UCXEndpoint.create_from_worker_address(worker, worker.address) for _ in range(2)]


@st.composite
def any_array(draw, layout):
    """Draw an array that is of C order, of Fortran order, or a view of any steps."""
    array = np.zeros(draw(SHAPES), dtype=draw(DTYPES), order="F" if layout == "F" else "C")
    if array.nbytes:
        raw = draw(st.binary(min_size=array.nbytes, max_size=array.nbytes))
        flat = array.T if layout == "F" else array
        flat.reshape(-1).view("u1")[:] = np.frombuffer(raw, dtype="u1")
    if layout != "strided":
        return array
    steps = tuple(slice(None, None, draw(st.sampled_from([1, 2, 3, -1]))) for _ in array.shape)
    return array[steps]


def bytes_of(array):
    """Return the bytes in the order in which they lie in memory."""
    return array.tobytes(order="A")


@pytest.mark.parametrize("layout", ["C", "F"])
def test_any_array_arrives(ends, layout):
    @given(any_array(layout), st.integers(0, 2**64 - 1))
    def check(array, tag):
        received = np.zeros_like(array)
        request = ends[0].tag_recv(received, tag)
        ends[1].tag_send(array, tag).wait(5)
        assert request.wait(5) == array.nbytes
        assert bytes_of(received) == bytes_of(array)
        assert request.sender_tag == tag

    check()


def test_any_view_arrives_or_is_refused_with_nothing_lost(ends):
    @given(any_array("strided"))
    def check(array):
        is_dense = array.flags.c_contiguous or array.flags.f_contiguous
        received = bytearray(array.nbytes)
        request = ends[0].tag_recv(received, 1)
        if is_dense:
            ends[1].tag_send(array, 1).wait(5)
        else:
            for post in (ends[1].tag_send, ends[0].tag_recv):
                with pytest.raises(ValueError, match="not contiguous"):
                    post(array, 2)
            ends[1].tag_send(np.ascontiguousarray(array), 1).wait(5)
        assert request.wait(5) == array.nbytes
        assert bytes(received) == bytes_of(array if is_dense else np.ascontiguousarray(array))

    check()


KINDS = [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, dtype="u1"), core.Array]
FRAMES = st.lists(st.tuples(st.sampled_from(KINDS), st.binary(max_size=300) | st.just(bytes(70_000))),
                  max_size=20)


def test_any_list_of_frames_arrives(ends):
    @given(FRAMES)
    def check(frames):
        request = ends[0].tag_recv_multi(3)
        ends[1].tag_send_multi([kind(data) for kind, data in frames], 3).wait(5)
        assert [bytes(frame) for frame in request.wait(5)] == [data for _, data in frames]

    check()


def test_received_frames_can_be_sent_again(ends):
    @given(FRAMES)
    def check(frames):
        buffers = [data for _, data in frames]
        for tag in (4, 5, 6):
            request = ends[0].tag_recv_multi(tag)
            ends[1].tag_send_multi(buffers, tag).wait(5)
            buffers = request.wait(5)
        assert [bytes(frame) for frame in buffers] == [data for _, data in frames]

    check()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
    | arrays.arrays("u2", arrays.array_shapes(max_side=5)).map(pickle.PickleBuffer).map(bytes),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


def test_any_object_arrives():
    import asyncio

    import ucxx

    loop = asyncio.new_event_loop()

    async def connect():
        address = ucxx.get_worker_address()
        return [await ucxx.create_endpoint_from_worker_address(address) for _ in range(2)]

    async def exchange(ends, value):
        _, received = await asyncio.gather(
            ends[0].send_obj(value, 7, force_tag=True),
            ends[1].recv_obj(7, force_tag=True, allow_pickle=True),
        )
        return received

    ends = loop.run_until_complete(connect())

    @given(VALUES)
    def check(value):
        received = loop.run_until_complete(asyncio.wait_for(exchange(ends, value), 5))
        assert (bytes(received) if isinstance(value, bytes) else received) == value

    check()
    loop.close()
    del ends, check
    ucxx.reset()


ORDERS = st.lists(st.tuples(st.sampled_from(["recv", "send", "cancel"]), st.integers(0, 2),
                            st.sampled_from([0, 8, 5000, 100_000])), max_size=40)


def test_messages_go_to_the_oldest_receive_that_was_not_cancelled(ends):
    # Model: for each tag, receives that wait and messages that nobody has received, oldest first.
    def start(tag, waiting, messages):
        buffer = bytearray(100_000)
        request = ends[0].tag_recv(buffer, 100 + tag)
        if messages[tag]:
            return finish(request, buffer, messages[tag].pop(0))
        waiting[tag].append((request, buffer))

    def finish(request, buffer, data):
        assert request.wait(5) == len(data)
        assert buffer[: len(data)] == data

    @given(ORDERS)
    def check(orders):
        waiting, messages, sends = ([], [], []), ([], [], []), []
        for number, (what, tag, size) in enumerate(orders):
            if what == "recv":
                start(tag, waiting, messages)
            elif what == "send":
                data = (number.to_bytes(2) * size)[:size]
                sends.append(ends[1].tag_send(data, 100 + tag))
                if waiting[tag]:
                    finish(*waiting[tag].pop(0), data)
                else:
                    messages[tag].append(data)
            elif waiting[tag]:
                request, buffer = waiting[tag].pop(size % len(waiting[tag]))
                request.cancel()
                with pytest.raises(core.UCXCanceledError):
                    request.wait(5)
                assert buffer == bytes(100_000)
        for tag in range(3):
            while messages[tag]:
                start(tag, waiting, messages)
            for request, _ in waiting[tag]:
                request.cancel()
        core.wait_requests(ends[0].worker, sends, timeout=5)

    check()
