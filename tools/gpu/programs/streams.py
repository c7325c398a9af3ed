# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A stream of one library, and what it copies: for stream_transfers.py.

`driver` is CUDA's driver itself, by ctypes: a GPU's, or the one that stands in for it.
"""

import contextlib
import ctypes
import importlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy

SIZE = 64 << 10  # bytes of every buffer
Bytes = numpy.ndarray[Any, numpy.dtype[numpy.uint8]]
_FROM_ANY_TO_ANY = 4  # cudaMemcpyDefault


def bytes_at(address: int) -> Bytes:
    """Return memory as an array."""
    array: Bytes = numpy.ctypeslib.as_array((ctypes.c_ubyte * SIZE).from_address(address))
    return array


class Library:
    """Its stream, page-locked bytes of the host, and bytes of the device."""

    stream: Any
    adds = 1  # what `add` adds to each byte
    captures = False

    def host(self) -> Any:
        """Make page-locked bytes."""
        raise NotImplementedError

    def device(self) -> Any:
        """Make bytes of the device."""
        raise NotImplementedError

    def view(self, host: Any) -> Bytes:
        """Return the bytes as an array of NumPy."""
        return numpy.asarray(host)

    def buffer(self, host: Any) -> Any:
        """Return what is sent from and received into."""
        return host

    def up(self, device: Any, host: Any) -> None:
        """Put a copy to the device into the stream."""
        raise NotImplementedError

    def down(self, host: Any, device: Any) -> None:
        """Put a copy to the host into the stream."""
        raise NotImplementedError

    def add(self, device: Any) -> None:
        """Put a kernel into the stream that adds `adds` to all bytes."""

    def synchronize(self) -> None:
        """Wait for the stream."""
        self.stream.synchronize()

    @contextlib.contextmanager
    def captured(self, launches: list[Callable[[], None]]) -> Iterator[None]:
        """Capture what the body puts into the stream; leave how it is launched. Clearing the list ends it."""
        raise NotImplementedError
        yield


class Cupy(Library):
    """CuPy."""

    captures = True

    def __init__(self) -> None:
        """Make the stream."""
        self._cupy: Any = importlib.import_module("cupy")
        self._cupyx: Any = importlib.import_module("cupyx")
        self.stream = self._cupy.cuda.Stream(non_blocking=True)

    def host(self) -> Any:
        """Make page-locked bytes."""
        return self._cupyx.empty_pinned(SIZE, dtype="u1")

    def device(self) -> Any:
        """Make bytes of the device."""
        return self._cupy.zeros(SIZE, dtype="u1")

    def up(self, device: Any, host: Any) -> None:
        """Put a copy to the device into the stream."""
        self._copy(device.data.ptr, host.ctypes.data)

    def down(self, host: Any, device: Any) -> None:
        """Put a copy to the host into the stream."""
        self._copy(host.ctypes.data, device.data.ptr)

    def _copy(self, to: int, of: int) -> None:
        self._cupy.cuda.runtime.memcpyAsync(to, of, SIZE, _FROM_ANY_TO_ANY, self.stream.ptr)

    def add(self, device: Any) -> None:
        """Put a kernel into the stream that adds 1 to all bytes."""
        with self.stream:
            self._cupy.add(device, 1, out=device)

    @contextlib.contextmanager
    def captured(self, launches: list[Callable[[], None]]) -> Iterator[None]:
        """Capture what the body puts into the stream."""
        self.stream.begin_capture()
        try:
            yield
        finally:
            graph = self.stream.end_capture()
        launches.append(lambda: graph.launch(self.stream))


class Torch(Library):
    """PyTorch."""

    captures = True

    def __init__(self) -> None:
        """Make the stream."""
        self._torch: Any = importlib.import_module("torch")
        self.stream = self._torch.cuda.Stream()

    def host(self) -> Any:
        """Make page-locked bytes."""
        return self._torch.empty(SIZE, dtype=self._torch.uint8, pin_memory=True)

    def view(self, host: Any) -> Bytes:
        """Return the bytes as an array of NumPy."""
        array: Bytes = host.numpy()
        return array

    def device(self) -> Any:
        """Make bytes of the device."""
        return self._torch.zeros(SIZE, dtype=self._torch.uint8, device="cuda")

    def up(self, device: Any, host: Any) -> None:
        """Put a copy to the device into the stream."""
        self._copy(device, host)

    def down(self, host: Any, device: Any) -> None:
        """Put a copy to the host into the stream."""
        self._copy(host, device)

    def _copy(self, to: Any, of: Any) -> None:
        with self._torch.cuda.stream(self.stream):
            to.copy_(of, non_blocking=True)

    def add(self, device: Any) -> None:
        """Put a kernel into the stream that adds 1 to all bytes."""
        with self._torch.cuda.stream(self.stream):
            device.add_(1)

    @contextlib.contextmanager
    def captured(self, launches: list[Callable[[], None]]) -> Iterator[None]:
        """Capture what the body puts into the stream."""
        graph = self._torch.cuda.CUDAGraph()
        with self._torch.cuda.graph(graph, stream=self.stream):
            yield

        def launch() -> None:
            with self._torch.cuda.stream(self.stream):
                graph.replay()

        launches.append(launch)


class Numba(Library):
    """Numba, without kernels: a copy is all that the device does."""

    adds = 0

    def __init__(self) -> None:
        """Make the stream."""
        self._cuda: Any = importlib.import_module("numba.cuda")
        self.stream = self._cuda.stream()

    def host(self) -> Any:
        """Make page-locked bytes."""
        return self._cuda.pinned_array(SIZE, dtype=numpy.uint8)

    def device(self) -> Any:
        """Make bytes of the device."""
        return self._cuda.device_array(SIZE, dtype=numpy.uint8)

    def up(self, device: Any, host: Any) -> None:
        """Put a copy to the device into the stream."""
        device.copy_to_device(host, stream=self.stream)

    def down(self, host: Any, device: Any) -> None:
        """Put a copy to the host into the stream."""
        device.copy_to_host(host, stream=self.stream)


class CudaCore(Library):
    """cuda.core, without kernels. What it calls a buffer has its bytes by DLPack."""

    adds = 0

    def __init__(self) -> None:
        """Make the stream."""
        self._core: Any = importlib.import_module("cuda.core")
        if not hasattr(self._core, "Device"):  # before 0.5
            self._core = importlib.import_module("cuda.core.experimental")
        self._device = self._core.Device()
        self._device.set_current()
        self.stream = self._device.create_stream()
        self._pinned = self._core.LegacyPinnedMemoryResource()

    def host(self) -> Any:
        """Make page-locked bytes."""
        return self._pinned.allocate(SIZE)

    def view(self, host: Any) -> Bytes:
        """Return the bytes as an array of NumPy: DLPack may say that they are read-only."""
        return bytes_at(int(host.handle))

    def buffer(self, host: Any) -> Any:
        """Return what is sent from and received into."""
        return self.view(host)

    def device(self) -> Any:
        """Make bytes of the device."""
        made = self._device.allocate(SIZE, stream=self.stream)
        self.stream.sync()
        return made

    def up(self, device: Any, host: Any) -> None:
        """Put a copy to the device into the stream."""
        host.copy_to(device, stream=self.stream)

    def down(self, host: Any, device: Any) -> None:
        """Put a copy to the host into the stream."""
        device.copy_to(host, stream=self.stream)

    def synchronize(self) -> None:
        """Wait for the stream."""
        self.stream.sync()


class Handle:
    """A stream by CUDA's protocol for Python."""

    def __init__(self, handle: int) -> None:
        """Keep it."""
        self.handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return version and handle."""
        return 0, self.handle


class Driver(Library):
    """CUDA's driver, without kernels."""

    adds = 0
    captures = True

    def __init__(self) -> None:
        """Make the stream, in the context of the first device."""
        self._call("cuInit", ctypes.c_uint(0))
        context = self._made("cuDevicePrimaryCtxRetain", ctypes.c_int(0))
        self._call("cuCtxSetCurrent", context)
        self.stream = Handle(self._made("cuStreamCreate", ctypes.c_uint(1)))

    @staticmethod
    def _call(name: str, *arguments: Any) -> None:
        words = [ctypes.c_uint64(each) if isinstance(each, int) else each for each in arguments]
        result = getattr(ctypes.CDLL("libcuda.so.1"), name)(*words)
        if result != 0:
            raise RuntimeError(f"{name}: {result}")

    def _made(self, name: str, *arguments: Any) -> int:
        handle = ctypes.c_uint64()
        self._call(name, ctypes.byref(handle), *arguments)
        return handle.value

    def host(self) -> Any:
        """Make page-locked bytes."""
        address = self._made("cuMemHostAlloc", SIZE, ctypes.c_uint(1))
        return bytes_at(address)

    def device(self) -> Any:
        """Make bytes of the device."""
        return self._made("cuMemAlloc_v2", SIZE)

    def up(self, device: Any, host: Any) -> None:
        """Put a copy to the device into the stream."""
        self._call("cuMemcpyHtoDAsync_v2", device, host.ctypes.data, SIZE, self.stream.handle)

    def down(self, host: Any, device: Any) -> None:
        """Put a copy to the host into the stream."""
        self._call("cuMemcpyDtoHAsync_v2", host.ctypes.data, device, SIZE, self.stream.handle)

    def synchronize(self) -> None:
        """Wait for the stream."""
        self._call("cuStreamSynchronize", self.stream.handle)

    @contextlib.contextmanager
    def captured(self, launches: list[Callable[[], None]]) -> Iterator[None]:
        """Capture what the body puts into the stream."""
        graph = ctypes.c_uint64()
        self._call("cuStreamBeginCapture_v2", self.stream.handle, ctypes.c_int(0))
        try:
            yield
        finally:
            self._call("cuStreamEndCapture", self.stream.handle, ctypes.byref(graph))
        launches.append(_Launch(self, graph.value))


class _Launch:
    """Launches a graph; the graph ends with it."""

    def __init__(self, driver: Driver, graph: int) -> None:
        self._driver, self._graph = driver, graph
        self._exec = driver._made("cuGraphInstantiateWithFlags", graph, 0)

    def __call__(self) -> None:
        self._driver._call("cuGraphLaunch", self._exec, self._driver.stream.handle)

    def __del__(self) -> None:
        self._driver._call("cuGraphExecDestroy", self._exec)
        self._driver._call("cuGraphDestroy", self._graph)


LIBRARIES: dict[str, type[Library]] = {
    "cupy": Cupy, "torch": Torch, "numba": Numba, "cuda_core": CudaCore, "driver": Driver
}  # fmt: skip
