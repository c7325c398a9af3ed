# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs over a driver of CUDA with wrong arguments of conditions."""

from cuda_driver import Graph, Stream, call, pinned
from device_ends import Ends, raises

import ucxx
from ucxx import cuda


def wrong_streams():
    ends, stream = Ends(), Stream()
    pending = ends.right.tag_recv(bytearray(8), 1)
    uses = [cuda.stream, cuda.batch, pending.wait_on]
    for use in uses:
        for legacy in (0, 1):
            said = f"stream {legacy} is CUDA's legacy default stream"
            with raises(ucxx.UCXInvalidParamError, said, "cudaStreamPerThread"):
                use(legacy)
        with raises(TypeError, "__cuda_stream__", "not str"):
            use("stream")
        with raises(ValueError, "2**64 - 1"):
            use(-1)
    destroyed = Stream()
    condition = cuda.stream(destroyed.handle)
    call("cuStreamDestroy_v2", destroyed.handle)
    with raises(ucxx.UCXError):
        ends.left.tag_send(pinned(8), 1, condition=condition)
    with raises(TypeError):
        cuda.stream(stream.handle, repeat=True)
    limit = "start_timeout must be a number of seconds from 0.001 to 1e9, or None for no limit, not "
    for wrong in (0, 1e-4, -1, 1e10, float("nan")):
        with raises(ValueError, f"{limit}{wrong!r}"):
            cuda.stream(stream.handle, start_timeout=wrong)
    for wrong in ("1", True):
        with raises(TypeError, f"{limit}{wrong!r}"):
            cuda.stream(stream.handle, start_timeout=wrong)
    with raises(TypeError, "ucxx.cuda.host(), stream(), graph() or kernel() makes, or None", "not int"):
        ends.left.tag_send(b"12345678", 1, condition=stream.handle)
    pending.cancel()


def wrong_graphs():
    Ends()
    graph = Graph()
    with raises(ucxx.UCXInvalidParamError, "null"):
        cuda.graph(0)
    with raises(ucxx.UCXInvalidParamError, "after[1] is null"):
        cuda.graph(graph.handle, after=[2, 0])
    with raises(TypeError, "a graph must be an int", "not str"):
        cuda.graph("graph")
    with raises(TypeError, "a node must be an int", "not str"):
        cuda.graph(graph.handle, after=["node"])
    for after in (5, None):
        with raises(TypeError, "after must be an iterable of nodes", type(after).__name__):
            cuda.graph(graph.handle, after=after)
    with raises(TypeError, "repeat must be True or False"):
        cuda.kernel(repeat=1)
    graph.destroy()


class Protocol:
    """A stream by CUDA's protocol, which has .handle, too."""

    def __init__(self, stream):
        """Take its handle."""
        self.handle = stream.handle

    def __cuda_stream__(self):
        """Tell it."""
        return 0, self.handle


def what_is_of_another_kind():
    ends, stream, graph = Ends(), Stream(), Graph()
    pending = ends.right.tag_recv(bytearray(8), 1)
    with raises(TypeError, "a graph must be an int", "which has __cuda_stream__"):
        cuda.graph(Protocol(stream))
    with raises(TypeError, "a node must be an int", "which has __cuda_stream__"):
        cuda.graph(graph.handle, after=[Protocol(stream)])
    kernel = cuda.kernel()
    for condition in (cuda.stream(Protocol(stream)), cuda.graph(graph.handle), kernel, cuda.host()):
        for use in (cuda.stream, cuda.batch, pending.wait_on):
            with raises(TypeError, "that is a condition; give the stream itself"):
                use(condition)
        with raises(TypeError, "that is a condition; give the graph itself"):
            cuda.graph(condition)
        with raises(TypeError, "that is a condition; give the node itself"):
            cuda.graph(graph.handle, after=[condition])
    with raises(TypeError, "that is a handle for kernels; give the stream itself"):
        cuda.stream(kernel.handle)
    assert stream.is_idle()
    pending.cancel()
    graph.destroy()
