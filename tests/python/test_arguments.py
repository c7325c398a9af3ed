# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Wrong buffers, tags and objects: a clear error, and nothing is lost."""

import asyncio
import pickle
import threading

import numpy as np
import pytest
from buffers import WRITABLE, Foreign, Lie

import ucxx
from ucxx import core


@pytest.fixture
def endpoint():
    """Return an endpoint to the own worker."""
    worker = core.UCXWorker(core.UCXContext())
    return core.UCXEndpoint.create_from_worker_address(worker, worker.address)


@pytest.mark.parametrize("tag", [-1, 2**64, -(2**70)])
def test_tag_out_of_range(endpoint, tag):
    with pytest.raises(ValueError, match=f"a tag must be an int from 0 to .*, not {tag}"):
        endpoint.tag_send(b"x", tag=tag)


@pytest.mark.parametrize("tag", [None, "1", 1.0])
def test_tag_of_another_type(endpoint, tag):
    with pytest.raises(TypeError, match="a tag must be an int from 0 to"):
        endpoint.tag_send(b"x", tag=tag)


@pytest.mark.parametrize("tag", [0, 2**64 - 1, core.Tag(7)])
def test_tags_at_the_edges(endpoint, tag):
    buffer = bytearray(1)
    request = endpoint.tag_recv(buffer, tag)
    endpoint.tag_send(b"x", tag)
    assert request.wait() == 1
    assert request.sender_tag == tag


def test_strided_array_is_named(endpoint):
    with pytest.raises(ValueError, match=r"ndarray is not contiguous: send a contiguous copy"):
        endpoint.tag_send(np.arange(10)[::2], tag=1)
    with pytest.raises(ValueError, match=r"ndarray is not contiguous: take a contiguous buffer, and copy"):
        endpoint.tag_recv(np.arange(10)[::2], tag=1)


def test_read_only_buffer_is_named(endpoint):
    for buffer in (b"12", memoryview(b"12"), np.frombuffer(b"12", dtype="u1")):
        with pytest.raises(ValueError, match="is read-only: nothing can be received into it"):
            endpoint.tag_recv(buffer, tag=1)


@pytest.mark.parametrize("thing", [None, 3, "text", [b"x"], object()])
def test_object_without_memory(endpoint, thing):
    with pytest.raises(TypeError, match=f"{type(thing).__name__} has no memory to transfer"):
        endpoint.tag_send(thing, tag=1)


def test_missing_and_unknown_arguments(endpoint):
    with pytest.raises(TypeError, match="misses the argument 'tag'"):
        endpoint.tag_send(b"x")
    with pytest.raises(TypeError, match="unexpected keyword argument 'color'"):
        endpoint.tag_send(b"x", tag=1, color=2)
    with pytest.raises(TypeError, match="takes at most 2 arguments by position, got 3"):
        endpoint.tag_send(b"x", 1, 2)


@pytest.mark.parametrize("kind", WRITABLE)
def test_buffers_of_every_kind(endpoint, kind):
    buffer = WRITABLE[kind](16)
    request = endpoint.tag_recv(buffer, tag=1)
    endpoint.tag_send(np.arange(16, dtype="u1"), tag=1)
    assert request.wait() == 16
    received = bytearray(16)
    request = endpoint.tag_recv(received, tag=2)
    endpoint.tag_send(buffer, tag=2)
    request.wait()
    assert received == bytes(range(16))


@pytest.mark.parametrize(
    "interface, error",
    [
        ({"shape": (2**62, 8)}, ValueError),
        ({"shape": (-1,)}, ValueError),
        ({"strides": (16,)}, ValueError),
        ({"data": "nowhere"}, TypeError),
        ({"data": ()}, TypeError),
        ({"data": (0,)}, TypeError),
        ({"shape": 3}, TypeError),
        ({"shape": ("x",)}, TypeError),
        ({"strides": [8]}, TypeError),
        ({"typestr": "|V0"}, TypeError),
    ],
)
def test_array_interface_that_lies(endpoint, interface, error):
    with pytest.raises(error):
        endpoint.tag_send(Foreign(np.zeros(2), **interface), tag=1)


@pytest.mark.parametrize("interface", [[], "text", 3])
def test_array_interface_that_is_no_dict(endpoint, interface):
    liar = Foreign(np.zeros(2))
    liar.__array_interface__ = interface
    with pytest.raises(TypeError):
        endpoint.tag_send(liar, tag=1)


@pytest.mark.parametrize("lie", [Lie(-1), Lie(2**62, 8), Lie(3, -5), Lie(1, ndim=-2)])
def test_dlpack_that_lies(endpoint, lie):
    with pytest.raises(ValueError, match="Lie says that it has"):
        endpoint.tag_send(lie, tag=1)


def test_pointers_to_objects_are_refused(endpoint):
    objects = np.array([1, "two"], dtype=object)
    fields = np.zeros(2, dtype=[("Name", "i4"), ("what", object)])
    for thing in (objects, fields, Foreign(objects)):
        with pytest.raises(TypeError):
            endpoint.tag_send(thing, tag=1)
        with pytest.raises(TypeError):
            endpoint.tag_recv(thing, tag=1)
    endpoint.tag_send(np.zeros(2, dtype=[("Order", "i4")]), tag=1)  # a name is no object


def test_addresses_pickle(endpoint):
    address = endpoint.worker.address
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(address, protocol)) == address
    beside = []
    head = pickle.dumps(address, 5, buffer_callback=beside.append)
    assert len(beside) == 1 and pickle.loads(head, buffers=beside) == address
    assert {address: 1}[core.UCXAddress.create_from_buffer(bytes(address))] == 1


def test_listener_callback_runs_with_a_progress_thread():
    called = threading.Event()
    worker = core.UCXWorker(core.UCXContext())
    worker.start_progress_thread()
    for _ in range(3):
        called.clear()
        listener = core.UCXListener.create(worker, 0, lambda _: called.set())
        endpoint = core.UCXEndpoint.create(worker, "127.0.0.1", listener.port)
        assert called.wait(10)
        endpoint.close_blocking()
        listener.close()
    worker.stop_progress_thread()


def test_truncation_says_both_sizes(endpoint):
    buffer = bytearray(4)
    request = endpoint.tag_recv(buffer, tag=1)
    endpoint.tag_send(b"0123456789", tag=1)
    with pytest.raises(ucxx.UCXMessageTruncatedError, match=r"10.*4|4.*10"):
        request.wait()
    assert buffer == bytes(4)


def test_missing_feature_is_named():
    worker = core.UCXWorker(core.UCXContext(feature_flags=(core.Feature.AM,)))
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    with pytest.raises(ValueError, match=r"UCXContext must be created with `Feature.TAG`"):
        endpoint.tag_send(b"x", tag=1)


def test_unknown_setting():
    with pytest.raises(ucxx.UCXError, match="NO_SUCH_THING"):
        core.UCXContext({"NO_SUCH_THING": "1"})


def test_closed_endpoint(endpoint):
    endpoint.close_blocking()
    assert endpoint.closed and not endpoint.alive
    with pytest.raises(ucxx.UCXCloseError, match="the endpoint is closed"):
        endpoint.tag_send(b"x", tag=1)


def test_bytes_that_are_no_address():
    worker = core.UCXWorker(core.UCXContext())
    address = core.UCXAddress.create_from_buffer(b"nonsense")
    with pytest.raises(ucxx.UCXInvalidAddrError):
        core.UCXEndpoint.create_from_worker_address(worker, address)


def test_endpoint_from_an_address_needs_a_tag():
    async def main():
        endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        with pytest.raises(ValueError, match="force_tag=True"):
            endpoint.send(b"x")
        with pytest.raises(ValueError, match="force_tag=True needs a tag"):
            endpoint.send(b"x", force_tag=True)

    asyncio.run(main())
    ucxx.reset()


@pytest.fixture
def integers(endpoint):
    """Return a call for each argument that is an int or seconds, by its name."""
    context, worker = core.UCXContext(), endpoint.worker
    key = core.MemoryHandle(context, 64).create_remote_key()
    listener = core.UCXListener.create(worker, 0, print)
    add = core.AtomicOperation.ADD
    return {
        "an offset": lambda bad: endpoint.put(b"x", key, bad),
        "an offset ": lambda bad: endpoint.get(bytearray(1), key, offset=bad),
        "an offset  ": lambda bad: endpoint.atomic_post(add, 1, key, bad),
        "an operand": lambda bad: endpoint.atomic_fetch(add, bad, key),
        "itemsize": lambda bad: endpoint.atomic_post(add, 1, key, 0, bad),
        "an expected word": lambda bad: endpoint.atomic_compare_swap(bad, 1, key),
        "a desired word": lambda bad: endpoint.atomic_compare_swap(1, bad, key),
        "nbytes": endpoint.explain,
        "period": endpoint.close_blocking,
        "max_attempts": lambda bad: endpoint.close_blocking(0, bad),
        "a connection request": listener.create_endpoint_from_conn_request,
        "a connection request ": listener.reject,
        "a tag": worker.tag_probe,
        "a mask of tags": lambda bad: worker.tag_probe(1, tag_mask=bad),
        "a port": lambda bad: core.UCXListener.create(worker, bad, print),
        "a port ": lambda bad: core.UCXEndpoint.create(worker, "127.0.0.1", bad),
        "the id of a handler": lambda bad: worker.register_am_receiver_callback(bad, print),
    }


def test_integers_that_are_none_are_named(integers):
    for name, call in integers.items():
        for bad in (-1, 2**64, -(2**70)):
            with pytest.raises(ValueError, match=f"^{name.strip()} must be an int from 0 to .*, not {bad}$"):
                call(bad)
        for bad in ("1", 1.5, None, b"1"):
            with pytest.raises(TypeError, match=f"^{name.strip()} must be an int from 0 to .*, not {type(bad).__name__}$"):
                call(bad)


@pytest.mark.parametrize("bad", [-1, float("nan"), "1", b"1"])
def test_limits_of_connects_are_named(bad):
    async def connect():
        await ucxx.create_endpoint("127.0.0.1", 1, connect_timeout=bad)

    with pytest.raises((ValueError, TypeError), match="connect_timeout must be a number of seconds"):
        asyncio.run(connect())
    ucxx.reset()


def test_keys_of_any_buffer(endpoint):
    memory = core.MemoryHandle(core.UCXContext(), 64)
    key = bytearray(bytes(memory.create_remote_key()))
    assert core.RemoteKey.create_from_buffer(endpoint, key).size == 64
    with pytest.raises(ucxx.UCXInvalidParamError, match="no key of this version"):
        core.RemoteKey.create_from_buffer(endpoint, b"x")


def test_active_messages_of_endpoints_name_what_is_wrong():
    async def main():
        endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        with pytest.raises(TypeError, match="NoneType has no memory to transfer"):
            endpoint.am_send(None)
        for bad in ("text", None):
            with pytest.raises(TypeError, match=f"header must be bytes, not {type(bad).__name__}"):
                endpoint.am_send(b"x", header=bad)

    asyncio.run(main())
    ucxx.reset()


def test_sizes_of_memory():
    for bad in (-1, 2**64):
        with pytest.raises(ValueError, match=f"a size in bytes must be an int from 0 to .*, not {bad}"):
            core.MemoryHandle(core.UCXContext(), bad)
    assert core.MemoryHandle(core.UCXContext(), np.int16(64)).size == 64


def test_times_of_waiting(endpoint):
    request = endpoint.tag_recv(bytearray(1), 1)
    for wait in (request.wait, lambda bad: core.wait_requests(endpoint.worker, [request], bad)):
        with pytest.raises(TypeError, match="timeout must be a number of seconds or None, not str"):
            wait("1")
    with pytest.raises(TypeError, match="epoll_timeout must be a number of milliseconds, or -1, not str"):
        endpoint.worker.progress_worker_event("1")
    request.cancel()


def test_objects_of_another_class_are_named(endpoint):
    worker, add = endpoint.worker, core.AtomicOperation.ADD
    key = core.MemoryHandle(core.UCXContext(), 64).create_remote_key()
    for call, error in {
        lambda: endpoint.put(b"x", b"key"): "key must be a RemoteKey, not bytes",
        lambda: endpoint.atomic_post("add", 1, key): "operation must be an AtomicOperation, not str",
        lambda: endpoint.am_send(b"x", header="text"): "header must be bytes, not str",
        lambda: core.UCXEndpoint.create(None, "127.0.0.1", 1): "worker must be a UCXWorker, not NoneType",
        lambda: core.UCXEndpoint.create(worker, None, 1): "ip_address must be a string, not NoneType",
        lambda: core.UCXEndpoint.create_from_worker_address(worker, b"x"): "address must be a UCXAddress .*bytes",
        lambda: core.UCXListener.create(3, 0, print): "worker must be a UCXWorker, not int",
        lambda: endpoint.atomic_post(add, 1, None): "key must be a RemoteKey, not NoneType",
        lambda: endpoint.set_close_callback(5): "a close callback must be callable, or None, not int",
        lambda: endpoint.tag_send_multi(b"one", 1): "buffers must be a sequence of buffers, not bytes",
        lambda: core.UCXListener.create(worker, 0, None): "a callback must be callable, not NoneType",
        lambda: core.UCXWorker(None): "context must be a UCXContext, not NoneType",
        lambda: core.MemoryHandle({}, 64): "context must be a UCXContext, not dict",
        lambda: core.UCXAddress.create_from_buffer(None): "NoneType has no memory to transfer",
        lambda: core.RemoteKey.create_from_buffer(endpoint, None): "NoneType has no memory to transfer",
    }.items():
        with pytest.raises(TypeError, match=error):
            call()


def test_unknown_mode():
    with pytest.raises(ValueError, match="progress_mode 'fast' is none of loop"):
        ucxx.init(progress_mode="fast")
    with pytest.raises(ValueError, match="needs a progress mode with a thread"):
        ucxx.init(progress_mode="loop", enable_python_future=True)
