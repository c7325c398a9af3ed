# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Objects by send_obj: bytes go as they are, everything else arrives as what it was."""

import array
import asyncio
import decimal
import gc

import numpy as np
import pytest
from PIL import Image
from served import within

import ucxx
from ucxx import core


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    gc.collect()
    ucxx.reset()


def run(program):
    """Run `program(here, there)`, two ends of a pair."""

    async def main():
        accepted = asyncio.get_running_loop().create_future()
        with ucxx.create_listener(accepted.set_result) as listener:
            here = await ucxx.create_endpoint("127.0.0.1", listener.port)
            return await program(here, await accepted)

    return asyncio.run(within(main()))


def sent(obj, **arguments):
    """Return what arrives when `obj` is sent."""

    async def program(here, there):
        _, received = await asyncio.gather(here.send_obj(obj), there.recv_obj(**arguments))
        return received

    return run(program)


class Name(bytes):
    """Bytes that are more than bytes."""


class Samples(np.ndarray):
    """An array with a class of its own."""


class Picture:
    """Has memory by __array_interface__, and more than that."""

    def __init__(self, title, pixels):
        """Take both."""
        self.title = title
        self.__array_interface__ = pixels.__array_interface__
        self.pixels = pixels

    def __eq__(self, other):
        """Compare the title and the pixels."""
        return self.title == other.title and (self.pixels == other.pixels).all()

    def __reduce__(self):
        """Say how to make it."""
        return Picture, (self.title, self.pixels)


GRID = np.arange(12.0).reshape(3, 4)
FIELDS = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])


@pytest.mark.parametrize(
    "thing",
    [
        b"bytes", b"", bytearray(b"bytearray"), memoryview(b"memory"), memoryview(GRID),
        core.Array(b"array"), GRID, GRID.T, GRID[1], np.array(3.5), np.zeros((0, 3)), FIELDS,
        GRID.astype(">f8"), GRID.astype("f2"), np.zeros(3, "M8[s]"), np.array([b"a", b"bc"]),
        np.array(["a", "bc"]), np.zeros(2, "V5"),
    ],
    ids=lambda thing: f"{type(thing).__name__}-{getattr(thing, 'dtype', '')}",
)  # fmt: skip
def test_bytes_go_as_they_are(thing):
    received = sent(thing)
    assert type(received) is np.ndarray and received.dtype == np.uint8
    whole = thing.tobytes(order="A") if isinstance(thing, np.ndarray) else bytes(thing)
    assert bytes(received) == whole


def test_memmap_goes_as_its_bytes(tmp_path):
    mapped = np.memmap(tmp_path / "file", mode="w+", shape=(2, 4))
    mapped[:] = 7
    assert bytes(sent(mapped)) == b"\7" * 8


def same(one, other):
    """Compare two objects in type and value, masks and fields too."""
    assert type(one) is type(other)
    if isinstance(one, np.ma.MaskedArray):
        assert (one.mask == other.mask).all() and (one.filled(0) == other.filled(0)).all()
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_equal(np.asarray(one), np.asarray(other))
    else:
        assert one == other


@pytest.mark.parametrize(
    "thing",
    [
        GRID[::2], GRID[:, 1], GRID[::-1, ::2], np.array([1, "two", None], dtype=object),
        np.array([(1, "x")], dtype=[("n", "i4"), ("what", object)]),
        np.array([(0, None)], dtype=[("when", "M8[s]"), ("what", object)]),
        np.float64(2.5), np.int8(-3), np.bool_(True), np.datetime64("2020-01-01"), np.str_("text"),
        np.bytes_(b"text"), FIELDS[0], np.zeros(1, "V3")[0],
        np.ma.array([1, 2, 3], mask=[0, 1, 0]), FIELDS.view(np.recarray), FIELDS.view(np.recarray)[0],
        GRID.view(Samples), Name(b"ucxx"), array.array("d", [1, 2]),
        Picture("here", GRID), Image.new("RGB", (4, 3), (1, 2, 3)), decimal.Decimal("1.5"),
        (b"bytes within", bytearray(b"others")), None, "text", 2**70,
    ],
    ids=lambda thing: type(thing).__name__,
)  # fmt: skip
def test_everything_else_arrives_as_what_it_was(thing):
    same(sent(thing), thing)


@pytest.mark.parametrize(
    "view",
    [
        memoryview(b"123456")[::2], memoryview(b"123456")[::-1], memoryview(GRID.T[::2]),
        memoryview(array.array("i", range(9)))[1::3], core.Array(memoryview(b"123456")[::2]),
        memoryview(np.zeros(4, [("Order", "i4"), ("b", "f8")])[::2]),
    ],
)  # fmt: skip
def test_bytes_of_a_strided_view_arrive_in_order(view):
    of = view.obj if isinstance(view, core.Array) else view
    assert bytes(sent(view)) == of.tobytes()


def test_records_with_times_arrive():
    times = np.zeros(4, dtype=[("when", "M8[s]"), ("what", "i4")])
    times["when"] = np.arange("2020-01-01", "2020-01-05", dtype="M8[D]")
    assert bytes(sent(times)) == times.tobytes()
    for records in (times.view(np.recarray), times[::2], np.ma.array(times)):
        same(sent(records), records)
    same(sent((times,))[0], times)


def test_strings_of_any_length_arrive_as_what_they_were():
    same(sent(np.array(["a", "b" * 100], dtype=np.dtypes.StringDType())).tolist(), ["a", "b" * 100])


def test_memory_that_cannot_be_sent_is_named():
    async def program(here, _):
        for step in (1, 2):
            with pytest.raises(TypeError, match="memoryview has objects, which are of this process"):
                await here.send_obj(memoryview(np.array([1, None, 2], dtype=object))[::step])
        with pytest.raises(BufferError, match="this memory is not contiguous"):
            await here.send_obj(core.Array(np.arange(6)[::2]))

    run(program)


def test_allocator_is_called_with_the_size_by_position():
    sizes = []

    def make(size, /):
        sizes.append(size)
        return bytearray(size)

    received = sent(b"some bytes", allocator=make)
    assert sizes == [10] and received == b"some bytes"
    assert bytes(sent(b"12345678" * 2, allocator=lambda n: np.zeros(n // 8))) == b"12345678" * 2


@pytest.mark.parametrize(
    "make, error",
    [
        (lambda nbytes: bytearray(nbytes - 1), "an allocator has given 9 bytes instead of 10"),
        (bytes, "an allocator has given a bytes, which is read-only"),
    ],
)
def test_allocator_that_gives_something_else(make, error):
    with pytest.raises(ValueError, match=error):
        sent(b"some bytes", allocator=make)
