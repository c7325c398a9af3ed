# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The handles of CUDA's streams, graphs and nodes of graphs, which each library keeps in its own way."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, NamedTuple

from ucxx import _core
from ucxx.exceptions import UCXInvalidParamError

_LEGACY = (0, 1)  # cudaStreamDefault, cudaStreamLegacy
_MOST = 2**64 - 1


class _Kind(NamedTuple):
    """What is asked for, and how an object of another kind is known."""

    name: str
    rule: str
    attributes: tuple[str, ...]  # each may have the handle
    foreign: tuple[str, ...]  # attributes of other kinds only: a stream of Numba has .handle as a graph has
    types: tuple[str, ...]  # of handles in cuda.bindings


_OF_STREAMS = ("__cuda_stream__", "cuda_stream", "ptr")
_STREAM = _Kind(
    "stream",
    "a stream must be an int, or have __cuda_stream__ (CUDA's protocol), .cuda_stream (PyTorch), .ptr (CuPy) "
    "or .handle (Numba)",
    ("cuda_stream", "ptr", "handle"),
    ("raw_cuda_graph", "mem"),
    ("CUstream", "cudaStream_t"),
)
_GRAPH = _Kind(
    "graph",
    "a graph must be an int (a cudaGraph_t), or have raw_cuda_graph() (PyTorch) or .handle (cuda.core)",
    ("handle",),
    _OF_STREAMS,
    ("CUgraph", "cudaGraph_t"),
)
_NODE = _Kind(
    "node",
    "a node must be an int (a cudaGraphNode_t), or have .handle (cuda.core)",
    ("handle",),
    (*_OF_STREAMS, "raw_cuda_graph"),
    ("CUgraphNode", "cudaGraphNode_t"),
)
# Handles in cuda.bindings that are of no kind above: cuda.core has them at what is like a stream or a graph.
_OTHER_TYPES = ("CUgraphExec", "cudaGraphExec_t", "CUevent", "cudaEvent_t", "CUcontext", "CUdeviceptr")
_KNOWN_TYPES = {*_STREAM.types, *_GRAPH.types, *_NODE.types, *_OTHER_TYPES}

# By the first part of the module of its type: how to make a stream that others do not wait for.
_INSTEAD = {
    "torch": "torch.cuda.Stream()",
    "cupy": "cupy.cuda.Stream(non_blocking=True)",
    "numba": "numba.cuda.stream()",
    "cuda": "Device().create_stream()",
}


def handle_of_stream(stream: object) -> int:
    """Return the handle of a stream.

    Raises:
        TypeError: it is not a stream of a known library.
        UCXInvalidParamError: it is the legacy default stream, which waits for all others.
        ValueError: its handle is not an int from 0 to 2**64 - 1.
    """
    _refuse_other_kinds(stream, _STREAM)
    handle = _handle_by_protocol(stream)
    if handle is None:
        _refuse_events(stream)
        handle = _handle_of(stream, _STREAM)
    if handle in _LEGACY:
        library = type(stream).__module__.partition(".")[0]
        instead = _INSTEAD.get(library, "a stream of your own, or 2 (cudaStreamPerThread)")
        raise UCXInvalidParamError(
            f"stream {handle} is CUDA's legacy default stream, which all others wait for; use {instead}"
        )
    return handle


def handle_of_graph(graph: object) -> int:
    """Return the handle of a graph. Raises TypeError and ValueError as `handle_of_stream` does."""
    _refuse_other_kinds(graph, _GRAPH)
    raw = getattr(graph, "raw_cuda_graph", None)
    return _number(raw(), _GRAPH) if callable(raw) else _handle_of(graph, _GRAPH)


def handle_of_node(node: object) -> int:
    """Return the handle of a node of a graph. Raises TypeError and ValueError as `handle_of_stream` does."""
    _refuse_other_kinds(node, _NODE)
    return _handle_of(node, _NODE)


def _refuse_other_kinds(given: object, kind: _Kind) -> None:
    """Raise TypeError for what has a handle of something else: the driver would crash with it."""
    if isinstance(given, _core.Condition):
        raise TypeError(f"that is a condition; give the {kind.name} itself")
    if isinstance(given, _core.DeviceHandle):
        raise TypeError(f"that is a handle for kernels; give the {kind.name} itself")
    for name in kind.foreign:
        if hasattr(given, name):
            raise TypeError(f"{kind.rule}, not {type(given).__name__}, which has {name}")


def _refuse_events(given: object) -> None:
    """Raise TypeError for an event of CuPy or Numba: it has its handle where a stream has it."""
    if hasattr(given, "record") and not hasattr(given, "wait_event"):
        raise TypeError(f"{_STREAM.rule}, not {type(given).__name__}, which is an event")


def _handle_by_protocol(stream: object) -> int | None:
    """Return what `__cuda_stream__` says, or None where there is none."""
    asked = getattr(stream, "__cuda_stream__", None)
    if asked is None:
        return None
    said = asked() if callable(asked) else asked  # a property, at first
    name = type(stream).__name__
    if not isinstance(said, tuple) or len(said) != 2:
        raise TypeError(f"{name}.__cuda_stream__ must be (0, handle), not {said!r}")
    version, handle = said
    if version != 0:
        raise TypeError(f"{name}.__cuda_stream__ is of version {version!r}; known is 0")
    return _number(handle, _STREAM)


def _handle_of(given: object, kind: _Kind) -> int:
    """Return an int itself, else the first of the attributes."""
    if (number := _int_of(given, kind)) is not None:
        return _checked(number)
    for name in kind.attributes:
        if (value := getattr(given, name, None)) is not None:
            return _number(value, kind)
    raise TypeError(f"{kind.rule}, not {_shown(given)}")


def _number(handle: Any, kind: _Kind) -> int:
    """Return what an object has as its handle, as an int."""
    number = _int_of(handle, kind)
    if number is None:
        raise TypeError(f"{kind.rule}; its handle is a {_shown(handle)}")
    return _checked(number)


def _int_of(value: Any, kind: _Kind) -> int | None:
    """Return the int of an int, an integer of ctypes, or a handle of CUDA's bindings; None: it is none."""
    if isinstance(value, ctypes.c_void_p):
        return value.value or 0  # a null pointer has None
    if isinstance(value, ctypes._SimpleCData):
        value = value.value
    if type(value).__module__.startswith("cuda.") and hasattr(type(value), "__int__"):
        return _int_of_bindings(value, kind)
    try:
        return None if isinstance(value, bool) else operator.index(value)  # an array says so when it is asked
    except TypeError:
        return None


def _int_of_bindings(handle: Any, kind: _Kind) -> int:
    name = type(handle).__name__
    if name in _KNOWN_TYPES and name not in kind.types:
        raise TypeError(f"{kind.rule}; this one is a {name}")
    return int(handle)


def _shown(value: object) -> str:
    """Return the value of ctypes, else the type: to show an array may wait for a device."""
    return repr(value) if isinstance(value, ctypes._SimpleCData) else type(value).__name__


def _checked(number: int) -> int:
    if not 0 <= number <= _MOST:
        raise ValueError(f"a handle of CUDA must be an int from 0 to 2**64 - 1, not {number}")
    return number
