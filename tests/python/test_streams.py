# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is taken as a stream, a graph and a node of CUDA: the objects of each library, by their shape."""

import ctypes

import numpy as np
import pytest

import ucxx
from ucxx._arguments.streams import handle_of_graph, handle_of_node, handle_of_stream
from ucxx.exceptions import UCXInvalidParamError


def like(_module="somewhere", **attributes):
    """Make an object with these attributes, of a type of that module."""
    return type("Stream", (), {"__module__": _module, **attributes})()


class CuHandle:
    """As cuda.bindings has them."""

    def __int__(self):
        """Give the handle."""
        return 77


CuHandle.__module__ = "cuda.bindings.driver"


def bound(name):
    """Make a handle of that type of cuda.bindings."""
    return type(name, (CuHandle,), {"__module__": "cuda.bindings.driver"})()



# What more they have than a handle.
OF_CUPY = {"record": print, "wait_event": print, "synchronize": print, "device_id": 0}
OF_NUMBA = {"handle": ctypes.c_void_p(77), "synchronize": print}
STREAMS = {
    "an int": 77,
    "of NumPy": np.uint64(77),
    "the protocol": like(__cuda_stream__=lambda self: (0, 77)),
    "the protocol as a property": like(__cuda_stream__=(0, 77)),
    "the protocol first": like(__cuda_stream__=lambda self: (0, 77), ptr=5, cuda_stream=6),
    "PyTorch": like("torch.cuda.streams", cuda_stream=77),
    "CuPy": like("cupy.cuda.stream", ptr=77),
    "the whole of CuPy's": like("cupy.cuda.stream", ptr=77, **OF_CUPY),
    "Numba": like("numba.cuda.cudadrv.driver", handle=ctypes.c_void_p(77)),
    "the whole of Numba's": like("numba.cuda.cudadrv.driver", add_callback=print, **OF_NUMBA),
    "cuda.core": like("cuda.core", handle=CuHandle()),
    "the whole of cuda.core's": like(__cuda_stream__=lambda self: (0, 77), handle=CuHandle(), record=print),
    "cuda.bindings": CuHandle(),
    "a pointer": ctypes.c_void_p(77),
    "an integer of ctypes": ctypes.c_uint64(77),
}


@pytest.mark.parametrize("name", STREAMS)
def test_streams_that_are_taken(name):
    assert handle_of_stream(STREAMS[name]) == 77


@pytest.mark.parametrize(("stream", "instead"), [
    (0, "cudaStreamPerThread"), (1, "cudaStreamPerThread"),
    (like("torch.cuda.streams", cuda_stream=0), r"torch\.cuda\.Stream\(\)"),
    (like("cupy.cuda.stream", ptr=1), r"cupy\.cuda\.Stream\(non_blocking=True\)"),
    (like("numba.cuda.cudadrv.driver", handle=ctypes.c_void_p(0)), r"numba\.cuda\.stream\(\)"),
    (like("cuda.core._stream", __cuda_stream__=lambda self: (0, 1)), r"Device\(\)\.create_stream\(\)"),
])  # fmt: skip
def test_the_legacy_default_stream_is_refused(stream, instead):
    with pytest.raises(UCXInvalidParamError, match=f"legacy default stream, .*; use .*{instead}"):
        handle_of_stream(stream)


@pytest.mark.parametrize("wrong", [None, "77", 7.0, True, b"7", object(), [77], np.ones(1)])
def test_what_is_no_stream(wrong):
    kind = type(wrong).__name__
    with pytest.raises(TypeError, match=f"a stream must be an int, or have __cuda_stream__.*, not {kind}$"):
        handle_of_stream(wrong)


@pytest.mark.parametrize(("stream", "kind", "words"), [
    (like(__cuda_stream__=lambda self: (1, 77)), TypeError, "version 1; known is 0"),
    (like(__cuda_stream__=lambda self: 77), TypeError, r"must be \(0, handle\), not 77"),
    (like(__cuda_stream__=lambda self: (0, "77")), TypeError, "its handle is a str"),
    (like(ptr="77"), TypeError, "its handle is a str"),
    (like(ptr=True), TypeError, "its handle is a bool"),
    (like(handle=ctypes.c_float(3)), TypeError, r"its handle is a c_float\(3\.0\)"),
    (ctypes.c_float(0), TypeError, r", not c_float\(0\.0\)"),
    (ctypes.c_char_p(b"abc"), TypeError, r", not c_char_p\("),
    (ctypes.c_bool(True), TypeError, r", not c_bool\(True\)"),
    (like(ptr=-1), ValueError, r"from 0 to 2\*\*64 - 1, not -1"),
    (2**64, ValueError, r"from 0 to 2\*\*64 - 1, not 18446744073709551616"),
])  # fmt: skip
def test_streams_whose_handle_is_wrong(stream, kind, words):
    with pytest.raises(kind, match=words):
        handle_of_stream(stream)


STREAM, GRAPH, NODE = handle_of_stream, handle_of_graph, handle_of_node
# cuda.core's GraphBuilder is a stream, its Graph an executable one.
OTHER_KINDS = {
    "a graph of PyTorch": (like(raw_cuda_graph=lambda self: 77), (STREAM, NODE)),
    "a stream of PyTorch": (like(cuda_stream=77), (GRAPH, NODE)),
    "a stream of CuPy": (like(ptr=77), (GRAPH, NODE)),
    "a stream with a handle": (like(__cuda_stream__=lambda self: (0, 77), handle=77), (GRAPH, NODE)),
    "a handle of a stream": (like(handle=bound("CUstream")), (GRAPH, NODE)),
    "a handle of a graph": (like(handle=bound("CUgraph")), (STREAM, NODE)),
    "a handle of a node": (like(handle=bound("CUgraphNode")), (STREAM, GRAPH)),
    "an executable graph": (like(handle=bound("CUgraphExec")), (STREAM, GRAPH, NODE)),
    "an event": (bound("CUevent"), (STREAM, GRAPH, NODE)),
    "an event of CuPy": (like("cupy.cuda.stream", ptr=77, record=print, synchronize=print, done=True),
                         (STREAM, GRAPH, NODE)),
    "memory of CuPy": (like("cupy.cuda.memory", ptr=77, mem=object(), device_id=0), (STREAM, GRAPH, NODE)),
}


@pytest.mark.parametrize("name", OTHER_KINDS)
def test_what_is_of_another_kind(name):
    given, functions = OTHER_KINDS[name]
    for function in (STREAM, GRAPH, NODE):
        if function in functions:
            with pytest.raises(TypeError, match=r"a (stream|graph|node) must be an int"):
                function(given)
        else:
            assert function(given) == 77


def test_an_event_of_numba_is_no_stream():
    event = like("numba.cuda.cudadrv.driver", record=print, elapsed_time=print, **OF_NUMBA)
    with pytest.raises(TypeError, match="a stream must be an int"):
        handle_of_stream(event)


@pytest.mark.parametrize(("function", "kind"), [(STREAM, "stream"), (GRAPH, "graph"), (NODE, "node")])
def test_a_condition_is_none(function, kind):
    with ucxx.cuda.host() as condition, pytest.raises(
        TypeError, match=f"^that is a condition; give the {kind} itself$"
    ):
        function(condition)


def test_graphs_and_nodes():
    torch = like("torch.cuda.graphs", raw_cuda_graph=lambda self: 77)
    for graph in (77, torch, like("cuda.core", handle=CuHandle()), CuHandle()):
        assert handle_of_graph(graph) == 77
    for node in (77, like("cuda.core", handle=CuHandle()), CuHandle()):
        assert handle_of_node(node) == 77
    assert (handle_of_graph(0), handle_of_node(0)) == (0, 0)  # the core says which one is null
    with pytest.raises(TypeError, match=r"a graph must be an int .*, not str"):
        handle_of_graph("77")
    with pytest.raises(TypeError, match=r"a node must be an int .*, not NoneType"):
        handle_of_node(None)
