# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The memory that is sent and received, by the library that makes it."""

from __future__ import annotations

import importlib
from typing import Any

NAMES = ("numpy", "cupy", "torch", "bytearray")


def kind(name: str | None) -> Bytearray:
    """Return the kind of a name; None: NumPy where it is installed, else bytearray.

    Raises:
        ImportError: its library cannot be imported.
    """
    if name is not None:
        return _KINDS[name]()
    try:
        return NumPy()
    except ImportError:
        return Bytearray()


class Bytearray:
    """Memory of Python's own; new one is filled with zeros."""

    on_host = True

    def allocate(self, size: int) -> Any:
        """Return memory of so many bytes."""
        return bytearray(size)

    def write(self, memory: Any, data: bytes, at: int = 0) -> None:
        """Write bytes into it, from byte `at` on."""
        memory[at : at + len(data)] = data

    def read(self, memory: Any) -> bytes:
        """Return its bytes."""
        return bytes(memory)


class NumPy(Bytearray):
    """Arrays of NumPy; nothing is written into new ones."""

    def __init__(self) -> None:
        """Import NumPy."""
        self._numpy = importlib.import_module("numpy")

    def allocate(self, size: int) -> Any:
        """Return memory of so many bytes."""
        return self._numpy.empty(size, "u1")

    def write(self, memory: Any, data: bytes, at: int = 0) -> None:
        """Write bytes into it, from byte `at` on."""
        memory[at : at + len(data)] = self._numpy.frombuffer(data, "u1")


class CuPy(NumPy):
    """Arrays in the memory of the current GPU."""

    on_host = False

    def __init__(self) -> None:
        """Import CuPy, and make sure that there is a GPU."""
        super().__init__()
        self._cupy = importlib.import_module("cupy")
        self._cupy.zeros(1)

    def allocate(self, size: int) -> Any:
        """Return memory of so many bytes."""
        return self._cupy.empty(size, "u1")

    def write(self, memory: Any, data: bytes, at: int = 0) -> None:
        """Write bytes into it, from byte `at` on."""
        memory[at : at + len(data)] = self._cupy.asarray(self._numpy.frombuffer(data, "u1"))
        self._cupy.cuda.get_current_stream().synchronize()

    def read(self, memory: Any) -> bytes:
        """Return its bytes."""
        data: bytes = self._cupy.asnumpy(self._cupy.asarray(memory)).tobytes()
        return data


class Torch(Bytearray):
    """Tensors of PyTorch, on its GPU if it has one."""

    def __init__(self) -> None:
        """Import PyTorch."""
        self._torch = importlib.import_module("torch")
        self.on_host = not self._torch.cuda.is_available()

    def allocate(self, size: int) -> Any:
        """Return memory of so many bytes."""
        device = "cpu" if self.on_host else "cuda"
        return self._torch.empty(size, dtype=self._torch.uint8, device=device)

    def write(self, memory: Any, data: bytes, at: int = 0) -> None:
        """Write bytes into it, from byte `at` on."""
        memory[at : at + len(data)] = self._torch.frombuffer(
            bytearray(data), dtype=self._torch.uint8
        )

    def read(self, memory: Any) -> bytes:
        """Return its bytes."""
        if not isinstance(memory, self._torch.Tensor):
            return bytes(memory)
        data: bytes = memory.cpu().numpy().tobytes()
        return data


_KINDS: dict[str, type[Bytearray]] = {
    "numpy": NumPy,
    "cupy": CuPy,
    "torch": Torch,
    "bytearray": Bytearray,
}
