# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The synchronous API: objects of UCX, and requests that can be waited for.

A worker is moved by whoever waits for a request of it or calls `progress`, or by a thread of its own
(`start_progress_thread`). Waiting lets other threads of Python run, and Ctrl-C interrupts it.
"""

from __future__ import annotations

import functools
import numbers
import operator
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self, Unpack

from ucxx import _core
from ucxx._arguments.checks import require_callable
from ucxx._core import (
    Array,
    AtomicOperation,
    Condition,
    DeviceBuffer,
    HostBuffer,
    PreparedRecv,
    PreparedSend,
    RemoteKey,
    TagProbe,
    UCXAddress,
    UCXEndpoint,
    UCXRequest,
    get_config,
    pool_stats,
    set_pool_limits,
    trim_pool,
)
from ucxx._process import callbacks, lifetime, log
from ucxx._process.start import get_ucx_version
from ucxx._shared.listening import Listening, port_number
from ucxx._shared.plans import start_all, wait_all, wait_all_on
from ucxx.exceptions import *  # noqa: F403  every name of it is part of this module
from ucxx.exceptions import UCXInvalidParamError, UCXNoElemError
from ucxx.types import (
    BufferLike,
    Feature,
    Tag,
    TagMask,
    TagMaskFull,
    UCXXTag,
    UCXXTagMask,
    UCXXTagMaskFull,
    WorkerOptions,
)

lifetime.begin()

get_current_options = get_config  # its name in RAPIDS UCXX

__all__ = [
    "Array",
    "AtomicOperation",
    "DeviceBuffer",
    "Feature",
    "HostBuffer",
    "MemoryHandle",
    "PreparedRecv",
    "PreparedSend",
    "RemoteKey",
    "Tag",
    "TagMask",
    "TagMaskFull",
    "UCXAddress",
    "UCXContext",
    "UCXEndpoint",
    "UCXListener",
    "UCXRequest",
    "UCXWorker",
    "UCXXTag",
    "UCXXTagMask",
    "UCXXTagMaskFull",
    "get_config",
    "get_ucx_version",
    "pool_stats",
    "set_pool_limits",
    "start_all",
    "trim_pool",
    "wait_all",
    "wait_all_on",
    "wait_requests",
]

# Other names of the established API.
TagProbeResult = TagProbe
UCXBufferRequests = UCXBufferRequest = UCXRequest

_ALL_FEATURES = tuple(Feature)


class UCXContext:
    """UCX's global state: settings and devices.

    Args:
        config_dict: settings of UCX without `UCX_`, and `UCXX_LOCAL`, `UCXX_LOCAL_BULK`,
            `UCXX_PATIENCE`, `UCXX_SECRET_FILE`; they beat the environment.
        feature_flags: what workers of it can do.

    Raises:
        UCXInvalidParamError: for an unknown setting, and for a bad value.
    """

    def __init__(
        self,
        config_dict: Mapping[str, object] | None = None,
        feature_flags: Iterable[Feature] = _ALL_FEATURES,
    ) -> None:
        """Read the settings; devices are looked for when something needs them."""
        log.follow_levels()
        config = {name: str(value) for name, value in (config_dict or {}).items()}
        features = sum(flag.value for flag in set(feature_flags))
        try:
            self.context = _core._Context.create(config, features)
        except UCXNoElemError as error:
            raise UCXInvalidParamError(str(error)) from None

    @property
    def config(self) -> dict[str, str]:
        """Every setting in force, without `UCX_`."""
        return self.context.config

    @property
    def feature_flags(self) -> int:
        """The features it was made with, as UCX's bits."""
        return self.context.feature_flags

    @property
    def cuda_support(self) -> bool:
        """Whether UCX can reach memory of CUDA devices here."""
        return self.context.cuda_support

    @property
    def info(self) -> str:
        """What UCX says of devices and transports."""
        return self.context.info

    @property
    def handle(self) -> int:
        """The ucp_context_h, as an int."""
        return self.context.handle


def _context_of(context: UCXContext) -> _core._Context:
    if not isinstance(context, UCXContext):
        raise TypeError(f"context must be a UCXContext, not {type(context).__name__}")
    return context.context


class UCXWorker(_core._Worker):
    """The loop that moves everything: endpoints, listeners and requests made from it move with it.

    Args:
        context: a UCXContext.
        enable_delayed_submission: with a progress thread, that thread posts all transfers.
        worker_options: those of `ucxx.types.WorkerOptions`, by name.

    Raises:
        TypeError, ValueError: with the name of the option, and what would be right.
    """

    def __init__(
        self,
        context: UCXContext,
        enable_delayed_submission: bool = False,
        **worker_options: Unpack[WorkerOptions],
    ) -> None:
        """Make a worker."""
        log.follow_levels()
        super().__init__(_context_of(context), enable_delayed_submission, worker_options)
        self._am_callbacks: dict[int, Callable[[UCXRequest[Any], int], object]] = {}
        self._allocators: dict[str, Callable[[int], BufferLike]] = {}
        self._thread_start: Callable[[], object] | None = None

    def progress_worker_event(self, epoll_timeout: int = -1) -> bool:
        """Progress; if nothing moved, sleep until something does, `epoll_timeout` ms at most.

        Returns False when the time is up. Without Feature.WAKEUP it progresses, and returns whether
        anything moved; it sleeps for a moment only while a peer has to move a payload.
        """
        if not isinstance(epoll_timeout, numbers.Real):
            kind = type(epoll_timeout).__name__
            raise TypeError(f"epoll_timeout must be a number of milliseconds, or -1, not {kind}")
        self.init_blocking_progress_mode()
        if not self.feature_flags & Feature.WAKEUP.value:
            return self._wait_event(epoll_timeout)
        deadline = None if epoll_timeout < 0 else time.monotonic() + epoll_timeout / 1000
        while not self._wait_event(_slice_ms(deadline)):
            if deadline is not None and time.monotonic() >= deadline:
                return False
        return True

    def start_progress_thread(self, polling_mode: bool = False, epoll_timeout: int = -1) -> None:
        """Have a thread move it: it spins with `polling_mode`, else sleeps when nothing happens.

        `epoll_timeout` is accepted and ignored. The thread never takes the GIL, but for what
        `set_progress_thread_start_callback` has set; callbacks run in one thread of Python's, or in the
        event loop. Raises ValueError if the worker has an allocator.
        """
        if self._allocators:
            raise ValueError(_NO_THREAD)
        super().start_progress_thread(polling_mode)
        callbacks.add(self)

    def set_progress_thread_start_callback(
        self,
        cb_func: Callable[..., object] | None,
        cb_args: Sequence[Any] | None = None,
        cb_kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        """Call `cb_func(*cb_args, **cb_kwargs)` in each progress thread that starts from now on, first.

        It is the only thing for which that thread takes the GIL. None: nothing is called. What it raises
        goes to `sys.unraisablehook`, and the thread goes on.

        Raises:
            TypeError: `cb_func` cannot be called.
        """
        if cb_func is not None:
            require_callable("cb_func", cb_func)
            cb_func = functools.partial(cb_func, *(cb_args or ()), **(cb_kwargs or {}))
            self._call_at_thread_start()
        self._thread_start = cb_func

    def _on_thread_start(self) -> None:
        if self._thread_start is not None:
            self._thread_start()

    def stop_progress_thread(self) -> None:
        """Stop the thread; without one it does nothing.

        Streams and kernels of CUDA that wait for transfers of this worker wait from then on until somebody
        moves it: call `progress`, or wait for a request, before you wait for such a stream.
        """
        callbacks.remove(self)
        super().stop_progress_thread()

    def tag_probe(
        self, tag: int, remove: bool | TagMask = False, tag_mask: int | bool = TagMaskFull
    ) -> TagProbe:
        """Look for the oldest message that nobody has received.

        `remove=True` takes it out, for `tag_recv_with_handle`: nobody else receives it then. What
        is found is true or false, and has the tag and the length in bytes. A multi-buffer message is
        found where no other one matches, and is not taken out; its length is not that of its buffers.
        """
        if isinstance(remove, TagMask):  # by position, in the order of RAPIDS UCXX
            remove, tag_mask = tag_mask is True, remove
        if not isinstance(remove, bool):
            raise TypeError(f"remove must be True or False, not {remove!r}; a mask: tag_mask={remove!r}")
        self.progress()
        return self._tag_probe(tag, tag_mask, remove)

    def tag_recv_with_handle(self, array: BufferLike, probe: TagProbe) -> UCXRequest[int]:
        """Receive a message that a probe with remove=True has found.

        Raises:
            ValueError: the message is longer than the buffer; it can be received into a longer one.
        """
        if not isinstance(probe, TagProbe):
            raise TypeError(f"expected what tag_probe returned, not {type(probe).__name__}")
        return self._receive_probed(array, probe)

    def register_am_receiver_callback(
        self, id: int, callback: Callable[[UCXRequest[Any], int], object]
    ) -> None:
        """Call `callback(request, endpoint)` for each active message that is sent with this id.

        The request has ended: `request.result()` is the message, an array of bytes, or raises what
        became of it; `request.recv_header` is its user header. `endpoint` is the `handle` of the
        endpoint that it came to. It runs where the worker is moved, or in the thread of callbacks.

        Raises:
            RuntimeError: the id is taken.
            ValueError: it is no int of 0 to 2**64 - 1.
        """
        require_callable("a callback", callback)
        try:
            id = operator.index(id)
        except TypeError:
            raise TypeError(
                f"the id of a handler must be an int from 0 to 2**64 - 1, not {type(id).__name__}"
            ) from None
        if id in self._am_callbacks:
            raise RuntimeError(f"the id {id} has a callback already")
        self._am_callbacks[id] = callback
        try:
            self._handle_am(id)
        except Exception:
            del self._am_callbacks[id]
            raise

    def _on_am(self, id: int, request: UCXRequest[Any], endpoint: int) -> None:
        self._am_callbacks[id](request, endpoint)

    def set_allocator(self, kind: str, function: Callable[[int], BufferLike]) -> None:
        """Receive large messages into what `function(nbytes)` makes, which is their result.

        Those are active messages and frames of multi-buffer messages that lie in the sender's memory
        of that `kind`, "host" or "cuda". Small ones of the host come in memory of the library's.
        Without one of "cuda", those of a device come in a `DeviceBuffer`; `tag_recv` and `stream_recv`
        have their buffer, and ask for none.

        `function` runs while the worker is moved, and gives a writable, contiguous buffer of that
        kind with so many bytes. The worker waits for the stream that it names; of one that names none,
        nothing may be left to do. If `function` fails, so does the receive, with UCXNoMemoryError; what
        was raised goes where that of callbacks goes. Use the worker in one thread. It must not close
        endpoints.

        Raises:
            ValueError: another kind; or a thread of C++ moves the worker, which never takes the GIL.
        """
        if kind not in ("host", "cuda"):
            raise ValueError(f"the kind of an allocator must be 'host' or 'cuda', not {kind!r}")
        require_callable("an allocator", function)
        if self.mode is _core.Mode.Thread:
            raise ValueError(_NO_THREAD)
        self._allocators[kind] = function
        self._use_allocator(kind == "cuda")

    def _allocate(self, kind: str, nbytes: int) -> BufferLike:
        return self._allocators[kind](nbytes)

    def create_endpoint(
        self,
        ip_address: str,
        port: int,
        endpoint_error_handling: bool = True,
        connect_timeout: float | None = None,
    ) -> UCXEndpoint:
        """Meet the listener at an address, within `connect_timeout` seconds (None: the worker's)."""
        return UCXEndpoint.create(self, ip_address, port, endpoint_error_handling, connect_timeout)

    create_endpoint_from_hostname = create_endpoint

    def create_endpoint_from_worker_address(
        self,
        address: UCXAddress,
        endpoint_error_handling: bool = True,
        connect_timeout: float | None = None,
    ) -> UCXEndpoint:
        """Meet a worker by its address, within `connect_timeout` seconds (None: this worker's)."""
        return UCXEndpoint.create_from_worker_address(
            self, address, endpoint_error_handling, connect_timeout
        )

    def cancel_inflight_requests(self, period: int = 0, max_attempts: int = 1) -> int:
        """Cancel requests of endpoints that have failed and are still open; return how many.

        The arguments are accepted and ignored. What else is pending is cancelled one by one, or by
        closing its endpoint.
        """
        del period, max_attempts
        return self._cancel_inflight()

    @property
    def epoll_file_descriptor(self) -> int:
        """The same as `epoll_fd`."""
        return self.epoll_fd

    @property
    def enable_delayed_submission(self) -> bool:
        """The same as `is_delayed_submission_enabled`."""
        return self.is_delayed_submission_enabled

    @property
    def enable_python_future(self) -> bool:
        """False: a request is awaited itself."""
        return False

    def flush(self, *, condition: Condition | None = None) -> UCXRequest[None]:
        """Return a request that ends when all that was sent before is with its receivers."""
        return self._flush(condition)


_NO_THREAD = (
    "an allocator is Python, for which the progress thread would need the GIL: use another mode; without "
    "one, large messages come in memory of the library, those of a device in a DeviceBuffer"
)

# Ctrl-C has to be noticed: no sleep is longer.
_SLICE_MS = 100


def _slice_ms(deadline: float | None) -> int:
    if deadline is None:
        return _SLICE_MS
    return max(0, min(_SLICE_MS, int((deadline - time.monotonic()) * 1000)))


class UCXListener(Listening):
    """Accepts endpoints at a port; made by `create`. Dropping it stops it."""

    @classmethod
    def create(
        cls,
        worker: UCXWorker,
        port: int,
        cb_func: Callable[..., object],
        cb_args: Iterable[Any] = (),
        cb_kwargs: Mapping[str, Any] | None = None,
        deliver_endpoint: bool = False,
        ip: str | None = None,
        endpoint_error_handling: bool = True,
    ) -> Self:
        """Listen at `port` (0: any free one) of `ip` (None: all interfaces).

        `cb_func(conn_request, *cb_args)` answers each caller by `create_endpoint_from_conn_request`,
        at once or later; with `deliver_endpoint=True` it gets the accepted endpoint instead. It runs
        where the worker is moved, or in the thread of callbacks. Raises UCXError naming the address
        when it cannot be bound.
        """
        require_callable("a callback", cb_func)
        self = cls.__new__(cls)
        reference = weakref.ref(self)
        kwargs = cb_kwargs or {}

        def on_caller(request: int) -> None:
            listener = reference()
            if listener is None or listener.closed:
                return
            what: int | UCXEndpoint = request
            if deliver_endpoint:
                what = listener.create_endpoint_from_conn_request(request, endpoint_error_handling)
            cb_func(what, *cb_args, **kwargs)

        self._listener = _core._Listener(worker, port_number(port), on_caller, ip or "")
        return self

    def create_endpoint_from_conn_request(
        self, conn_request: int, endpoint_error_handling: bool = True
    ) -> UCXEndpoint:
        """Accept a caller. Raises ValueError the second time."""
        return self._open().accept(conn_request, endpoint_error_handling)

    def reject(self, conn_request: int) -> None:
        """Send a caller away: its endpoint ends with UCXRejectedError."""
        self._open().reject(conn_request)


class MemoryHandle(_core._Memory):
    """Memory that peers reach by put, get and atomic operations.

    Args:
        context: a UCXContext.
        memory: a writable buffer, which it pins; or a size in bytes, for memory of the library's,
            which peers in other processes of this machine map: there every operation is a plain
            load or store. It has the buffer protocol.
    """

    def __init__(self, context: UCXContext, memory: BufferLike | int) -> None:
        """Register the memory."""
        size = int(memory) if isinstance(memory, numbers.Integral) else None
        super().__init__(_context_of(context), memory if size is None else size)


def wait_requests(
    worker: UCXWorker, requests: Iterable[UCXRequest[Any]], timeout: float | None = None
) -> None:
    """Wait for all requests, for `timeout` seconds at most; raise what the first to fail ended with.

    Raises:
        TimeoutError: the time was up; the requests go on.
    """
    del worker  # each request knows its own
    if timeout is not None and not isinstance(timeout, numbers.Real):
        kind = type(timeout).__name__
        raise TypeError(f"timeout must be a number of seconds or None, not {kind}")
    deadline = None if timeout is None else time.monotonic() + timeout
    for request in requests:
        request.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))
