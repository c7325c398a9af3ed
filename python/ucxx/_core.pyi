# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# Written by `./dev stubs`.
# ruff: noqa
import asyncio
from collections.abc import (
    Callable,
    Coroutine,
    Generator,
    Hashable,
    Iterable,
    Mapping,
    Sequence
)
import contextvars
import enum
from typing import (
    Any,
    Literal,
    Self,
    SupportsIndex,
    TypeVar,
    final,
    overload
)

import numpy
import numpy.typing

import ucxx.core
import ucxx.types


_T_co = TypeVar("_T_co", covariant=True)

__version__: str
__git_commit__: str

@final
class UCXRequest(Coroutine[Any, Any, _T_co]):
    """
    One transfer: awaitable, as often as wanted, a coroutine to asyncio, which makes a task of
    it where it takes one, and with the methods of a future.

    Its buffer is pinned, and belongs to it, until the transfer has ended: with success, an error
    or cancel alike. Dropping it neither cancels nor ends it.
    """

    def __iter__(self) -> Generator[Any, Any, _T_co]: ...

    def __next__(self) -> Any: ...

    def __await__(self) -> Generator[Any, Any, _T_co]: ...

    def send(self, value: Any, /) -> Any:
        """Go on, as a coroutine does."""

    def throw(self, type: Any, value: Any = None, traceback: Any = None, /) -> Any:
        """Cancel the transfer as `close` does, and raise, as a coroutine does."""

    def close(self) -> None:
        """
        Cancel the transfer, as closing a coroutine does.

        A receive that has ended well gives its message back, if nobody has its result: by `await`,
        `result`, `exception`, `wait`, `check_error`, `recv_buffer`, `py_buffers`, or by `completed`
        that was True.
        The next receive gets that message.
        """

    def _give_back(self) -> None:
        """As `close`, though somebody has the result."""

    def _look(self) -> bool:
        """
        Look for the end for a while, as an await does before it suspends; return whether it has ended.
        """

    def _make_cancelled_error(self) -> asyncio.CancelledError: ...

    def done(self) -> bool:
        """
        Tell whether the transfer has ended.

        Who has seen that has not taken the message, as with `completed`: the buffer of a receive
        stays pinned.
        """

    def result(self) -> _T_co:
        """
        Return the result, or raise what the transfer ended with.

        Raises asyncio.InvalidStateError while it has not ended.
        """

    def exception(self) -> BaseException | None:
        """Return what the transfer ended with, or None."""

    def cancelled(self) -> bool:
        """Tell whether it ended after `cancel`."""

    def cancel(self, msg: object = None) -> bool:
        """
        Ask for the end of the transfer; return False when it has ended.

        The buffer is the caller's again only at the end: at once for what no peer has matched, else
        when its bytes have moved. Whoever awaits it gets asyncio.CancelledError then. A message that
        a receive gets all the same is not lost: the next receive gets it, in its old order.
        """

    def add_done_callback(
        self, callback: Callable[[Self], object], /, *, context: contextvars.Context | None = None
    ) -> None:
        """Call `callback(request)` by the event loop at the end of the transfer."""

    def remove_done_callback(self, callback: Callable[[Self], object], /) -> int:
        """Take a callback back; return how many there were."""

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """Return the event loop of its worker."""

    def wait(self, timeout: float | None = None) -> _T_co:
        """
        Wait for the end without an event loop, for `timeout` seconds at most; return the result.

        Raises TimeoutError when the time is up, the transfer going on, and what it ended with.
        Batches of streams that this thread has open are submitted first, if it blocks.
        Other Python threads run meanwhile, Ctrl-C interrupts it.
        """

    def wait_on(self, stream: ucxx.types.StreamLike, /) -> None:
        """
        Let a stream of CUDA wait until the transfer has ended, with success or without.

        What is put into the stream afterwards comes after the end; the caller goes on at once. Any
        transfer, with a condition or without; of one that has ended nothing is put into the stream.
        In a capture, of a transfer that was posted in it. The worker needs a progress thread.
        After about 1000 entries that a stream has not done, as kernels, copies and such waits, the
        driver holds the caller up until there is room.

        Raises TypeError: `stream` is not a stream; UCXInvalidParamError: it is the legacy default
        stream, the worker has no thread, or the transfer is of a graph; UCXUnsupportedError: there
        is no driver of CUDA that can be used, or a capture has no such transfer;
        UCXNoResourceError: 4096 streams, transfers and conditions wait.
        """

    def wait_yield(self) -> Self:
        """Return the request: something to await."""

    def check_error(self) -> None:
        """Raise what the transfer ended with, if it has failed."""

    @property
    def completed(self) -> bool:
        """
        Whether the transfer has ended. Who has seen that has the message, and its buffer is free.
        """

    @property
    def status(self) -> int:
        """The UCX status, 0 for success, 1 in progress, negative for errors."""

    @property
    def received_length(self) -> int:
        """Bytes that were received."""

    @property
    def sender_tag(self) -> int:
        """The tag that a tag receive has matched, once it has ended."""

    @property
    def recv_buffer(self) -> _T_co | None:
        """What was received into memory of the library's; None before success."""

    @property
    def py_buffers(self) -> tuple[Any, ...]:
        """
        The buffers that a multi-buffer receive has received, a tuple; empty before success.
        """

    @property
    def requests(self) -> list[Self]:
        """A list of the request alone: all buffers go as one transfer."""

    @property
    def all_completed(self) -> bool:
        """The same as `completed`."""

    @property
    def future(self) -> Self:
        """The request: it has the methods of a future."""

    @property
    def recv_header(self) -> bytes:
        """The user header of an active message that was received."""

    @property
    def _cancel_message(self) -> None: ...

    _asyncio_future_blocking: bool

class HostBuffer:
    """
    Memory of the library's: pooled, and warm. It has the buffer protocol.

    Received memoryviews show it where there is no NumPy.
    """

    def __buffer__(self, flags: int, /) -> memoryview: ...

class DeviceBuffer:
    """
    Memory of a device, bytes that are not set. It has __cuda_array_interface__ and DLPack.

    CuPy, Numba, PyTorch and RMM wrap it without a copy, and keep it. It lies on the device
    that is current in the calling thread, or the one that was used last. When the last of
    those who have it drops it, it is used again at once: what kernels do with it must have
    ended by then.

    Raises:
        UCXUnsupportedError: no driver of CUDA, or nobody has initialised it yet.
        UCXNoMemoryError: the device has no memory left.
        ValueError, TypeError: nbytes is not an int from 0 to 2**64 - 1.
    """

    def __new__(cls, nbytes: int) -> Self: ...

    def __len__(self) -> int: ...

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """
        Return a capsule of the bytes, which keeps them. All are there, whatever the stream.

        Raises:
            BufferError: a copy is wanted, or another device.
        """

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return (2, device): CUDA's, as cudaSetDevice counts them."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

class Array:
    """
    A view of the memory of an object, which it pins.

    The object has the buffer protocol, __array_interface__,
    __cuda_array_interface__ or DLPack. What is not contiguous can be
    looked at, not transferred.
    """

    def __init__(self, obj: ucxx.types.BufferLike) -> None:
        """Pin the memory of an object. Raises TypeError for one without."""

    @property
    def ptr(self) -> int:
        """Address of the first item; never 0."""

    @property
    def readonly(self) -> bool:
        """Whether nothing can be received into it."""

    @property
    def cuda(self) -> bool:
        """Whether it is memory of a CUDA device."""

    @property
    def obj(self) -> object:
        """The object."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

    @property
    def nbytes(self) -> int:
        """Bytes of all items."""

    @property
    def itemsize(self) -> int:
        """Bytes of an item."""

    @property
    def ndim(self) -> int:
        """How many axes."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Items along each axis."""

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one item to the next along each axis."""

    @property
    def c_contiguous(self) -> bool:
        """Whether it is in C order."""

    @property
    def f_contiguous(self) -> bool:
        """Whether it is in Fortran order."""

    @property
    def contiguous(self) -> bool:
        """In C or Fortran order: only then it can be transferred."""

    def __buffer__(self, flags: int, /) -> memoryview: ...

class _Context:
    @staticmethod
    def create(config: Mapping[str, str], features: int) -> _Context: ...

    @property
    def config(self) -> dict[str, str]: ...

    @property
    def feature_flags(self) -> int: ...

    @property
    def cuda_support(self) -> bool: ...

    @property
    def info(self) -> str: ...

    @property
    def handle(self) -> int: ...

def get_config() -> dict[str, str]: ...

class Condition:
    """
    What transfers wait for: posted with `condition=` now, they start when it is triggered.

    Made by `ucxx.cuda.host`, `stream`, `graph` and `kernel`, which say what triggers it. Until
    it is triggered they are armed: their arguments were checked and their buffers are pinned, and
    nothing else has happened. No flush and no close waits for them, and they have no place in the
    order of messages. Cancelling them, closing their endpoint, or its failure ends them at once.
    All start together, in the order of their posts; with one of a stream each starts at its own
    place. A receive, too, is posted when it starts.

    It belongs to the worker of its first transfer. All its methods may be called in any thread.
    Dropping it closes it, unless it is of a stream or a graph. A context manager: the end of the
    `with` closes it, also one of a stream, and so cancels what the stream has not reached.
    """

    def trigger(self) -> None:
        """
        Start its transfers: in this call, or in the thread that moves their worker.

        What was written into their buffers before is what is sent. A repeating condition counts
        triggers: what is triggered while a repetition is under way starts after it. Raises
        UCXInvalidParamError: it is closed, was triggered before and does not repeat, or nothing
        was posted with it yet, or a device triggers it.
        """

    def close(self) -> None:
        """
        End what is armed: no trigger comes any more. It may be called again.

        The transfers of a repeating condition end well, after a repetition that is under way;
        those of another one end with UCXCanceledError. Of a stream: those that it has not
        reached. Of a graph: it does nothing.
        """

    @property
    def epoch(self) -> int:
        """
        How often all of its transfers have ended, with success or without.

        Of the host and of kernels: 1 at the end of one that does not repeat, else the
        repetitions. Of a stream: the posts that have ended. Of a graph: the launches that have.
        What is posted in a capture it does not tell: 0. It may lag behind the requests: ask
        after `wait(n)`.
        """

    @property
    def error(self) -> Exception | None:
        """
        The first error of the last end; None: there was none, or it has not ended yet.

        Of the host and of kernels: of the last repetition. Of a stream: of the post that ended
        last, so an earlier error is told by its request alone. Of a graph: of the last
        launch. What is posted in a capture it does not tell: None. Ask after `wait(n)`, as
        for `epoch`.
        """

    def wait(self, epoch: int = 1, timeout: float | None = None) -> None:
        """
        Wait until it has ended `epoch` times, without an event loop, for `timeout` seconds at
        most.

        It moves the worker while no thread of C++ does. Other Python threads run meanwhile,
        Ctrl-C interrupts it. What the transfers ended with: `error`. Raises TimeoutError when the
        time is up, UCXCanceledError when it is closed before.
        """

    def __enter__(self) -> Self:
        """Return it."""

    def __exit__(self, *exception: object) -> None:
        """Close it."""

    @property
    def handle(self) -> DeviceHandle:
        """
        What kernels trigger it by, and wait for its transfers.

        Raises TypeError: it is not of kernels.
        """

    @property
    def node(self) -> int:
        """
        The node of its graph (a cudaGraphNode_t), which the graph owns.

        Raises TypeError: it is not of a graph; UCXInvalidParamError: nothing was posted
        yet, or the graph and what was instantiated from it have gone.
        """

    def __repr__(self) -> str: ...

def _host_condition(repeat: bool, start_timeout: float | None, transfer_timeout: float | None) -> Condition: ...

def _stream_condition(stream: ucxx.types.StreamLike, start_timeout: float | None, transfer_timeout: float | None) -> Condition: ...

def _graph_condition(graph: ucxx.types.GraphLike, after: Iterable[ucxx.types.GraphNodeLike], start_timeout: float | None, transfer_timeout: float | None) -> Condition: ...

def _kernel_condition(repeat: bool, start_timeout: float | None, transfer_timeout: float | None) -> Condition: ...

def _attach_cuda() -> None: ...

class DeviceHandle:
    """
    What kernels trigger and wait by: the functions of ucxx/cuda/device.h take its address.

    It keeps what it belongs to. Keep either until the kernels have ended that were given it.
    """

    @property
    def ptr(self) -> int:
        """The address, in memory of the device."""

    def __int__(self) -> int:
        """Return the address."""

    def __repr__(self) -> str: ...

class StreamBatch:
    """
    One call of the driver in place of many, for what this thread posts to a stream meanwhile.

    Made by `ucxx.cuda.batch`. A context manager: what was collected enters the stream at the
    end, also after an exception. Of several batches of one stream, one within the other, the
    outer one collects. `UCXRequest.wait`, `Condition.wait` and the `wait` of a plan submit all
    batches of their thread before they block.
    """

    def __init__(self, stream: ucxx.types.StreamLike) -> None: ...

    def submit(self) -> None:
        """
        Put what was collected into the stream now.

        Raises UCXError: what the driver says; then nothing of it is in the stream, and the
        transfers that it was to start end with UCXCanceledError. RuntimeError: it is not open,
        or was opened in another thread.
        """

    def __enter__(self) -> Self:
        """
        Begin to collect; return it. Raises UCXError as `ucxx.cuda.stream` does.
        """

    def __exit__(self, *exception: object) -> None:
        """
        Submit, and end.

        In another thread than that of `__enter__` (a generator may end there) it raises
        RuntimeError: what was collected enters the stream with the next post of that thread, or
        when that thread ends.
        """

    def __repr__(self) -> str: ...

def _cuda_driver() -> dict[str, Any]:
    """
    Return what CUDA's driver offers: is_there, missing (why it cannot be used, or empty),
    version (of CUDA), devices (a line each). Initialises it.
    """

class UCXAddress:
    """
    The address of a worker: bytes that say where and how it can be met.

    It has the buffer protocol, pickles, and can be compared and hashed.
    """

    @staticmethod
    def create_from_buffer(buffer: ucxx.types.BufferLike) -> UCXAddress:
        """
        Make an address of the bytes of another one.

        Bytes that are none are an error of the endpoint that is made from it.
        """

    @staticmethod
    def from_worker(worker: _Worker) -> UCXAddress:
        """Return the address of a worker."""

    @staticmethod
    def create_from_worker(worker: _Worker) -> UCXAddress:
        """The same as from_worker."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]: ...

    @property
    def length(self) -> int:
        """Bytes."""

    def tobytes(self) -> bytes:
        """Return its bytes."""

    def __len__(self) -> int: ...

    def __bytes__(self) -> bytes: ...

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

    def __buffer__(self, flags: int, /) -> memoryview: ...

class TagProbe:
    """What a probe found."""

    @property
    def matched(self) -> bool:
        """Whether there is a message."""

    def __bool__(self) -> bool: ...

    @property
    def sender_tag(self) -> int:
        """The tag of the message. Raises RuntimeError without one."""

    @property
    def length(self) -> int:
        """Its bytes. Raises RuntimeError without one."""

    @property
    def handle(self) -> int | None:
        """Names the message that the probe took out; None without remove=True."""

def _check_worker_options(given: ucxx.types.WorkerOptions) -> None: ...

class Mode(enum.Enum):
    Manual = 0

    Loop = 1

    Polling = 2

    Thread = 3

class _Worker:
    def __init__(self, context: _Context, enable_delayed_submission: bool, given: ucxx.types.WorkerOptions) -> None: ...

    @property
    def address(self) -> UCXAddress:
        """The address by which other workers meet it."""

    @property
    def handle(self) -> int:
        """The ucp_worker_h, as an int."""

    @property
    def ucxx_ptr(self) -> int:
        """The address of the C++ object, as an int."""

    @property
    def info(self) -> str:
        """What UCX says of its worker."""

    @property
    def mode(self) -> Mode:
        """Who moves it."""

    @property
    def feature_flags(self) -> int:
        """The features of its context, as UCX's bits."""

    @property
    def epoll_fd(self) -> int:
        """
        A descriptor that is readable when there is something to progress, once `arm` has returned True.

        For an event loop of another kind than asyncio's. The worker owns it.
        """

    def progress(self) -> bool:
        """
        Move what can be moved now; return whether anything did.

        Not while another thread does it. It may run callbacks.
        """

    def progress_once(self) -> bool:
        """Do one round of `progress`."""

    def _cancel_inflight(self) -> int: ...

    def arm(self) -> bool:
        """
        Make `epoll_fd` readable at the next event.

        Return False when something has to be progressed before.
        """

    def init_blocking_progress_mode(self) -> None:
        """
        Let `progress_worker_event` sleep.

        Does nothing for a context without Feature.WAKEUP, whose workers never sleep.
        """

    def _wait_event(self, arg: int, /) -> bool: ...

    def start_progress_thread(self, polling_mode: bool = False) -> None: ...

    def stop_progress_thread(self) -> None: ...

    def _call_at_thread_start(self) -> None: ...

    @property
    def is_delayed_submission_enabled(self) -> bool:
        """Whether its thread posts all transfers."""

    def _tag_probe(self, tag: int, tag_mask: int, remove: bool) -> TagProbe: ...

    def _handle_am(self, id: int) -> None: ...

    def _use_allocator(self, of_device: bool) -> None: ...

    def _receive_probed(self, array: ucxx.types.BufferLike, probe: TagProbe) -> UCXRequest[int]: ...

    def describe(self) -> str:
        """
        Return a text: peers, channels, endpoints, and what is pending since when.
        """

    def dump(self) -> str:
        """Return the same, and the last operations that have ended."""

    def report(self) -> dict[str, Any]:
        """
        Return what `dump` says, for programs: the fields of C++'s WorkerReport, times in seconds.
        """

    def stats(self) -> dict[str, int]:
        """Return its counters since it was made, by name; sizes are in bytes."""

    def _flush(self, condition: Condition | None) -> UCXRequest[None]: ...

    def _bind(self, loop: asyncio.AbstractEventLoop, mode: Mode, spins: bool) -> None: ...

    def _unbind(self) -> None: ...

    def _end_waiters(self) -> None: ...

    @property
    def _is_bound(self) -> bool: ...

    def _on_readable(self) -> None: ...

    def _arm(self) -> None: ...

    def _poll(self) -> None: ...

    def _drain(self) -> bool: ...

    @property
    def _completions_fd(self) -> int: ...

    def _ring(self, arg: bool, /) -> None: ...

    def tag_recv(
        self,
        array: ucxx.types.BufferLike,
        tag: int,
        tag_mask: int = 0xFFFFFFFFFFFFFFFF,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[int]:
        """
        Receive the next message of any peer whose tag agrees in all bits of the mask; return its UCXRequest.
        """

def _end_all() -> None: ...

class UCXEndpoint:
    """
    One end of a pair; the other end is the peer's endpoint.

    Dropping it closes it. A transfer with `condition=` starts when that is triggered; see
    `ucxx.cuda`.
    """

    @staticmethod
    def create(worker: ucxx.core.UCXWorker, ip_address: str, port: int, endpoint_error_handling: bool = True, connect_timeout: float | None = None) -> UCXEndpoint:
        """
        Meet the listener at an address, by name or number.

        Returns at once; failure ends its requests. Raises UCXError for a name that cannot be resolved,
        ValueError for what is no port. `connect_timeout`: seconds; None: the worker's.
        """

    @staticmethod
    def create_from_worker_address(worker: ucxx.core.UCXWorker, address: UCXAddress, endpoint_error_handling: bool = True, connect_timeout: float | None = None) -> UCXEndpoint:
        """
        Meet a worker by its address.

        Returns at once; failure ends its requests. Raises UCXInvalidAddrError for other bytes. `connect_timeout`: as of `create`.
        """

    @staticmethod
    def create_endpoint_from_worker_address(worker: ucxx.core.UCXWorker, address: UCXAddress, endpoint_error_handling: bool = True, connect_timeout: float | None = None) -> UCXEndpoint:
        """The same as create_from_worker_address."""

    @staticmethod
    def create_from_conn_request(listener: ucxx.core.UCXListener, conn_request: int, endpoint_error_handling: bool = True) -> UCXEndpoint:
        """
        Accept a caller; the same as the listener's create_endpoint_from_conn_request.
        """

    @property
    def worker(self) -> ucxx.core.UCXWorker:
        """The worker that moves it."""

    @property
    def worker_handle(self) -> int:
        """The ucp_worker_h of its worker, as an int."""

    @property
    def ucxx_worker_ptr(self) -> int:
        """Address of the C++ worker."""

    @property
    def alive(self) -> bool:
        """
        False once it is closed, or the peer has gone and somebody has progressed.
        """

    @property
    def has_connected(self) -> bool:
        """True once the peer has accepted it, also after its end."""

    @property
    def closed(self) -> bool:
        """True once it is not `alive`, whoever has ended it."""

    @property
    def _was_closed(self) -> bool: ...

    @property
    def handle(self) -> int:
        """The key of the endpoint in UCX's type, as an int; 0 once it is closed."""

    @property
    def ucxx_ptr(self) -> int:
        """The address of the C++ object, as an int."""

    @property
    def local_address(self) -> str:
        """Address and port as text; empty until connected."""

    @property
    def peer_address(self) -> str:
        """Address and port as text; empty until connected."""

    @property
    def transports(self) -> list[str]:
        """
        Names of the transports (self, local, or UCX's); empty until connected.
        """

    def explain(self, nbytes: int) -> str:
        """Say how a message of so many bytes would go to the peer now, and why."""

    def tag_recv_with_handle(self, array: ucxx.types.BufferLike, probe_result: TagProbe) -> UCXRequest[int]:
        """Receive a message that a probe with remove=True has found."""

    def stream_send(self, array: ucxx.types.BufferLike, *, condition: Condition | None = None) -> UCXRequest[None]:
        """
        Send bytes of the stream, which has no message boundaries.

        The buffer must not change before the request has ended. Raises RuntimeError for no bytes.
        """

    def stream_recv(self, array: ucxx.types.BufferLike, some: bool = False, *, condition: Condition | None = None) -> UCXRequest[int]:
        """
        Receive as many bytes of the stream as the buffer has; the result is how many.

        With some=True it ends when any bytes are there, with as many as are. Raises RuntimeError for
        no room.
        """

    def am_send(self, array: ucxx.types.BufferLike, id: int | None = None, header: bytes = b'', *, condition: Condition | None = None) -> UCXRequest[None]:
        """
        Send an active message: for the peer's am_recv, or its handler of that id.
        """

    def am_recv(self, *, condition: Condition | None = None) -> UCXRequest[numpy.typing.NDArray[numpy.uint8]]:
        """
        Receive the next active message of this endpoint; the result is an array of uint8.

        It is in memory of the library's, or what an allocator made; a memoryview, where NumPy is not
        installed; a DeviceBuffer, if it was sent from memory of a device.
        """

    def am_probe(self) -> bool:
        """
        Move the worker, and tell whether an active message of this endpoint waits.

        Also after the peer has closed.
        """

    def flush(self, *, condition: Condition | None = None) -> UCXRequest[None]:
        """
        Return a request that ends when what was sent is with the peer, and what was put is in
        its memory.
        """

    def set_close_callback(self, cb_func: Callable[..., object] | None, cb_args: tuple[object, ...] | None = None, cb_kwargs: dict[str, object] | None = None) -> None:
        """
        Call ``cb_func(*cb_args, **cb_kwargs)`` once, at the end of the endpoint; None takes it back.

        It runs where the worker is moved, or in the thread of callbacks. Raises RuntimeError after
        the end.
        """

    def remove_close_callback(self) -> None:
        """The same as set_close_callback(None)."""

    def receive_ahead(self, nbytes: int) -> None:
        """
        Take messages that the peer sends by send_multi or send_obj into memory as they come.

        From now on, before anybody receives them: a send to here does not wait for this program.
        So many bytes are held at a time, and one message of any size while none is; what is
        beyond waits for its receive, or for room. Receives take them as ever. What is held
        when this end closes is dropped. 0: no more is taken.
        """

    def raise_on_error(self) -> None:
        """
        Raise what the endpoint has failed with, if it has: UCXConnectionResetError and others.
        """

    def _close(self, timeout: float | None = None) -> UCXRequest[None] | None: ...

    def close(self, *, timeout: float | None = None) -> Any:
        """
        Begin to close; return a request that ends when it is closed, None the second time.

        It fails with the number of messages that were not taken within `timeout` seconds (None: the
        worker's), and of their bytes.
        """

    def close_blocking(self, period: int = 0, max_attempts: int = 1) -> None:
        """
        Cancel what is pending and close; may be repeated.

        A peer that does not answer is waited for 50 ms at most, or `period` nanoseconds times `max_attempts`.
        Pending requests end with UCXCanceledError.
        """

    def tag_send(
        self, array: ucxx.types.BufferLike, tag: int, *, condition: Condition | None = None
    ) -> UCXRequest[None]:
        """
        Send a contiguous buffer as one message; return its UCXRequest.

        The buffer must not change before the request has ended. Raises UCXCloseError on a closed
        endpoint, ValueError for a tag outside 0 to 2**64 - 1.
        """

    def tag_recv(
        self,
        array: ucxx.types.BufferLike,
        tag: int,
        tag_mask: int = 0xFFFFFFFFFFFFFFFF,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[int]:
        """
        Receive the next message whose tag agrees in all bits of the mask; return its UCXRequest.

        Any peer of the worker may have sent it. A shorter message is fine (received_length); a
        longer one ends the request with UCXMessageTruncatedError, nothing written past the buffer.
        Into memory of a device the bytes come behind what the stream that its array names has to do.
        """

    def tag_send_multi(
        self,
        buffers: Sequence[ucxx.types.BufferLike],
        tag: int,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[None]:
        """
        Send several buffers as one message; return its UCXRequest.

        All are pinned until it has ended. The peer receives them by tag_recv_multi.
        """

    def tag_recv_multi(
        self, tag: int, tag_mask: int = 0xFFFFFFFFFFFFFFFF, *, condition: Condition | None = None
    ) -> UCXRequest[list[numpy.typing.NDArray[numpy.uint8]]]:
        """
        Receive what one tag_send_multi sent; the result is the list of its buffers.

        They are arrays of uint8, or memoryviews where NumPy is not installed, of memory of the
        library's.
        """

    def put(self, buffer: ucxx.types.BufferLike, remote_key: RemoteKey, offset: int = 0, *, condition: Condition | None = None) -> UCXRequest[None]:
        """
        Write a buffer into the peer's memory, `offset` bytes from its start.

        The buffer, of the host and contiguous, must not change before the request has ended; the
        bytes are with the peer after a `flush`. Raises UCXInvalidParamError for a key of another
        endpoint, or bytes that do not lie within its memory.
        """

    def get(self, buffer: ucxx.types.BufferLike, remote_key: RemoteKey, offset: int = 0, *, condition: Condition | None = None) -> UCXRequest[int]:
        """
        Read the peer's memory, from `offset` bytes on, until the buffer is full.

        The buffer is one of the host, writable and contiguous; the result is its bytes. Raises as `put`.
        """

    def atomic_post(self, operation: AtomicOperation, operand: int, remote_key: RemoteKey, offset: int = 0, itemsize: int = 8, *, condition: Condition | None = None) -> UCXRequest[None]:
        """
        Change a word of the peer's memory; it is done after a `flush`.

        The word has `itemsize` bytes, 4 or 8, and is aligned; `offset` is in bytes. Atomic with all
        other atomics. Raises UCXInvalidParamError as `put`, ValueError for an operand that does not
        fit.
        """

    def atomic_fetch(self, operation: AtomicOperation, operand: int, remote_key: RemoteKey, offset: int = 0, itemsize: int = 8, *, condition: Condition | None = None) -> UCXRequest[int]:
        """
        Change a word of the peer's memory; the result is what it was, unsigned.

        Word, offset and errors as of `atomic_post`.
        """

    def atomic_compare_swap(self, expected: int, desired: int, remote_key: RemoteKey, offset: int = 0, itemsize: int = 8, *, condition: Condition | None = None) -> UCXRequest[int]:
        """
        Store `desired` if the word is `expected`; the result is what it was, unsigned.

        Word, offset and errors as of `atomic_post`.
        """

    def prepare_send(self, array: ucxx.types.BufferLike, tag: int, *, partitions: int = 1, contributors: int = 1) -> PreparedSend:
        """
        Prepare to send a contiguous buffer again and again, in partitions of equal size.

        Kernels make a partition ready by as many calls as there are contributors.

        It does not wait for the peer, which calls prepare_recv. Raises UCXInvalidParamError for
        partitions that are 0, more than 65536, or do not divide the bytes; UCXUnsupportedError for
        memory of a device; UCXCloseError on a closed endpoint.
        """

    def prepare_recv(self, array: ucxx.types.BufferLike, tag: int, *, partitions: int = 1) -> PreparedRecv:
        """
        Prepare to receive into a writable, contiguous buffer again and again.

        The peer, which calls prepare_send, sends as many bytes. Into memory of the library (of a
        MemoryHandle that was made with a size) a peer of the same machine writes up to 256 KiB
        at a time itself. Raises as prepare_send does.
        """

class _AsyncEndpoint(UCXEndpoint):
    def __init__(self, endpoint: UCXEndpoint) -> None: ...

    def am_send(self, buffer: ucxx.types.BufferLike, id: int | None = None, header: bytes = b'', *, condition: Condition | None = None) -> UCXRequest[None]:
        """
        Send an active message: for the peer's am_recv, or its handler of that id.
        """

    @property
    def _receives(self) -> int: ...

    def _receive_tag(self, tag: Hashable, force_tag: bool) -> int: ...

    def send(
        self,
        buffer: ucxx.types.BufferLike,
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[None]:
        """
        Send a contiguous buffer as one message; await the result, which is None.

        Without a tag the message is for a `recv` without one of the endpoint's peer; a tag, an int of 0
        to 2**64 - 1 or any hashable object, is mixed with the endpoint's own, and with force_tag=True
        taken as it is.
        The buffer must not change before the await is over. Cancelling the awaiting task waits until
        the buffer is free again.
        """

    def recv(
        self,
        buffer: ucxx.types.BufferLike,
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[int]:
        """
        Receive the next message of that tag into a writable, contiguous buffer; await how many bytes
        it has.

        A message that is longer raises UCXMessageTruncatedError, nothing written past the buffer.
        Into memory of a device the bytes come behind what the stream that its array names has to do;
        when the await is over, each stream sees them.
        """

    def send_multi(
        self,
        buffers: Sequence[ucxx.types.BufferLike],
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        condition: Condition | None = None,
    ) -> UCXRequest[None]:
        """
        Send a sequence of buffers as one message, for one `recv_multi`; await the result, which is
        None.

        Each is contiguous, of any size; all are pinned until the await is over. Tags as in `send`.
        """

    def recv_multi(
        self, tag: Hashable = None, force_tag: bool = False, *, condition: Condition | None = None
    ) -> UCXRequest[list[numpy.typing.NDArray[numpy.uint8]]]:
        """
        Receive what one `send_multi` sent; await the list of its buffers.

        They are arrays of uint8, or memoryviews where NumPy is not installed, of memory of the
        library's, in the sender's order; those from memory of a device are DeviceBuffers. Instead they
        are what an allocator has made (`set_allocator`). Tags as in `send`.
        """

class _Listener:
    def __init__(self, worker: _Worker, port: int, callback: Callable[[int], object], ip: str = '') -> None: ...

    @property
    def port(self) -> int: ...

    @property
    def ip(self) -> str: ...

    def accept(self, conn_request: int, endpoint_error_handling: bool = True) -> UCXEndpoint: ...

    def reject(self, conn_request: int) -> None: ...

    def peer_of(self, conn_request: int) -> tuple[str, int, str]: ...

class AtomicOperation(enum.Enum):
    """What an atomic operation does to a word."""

    ADD = 0

    AND = 1

    OR = 2

    XOR = 3

    SWAP = 4

class RemoteKey:
    """
    Lets a peer reach memory: the owner's side of it, or the peer's.

    bytes(key) is for the peer, whatever way it goes.
    """

    @staticmethod
    def create_from_buffer(endpoint: UCXEndpoint, data: ucxx.types.BufferLike) -> RemoteKey:
        """
        Make the key of a peer's memory of its bytes.

        Raises UCXInvalidParamError for bytes that are no key.
        """

    @property
    def size(self) -> int:
        """Bytes of the memory."""

    @property
    def base_address(self) -> int:
        """Where it lies in its process."""

    def __bytes__(self) -> bytes: ...

class _Memory:
    def __init__(self, context: _Context, memory: ucxx.types.BufferLike | int) -> None: ...

    @property
    def size(self) -> int:
        """Bytes."""

    @property
    def base_address(self) -> int:
        """Where it lies in this process."""

    def create_remote_key(self) -> RemoteKey:
        """
        Make the key that lets peers reach it; bytes(key) is what they need of it.

        Who has the key can read and write the whole memory.
        """

    def __buffer__(self, flags: int, /) -> memoryview: ...

def _begin_log(deliver: Callable[[list[tuple[int, float, str, str]], int], object]) -> int: ...

def _end_log() -> None: ...

def _deliver_log() -> None: ...

def _set_log_level(arg: int, /) -> None: ...

def _log(level: int, text: str) -> None: ...

def _begin_trace(track_of: Callable[[], str], name: object) -> None: ...

def _end_trace(name: object) -> tuple[list[tuple[str, str, int, int, int, int, int]], int] | None: ...

def _status_text(arg: int, /) -> str: ...

def _describe_all() -> str: ...

def _dump_all() -> str: ...

def _report_all() -> list[dict[str, Any]]: ...

def _peers_of(worker: _Worker) -> list[dict[str, Any]]: ...

def _dump_on_signal(signal: int, descriptor: int) -> None: ...

def _end_dumps() -> None: ...

def pool_stats() -> dict[str, int]:
    """
    Return the counters of the pool, the memory that large received buffers lie in.

    used_bytes, idle_bytes (free, kept warm for what comes next), idle_limit_bytes and
    total_limit_bytes (see `set_pool_limits`), taken (blocks so far), reused (of them warm ones).
    Idle memory that nothing has needed for 5 seconds goes back to the system, while an event loop or
    a progress thread moves a worker, and by `trim_pool`.

    Of the memory of devices, in DeviceBuffers: device_used_bytes, device_idle_bytes, kept for
    the next ones, and device_idle_limit_bytes.
    """

def trim_pool() -> int:
    """
    Give all idle memory of the pool back to the system now; return how many bytes that were.

    Any thread. Buffers that are in use stay. Memory of devices goes back to the driver, unless
    a stream waits for a transfer, or a graph or a kernel may. In a forked child it does nothing.
    """

def set_pool_limits(idle_bytes: int | None = None, total_bytes: int | None = None, device_idle_bytes: int | None = None, staging_bytes: int | None = None) -> None:
    """
    Limit the pool, for as long as the process lives; idle memory beyond goes back at once.

    Any thread. In a forked child it does nothing.

    Args:
        idle_bytes: of what is kept warm; None: as it is, at first 256 MiB, or a sixteenth of the
            machine's memory if that is less.
        total_bytes: of what is used or kept warm; None: as it is, at first the machine's memory, 64 GiB
            at most. Beyond it buffers come from `malloc`: nothing fails, but they are slower.
        device_idle_bytes: of the memory of all devices that is kept for the next DeviceBuffers; None: as it
            is, at first 256 MiB.
        staging_bytes: of what is page-locked for copies from and to devices; None: as it is, at first
            64 MiB. It is locked as it is needed, 4 MiB at a time, and what is locked stays so. Copies
            beyond it wait for their turn.

    Raises:
        ValueError, TypeError: not an int from 0 to 2**64 - 1, nor None.
    """

class _Prepared:
    """
    One end of a transfer that is prepared once, and then done again and again.

    `start` at both ends begins an iteration, between the same two buffers each time. The ends
    find each other by endpoint and tag, the first prepared with the first prepared; messages of
    that tag have nothing to do with it. The bytes must be equally many at both ends, and one of
    the two numbers of partitions must divide the other; else both ends fail with
    UCXInvalidParamError.

    Its buffer is pinned until its close has ended. Dropping it closes it. It keeps its endpoint.
    Call `start` and `close` in one thread at a time; all else in any, at once.
    """

    @property
    def completed(self) -> bool:
        """
        Whether no iteration that has begun is in progress.

        A start that was posted to a stream may still be to come: its request tells of it.
        If `status` is 0 then, the sender may change its buffer, and the receiver has all
        partitions. After a failure the buffer is free when `close` has ended, and no sooner.
        """

    @property
    def status(self) -> int:
        """
        The UCX status of the last iteration, 0 for success and before the first one, 1 in
        progress, negative for errors.
        """

    def check_error(self) -> None:
        """
        Raise what the last iteration has failed with, if it has.

        UCXCanceledError: it was closed at this end; UCXConnectionResetError: at the other.
        """

    @property
    def nbytes(self) -> int:
        """How many bytes the buffer has."""

    @property
    def partitions(self) -> int:
        """Into how many partitions this end divides it."""

    @property
    def iterations(self) -> int:
        """How many iterations were started here."""

    def request(self) -> UCXRequest[None]:
        """
        Return a request that ends with this iteration, which has begun.

        Of an iteration whose start was posted to a stream tells what that start returned.
        Cancelling it ends the request, not the iteration. It stays until the iteration ends,
        also if it is dropped.
        """

    def _is_of_worker_of(self, arg: _Prepared, /) -> bool: ...

    def explain(self) -> str:
        """Say how the bytes of a partition go to the other end now, and why."""

    def _close(self) -> UCXRequest[None]: ...

    @property
    def handle(self) -> DeviceHandle:
        """
        What kernels make partitions ready by, ask which have arrived, and wait for.

        Made at the first call, in memory of the current device. Kernels do not start the plan:
        `start` does, with or without a stream. The handle keeps the plan.

        A send's is made before the first start. From then on kernels make its partitions ready:
        `ready` is refused, and a single partition leaves no more at the start.

        Raises UCXInvalidParamError: an iteration of the send has begun, the buffer is managed
        memory, no context of CUDA is current in this thread, or the worker has no progress
        thread; UCXUnsupportedError: no driver of CUDA can be used, or the device has no memory
        operations of 64 bits.
        """

    def __repr__(self) -> str: ...

    @overload
    def start(self, *, stream: None = None, until: Literal["ended", "begun"] = "ended") -> None:
        """
        Begin the next iteration, without waiting for the peer.

        At the receiver's end the buffer may be written from now on. At the sender's, partitions
        may be made ready; the only one of a plan is ready at once. On a plan that has failed, the
        iteration fails at once. Raises UCXInvalidParamError while an iteration is in progress.

        With a stream of CUDA it begins when the stream gets there and the one before has ended;
        in a capture, in each launch. The caller goes on at once, with a request that ends with
        the iteration, or, with until="begun", as soon as that has begun. Several may be posted;
        until their requests have ended, `start()` raises UCXInvalidParamError. Cancelling a request
        takes back a start that has not begun, and what was posted after it to be ready. In a capture
        what comes after the start waits for its request: kernels that come there and make partitions
        ready need until="begun". Without a stream `until` changes nothing. The worker needs a progress
        thread. Raises as `wait_on` does; ValueError: `until` is another word.
        """
    @overload
    def start(self, *, stream: ucxx.types.StreamLike, until: Literal["ended", "begun"] = "ended") -> UCXRequest[None]: ...

    def wait_on(self, stream: ucxx.types.StreamLike, /) -> None:
        """
        Let a stream of CUDA wait until the iteration has ended that was started or posted last.

        What is put into the stream afterwards comes after the end; the caller goes on at once. Of a
        start whose condition repeats, or that was captured, it is the iteration that is in progress
        when the stream gets there. Raises as that of a request: UCXRequest.wait_on.
        """

class PreparedSend(_Prepared):
    """
    The sender's end of a transfer that is prepared once; made by UCXEndpoint.prepare_send.
    """

    def close(self) -> UCXRequest[None]:
        """
        Begin to close; return a request that ends when nobody touches the buffer any more.

        That is when the peer has answered, or has ended. An iteration in progress ends here
        with UCXCanceledError, and at the other end with UCXConnectionResetError. It may be
        called again, for the same request.
        """

    @overload
    def ready(self, *, stream: None = None) -> None:
        """
        Say that the bytes of a partition are there, and may leave.

        `ready(i)`: of that one; `ready(first, last)`: of all from `first` up to, but without,
        `last`, which leave together; `ready()`: of all. Exactly once for each in an iteration, in any
        order and thread. After a failure it does nothing.

        Raises UCXInvalidParamError: there is no such partition, it was made ready before, or no
        iteration is in progress. ValueError: it is no int of 0 to 2**64 - 1.

        `ready(..., stream=s)`: when that stream of CUDA gets there, and all starts that it came to
        before have begun; returns a request that ends when it is done. What is wrong only then (a
        partition that was made ready before, no iteration in progress) ends the plan with
        UCXInvalidParamError. Raises as `wait_on` does.
        """
    @overload
    def ready(self, partition: int, /, *, stream: None = None) -> None: ...
    @overload
    def ready(self, first: int, last: int, /, *, stream: None = None) -> None: ...
    @overload
    def ready(self, *, stream: ucxx.types.StreamLike) -> UCXRequest[None]: ...
    @overload
    def ready(self, partition: int, /, *, stream: ucxx.types.StreamLike) -> UCXRequest[None]: ...
    @overload
    def ready(self, first: int, last: int, /, *, stream: ucxx.types.StreamLike) -> UCXRequest[None]: ...

    def wait(self, timeout: float | None = None) -> None:
        """
        Wait for the end of the iteration without an event loop, for `timeout` seconds at most.

        The sender's: the buffer may be filled again. The receiver's: all partitions have arrived.
        Raises TimeoutError when the time is up, the iteration going on, and what it ended with.
        Other Python threads run meanwhile, Ctrl-C interrupts it.

        It tells of iterations that have begun. One whose start was posted to a stream may not have:
        wait for the request that `start(stream=...)` has returned.
        """

class PreparedRecv(_Prepared):
    """
    The receiver's end of a transfer that is prepared once; made by UCXEndpoint.prepare_recv.
    """

    def close(self) -> UCXRequest[None]:
        """
        Begin to close; return a request that ends when nobody touches the buffer any more.

        That is when the peer has answered, or has ended. An iteration in progress ends here
        with UCXCanceledError, and at the other end with UCXConnectionResetError. It may be
        called again, for the same request.
        """

    def arrived(self, partition: int, /) -> bool:
        """
        Tell whether the bytes of a partition of this iteration are in the buffer.

        It does not move the worker. Raises UCXInvalidParamError: there is no such partition.
        """

    def wait(self, timeout: float | None = None) -> None:
        """
        Wait for the end of the iteration without an event loop, for `timeout` seconds at most.

        The sender's: the buffer may be filled again. The receiver's: all partitions have arrived.
        Raises TimeoutError when the time is up, the iteration going on, and what it ended with.
        Other Python threads run meanwhile, Ctrl-C interrupts it.

        It tells of iterations that have begun. One whose start was posted to a stream may not have:
        wait for the request that `start(stream=...)` has returned.
        """

class _AsyncPrepared(_Prepared):
    def __init__(self, endpoint: _AsyncEndpoint, sends: bool, buffer: ucxx.types.BufferLike, tag: Hashable, force_tag: bool, partitions: int, contributors: int) -> None: ...

    @overload
    def _ready(self, *, stream: None = None) -> None:
        """
        Say that the bytes of a partition are there, and may leave.

        `ready(i)`: of that one; `ready(first, last)`: of all from `first` up to, but without,
        `last`, which leave together; `ready()`: of all. Exactly once for each in an iteration, in any
        order and thread. After a failure it does nothing.

        Raises UCXInvalidParamError: there is no such partition, it was made ready before, or no
        iteration is in progress. ValueError: it is no int of 0 to 2**64 - 1.

        `ready(..., stream=s)`: when that stream of CUDA gets there, and all starts that it came to
        before have begun; returns a request that ends when it is done. What is wrong only then (a
        partition that was made ready before, no iteration in progress) ends the plan with
        UCXInvalidParamError. Raises as `wait_on` does.
        """
    @overload
    def _ready(self, partition: int, /, *, stream: None = None) -> None: ...
    @overload
    def _ready(self, first: int, last: int, /, *, stream: None = None) -> None: ...
    @overload
    def _ready(self, *, stream: ucxx.types.StreamLike) -> UCXRequest[None]: ...
    @overload
    def _ready(self, partition: int, /, *, stream: ucxx.types.StreamLike) -> UCXRequest[None]: ...
    @overload
    def _ready(self, first: int, last: int, /, *, stream: ucxx.types.StreamLike) -> UCXRequest[None]: ...

    def _arrived(self, partition: int, /) -> bool:
        """
        Tell whether the bytes of a partition of this iteration are in the buffer.

        It does not move the worker. Raises UCXInvalidParamError: there is no such partition.
        """

def _start_all(plans: list[_Prepared], condition: Condition | None, stream: ucxx.types.StreamLike | None, until: str) -> UCXRequest[None]: ...

def _wait_all_on(plans: list[_Prepared], stream: ucxx.types.StreamLike) -> None: ...
