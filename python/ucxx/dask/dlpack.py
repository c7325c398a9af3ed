# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays that have DLPack (`__dlpack__`, `__dlpack_device__`) and that Dask cannot send otherwise."""

from __future__ import annotations

import ctypes
import importlib
import weakref
from typing import Any

import cloudpickle
from distributed.protocol.serialize import dask_serialize

from ucxx.core import Array

_OF_HOST = frozenset({1, 3, 11})  # device types: memory, pinned by CUDA, by ROCm
_OF_CUDA = frozenset({2, 13})
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}  # by the codes of DLPack
_CODE_AT = 20  # bytes from the begin of a tensor

_pickled: weakref.WeakSet[type] = weakref.WeakSet()  # types whose arrays pickle takes


def is_needed(array: Any) -> bool:
    """Tell whether an object has DLPack, and neither Dask nor pickle takes it."""
    kind = type(array)
    if not hasattr(kind, "__dlpack__") or not hasattr(kind, "__dlpack_device__") or kind in _pickled:
        return False
    try:
        dask_serialize.dispatch(kind)
    except TypeError:
        return not _is_pickled(array)
    return False


def _is_pickled(array: Any) -> bool:
    try:
        cloudpickle.dumps(array, protocol=5, buffer_callback=lambda buffer: None)
    except Exception:
        return False
    _pickled.add(type(array))
    return True


def is_on_host(array: Any) -> bool:
    """Tell whether the memory is the host's."""
    return int(array.__dlpack_device__()[0]) in _OF_HOST


def to_numpy(array: Any) -> Any:
    """Return an array as one of NumPy, in C order; memory of the host is not copied for it.

    Memory of another device is copied to the host, if its library does that.

    Raises:
        ImportError: there is no NumPy.
        TypeError, ValueError, RuntimeError, BufferError: NumPy has no such dtype, or the library cannot copy.
    """
    numpy = importlib.import_module("numpy")
    options = {} if is_on_host(array) else {"device": "cpu"}
    return numpy.asarray(numpy.from_dlpack(array, **options), order="C")


def on_cuda(array: Any) -> tuple[Array, dict[str, Any]] | None:
    """Return an array of a CUDA device as memory to send and its interface; None: it lies elsewhere.

    Raises:
        TypeError: it is not in C order, or has a dtype that the interface cannot say.
    """
    if int(array.__dlpack_device__()[0]) not in _OF_CUDA:
        return None
    memory = Array(array)
    typestr = _typestr(array)
    if not memory.c_contiguous:
        raise TypeError(f"a {type(array).__name__} with strides; contiguous ones can be sent")
    return memory, {**memory.__cuda_array_interface__, "typestr": typestr, "strides": None}


def _typestr(array: Any) -> str:
    capsule = array.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    tensor = get(capsule, b"dltensor")
    code, bits, lanes, _ = ctypes.string_at(tensor + _CODE_AT, 4)
    if code not in _KINDS or bits % 8 or lanes != 1:
        raise TypeError(f"a {type(array).__name__} of DLPack's dtype {code} with {bits} bits")
    return f"{'<' if bits > 8 else '|'}{_KINDS[code]}{bits // 8}"
