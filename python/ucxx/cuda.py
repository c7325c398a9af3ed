# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Conditions: transfers are posted with one now, and start when it is triggered.

A condition of the host needs no GPU: the program triggers it itself, in any thread. Streams, graphs and
kernels of CUDA trigger the others, and can wait for transfers, while Python goes on.

A condition of a stream, a graph or kernels needs a worker with a progress thread, which moves the transfers
while Python does something else: `ucxx.init(progress_mode="thread")`, or "thread-polling", or
`UCXWorker.start_progress_thread()`. Without one a post with such a condition raises UCXInvalidParamError.

What streams and graphs transfer has to be memory that both sides reach: page-locked memory of the host
(`cupyx.empty_pinned`, `torch.empty(..., pin_memory=True)`, `numba.cuda.pinned_array`), or for sends memory
of a device, as UCX takes it. Managed memory is refused.
"""

from __future__ import annotations

from collections.abc import Iterable

from ucxx import _core
from ucxx._core import Condition, DeviceHandle, StreamBatch
from ucxx.types import GraphLike, GraphNodeLike, StreamLike

__all__ = [
    "Condition",
    "DeviceHandle",
    "StreamBatch",
    "attach",
    "available",
    "batch",
    "graph",
    "host",
    "kernel",
    "stream",
]


def available() -> bool:
    """Tell whether CUDA's driver is here, can be used, and has a device. Initialises the driver."""
    driver = _core._cuda_driver()
    return not driver["missing"] and bool(driver["devices"])


def host(
    *,
    repeat: bool = False,
    start_timeout: float | None = None,
    transfer_timeout: float | None = None,
) -> Condition:
    """Make a condition that `Condition.trigger` triggers.

    Args:
        repeat: its transfers start again at each trigger, with the same buffers. They end when it is
            closed, or when a repetition of theirs fails. Receives that bring a buffer of their own
            (`am_recv`, `recv_multi`) cannot repeat: UCXUnsupportedError.
        start_timeout: seconds; a transfer that has not started so long after its post ends with
            UCXTimedOutError. None: it waits for ever.
        transfer_timeout: seconds; a transfer that has not ended so long after its start is cancelled,
            and ends with UCXTimedOutError. If it does not end within the same time once more, its
            endpoint is closed. None: no limit.

    Raises:
        UCXNoResourceError: the process has 4096 conditions already.
        TypeError, ValueError: a timeout is not a number of seconds from 0.001 to 1e9.
        UCXError: in a forked child.
    """
    return _core._host_condition(repeat, start_timeout, transfer_timeout)


def stream(
    stream: StreamLike,
    *,
    start_timeout: float | None = None,
    transfer_timeout: float | None = None,
) -> Condition:
    """Make a condition that marks places in a stream of CUDA.

    A transfer that is posted with it starts when the stream gets to the place of the post: all that was
    put into the stream before has ended then. The stream goes on at once; `UCXRequest.wait_on` lets it,
    or another one, wait for the end. Whatever happens to the transfer, the stream goes on.

    Each post marks a place of its own. At most 256 of a stream may be on their way, from the post until
    the transfer has ended and the stream has come to its place. The next post waits, while other threads
    of Python run; Ctrl-C ends the wait, with nothing posted. In a task of an event loop it raises
    UCXNoResourceError in place of the wait, which would hold up all tasks.

    Dropping the condition changes nothing. `close` ends the transfers that the stream has not reached,
    with UCXCanceledError. The end of `with ucxx.cuda.stream(...) as condition:` closes it, too: such a
    `with` must not end before the stream has got to the posts. Where the stream is captured, a post
    makes a node of the graph, as with `graph`.

    An array in memory of a device may name a stream by itself (`__cuda_array_interface__`, version 3;
    DLPack): the stream of the condition waits for what is in that one. Where it cannot, since one of the
    two is being captured and the other one is not, the post raises UCXInvalidParamError. A tensor of
    PyTorch names no stream: give the stream that writes it, or let one wait for the other.

    Args:
        stream: an object of CuPy, PyTorch, Numba, cuda.core or any with `__cuda_stream__`, or its handle
            as an int. Not the legacy default stream, which is the current one of PyTorch and CuPy
            unless a program says otherwise: `torch.cuda.Stream()`, `cupy.cuda.Stream(non_blocking=True)`.
        start_timeout: as of `host`.
        transfer_timeout: as of `host`.

    Raises:
        TypeError: `stream` is not a stream.
        UCXInvalidParamError: it is the legacy default stream, has been destroyed, or no context of CUDA
            is current in this thread.
        UCXUnsupportedError: there is no driver of CUDA that can be used, or the device lacks memory
            operations of 64 bits.
        UCXError: what the driver says.
        TypeError, ValueError: a timeout is not a number of seconds from 0.001 to 1e9.
    """
    return _core._stream_condition(stream, start_timeout, transfer_timeout)


def graph(
    graph: GraphLike,
    *,
    after: Iterable[GraphNodeLike] = (),
    start_timeout: float | None = None,
    transfer_timeout: float | None = None,
) -> Condition:
    """Make a condition that is a node of a graph of CUDA, which comes after the nodes `after`.

    Its first post makes the node (`Condition.node`); all posts come before the first launch. In each
    launch its transfers start when the node is reached, and it has ended when all of them have. So two
    ends that send to each other post with one condition.

    The condition lives as long as the graph and what was instantiated from it: dropping the condition,
    and `close`, change nothing. Its requests end when these are gone: a program that awaits one while it
    keeps the graph waits for ever. The buffers stay pinned until then. The worker has to live as long as
    the graph is launched, one launch after the other.

    Args:
        graph: a graph of PyTorch (`torch.cuda.CUDAGraph(keep_graph=True)`) or cuda.core, or a
            cudaGraph_t as an int.
        after: nodes of the graph: of cuda.core, or each a cudaGraphNode_t as an int.
        start_timeout: as of `host`; from the post to the first launch.
        transfer_timeout: as of `host`.

    Raises:
        TypeError: `graph` is not a graph, or something in `after` is not a node.
        UCXInvalidParamError: it is null, or a node is, or no context of CUDA is current in this thread.
        UCXNoResourceError: from the first post: the process has 1024 of them.
        UCXUnsupportedError, UCXError, ValueError: as of `stream`.
    """
    try:
        nodes = iter(after)
    except TypeError:
        kind = type(after).__name__
        raise TypeError(f"after must be an iterable of nodes, as [node], not {kind}") from None
    return _core._graph_condition(graph, nodes, start_timeout, transfer_timeout)


def kernel(
    *,
    repeat: bool = False,
    start_timeout: float | None = None,
    transfer_timeout: float | None = None,
) -> Condition:
    """Make a condition that kernels of the current device trigger, and wait for.

    Kernels are given `Condition.handle.ptr`, for the functions of `ucxx/cuda/device.h`: a kernel calls
    `ucxx::device::trigger(handle)` when its data is there. All is posted before the first trigger.

    Keep the condition until the kernels have ended that were given the handle. Dropping the condition
    closes it: kernels that wait for it get the status of UCXCanceledError (-16). The library then uses its
    memory for another condition, which a late kernel would trigger.

    Args:
        repeat: each trigger starts the transfers again. Without it later triggers start nothing.
        start_timeout: as of `host`.
        transfer_timeout: as of `host`.

    Raises:
        UCXNoResourceError: the process has 4096 conditions already.
        UCXInvalidParamError: no context of CUDA is current in this thread.
        UCXUnsupportedError, UCXError, TypeError, ValueError: as of `stream`.
    """
    return _core._kernel_condition(repeat, start_timeout, transfer_timeout)


def batch(stream: StreamLike) -> StreamBatch:
    """Collect what this thread posts with a condition of the stream, and its `wait_on`, in a `with`.

    All of it enters the stream at the end of the `with`, in its order, by one call of the driver; what
    the program itself puts into the stream meanwhile comes before. `wait` of a request, a condition or a
    plan submits what was collected before it blocks. Do not wait for the stream itself inside, nor
    `await`: other tasks of the thread would be collected, too.

    Of several batches of one stream, one within the other, the outer one collects. 255 operations are
    submitted at once, before the end. A post that waits for room submits all batches of its thread.

    Raises:
        TypeError: at the call, `stream` is not a stream.
        UCXInvalidParamError: at the call, it is the legacy default stream.
        UCXError: from the `with` on: at its begin as of `stream`, later what the driver says.
    """
    return StreamBatch(stream)


def attach() -> None:
    """Get ready for the context of CUDA that is current in this thread.

    It page-locks the words by which streams and transfers tell each other, 300 KiB, once for the process.
    Without that call the first use of a stream does it, which takes some time.

    Raises:
        UCXUnsupportedError: there is no driver of CUDA that can be used, or the device lacks memory
            operations of 64 bits.
        UCXInvalidParamError: no context is current.
        UCXError: what the driver says.
    """
    _core._attach_cuda()
