# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The handles of CUDA's streams, graphs and nodes of graphs, which each library keeps in its own way."""

from __future__ import annotations

import operator
from typing import Any

from ucxx.exceptions import UCXInvalidParamError

_LEGACY = (0, 1)  # cudaStreamDefault, cudaStreamLegacy
_MOST = 2**64 - 1
_STREAMS = (
    "a stream must be an int, or have __cuda_stream__ (CUDA's protocol), .cuda_stream (PyTorch), .ptr (CuPy) "
    "or .handle (Numba)"
)
_GRAPHS = "a graph must be an int (a cudaGraph_t), or have raw_cuda_graph() (PyTorch) or .handle (cuda.core)"
_NODES = "a node must be an int (a cudaGraphNode_t), or have .handle (cuda.core)"

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
        TypeError: it is no stream that is known.
        UCXInvalidParamError: it is the legacy default stream, which waits for all others.
        ValueError: its handle is no int of 0 to 2**64 - 1.
    """
    handle = _handle_by_protocol(stream)
    if handle is None:
        handle = _handle_of(stream, ("cuda_stream", "ptr", "handle"), _STREAMS)
    if handle in _LEGACY:
        library = type(stream).__module__.partition(".")[0]
        instead = _INSTEAD.get(library, "a stream of your own, or 2 (cudaStreamPerThread)")
        raise UCXInvalidParamError(
            f"stream {handle} is CUDA's legacy default stream, which all others wait for; use {instead}"
        )
    return handle


def handle_of_graph(graph: object) -> int:
    """Return the handle of a graph. Raises TypeError and ValueError as `handle_of_stream` does."""
    raw = getattr(graph, "raw_cuda_graph", None)
    return _handle_of(raw() if callable(raw) else graph, ("handle",), _GRAPHS)


def handle_of_node(node: object) -> int:
    """Return the handle of a node of a graph. Raises TypeError and ValueError as `handle_of_stream` does."""
    return _handle_of(node, ("handle",), _NODES)


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
    return _number(handle, _STREAMS)


def _handle_of(given: object, names: tuple[str, ...], rule: str) -> int:
    """Return an int itself, else the first of these attributes."""
    if _is_number(given):
        return _number(given, rule)
    for name in names:
        if (value := getattr(given, name, None)) is not None:
            return _number(value, rule)
    raise TypeError(f"{rule}, not {type(given).__name__}")


def _is_number(value: Any) -> bool:
    """Tell whether it is an int, a pointer of ctypes, or a handle of CUDA's own bindings."""
    return _is_index(value) or _is_pointer(value) or _is_of_bindings(value)


def _is_index(value: Any) -> bool:
    """Tell whether it is an int; an array says so only when it is asked."""
    try:
        operator.index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


def _is_pointer(value: Any) -> bool:
    return type(value).__name__ == "c_void_p" or type(value).__module__ == "ctypes"


def _is_of_bindings(value: Any) -> bool:
    return type(value).__module__.startswith("cuda.") and hasattr(type(value), "__int__")


def _number(value: Any, rule: str) -> int:
    """Return an int for what `_is_number`."""
    if not _is_number(value):
        raise TypeError(f"{rule}; its handle is a {type(value).__name__}")
    if _is_pointer(value):
        value = value.value or 0  # a null pointer has None
    number = int(value) if _is_of_bindings(value) else operator.index(value)
    if not 0 <= number <= _MOST:
        raise ValueError(f"a handle of CUDA must be an int from 0 to 2**64 - 1, not {number}")
    return number
