# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays for the tests of `ucxx.shmem`: of all types, and views of all kinds."""

import contextlib
import dataclasses

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from ucxx import shmem

PACKED = np.dtype([("a", "i1"), ("b", "f8"), ("c", "U2")])
NESTED = np.dtype([("rows", "i2", (2, 3)), ("name", "S5")], align=True)

INTEGERS = [np.dtype(letter) for letter in "bBhHiIlLqQ"]
FLOATS = [np.dtype(letter) for letter in "fdg"]
COMPLEX = [np.dtype(letter) for letter in "FD"]
NUMBERS = INTEGERS + FLOATS + COMPLEX
ATOMIC = [np.dtype(letter) for letter in "iIlLqQ"]
OTHERS = [np.dtype(name) for name in (
    "?", "e", "G", "datetime64[s]", "timedelta64[ms]", "S5", "U3", "V7", ">i4", ">c16", PACKED, NESTED,
)]  # fmt: skip
ALL = NUMBERS + OTHERS

# Examples of hypothesis run on PEs that the fixture keeps. They are small, and not made smaller: each
# failure costs new PEs.
EXAMPLES = settings(deadline=None, max_examples=100, phases=[Phase.reuse, Phase.generate],
                    suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip


def content(dtype, shape, seed=0):
    """Return an array of some values: those of a seed are the same everywhere, and differ between seeds."""
    count = int(np.prod(shape))
    dtype = np.dtype(dtype)
    if dtype.names:
        made = np.zeros(count, dtype)
        for number, name in enumerate(dtype.names):
            field = dtype[name]
            made[name] = content(field.base, (count, *field.shape), seed + number)
        return made.reshape(shape)
    numbers = np.random.default_rng(seed).integers(0, 100, count)
    if dtype.kind == "V":
        raw = np.random.default_rng(seed).bytes(count * dtype.itemsize)
        return np.frombuffer(raw, dtype).reshape(shape)
    if dtype.kind == "b":
        numbers = numbers % 2
    if dtype.kind == "c":
        numbers = numbers + 1j * numbers[::-1]
    return numbers.astype(dtype).reshape(shape)


@contextlib.contextmanager
def symmetric(*contents, order="K"):
    """Give symmetric arrays with that content, and free them."""
    arrays = [shmem.array(one, order=order) for one in contents]
    yield arrays[0] if len(arrays) == 1 else arrays
    shmem.barrier_all()
    for array in arrays:
        shmem.free(array)


def native(dtype):
    """Return the type as it comes out of a pickle."""
    return dtype.newbyteorder("=") if dtype.kind != "V" else dtype


def same(found, wanted):
    """Say that arrays differ, by an exception."""
    np.testing.assert_array_equal(found, wanted, strict=True)


# Views ------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class View:
    """A view of a fresh array: which part, and the order of its axes."""

    shape: tuple[int, ...]
    order: str
    slices: tuple[slice, ...]
    axes: tuple[int, ...]

    def of(self, base):
        """Return the view of an array of that shape."""
        return base[(*self.slices, ...)].transpose(self.axes)

    def lay_out(self, base):
        """Return an array of that shape in that order, with the same content."""
        return np.array(base, order=self.order)


def a_slice(length):
    """Describe slices of one axis, forwards and backwards."""
    bounds = st.integers(0, length)
    return st.builds(slice, st.none() | bounds, st.none() | bounds, st.sampled_from([1, 1, 2, 3, -1, -2]))


@st.composite
def views(draw):
    """Describe views of arrays of up to three axes."""
    shape = tuple(draw(st.lists(st.integers(0, 6), max_size=3)))
    slices = tuple(draw(a_slice(length)) for length in shape)
    return View(shape, draw(st.sampled_from("CF")), slices, tuple(draw(st.permutations(range(len(shape))))))


def assign(target, source, size=None):
    """Do what a put or get of `size` elements means."""
    size = min(target.size, source.size) if size is None else size
    if target.flags.f_contiguous and source.flags.f_contiguous and target.shape == source.shape and not (
            target.flags.c_contiguous and source.flags.c_contiguous):
        target, source = target.T, source.T
    target.flat[:size] = source.flat[:size]
