# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Objects that look like arrays: pointers are never sent, memory lives, what is wrong is named."""

import ctypes
import gc
import pickle
import weakref

import numpy as np
import pytest
from buffers import Foreign, Lie
from PIL import Image

import ucxx
from ucxx import core


@pytest.fixture(scope="module")
def endpoint():
    """Return an endpoint to the own worker."""
    worker = core.UCXWorker(core.UCXContext())
    return core.UCXEndpoint.create_from_worker_address(worker, worker.address)


def sent(endpoint, thing):
    """Return the bytes that arrive when `thing` is sent, and the request."""
    received = bytearray(1 << 16)
    request = endpoint.tag_recv(received, 1)
    endpoint.tag_send(thing, 1).wait(5)
    return bytes(received[: request.wait(5)])


# Pointers to objects

BESIDE = [("when", "M8[s]"), ("what", object)]
OUT_OF_ORDER = {"names": ["a", "b", "t"], "formats": ["O", "i4", "M8[s]"], "offsets": [8, 0, 16]}


class Either(ctypes.Union):
    """The buffer protocol says of it that it is bytes."""

    _fields_ = [("number", ctypes.c_int), ("object", ctypes.py_object)]  # noqa: RUF012


class Packed(ctypes.Structure):
    """So it does of this."""

    _pack_, _layout_ = 1, "ms"
    _fields_ = [("number", ctypes.c_byte), ("object", ctypes.py_object)]  # noqa: RUF012


class Within(Packed):
    """Has it from its base, and in an array."""

    _fields_ = [("many", Either * 2)]  # noqa: RUF012


OBJECTS = {
    "array": np.array([1, "two"], dtype=object),
    "fields": np.zeros(2, dtype=[("a", "i4"), ("what", object)]),
    "beside a date": np.zeros(2, dtype=BESIDE),
    "nested": np.zeros(2, dtype=[("t", "m8[s]"), ("in", [("i", "i4"), ("in", BESIDE, (2,))])]),
    "nested without dates": np.zeros(2, dtype=[("in", [("in", [("what", object)])])]),
    "array within": np.zeros(2, dtype=[("t", "M8[s]"), ("what", object, (2, 2))]),
    "title": np.zeros(2, dtype=[("t", "M8[s]"), (("title", "what"), object)]),
    "out of order": np.zeros(2, dtype=np.dtype(OUT_OF_ORDER)),
    "colon in a name": np.zeros(2, dtype=[("a:", "i4"), ("b", object)]),
    "no items": np.zeros(0, dtype=BESIDE),
    "scalar": np.zeros(1, dtype=BESIDE)[0],
    "recarray": np.zeros(2, dtype=BESIDE).view(np.recarray),
    "masked": np.ma.zeros(2, dtype=BESIDE),
    "strings of any length": np.array(["a"], dtype=np.dtypes.StringDType()),
    "interface": Foreign(np.zeros(2, dtype=BESIDE)),
    "interface of objects": Foreign(np.array([1, None])),
    "ctypes": (ctypes.py_object * 2)(),
    "ctypes, a union": Either(),
    "ctypes, packed": Packed(),
    "ctypes, within": Within(),
    "ctypes, through a memoryview": memoryview(memoryview(Either())),
    "ctypes, as bytes": memoryview((Either * 2)()).cast("B"),
    "ctypes, through a PickleBuffer": pickle.PickleBuffer(memoryview(Packed())),
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_pointers_to_objects_are_never_sent_nor_received(endpoint, kind):
    thing = OBJECTS[kind]
    key = core.MemoryHandle(core.UCXContext(), 64).create_remote_key()
    for call in (
        lambda: endpoint.tag_send(thing, 1),
        lambda: endpoint.tag_recv(thing, 1),
        lambda: endpoint.worker.tag_recv(thing, 1),
        lambda: endpoint.tag_send_multi([b"x", thing], 1),
        lambda: endpoint.am_send(thing),
        lambda: endpoint.stream_send(thing),
        lambda: endpoint.stream_recv(thing),
        lambda: endpoint.put(thing, key),
        lambda: endpoint.get(thing, key),
        lambda: core.Array(thing),
        lambda: core.MemoryHandle(core.UCXContext(), thing),
    ):
        with pytest.raises(TypeError, match="has objects, which are of this process"):
            call()


def test_names_and_dates_are_no_objects(endpoint):
    fields = np.zeros(2, dtype=[("Order", "M8[s]"), ("O", "i4"), ("in", [("O", "u1")])])
    assert sent(endpoint, fields) == fields.tobytes()
    assert sent(endpoint, fields[0]) == fields[0].tobytes()


# What keeps the memory


class Owner(np.ndarray):
    """Can be seen to die."""


def owner(size):
    """Return an array of a class of its own, of sevens."""
    return np.full(size, 7, dtype="u1").view(Owner)


class Fresh:
    """Makes its memory for each interface, which is all that keeps it."""

    def __init__(self, size):
        """Note how much."""
        self.size, self.made = size, None

    @property
    def __array_interface__(self):
        """Return the interface of new memory."""
        memory = owner(self.size)
        self.made = weakref.ref(memory)
        return {**memory.__array_interface__, "kept": memory}


def test_memory_lives_as_long_as_the_interface_that_keeps_it(endpoint):
    fresh = Fresh(1 << 16)
    sending = endpoint.tag_send(fresh, 2)
    gc.collect()
    assert fresh.made() is not None
    received = bytearray(1 << 16)
    endpoint.tag_recv(received, 2).wait(5)
    sending.wait(5)
    assert received == b"\7" * (1 << 16)
    assert fresh.made() is None
    array = core.Array(fresh)
    assert fresh.made() is not None and bytes(array) == received
    del array
    assert fresh.made() is None


def test_memory_lives_though_the_interface_is_emptied(endpoint):
    class Emptied:
        def __init__(self):
            memory = owner(1 << 16)
            self.made = weakref.ref(memory)
            self.__array_interface__ = {**memory.__array_interface__, "kept": memory}

    emptied = Emptied()
    sending = endpoint.tag_send(emptied, 2)
    emptied.__array_interface__.clear()
    assert emptied.made() is not None
    received = bytearray(1 << 16)
    endpoint.tag_recv(received, 2).wait(5)
    sending.wait(5)
    assert received == b"\7" * (1 << 16)


def test_scalar_beside_a_date_is_sent_whole(endpoint):
    scalar = np.array([("2020-01-01", 5)], dtype=[("t", "M8[s]"), ("n", "i4")])[0]
    assert sent(endpoint, scalar) == scalar.tobytes()


# Memory behind a buffer


def test_image_is_sent_as_its_pixels(endpoint):
    image = Image.new("RGB", (4, 3), (1, 2, 3))
    assert sent(endpoint, image) == image.tobytes() == bytes((1, 2, 3)) * 12
    assert core.Array(image).shape == (3, 4, 3)


def behind(memory, **interface):
    """Return an object whose interface has its data in a buffer."""
    fields = {"shape": (4,), "typestr": "|u1", "version": 3, "data": memory, **interface}
    return type("Behind", (), {"__array_interface__": fields})()


def test_list_that_changes_while_it_is_looked_at(endpoint):
    class Emptying:
        @property
        def __array_interface__(self):
            buffers.clear()
            return np.zeros(2).__array_interface__

    buffers = [Emptying(), b"1", b"2"]
    with pytest.raises(RuntimeError, match="the list of buffers has changed"):
        endpoint.tag_send_multi(buffers, 1)


def test_structures_of_ctypes_are_sent(endpoint):
    class Point(ctypes.Structure):
        _fields_ = [("x", ctypes.c_int), ("O", ctypes.c_int)]  # noqa: RUF012

    assert sent(endpoint, (Point * 2)((1, 2), (3, 4))) == np.arange(1, 5, dtype="i4").tobytes()
    assert sent(endpoint, ctypes.c_double(0)) == bytes(8)

    class Node(ctypes.Structure):
        pass

    Node._fields_ = [("next", ctypes.POINTER(Node)), ("value", ctypes.c_int)]
    assert sent(endpoint, Node()) == bytes(16)


def test_data_in_a_buffer_is_sent_from_its_offset(endpoint):
    assert sent(endpoint, behind(b"0123456789")) == b"0123"
    assert sent(endpoint, behind(b"0123456789", offset=6)) == b"6789"
    received = bytearray(10)
    request = endpoint.tag_recv(behind(received, offset=3), 3)
    endpoint.tag_send(b"abcd", 3)
    assert request.wait(5) == 4 and received == b"\0\0\0abcd\0\0\0"


@pytest.mark.parametrize(
    "memory, interface, error",
    [
        (b"123", {}, "Behind says that it has 4 bytes, in a buffer that has 3"),
        (b"12345", {"offset": 2}, "Behind says that it has 4 bytes, in a buffer that has 5"),
        (b"12345", {"offset": 2**64 - 1}, "Behind says that it has 4 bytes"),
        (b"12345", {"offset": -1}, "an int from 0 to"),
        (memoryview(b"12345678")[::2], {}, "in a buffer that is not contiguous"),
    ],
)
def test_data_that_is_not_within_its_buffer(endpoint, memory, interface, error):
    for use in (lambda thing: endpoint.tag_send(thing, 1), core.Array):
        with pytest.raises(ValueError, match=error):
            use(behind(memory, **interface))


# Interfaces that lie


@pytest.mark.parametrize(
    "interface, error, text",
    [
        ({"shape": None}, TypeError, "Foreign has None as shape of __array_interface__: expected a tuple of ints"),
        ({"shape": [2]}, TypeError, r"Foreign has \[2\] as shape"),
        ({"shape": (2.0,)}, TypeError, r"Foreign has \(2.0,\) as shape"),
        ({"shape": ("2",)}, TypeError, r"Foreign has \('2',\) as shape"),
        ({"shape": (2**63,)}, ValueError, "as shape of __array_interface__: no memory is that large"),
        ({"shape": (-2**70,)}, ValueError, "as shape of __array_interface__: no memory is that large"),
        ({"shape": (-1,)}, ValueError, "says that it has -1 items along an axis"),
        ({"shape": (0, -1)}, ValueError, "says that it has -1 items along an axis"),
        ({"shape": (2**62, 4)}, ValueError, "says that it has more bytes than there can be"),
        ({"shape": (0, 2**62, 4)}, ValueError, "says that it has more bytes than there can be"),
        ({"strides": (2**63,)}, ValueError, "as strides of __array_interface__: no memory is that large"),
        ({"strides": (2**62,)}, ValueError, "is not contiguous"),
        ({"strides": (-8,)}, ValueError, "is not contiguous"),
        ({"strides": ()}, ValueError, "has 1 axes and 0 strides"),
        ({"strides": (None,)}, TypeError, r"Foreign has \(None,\) as strides"),
        ({"data": None}, TypeError, r"None as data of __array_interface__: expected a tuple \(address, read"),
        ({"data": (None, False)}, TypeError, "the address of an array interface must be an int from 0 to"),
        ({"data": (-1, False)}, ValueError, "the address of an array interface must be an int from 0 to"),
        ({"data": (0, False)}, ValueError, "there is no memory at address 0"),
        ({"data": (1, False, 2)}, TypeError, "expected a tuple"),
        ({"typestr": None}, TypeError, "None as typestr .* expected a string such as '<f8'"),
        ({"typestr": "f8"}, TypeError, "expected a string such as '<f8'"),
        ({"typestr": ""}, TypeError, "expected a string such as '<f8'"),
        ({"typestr": "<f-8"}, ValueError, "expected a string such as '<f8'"),
        ({"typestr": "<f8x"}, ValueError, "expected a string such as '<f8'"),
        ({"typestr": "<f99999999999999999999"}, ValueError, "expected a string such as '<f8'"),
        ({"typestr": "<t8"}, TypeError, "NumPy has no items of that type"),
        ({"typestr": "\ud800"}, TypeError, "expected a string such as '<f8'"),
        ({"typestr": "|O8"}, TypeError, "has objects"),
        ({"mask": np.zeros(2, bool)}, TypeError, "has a mask, which would be lost"),
        ({"descr": [("", [("", "|O")])]}, TypeError, "has objects"),
    ],
)
def test_interface_that_lies_is_told_which_field(endpoint, interface, error, text):
    liar = Foreign(np.zeros(2), **interface)
    for call in (lambda: endpoint.tag_send(liar, 1), lambda: endpoint.tag_recv(liar, 1)):
        with pytest.raises(error, match=text):
            call()


@pytest.mark.parametrize("interface", [[], "text", 3, object()])
def test_interface_that_is_no_dict(endpoint, interface):
    liar = Foreign(np.zeros(2))
    liar.__array_interface__ = interface
    for call in (lambda: endpoint.tag_send(liar, 1), lambda: core.Array(liar)):
        with pytest.raises(TypeError, match=f"has __array_interface__ of type {type(interface).__name__}"):
            call()


@pytest.mark.parametrize("left", ["shape", "typestr", "data"])
def test_interface_without_a_field(endpoint, left):
    liar = Foreign(np.zeros(2))
    del liar.__array_interface__[left]
    with pytest.raises(TypeError, match=f"has None as {left} of __array_interface__"):
        endpoint.tag_send(liar, 1)


def test_description_within_itself(endpoint):
    descr = []
    descr.append(("", descr))
    with pytest.raises(TypeError, match="has objects"):
        endpoint.tag_send(Foreign(np.zeros(2), descr=descr), 1)


def test_interface_that_raises_or_changes(endpoint):
    class Raising:
        @property
        def __array_interface__(self):
            raise ZeroDivisionError("of its own")

    class Changing:
        def __init__(self):
            self.memory, self.calls = np.arange(8, dtype="u1"), 0

        @property
        def __array_interface__(self):
            self.calls += 1
            if self.calls > 1:
                return {**self.memory.__array_interface__, "shape": (1 << 40,)}
            return self.memory.__array_interface__

    for use in (lambda thing: endpoint.tag_send(thing, 1), core.Array):
        with pytest.raises(ZeroDivisionError, match="of its own"):
            use(Raising())
    assert sent(endpoint, Changing()) == bytes(range(8))
    array = core.Array(Changing())
    assert sent(endpoint, array) == bytes(range(8)) and array.nbytes == 8


def test_empty_array_may_have_no_address(endpoint):
    assert sent(endpoint, Foreign(np.zeros(0), data=(0, False))) == b""
    assert sent(endpoint, Foreign(np.zeros((0, 3)), strides=(1, 1))) == b""


class Wrong(TypeError):
    """Not what a producer without versions raises."""


def test_producer_that_refuses_is_asked_once(endpoint):
    class Producer:
        calls = 0

        def __dlpack__(self, **arguments):
            Producer.calls += 1
            raise Wrong("no nulls")

    with pytest.raises(Wrong, match="no nulls"):
        endpoint.tag_send(Producer(), 1)
    assert Producer.calls == 1


def test_protocols_that_are_none(endpoint):
    without = {"__array_interface__": None, "__cuda_array_interface__": None, "__dlpack__": None}
    with pytest.raises(TypeError, match="has no memory to transfer"):
        endpoint.tag_send(type("Without", (), without)(), 1)


def test_type_instead_of_its_object(endpoint):
    with pytest.raises(TypeError):
        endpoint.tag_send(Fresh, 1)


# DLPack


@pytest.mark.parametrize("version", [None, (1, 0), (1, 9)])
def test_tensor_is_given_back_once(endpoint, version):
    tensor = Lie(4, memory=bytearray(b"abcd"), version=version)
    assert sent(endpoint, tensor) == b"abcd"
    assert tensor.given_back == 1
    array = core.Array(tensor)
    assert tensor.given_back == 1
    del array
    assert tensor.given_back == 2


class Caching:
    """Gives the same capsule again and again."""

    def __init__(self, tensor):
        """Make the capsule."""
        self.tensor, self.capsule = tensor, tensor.__dlpack__()

    def __dlpack__(self):
        """Give it."""
        return self.capsule


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_capsule_that_was_used_is_refused(endpoint, version):
    caching = Caching(Lie(4, memory=bytearray(b"abcd"), version=version))
    assert sent(endpoint, caching) == b"abcd"
    for use in (lambda thing: endpoint.tag_send(thing, 1), core.Array):
        with pytest.raises(TypeError, match='used_dltensor.* expected a new, unused capsule of a tensor'):
            use(caching)
    assert caching.tensor.given_back == 1


@pytest.mark.parametrize("thing", [None, 3, "text"])
def test_what_is_no_capsule(endpoint, thing):
    liar = type("Liar", (), {"__dlpack__": lambda self: thing})()
    with pytest.raises(TypeError, match="Liar has given .* by __dlpack__: expected a new, unused capsule"):
        endpoint.tag_send(liar, 1)


class Versioned:
    """A NumPy array behind DLPack with versions."""

    def __init__(self, array):
        """Keep it."""
        self.array = array

    def __dlpack__(self, **arguments):
        """Give the array's."""
        return self.array.__dlpack__(**arguments)


def test_read_only_tensor_is_sent_and_not_received_into(endpoint):
    numbers = np.arange(4, dtype="u1")
    numbers.flags.writeable = False
    assert sent(endpoint, Versioned(numbers)) == bytes(range(4))
    assert core.Array(Versioned(numbers)).readonly
    with pytest.raises(ValueError, match="is read-only"):
        endpoint.tag_recv(Versioned(numbers), 1)


@pytest.mark.parametrize("flag", [1, 2])
def test_flags_of_a_tensor(endpoint, flag):
    # Read-only; and a copy, in which nobody sees what is received.
    tensor = Lie(4, memory=bytearray(b"abcd"), version=(1, 0), flags=flag)
    assert sent(endpoint, tensor) == b"abcd"
    with pytest.raises(ValueError, match="is read-only"):
        endpoint.tag_recv(tensor, 1)
    assert tensor.given_back == 2


@pytest.mark.parametrize(
    "lie, error",
    [
        (Lie(4, memory=bytearray(4), version=(2, 0)), "a tensor of DLPack 2.0; known are 0 and 1"),
        (Lie(4, memory=bytearray(4), code=3, bits=64), "has pointers as items"),
        (Lie(4, memory=bytearray(4), bits=4), "has items of 4 bits"),
        (Lie(4, memory=bytearray(4), bits=0), "has items of 0 bits"),
        (Lie(4, memory=bytearray(4), device=10), "a device of DLPack type 10"),
        (Lie(4), "memory at address 0"),
        (Lie(4, memory=bytearray(4), strides=(2**62,), bits=64), "strides which there cannot be"),
        (Lie(0, 2**62, 8), "more bytes than there can be"),
        (Lie(2, memory=bytearray(4), strides=(2,)), "is not contiguous"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_tensor_that_lies(endpoint, lie, error):
    with pytest.raises((TypeError, ValueError), match=error):
        endpoint.tag_send(lie, 1)
    assert lie.given_back == 1


def test_padded_items_of_some_bits_are_bytes(endpoint):
    assert sent(endpoint, Lie(4, memory=bytearray(b"abcd"), bits=4, version=(1, 0), flags=4)) == b"abcd"


def test_objects_are_told_how_to_go():
    with pytest.raises(TypeError, match="send_obj pickles"):
        core.Array(np.array([None]))
    assert issubclass(ucxx.UCXInvalidParamError, ValueError)
