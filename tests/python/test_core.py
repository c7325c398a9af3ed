# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The synchronous API: features, settings, tags, addresses, probes, listeners, requests."""

import pickle
import threading
import time

import numpy as np
import pytest

import ucxx
from ucxx import core

DEADLINE = 20


def new_worker(**arguments):
    return core.UCXWorker(core.UCXContext(), **arguments)


@pytest.fixture
def worker():
    """Return a worker."""
    return new_worker()


@pytest.fixture
def endpoint(worker):
    """Return an endpoint to the own worker."""
    return core.UCXEndpoint.create_from_worker_address(worker, worker.address)


def until(worker, condition):
    """Move the worker until the condition holds."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        worker.progress()
        assert time.monotonic() < deadline


CALLS = {
    "TAG": [
        lambda endpoint: endpoint.tag_send(b"x", tag=1),
        lambda endpoint: endpoint.tag_recv(bytearray(1), tag=1),
        lambda endpoint: endpoint.tag_send_multi([b"x"], tag=1),
        lambda endpoint: endpoint.tag_recv_multi(tag=1),
        lambda endpoint: endpoint.worker.tag_recv(bytearray(1), tag=1),
        lambda endpoint: endpoint.worker.tag_probe(1),
    ],
    "STREAM": [
        lambda endpoint: endpoint.stream_send(b"x"),
        lambda endpoint: endpoint.stream_recv(bytearray(1)),
    ],
    "AM": [
        lambda endpoint: endpoint.am_send(b"x"),
        lambda endpoint: endpoint.am_recv(),
        lambda endpoint: endpoint.am_probe(),
        lambda endpoint: endpoint.worker.register_am_receiver_callback(1, print),
    ],
    "RMA": [
        lambda endpoint: endpoint.put(b"x", key_of(endpoint)),
        lambda endpoint: endpoint.get(bytearray(1), key_of(endpoint)),
    ],
    "AMO64": [
        lambda endpoint: endpoint.atomic_post(core.AtomicOperation.ADD, 1, key_of(endpoint)),
        lambda endpoint: endpoint.atomic_fetch(core.AtomicOperation.ADD, 1, key_of(endpoint)),
        lambda endpoint: endpoint.atomic_compare_swap(1, 2, key_of(endpoint)),
    ],
    "AMO32": [
        lambda endpoint: endpoint.atomic_fetch(
            core.AtomicOperation.ADD, 1, key_of(endpoint), itemsize=4
        ),
    ],
}


def key_of(endpoint):
    memory = core.MemoryHandle(core.UCXContext(), 8)
    return core.RemoteKey.create_from_buffer(endpoint, bytes(memory.create_remote_key()))


@pytest.mark.parametrize("feature", CALLS)
def test_missing_feature_is_named_by_every_call(feature):
    others = [other for other in core.Feature if other.name != feature]
    worker = core.UCXWorker(core.UCXContext(feature_flags=others))
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    for call in CALLS[feature]:
        with pytest.raises(ValueError, match=f"UCXContext must be created with `Feature.{feature}`"):
            call(endpoint)


def test_settings_are_text_and_beat_the_environment(monkeypatch):
    monkeypatch.setenv("UCX_SEG_SIZE", "4k")
    assert core.UCXContext({"TLS": "tcp,self"}).config["TLS"] == "tcp,self"
    config = core.UCXContext({}).config
    assert all(isinstance(text, str) for pair in config.items() for text in pair)
    assert not any(name.startswith("UCX_") for name in config)
    monkeypatch.setenv("UCX_TLS", "tcp")
    assert core.UCXContext().config["TLS"] == "tcp"
    assert core.UCXContext({"TLS": "self"}).config["TLS"] == "self"


def test_wrong_settings_are_invalid_parameters():
    for settings in ({"NO_SUCH_THING": "1"}, {"UCXX_LOCAL": "sometimes"}):
        with pytest.raises(ucxx.UCXInvalidParamError, match=next(iter(settings))):
            core.UCXContext(settings)


def test_no_cuda_without_its_transports():
    assert core.UCXContext({"TLS": "^cuda"}).cuda_support is False


def test_handles_are_addresses(worker, endpoint):
    assert worker.handle > 0 and worker.ucxx_ptr > 0
    assert endpoint.handle > 0 and endpoint.ucxx_ptr > 0
    assert endpoint.worker_handle == worker.handle
    assert endpoint.ucxx_worker_ptr == worker.ucxx_ptr


@pytest.mark.parametrize("kind", [core.Tag, core.TagMask, core.UCXXTag, core.UCXXTagMask])
def test_tags_are_ints(kind):
    tag = kind(7)
    assert tag == 7 and tag.value == 7 and {tag: 1}[7] == 1
    assert kind(np.uint64(2**64 - 1)) == 2**64 - 1
    for wrong in (-1, 2**64):
        with pytest.raises(ValueError, match=f"not {wrong}"):
            kind(wrong)
    with pytest.raises(TypeError, match="not str"):
        kind("7")


def test_full_mask():
    assert core.TagMaskFull.value == 2**64 - 1 and core.TagMaskFull is ucxx.types.TagMaskFull


@pytest.mark.parametrize("tag", [np.int64(3), np.uint64(2**64 - 1), np.uint8(0), np.array(5)])
def test_ints_of_numpy_are_ints(worker, endpoint, tag):
    endpoint.tag_send(b"abc", tag=tag).wait(DEADLINE)
    assert worker.tag_probe(tag).sender_tag == int(tag)
    assert worker.tag_probe(int(tag), tag_mask=np.uint64(2**64 - 1)).length == 3
    assert endpoint.tag_recv(bytearray(3), tag, np.uint64(2**64 - 1)).wait(DEADLINE) == 3


def test_ints_of_numpy_everywhere():
    context = core.UCXContext()
    worker = core.UCXWorker(context)
    listener = core.UCXListener.create(worker, np.int32(0), print)
    endpoint = core.UCXEndpoint.create(worker, "127.0.0.1", np.uint16(listener.port))
    memory = core.MemoryHandle(context, np.int64(16))
    own = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    key = core.RemoteKey.create_from_buffer(own, bytes(memory.create_remote_key()))
    own.put(np.int64([1, 2]), key, np.int64(0)).wait(DEADLINE)
    own.flush().wait(DEADLINE)
    add, number = core.AtomicOperation.ADD, np.int64(8)
    assert own.atomic_fetch(add, np.int64(40), key, number, number).wait(DEADLINE) == 2
    assert own.atomic_compare_swap(np.int64(42), np.int64(3), key, number).wait(DEADLINE) == 42
    endpoint.close_blocking()


@pytest.mark.parametrize("port", [-1, 65536, 10**30, "80", 1.5, None])
def test_port_that_is_none(worker, port):
    error = ValueError if isinstance(port, int) else TypeError
    with pytest.raises(error, match="a port must be an int from 0 to 65535, not "):
        core.UCXListener.create(worker, port, print)
    with pytest.raises(error, match="a port must be an int from 0 to 65535, not "):
        core.UCXEndpoint.create(worker, "127.0.0.1", port)


@pytest.mark.parametrize(
    "kind", [bytes, bytearray, memoryview, pickle.PickleBuffer, np.frombuffer, lambda b: b]
)
def test_addresses_of_every_kind(worker, kind):
    address = core.UCXAddress.create_from_worker(worker)
    source = bytes(address) if kind is not np.frombuffer else address
    made = kind(source, "u1") if kind is np.frombuffer else kind(source)
    same = core.UCXAddress.create_from_buffer(made)
    assert same == address and hash(same) == hash(address)
    assert len(memoryview(same)) == same.length == len(same)


def test_addresses_and_other_things_are_not_equal(worker):
    address = worker.address
    assert (address == None) is False  # noqa: E711
    assert (address == 3) is False and (address == bytes(address)) is False
    assert address != None and address != new_worker().address  # noqa: E711


def test_address_is_a_message(worker, endpoint):
    buffer = bytearray(worker.address.length)
    request = endpoint.tag_recv(buffer, tag=1)
    endpoint.tag_send(worker.address, tag=1)
    request.wait(DEADLINE)
    assert core.UCXAddress.create_from_buffer(buffer) == worker.address


@pytest.mark.parametrize("by_endpoint", [False, True])
def test_probe_by_position_and_receive(worker, endpoint, by_endpoint):
    assert not worker.tag_probe(1, True).matched
    endpoint.tag_send(b"hello", tag=1).wait(DEADLINE)
    probe = worker.tag_probe(1)
    assert (probe.matched, probe.sender_tag, probe.length, probe.handle) == (True, 1, 5, None)
    probe = worker.tag_probe(1, True)
    assert probe.handle is not None and not worker.tag_probe(1).matched
    receiver = endpoint if by_endpoint else worker
    buffer = bytearray(5)
    assert receiver.tag_recv_with_handle(buffer, probe).wait(DEADLINE) == 5
    assert buffer == b"hello"


@pytest.mark.parametrize("deliver_endpoint", [False, True])
@pytest.mark.parametrize("way", ["listener", "keyword", "endpoint"])
def test_listener(worker, deliver_endpoint, way):
    accepted = []

    def on_caller(what):
        if deliver_endpoint:
            accepted.append(what)
        elif way == "listener":
            accepted.append(listener.create_endpoint_from_conn_request(what, True))
        elif way == "keyword":
            accepted.append(
                listener.create_endpoint_from_conn_request(
                    conn_request=what, endpoint_error_handling=True
                )
            )
        else:
            accepted.append(core.UCXEndpoint.create_from_conn_request(listener, what, True))

    listener = core.UCXListener.create(
        worker=worker, port=0, cb_func=on_caller, deliver_endpoint=deliver_endpoint
    )
    assert isinstance(listener.ip, str) and listener.port > 0
    endpoint = core.UCXEndpoint.create(
        worker, "127.0.0.1", listener.port, endpoint_error_handling=True
    )
    until(worker, lambda: accepted)
    buffer = bytearray(2)
    request = accepted[0].tag_recv(buffer, tag=core.Tag(3))
    endpoint.tag_send(b"hi", tag=core.Tag(3))
    assert request.wait(DEADLINE) == 2 and buffer == b"hi"


def test_dropped_listener_stops_at_once(worker):
    listener = core.UCXListener.create(worker, 0, print)
    port = listener.port
    del listener
    core.UCXListener.create(worker, port, print)  # it is free again


def test_closed_listener_says_so(worker):
    listener = core.UCXListener.create(worker, 0, print)
    listener.close()
    assert listener.closed
    with pytest.raises(ucxx.UCXCloseError, match="the listener is closed"):
        _ = listener.port


@pytest.mark.parametrize("size", [0, 1, 5000, 1 << 20])
def test_active_message_can_be_sent_again(endpoint, size):
    data = np.random.default_rng(size).bytes(size)
    for message in (data, None):
        request = endpoint.am_recv()
        endpoint.am_send(data if message is not None else received)
        request.wait(DEADLINE)
        received = request.recv_buffer
        assert bytes(received) == data


def accepted_pair(worker, other):
    """Return an endpoint of `worker`, and the one of `other` that a listener accepted for it."""
    accepted = []
    listener = core.UCXListener.create(other, 0, accepted.append, deliver_endpoint=True)
    endpoint = core.UCXEndpoint.create(worker, "127.0.0.1", listener.port)
    until_both(worker, other, lambda: accepted and endpoint.has_connected)
    return endpoint, accepted[0]


def until_both(worker, other, condition):
    until(worker, lambda: (other.progress(), condition())[1])


def test_am_probe_is_of_one_endpoint(worker):
    other = new_worker()
    here, there = accepted_pair(worker, other)
    beside, _ = accepted_pair(worker, other)
    assert not here.am_probe() and not beside.am_probe()
    there.am_send(b"x").wait(DEADLINE)
    until_both(worker, other, here.am_probe)
    assert not beside.am_probe()


def test_probes_move_the_worker(worker):
    other = new_worker()
    here, there = accepted_pair(worker, other)
    other.start_progress_thread()
    there.am_send(b"message")
    there.tag_send(b"tagged", tag=1)
    deadline = time.monotonic() + DEADLINE
    while not (here.am_probe() and worker.tag_probe(1)):
        assert time.monotonic() < deadline
    other.stop_progress_thread()


def test_what_came_before_the_peer_closed_can_be_probed_and_received(worker):
    other = new_worker()
    here, there = accepted_pair(worker, other)
    there.am_send(b"message").wait(DEADLINE)
    there.tag_send(b"tagged", tag=1).wait(DEADLINE)
    there.close_blocking()
    until_both(worker, other, lambda: not here.alive)
    assert here.am_probe()
    assert bytes(here.am_recv().wait(DEADLINE)) == b"message"
    assert worker.tag_probe(1).matched
    buffer = bytearray(6)
    assert here.tag_recv(buffer, tag=1).wait(DEADLINE) == 6 and buffer == b"tagged"
    assert not here.am_probe()


def test_multi_buffer_messages_are_seen_by_probes(worker):
    other = new_worker()
    here, there = accepted_pair(worker, other)
    there.tag_send_multi([b"frames", b""], tag=1).wait(DEADLINE)
    there.close_blocking()
    until_both(worker, other, lambda: not here.alive)
    assert worker.tag_probe(1) and not worker.tag_probe(2)
    assert not worker.tag_probe(1, remove=True)  # there is no handle for one
    assert [bytes(frame) for frame in here.tag_recv_multi(tag=1).wait(DEADLINE)] == [b"frames", b""]
    assert not worker.tag_probe(1)


def test_pending_receives_end_canceled_on_both_sides_of_a_close(worker):
    other = new_worker()
    here, there = accepted_pair(worker, other)
    pending = [here.tag_recv(bytearray(1), tag=1), there.tag_recv(bytearray(1), tag=1),
               here.am_recv(), there.am_recv()]  # fmt: skip
    there.close_blocking()
    until_both(worker, other, lambda: all(request.completed for request in pending))
    for request in pending:
        with pytest.raises(ucxx.UCXCanceledError):
            request.check_error()
    late = here.tag_recv(bytearray(1), tag=1)
    with pytest.raises((ucxx.UCXConnectionResetError, ucxx.UCXEndpointTimeoutError)):
        late.wait(DEADLINE)
    with pytest.raises((ucxx.UCXConnectionResetError, ucxx.UCXEndpointTimeoutError)):
        here.tag_send(b"late", tag=1).wait(DEADLINE)
    with pytest.raises((ucxx.UCXConnectionResetError, ucxx.UCXEndpointTimeoutError)):
        here.raise_on_error()


def test_close_callback_has_its_arguments(worker):
    other = new_worker()
    here, there = accepted_pair(worker, other)
    called = []
    here.set_close_callback(lambda *arguments: called.append(arguments), cb_args=(1, "two"))
    there.close_blocking()
    until_both(worker, other, lambda: called)
    assert called == [(1, "two")]
    with pytest.raises(RuntimeError):
        here.set_close_callback(print)


def test_empty_stream_message_is_refused_in_the_call(endpoint):
    for call in (lambda: endpoint.stream_send(b""), lambda: endpoint.stream_recv(bytearray())):
        with pytest.raises(RuntimeError):
            call()


def test_stream(endpoint):
    buffer = bytearray(5)
    request = endpoint.stream_recv(buffer)
    endpoint.stream_send(b"12345").wait(DEADLINE)
    request.wait(DEADLINE)
    assert buffer == b"12345"


def test_wait_takes_a_timeout_by_name_and_nothing_else(endpoint):
    request = endpoint.tag_recv(bytearray(1), tag=1)
    for arguments in ({"timeout": 0.01}, {"timeout": 0}, {"timeout": -1.0}):
        with pytest.raises(TimeoutError, match="has not ended in time"):
            request.wait(**arguments)
    with pytest.raises(ValueError, match="timeout must be a number of seconds or None, not nan"):
        request.wait(timeout=float("nan"))
    with pytest.raises(TypeError, match=r"wait\(\) takes at most 1 arguments, got 2"):
        request.wait(1, 2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'deadline'"):
        request.wait(deadline=1)
    with pytest.raises(TypeError):
        request.wait("soon")
    endpoint.tag_send(b"x", tag=1)
    assert request.wait(timeout=float("inf")) == 1 and request.wait(None) == 1


def test_cancel(endpoint):
    request = endpoint.tag_recv(bytearray(1), tag=1)
    assert not request.completed and request.status == 1
    request.cancel()
    until(endpoint.worker, lambda: request.completed)
    with pytest.raises(ucxx.UCXCanceledError):
        request.check_error()


def test_progress_worker_event_sleeps_until_something_happens(worker, endpoint):
    worker.progress()
    began, used = time.monotonic(), time.process_time()
    assert worker.progress_worker_event(epoll_timeout=300) is False
    assert time.monotonic() - began >= 0.3
    assert time.process_time() - used < 0.15  # of 0.3, if it spun
    buffer = bytearray(1)
    request = endpoint.tag_recv(buffer, tag=1)
    sending = threading.Timer(0.1, lambda: endpoint.tag_send(b"x", tag=1))
    sending.start()
    while not request.completed:
        worker.progress_worker_event()
    sending.join()
    assert buffer == b"x"


@pytest.mark.parametrize("features", [[core.Feature.TAG], [core.Feature.TAG, core.Feature.WAKEUP]])
def test_programs_in_blocking_mode_run_with_any_features(features):
    worker = core.UCXWorker(core.UCXContext(feature_flags=features))
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    worker.init_blocking_progress_mode()
    buffer = bytearray(1)
    requests = [endpoint.tag_recv(buffer, tag=1), endpoint.tag_send(b"x", tag=1)]
    deadline = time.monotonic() + DEADLINE
    while not all(request.completed for request in requests):
        worker.progress_worker_event(100)
        assert time.monotonic() < deadline
    ucxx.testing.wait_requests(worker, "blocking", requests)
    assert buffer == b"x"


def test_without_wake_up_an_event_is_not_waited_for():
    worker = core.UCXWorker(core.UCXContext(feature_flags=[core.Feature.TAG]))
    while worker.progress():
        pass
    began = time.monotonic()
    assert worker.progress_worker_event() is False  # with it: until one comes
    assert time.monotonic() - began < DEADLINE


def test_callbacks_and_completions_come_without_progress():
    worker = new_worker()
    worker.start_progress_thread(polling_mode=False)
    accepted = []
    came = threading.Event()

    def on_caller(endpoint):
        accepted.append(endpoint)
        came.set()

    listener = core.UCXListener.create(worker, 0, on_caller, deliver_endpoint=True)
    endpoint = core.UCXEndpoint.create(worker, "127.0.0.1", listener.port)
    assert came.wait(DEADLINE)
    request = accepted[0].tag_recv(bytearray(1), tag=1)
    endpoint.tag_send(b"x", tag=1)
    deadline = time.monotonic() + DEADLINE
    while not request.completed:
        time.sleep(0.001)
        assert time.monotonic() < deadline
    worker.stop_progress_thread()


def test_delayed_submission():
    worker = new_worker(enable_delayed_submission=True)
    assert worker.is_delayed_submission_enabled
    assert not new_worker().is_delayed_submission_enabled
    worker.start_progress_thread()
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    request = endpoint.tag_recv(bytearray(1), tag=1)
    endpoint.tag_send(b"x", tag=1)
    assert request.wait(DEADLINE) == 1
    worker.stop_progress_thread()


@pytest.mark.parametrize("mode", ["thread", "polling"])
def test_wait_requests_of_testing(mode):
    worker = new_worker()
    if mode == "thread":
        worker.start_progress_thread()
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    requests = [endpoint.tag_send(b"x", tag=1), endpoint.tag_recv(bytearray(1), tag=1)]
    ucxx.testing.wait_requests(worker, mode, requests)
    assert all(request.completed for request in requests)
    worker.stop_progress_thread()
