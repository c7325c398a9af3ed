# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What names of the established API do that are rarely used; test_names.py has all names."""

import asyncio
import gc
import ipaddress
import logging
import re
import threading
import time
import weakref

import pytest

import ucxx
from ucxx import core, utils
from ucxx._arguments import interfaces

DEADLINE = 20


@pytest.fixture
def worker():
    """Return a worker."""
    return core.UCXWorker(core.UCXContext())


def until(worker, condition):
    """Move the worker by `progress_once` until the condition holds."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        worker.progress_once()
        assert time.monotonic() < deadline


def accepted_pair(worker):
    """Return two endpoints of a worker that are one pair."""
    accepted = []
    listener = core.UCXListener.create(worker, 0, accepted.append, deliver_endpoint=True)
    endpoint = worker.create_endpoint_from_hostname("127.0.0.1", listener.port, True)
    until(worker, lambda: accepted and endpoint.has_connected)
    return endpoint, accepted[0]


def test_multi_buffer_requests_have_their_buffers(worker):
    endpoint = worker.create_endpoint_from_worker_address(worker.address, True)
    receiving = endpoint.tag_recv_multi(core.Tag(1))
    assert receiving.py_buffers == () and not receiving.all_completed
    sending = endpoint.tag_send_multi((b"one", b"three"), core.Tag(1))
    core.wait_requests(worker, [receiving, sending], DEADLINE)
    assert receiving.all_completed and isinstance(receiving, core.UCXBufferRequests)
    assert [bytes(buffer) for buffer in receiving.py_buffers] == [b"one", b"three"]
    assert sending.py_buffers == () and endpoint.am_recv().py_buffers == ()


def test_requests_are_awaited_by_all_of_their_names():
    async def main():
        endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        for name in ("future", "wait_yield"):
            buffer = bytearray(2)
            receiving = core.UCXEndpoint.tag_recv(endpoint, buffer, 1)
            awaited = getattr(receiving, name)
            core.UCXEndpoint.tag_send(endpoint, b"hi", 1)
            assert await (awaited() if name == "wait_yield" else awaited) == 2
            assert buffer == b"hi"

    asyncio.run(main())
    ucxx.reset()


@pytest.mark.parametrize("arguments", [(), (None, None), ((1,), None), (None, {"b": 2}), ((1,), {"b": 2})])
def test_close_callbacks_get_what_was_given(worker, arguments):
    called = []
    here, there = accepted_pair(worker)
    here.set_close_callback(lambda *args, **kwargs: called.append((args, kwargs)), *arguments)
    there.set_close_callback(called.append, ("taken back",))
    there.remove_close_callback()
    assert there.close() is not None
    until(worker, lambda: called and not here.alive)
    args, kwargs = (*arguments, None, None)[:2]
    assert called == [(args or (), kwargs or {})]


def test_asynchronous_close_callbacks_take_them_by_name():
    async def main():
        called = asyncio.Event()
        endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        endpoint.set_close_callback(
            callback_func=lambda event, how: getattr(event, how)(),
            cb_args=(called,),
            cb_kwargs={"how": "set"},
        )
        await endpoint.close()
        await asyncio.wait_for(called.wait(), DEADLINE)

    asyncio.run(main())
    ucxx.reset()


def test_buffers_of_asynchronous_calls_are_given_by_name():
    async def main():
        endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        await endpoint.am_send(buffer=b"active")
        assert bytes(await endpoint.am_recv()) == b"active"
        await endpoint.send(buffer=b"x", tag=1, force_tag=True)
        await endpoint.recv(buffer=bytearray(1), tag=1, force_tag=True)
        await endpoint.send_multi(buffers=[b"x"], tag=1, force_tag=True)
        assert len(await endpoint.recv_multi(tag=1, force_tag=True)) == 1

    asyncio.run(main())
    ucxx.reset()


def test_inflight_requests_of_endpoints_that_live_go_on(worker):
    endpoint = worker.create_endpoint_from_worker_address(worker.address)
    request = endpoint.tag_recv(bytearray(1), 1)
    assert worker.cancel_inflight_requests(period=0, max_attempts=1) == 0
    assert not request.completed
    endpoint.close_blocking(period=10**9, max_attempts=2)
    with pytest.raises(ucxx.UCXCanceled):
        request.wait(DEADLINE)


def test_probes_take_masks_by_position(worker):
    endpoint = worker.create_endpoint_from_worker_address(worker.address)
    endpoint.tag_send(b"x", core.Tag(5)).wait(DEADLINE)
    assert not worker.tag_probe(core.Tag(0), core.TagMaskFull)
    assert worker.tag_probe(core.Tag(0), core.TagMask(0)).sender_tag == 5
    assert worker.tag_probe(core.Tag(4), core.TagMask(4), True).handle is not None
    with pytest.raises(TypeError, match="remove must be True or False, not 4; a mask: tag_mask=4"):
        worker.tag_probe(4, 4)


def test_properties_of_a_worker(worker):
    assert worker.epoll_file_descriptor == worker.epoll_fd
    assert worker.enable_delayed_submission is worker.enable_python_future is False
    assert worker.address.tobytes() == bytes(worker.address)


def test_tags_of_probes_are_given_by_name():
    async def main():
        endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        await endpoint.send(b"x", tag=1, force_tag=True)
        with pytest.raises(TypeError, match=r"remove must be True or False, not 1; a tag: tag_probe\(tag=1\)"):
            endpoint.tag_probe(1, True)
        assert endpoint.tag_probe(tag=1, force_tag=True).length == 1  # it is still there
        await endpoint.recv(bytearray(1), tag=1, force_tag=True)

    asyncio.run(main())
    ucxx.reset()


def test_helpers():
    assert ucxx.continuous_ucx_progress() is ucxx.continuous_ucx_progress(event_loop=None) is None
    assert ucxx.get_ucxpy_logger() is logging.getLogger("ucxx")
    assert issubclass(ucxx.UCXConfigError, ucxx.UCXError)


def test_addresses_of_version_6(monkeypatch, tmp_path):
    table = tmp_path / "if_inet6"
    monkeypatch.setattr(interfaces, "_IPV6", str(table))
    monkeypatch.delenv("UCXPY_IFNAME", raising=False)
    table.write_text("00000000000000000000000000000001 01 80 10 80       lo\n"
                     "fe800000000000000000000000000001 02 40 20 80     eth0\n"
                     "20010db8000000000000000000000005 02 40 00 80     eth0\n")
    assert ucxx.get_address(use_ipv6=True) == "2001:db8::5"
    assert ipaddress.ip_address(ucxx.utils.get_address("lo", use_ipv6=True)).is_loopback
    with pytest.raises(OSError, match="interface 'eth1' has no IPv6 address"):
        ucxx.get_address("eth1", use_ipv6=True)
    table.unlink()
    with pytest.raises(OSError, match="no interface has an IPv6 address"):
        ucxx.get_address(use_ipv6=True)


@pytest.mark.parametrize("polling", [False, True])
def test_each_progress_thread_calls_first_what_was_set(worker, polling):
    called = []

    def begin(*arguments, **named):
        called.append((threading.get_ident(), arguments, named))

    worker.set_progress_thread_start_callback(begin, (1, 2), {"three": 3})
    for number in (1, 2):
        worker.start_progress_thread(polling)
        deadline = time.monotonic() + DEADLINE
        while len(called) < number:
            assert time.monotonic() < deadline
            time.sleep(0.001)
        worker.stop_progress_thread()
        assert called[-1][0] != threading.get_ident() and called[-1][1:] == ((1, 2), {"three": 3})
    worker.set_progress_thread_start_callback(None)
    worker.start_progress_thread(polling)
    worker.stop_progress_thread()
    assert len(called) == 2


def test_what_is_called_at_the_start_of_a_thread_may_fail(worker, monkeypatch):
    raised = []
    monkeypatch.setattr("sys.unraisablehook", lambda one: raised.append(str(one.exc_value)))
    with pytest.raises(TypeError, match="cb_func must be callable, not int"):
        worker.set_progress_thread_start_callback(5)
    worker.set_progress_thread_start_callback(lambda: 1 / 0)
    worker.start_progress_thread()
    endpoint = worker.create_endpoint_from_worker_address(worker.address, True)
    core.wait_requests(worker, [endpoint.tag_recv(bytearray(1), 1), endpoint.tag_send(b"x", 1)], DEADLINE)
    worker.stop_progress_thread()
    assert raised == ["division by zero"]


def test_what_is_called_at_the_start_of_a_thread_keeps_nothing():
    worker = core.UCXWorker(core.UCXContext())
    worker.set_progress_thread_start_callback(lambda kept: kept, (worker,))
    worker.start_progress_thread()
    worker.stop_progress_thread()
    kept = weakref.ref(worker)
    del worker
    gc.collect()
    assert kept() is None


def test_requests_of_a_multi_buffer_request_are_itself(worker):
    endpoint = worker.create_endpoint_from_worker_address(worker.address, True)
    receiving, sending = endpoint.tag_recv_multi(1), endpoint.tag_send_multi((b"one", b"two"), 1)
    core.wait_requests(worker, [*receiving.requests, *sending.requests], DEADLINE)
    assert receiving.requests == [receiving] and receiving.all_completed


def test_old_modules_can_be_imported(run_python):
    for code in (
        "import ucxx._lib.libucxx as ucx_api; ucx_api.UCXWorker(ucx_api.UCXContext())",
        "from ucxx._lib import libucxx; from ucxx import core; assert libucxx is core",
        "from ucxx._lib.libucxx import UCXEndpoint, UCXAddress, UCXBufferRequests, UCXListener",
        "from ucxx._lib.arr import Array; Array(b'x')",
        "from ucxx._lib.libucxx import get_current_options, get_ucx_version; get_current_options()['TLS']",
        "import ucxx; ucxx.core; import ucxx._lib.libucxx; ucxx._lib.libucxx.UCXRequest",
    ):
        status, said = run_python(code)
        assert status == 0, said


def test_helpers_of_benchmarks(capsys):
    utils.print_separator(length=3)
    utils.print_key_value("Bytes", 4)
    utils.print_key_value("Bytes", 4, length=6)
    assert capsys.readouterr().out == f"---\n{'Bytes':<25} | 4\nBytes  | 4\n"
    assert [utils.format_bytes(size) for size in (0, 1, 1000, 12345678, 1.5e12)] == [
        "0 B", "1 B", "0.98 kiB", "11.77 MiB", "1.36 TiB"]
    sizes = {"100": 100, "100 MB": 10**8, "5kB": 5000, "5.4 kB": 5400, "1kiB": 1024, "1e6": 10**6,
             "MB": 10**6, "10_000": 10_000, "1e-3 MB": 1000, ".5 kB": 500, 123: 123, 1.5: 1, "2 GiB": 2 << 30}
    assert {size: utils.parse_bytes(size) for size in sizes} == sizes
    for wrong in ("5 foos", "", "MBB", "-1", "1.2.3", "e5", ".", "e"):
        with pytest.raises(ValueError, match="is no size: write '4096'"):
            utils.parse_bytes(wrong)


def test_tags_are_shown_as_there():
    assert repr(core.UCXXTag(42)) == "UCXXTag(42)" and repr(core.UCXXTagMask(15)) == "UCXXTagMask(15)"


def test_testing_needs_no_import_of_its_own(run_python):
    status, said = run_python("import sys, ucxx\n"
                              "assert 'multiprocessing' not in sys.modules\n"
                              "ucxx.testing.wait_requests\n"
                              "try:\n    ucxx.nothing\nexcept AttributeError as error:\n    print(error)")
    assert (status, said.strip()) == (0, "module 'ucxx' has no attribute 'nothing'")
