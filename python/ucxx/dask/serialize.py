# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of any library that has `__cuda_array_interface__` or DLPack.

Dask knows CuPy, Numba and RMM (its family `cuda`), and fails for tensors of PyTorch and others on a device.
The family here takes what that one does not, and all arrays for a peer that cannot receive device memory:
these are copied to the host, and come out as NumPy arrays where there is no device, else as what they were.

Arrays of the host that have DLPack, and that neither Dask nor pickle takes, come out as NumPy arrays.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

from distributed.protocol import register_serialization_family
from distributed.protocol.cuda import cuda_serialize

import ucxx
from ucxx.dask import devices, dlpack

NAME = "ucxx"
# For peers with a device; for others; of a process that has no device itself.
FAMILIES = ((NAME, "cuda", "dask", "pickle"), (NAME, "dask", "pickle"), ("dask", NAME, "pickle"))

# Libraries whose memory frames are received into, the first that is installed.
_MAKERS: dict[str, Callable[[Any, int], Any]] = {
    "rmm": lambda rmm, nbytes: rmm.DeviceBuffer(size=nbytes),
    "cupy": lambda cupy, nbytes: cupy.empty(nbytes, dtype="u1"),
    "torch": lambda torch, nbytes: torch.empty(nbytes, dtype=torch.uint8, device="cuda"),
}
# How a library makes its array of something that has the interface.
_WRAPPERS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "cupy": ("cupy", lambda cupy, view: cupy.asarray(view)),
    "numba": ("numba.cuda", lambda cuda, view: cuda.as_cuda_array(view)),
    "torch": ("torch", lambda torch, view: torch.as_tensor(view, device="cuda")),
}


def abilities() -> dict[str, Any]:
    """Return what the handshake tells of this process: whether it can receive device memory."""
    return {"device": _maker() is not None}


def prepare() -> None:
    """Have device frames received into memory of an installed library; called once UCXX has started."""
    maker = _maker()
    if maker is not None:
        ucxx.set_allocator("cuda", lambda nbytes: _MAKERS[maker](importlib.import_module(maker), nbytes))


def _maker() -> str | None:
    if not devices.has_cuda():
        return None
    return next((name for name in _MAKERS if importlib.util.find_spec(name) is not None), None)


def serializers(remote: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the families for a message to a peer, by its part of the handshake."""
    if not devices.has_cuda():
        return FAMILIES[2]
    return FAMILIES[0] if _takes_devices(remote) else FAMILIES[1]


def _takes_devices(remote: Mapping[str, Any]) -> bool:
    said = remote.get("ucxx")
    return isinstance(said, Mapping) and said.get("device") is True


def dump(array: Any, context: Mapping[str, Any] | None = None) -> tuple[dict[str, Any], list[Any]]:
    """Return header and frames of an array; NotImplementedError for all that Dask or pickle may take."""
    if not hasattr(type(array), "__cuda_array_interface__") and not hasattr(type(array), "__dlpack__"):
        raise NotImplementedError("no array")
    takes_devices = _takes_devices((context or {}).get("recipient", {}))
    memory, interface = _on_cuda(array, takes_devices)
    if memory is None:
        return _dump_of_host(dlpack.to_numpy(array))
    if interface.get("strides") is not None:
        raise NotImplementedError(f"a {type(array).__name__} with strides")
    header = {
        "library": type(array).__module__.partition(".")[0],
        "shape": tuple(interface["shape"]),
        "dtype": interface["typestr"],
    }
    if not takes_devices:
        return header, [devices.to_host(interface)]
    return {**header, "compression": (False,)}, [memory]


def _on_cuda(array: Any, takes_devices: bool) -> tuple[Any, Mapping[str, Any]]:
    """Return what has the memory of a device, and its interface; None where DLPack gives memory of the host."""
    interface = None
    if hasattr(type(array), "__cuda_array_interface__"):  # of a tensor on the host it raises
        interface = getattr(array, "__cuda_array_interface__", None)
    if interface is None:
        if not dlpack.is_needed(array):
            raise NotImplementedError(f"this {type(array).__name__} is not on a device")
        return dlpack.on_cuda(array) or (None, {})
    if takes_devices and _is_of_dask(type(array)):
        raise NotImplementedError("Dask's family `cuda` has it")
    if interface.get("strides") is not None and hasattr(array, "contiguous"):
        array = array.contiguous()
        interface = array.__cuda_array_interface__
    return array, interface


def _dump_of_host(array: Any) -> tuple[dict[str, Any], list[Any]]:
    header = {"library": "numpy", "shape": array.shape, "dtype": array.dtype.str}
    return header, [array.reshape(-1).view("u1").data]


def _is_of_dask(kind: type) -> bool:
    try:
        cuda_serialize.dispatch(kind)
    except TypeError:
        return False
    return True


class _View:
    """Memory of a device as an array of another shape and type."""

    def __init__(self, header: Mapping[str, Any], frame: Any) -> None:
        self._frame = frame
        self.__cuda_array_interface__ = {
            "shape": tuple(header["shape"]),
            "typestr": header["dtype"],
            "data": frame.__cuda_array_interface__["data"],
            "version": 3,
        }


def load(header: Mapping[str, Any], frames: list[Any]) -> Any:
    """Return the array of `dump`."""
    (frame,) = frames
    if hasattr(frame, "__cuda_array_interface__"):
        return _wrapped(header["library"], _View(header, frame))
    numpy = importlib.import_module("numpy")
    array = numpy.ndarray(tuple(header["shape"]), numpy.dtype(header["dtype"]), frame)
    library = header["library"]
    if library == "numpy":
        return array
    if library == "torch" and _is_there("torch"):
        return importlib.import_module("torch").from_numpy(array).cuda()
    if library != "torch" and _is_there("cupy"):
        return _wrapped(library, importlib.import_module("cupy").asarray(array))
    return array


def _is_there(library: str) -> bool:
    return devices.has_cuda() and importlib.util.find_spec(library) is not None


def _wrapped(library: str, view: Any) -> Any:
    """Return a view as an array of the library that it was of, if that is known and installed."""
    if library not in _WRAPPERS or not _is_there(library):
        return view
    module, wrap = _WRAPPERS[library]
    return wrap(importlib.import_module(module), view)


register_serialization_family(NAME, dump, load)
