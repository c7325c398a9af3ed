# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Symmetric arrays that are made from something."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from ucxx import _shmem
from ucxx.shmem._errors import SizeError

if TYPE_CHECKING:
    from typing import Any, Literal

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ucxx.shmem._types import Generic, Shape

    _Order = Literal["C", "F"]


@overload
def ones(shape: Shape, dtype: type[float] = ..., order: _Order = ..., *, align: int | None = ...,
         hints: int | None = ...) -> NDArray[np.float64]: ...
@overload
def ones(shape: Shape, dtype: type[Generic] | np.dtype[Generic], order: _Order = ..., *,
         align: int | None = ..., hints: int | None = ...) -> NDArray[Generic]: ...
@overload
def ones(shape: Shape, dtype: DTypeLike, order: _Order = ..., *, align: int | None = ...,
         hints: int | None = ...) -> NDArray[Any]: ...
def ones(shape: Shape, dtype: DTypeLike = float, order: _Order = "C", *, align: int | None = None,
         hints: int | None = None) -> NDArray[Any]:
    """Make a symmetric array of ones, on all PEs before it returns.

    Collective. Arguments and errors are those of `zeros`.
    """
    return _filled("ones", shape, 1, dtype, order, align, hints)


@overload
def full(shape: Shape, fill_value: ArrayLike, dtype: type[Generic] | np.dtype[Generic],
         order: _Order = ..., *, align: int | None = ...,
         hints: int | None = ...) -> NDArray[Generic]: ...
@overload
def full(shape: Shape, fill_value: ArrayLike, dtype: DTypeLike | None = ..., order: _Order = ..., *,
         align: int | None = ..., hints: int | None = ...) -> NDArray[Any]: ...
def full(shape: Shape, fill_value: ArrayLike, dtype: DTypeLike | None = None, order: _Order = "C", *,
         align: int | None = None, hints: int | None = None) -> NDArray[Any]:
    """Make a symmetric array of one value, on all PEs before it returns.

    Collective. The values may differ between PEs.

    Args:
        shape: an integer or a tuple of them.
        fill_value: the value, or what NumPy broadcasts to the shape. It is cast: -1 of uint8 is 255, and of
            a float in an array of integers the fraction is cut off.
        dtype: that of the value if it is not given; the same on all PEs.
        order: 'C' or 'F'.
        align: a power of two, up to 64 MiB, that the address is a multiple of.
        hints: what it is used for, of MALLOC.
    """
    return _filled("full", shape, fill_value, dtype, order, align, hints)


@overload
def array(obj: NDArray[Generic], dtype: None = ..., *, order: str = ..., align: int | None = ...,
          hints: int | None = ...) -> NDArray[Generic]: ...
@overload
def array(obj: ArrayLike, dtype: type[Generic] | np.dtype[Generic], *, order: str = ...,
          align: int | None = ..., hints: int | None = ...) -> NDArray[Generic]: ...
@overload
def array(obj: ArrayLike, dtype: DTypeLike | None = ..., *, order: str = ..., align: int | None = ...,
          hints: int | None = ...) -> NDArray[Any]: ...
def array(obj: ArrayLike, dtype: DTypeLike | None = None, *, order: str = "K",
          align: int | None = None, hints: int | None = None) -> NDArray[Any]:
    """Make a symmetric array with the content of something else, on all PEs before it returns.

    Collective. Shape and dtype are the same on all PEs; the content may differ.

    Args:
        obj: whatever NumPy makes an array of.
        dtype: that of `obj` if it is not given.
        order: 'C', 'F', 'A' or 'K': 'F' like an `obj` that is contiguous so, else 'C'.
        align: a power of two, up to 64 MiB, that the address is a multiple of.
        hints: what it is used for, of MALLOC.
    """
    if order not in ("C", "F", "A", "K"):
        raise ValueError(f"array: order = {order!r}: must be 'C', 'F', 'A' or 'K'")
    content = _content(obj, dtype)
    is_fortran = order == "F" or (order in "AK" and content.flags.fnc)
    made = _shmem.make_array(content.shape, content.dtype, "F" if is_fortran else "C", align, hints)
    made[...] = content
    _shmem.barrier_all()
    return made


def _filled(call: str, shape: Shape, value: ArrayLike, dtype: DTypeLike | None, order: _Order,
            align: int | None, hints: int | None) -> NDArray[Any]:
    content = _content(value, dtype)
    if content.size == 1:
        content = content.reshape(())
    _size(call, shape, content)  # an error comes before the allocation, which all PEs must free
    make = _shmem.make_ones if call == "ones" else _shmem.make_full
    made = make(shape, content.dtype, order, align, hints)
    made[...] = content
    _shmem.barrier_all()
    return made


def _size(call: str, shape: Shape, content: NDArray[Any]) -> int:
    """Return how many elements a shape has, to which NumPy can broadcast the content."""
    try:
        return np.broadcast_to(content, shape).size  # type: ignore[arg-type]  # it takes more than it says
    except TypeError:
        raise TypeError(f"{call}: shape = {shape!r}: must be an integer or a tuple of integers") from None
    except ValueError as error:
        raise ValueError(f"{call}: shape = {shape!r}: {error}") from None


def _content(value: ArrayLike, dtype: DTypeLike | None) -> NDArray[Any]:
    """Return something as an array. Numbers are cast, where `asarray` refuses to make uint8 of -1."""
    kind = None if dtype is None else np.dtype(dtype)
    if kind is not None and kind.kind != "V" and np.ndim(value) == 0:
        return np.asarray(value).astype(kind, copy=False)
    try:
        return np.asarray(value, kind)
    except OverflowError:  # NumPy 2, for a list
        return np.asarray(value).astype(kind)


def fromalloc(mem: memoryview, shape: Shape | None = None, dtype: DTypeLike | None = None,
              order: _Order = "C") -> NDArray[Any]:
    """Return an array over memory of `alloc`.

    Args:
        mem: the memory; it is freed by `free`, not by `del_array`, unless only the array is kept.
        shape: as many elements as there are, in one dimension, if it is not given.
        dtype: float, if it is not given.
        order: 'C' or 'F'.
    """
    kind = np.dtype(dtype)
    if not isinstance(mem, memoryview):
        raise TypeError(f"fromalloc: mem is of type {type(mem).__name__}: must be a memoryview of alloc()")
    if kind.hasobject:
        raise TypeError(f"fromalloc: dtype = {kind}: elements are Python objects, which mean nothing "
                        "to another PE")
    if shape is None:
        if mem.nbytes % max(1, kind.itemsize) != 0:
            raise SizeError(f"fromalloc: mem has {mem.nbytes} bytes: must be a multiple of the "
                            f"{kind.itemsize} of an element of dtype {kind}, or give the shape")
        shape = mem.nbytes // max(1, kind.itemsize)
    size = _size("fromalloc", shape, np.empty(())) * kind.itemsize
    if size > mem.nbytes:
        raise SizeError(f"fromalloc: shape = {shape!r} of dtype {kind} has {size} bytes: mem has {mem.nbytes}")
    return np.ndarray(shape, kind, mem, order=order)


def new_signal() -> NDArray[np.uint64]:
    """Make a word for signals: a symmetric array of one element, 0 at first. Collective."""
    return _shmem.make_signal(1, np.uint64, hints=2)
