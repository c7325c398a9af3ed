# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Every name that programs of the established API use is there, with its arguments."""

import asyncio
import inspect
import re

import pytest

import ucxx
from ucxx import core
from ucxx.types import WorkerOptions

CLASSES = {
    core.UCXContext: "config cuda_support",
    core.UCXWorker: """address handle info ucxx_ptr progress progress_once progress_worker_event
        create_endpoint_from_hostname create_endpoint_from_worker_address cancel_inflight_requests
        epoll_file_descriptor enable_delayed_submission enable_python_future arm
        init_blocking_progress_mode start_progress_thread stop_progress_thread tag_probe tag_recv
        tag_recv_with_handle register_am_receiver_callback set_allocator""",
    core.UCXAddress: "from_worker create_from_worker create_from_buffer length tobytes",
    core.UCXEndpoint: """create create_from_worker_address create_endpoint_from_worker_address
        create_from_conn_request alive handle worker_handle ucxx_ptr ucxx_worker_ptr tag_send
        tag_recv tag_recv_with_handle tag_send_multi tag_recv_multi stream_send stream_recv am_send
        am_recv am_probe set_close_callback remove_close_callback raise_on_error put get atomic_post
        atomic_fetch atomic_compare_swap flush close close_blocking""",
    core.UCXListener: "create ip port create_endpoint_from_conn_request reject",
    core.UCXRequest: """completed all_completed status wait wait_yield future cancel check_error
        recv_buffer py_buffers recv_header""",
    core.Tag: "value",
    core.TagMask: "value",
    core.Array: """ptr readonly obj itemsize ndim shape strides nbytes c_contiguous f_contiguous
        contiguous cuda""",
    ucxx.Endpoint: """send recv send_multi recv_multi send_obj recv_obj am_send am_recv am_probe
        tag_probe recv_with_handle put get atomic_post atomic_fetch atomic_compare_swap flush close
        abort closed alive uid local_address peer_address close_after_n_recv set_close_callback
        ucp_endpoint ucp_worker ucxx_endpoint ucxx_worker""",
    ucxx.Listener: "port ip closed active_clients close",
}
MODULES = {
    core: """UCXContext UCXWorker UCXAddress UCXEndpoint UCXListener UCXRequest Feature Tag TagMask
        TagMaskFull UCXXTag UCXXTagMask Array MemoryHandle RemoteKey AtomicOperation wait_requests
        TagProbeResult UCXBufferRequest UCXBufferRequests UCXCanceled UCXConfigError UCXMsgTruncated
        UCXError UCXCanceledError UCXCloseError UCXConnectionResetError UCXEndpointTimeoutError
        UCXInvalidParamError UCXMessageTruncatedError UCXNoMemoryError UCXUnreachableError""",
    ucxx: """init reset progress create_listener create_endpoint
        create_endpoint_from_worker_address recv tag_probe get_config get_ucx_version get_address
        get_active_transports get_ucp_context_info get_ucp_worker_info get_worker_address
        get_ucx_address_from_buffer get_ucp_worker get_ucxx_worker stop_notifier_thread set_allocator
        register_am_receiver_callback create_memory_handle Endpoint Listener types exceptions core
        testing utils get_ucxpy_logger continuous_ucx_progress __version__ __git_commit__ __ucx_version__ UCXError UCXCanceledError""",
    ucxx.types: "Tag TagMask TagMaskFull UCXXTag UCXXTagMask Feature",
    ucxx.exceptions: """UCXBaseException UCXError UCXCanceled UCXCloseError UCXConfigError UCXConnectionReset
        UCXMsgTruncated UCXNotConnected UCXUnreachable""",
    ucxx.utils: "get_address get_ucxpy_logger",
    ucxx.testing: "run_in_subprocess join_processes terminate_process wait_requests",
}


@pytest.mark.parametrize("owner", [*CLASSES, *MODULES], ids=lambda owner: owner.__name__)
def test_names(owner):
    names = {**CLASSES, **MODULES}[owner].split()
    assert [name for name in names if not hasattr(owner, name)] == []


@pytest.mark.parametrize("module", [core, ucxx], ids=lambda module: module.__name__)
def test_all_is_there(module):
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


# Arguments by name, in the order in which they can also be given by position.
ARGUMENTS = {
    core.UCXContext: "config_dict feature_flags",
    core.UCXWorker.progress_worker_event: "epoll_timeout",
    core.UCXWorker.start_progress_thread: "polling_mode",
    core.UCXWorker.tag_probe: "tag remove",
    core.UCXListener.create: "worker port cb_func",
    core.UCXListener.create_endpoint_from_conn_request: "conn_request endpoint_error_handling",
    ucxx.init: "options env_takes_precedence",
    ucxx.create_listener: "callback_func port ip endpoint_error_handling connect_timeout",
    ucxx.create_endpoint: "ip_address port endpoint_error_handling connect_timeout",
    ucxx.create_endpoint_from_worker_address: "address",
    ucxx.recv: "buffer tag",
    ucxx.tag_probe: "tag remove",
    ucxx.get_address: "ifname use_ipv6",
    ucxx.Endpoint.set_close_callback: "callback_func cb_args cb_kwargs",
    ucxx.set_allocator: "kind function",
    ucxx.Endpoint.tag_probe: "remove",
    ucxx.Endpoint.recv_obj: "tag allocator",
    ucxx.Endpoint.recv_with_handle: "buffer probe_result",
    ucxx.Endpoint.close_after_n_recv: "n count_from_ep_creation",
    ucxx.Endpoint.send_obj: "obj tag",
    core.wait_requests: "worker requests",
    ucxx.testing.wait_requests: "worker progress_mode requests",
}


@pytest.mark.parametrize("function", ARGUMENTS, ids=lambda function: function.__qualname__)
def test_arguments(function):
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    wanted = ARGUMENTS[function].split()
    assert names[: len(wanted)] == wanted


def test_arguments_of_init_have_their_defaults():
    parameters = inspect.signature(ucxx.init).parameters
    for name in ("enable_delayed_submission", "enable_python_future"):
        assert parameters[name].default is None
    assert "connect_timeout" in WorkerOptions.__annotations__
    assert inspect.signature(ucxx.create_listener).parameters["connect_timeout"].default == 5.0


ERRORS = [name for name in ucxx.exceptions.__dict__ if name.startswith("UCX")]


@pytest.mark.parametrize("name", ERRORS)
def test_errors_derive_from_one(name):
    error = getattr(ucxx, name)
    assert issubclass(error, ucxx.UCXError) and getattr(core, name) is error


def test_canceled_is_not_asyncio_s():
    assert not issubclass(ucxx.UCXCanceledError, asyncio.CancelledError)


@pytest.mark.parametrize("feature", "TAG RMA AMO32 AMO64 STREAM AM WAKEUP".split())
def test_features(feature):
    assert isinstance(core.Feature[feature], core.Feature)


def test_versions():
    assert ucxx.__version__.count(".") == 2 and ucxx.get_ucx_version() >= (1, 13, 0)
    assert ucxx.__ucx_version__ == ".".join(map(str, ucxx.get_ucx_version()))
    assert ucxx.__git_commit__ == "" or len(ucxx.__git_commit__) == 40


def test_unknown_variable_is_warned_of_once(run_python):
    status, said = run_python(
        "import logging; logging.basicConfig(format='%(name)s %(levelname)s %(message)s')\n"
        "from ucxx import core; core.UCXContext(); w = core.UCXWorker(core.UCXContext()); w.progress()",
        UCXX_LOCLA="off", UCXPY_PROGRES_MODE="thread", UCXX_SECRET_FD="3", UCXX_TEST_MACHINE="",
    )  # fmt: skip
    assert status == 0
    wrong = {"UCXX_LOCLA": "UCXX_LOCAL", "UCXPY_PROGRES_MODE": "UCXPY_PROGRESS_MODE",
             "UCXX_SECRET_FD": "UCXX_SECRET_FILE"}  # fmt: skip
    assert sorted(said.splitlines()) == sorted(
        f"ucxx.context WARNING {name} is in the environment, but nothing reads it; the nearest name that "
        f"is read is {near}"
        for name, near in wrong.items()
    )


SILENCED = "import logging; logging.getLogger('ucxx').setLevel('ERROR')\n"


@pytest.mark.parametrize(("configured", "said"), [("", True), (SILENCED, False)])
def test_unknown_variable_is_told_where_nobody_configures_logging(run_python, configured, said):
    code = f"{configured}import ucxx; ucxx.init()"
    line = ("ucxx.context: UCXX_LOCLA is in the environment, but nothing reads it; the nearest name that is "
            "read is UCXX_LOCAL\n")  # fmt: skip
    assert run_python(code, UCXX_LOCLA="off") == (0, line if said else "")


def test_known_variables_are_those_that_something_reads(root):
    known = set(re.findall(r'"(UCX(?:X|PY)_\w+[A-Z])"', (root / "src/base/env.cpp").read_text()))
    read = {"UCXPY_ENABLE_DELAYED_SUBMISSION", "UCXPY_ENABLE_PYTHON_FUTURE"}  # made of two parts
    for path in [*root.glob("src/**/*.cpp"), *root.glob("python/ucxx/**/*.py")]:
        read |= set(re.findall(r'(?:getenv\(|environ.get\()"(UCX(?:X|PY)_\w+)"', path.read_text()))
    assert read == known


def test_address_of_an_interface(monkeypatch):
    monkeypatch.delenv("UCXPY_IFNAME", raising=False)
    assert ucxx.get_address("lo") == "127.0.0.1"
    assert ucxx.get_address().count(".") == 3
    monkeypatch.setenv("UCXPY_IFNAME", "lo")
    assert ucxx.get_address() == "127.0.0.1"
    for name in ("nowhere", "a name that is too long"):
        with pytest.raises(OSError, match=name):
            ucxx.get_address(name)
