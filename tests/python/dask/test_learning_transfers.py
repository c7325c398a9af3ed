# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the comm notes of transfers, and which kind of object it calls them."""

import sys
import threading

import numpy as np
import pytest
from distributed.protocol import to_serialize

from ucxx.dask.learning import transfers
from ucxx.dask.learning.kinds import DEVICE, HOST, KINDS, PICKLED, kind_of

HOLDER = "ucx://10.0.0.1:5"
ARRAY = np.zeros(3)


@pytest.fixture(autouse=True)
def empty():
    """Begin and end without sums."""
    transfers.take()
    yield
    transfers.take()


def answer(*values, status="OK"):
    """Return what a worker answers to `get_data`."""
    return {"status": status, "data": dict(enumerate(values))}


@pytest.mark.parametrize(("name", "without_gpu", "with_gpu"), [
    ("numpy.ndarray", HOST, HOST), ("numpy.float64", PICKLED, PICKLED), ("numpy.ma.MaskedArray", PICKLED, PICKLED),
    ("builtins.bytes", PICKLED, PICKLED), ("pandas.DataFrame", PICKLED, PICKLED), (None, PICKLED, PICKLED),
    ("", PICKLED, PICKLED), ("cupyx.scipy", PICKLED, PICKLED), ("cudfish.A", PICKLED, PICKLED),
    ("cupy.ndarray", DEVICE, DEVICE), ("cudf.core.dataframe.DataFrame", DEVICE, DEVICE), ("rmm.DeviceBuffer", DEVICE, DEVICE),
    ("numba.cuda.cudadrv.devicearray.DeviceNDArray", DEVICE, DEVICE), ("numba.typed.List", PICKLED, PICKLED),
    ("torch.Tensor", PICKLED, DEVICE), ("jaxlib.xla_extension.ArrayImpl", PICKLED, DEVICE), ("torchy.A", PICKLED, PICKLED),
])  # fmt: skip
def test_kinds(name, without_gpu, with_gpu):
    assert (kind_of(name, False), kind_of(name, True)) == (without_gpu, with_gpu)
    assert {without_gpu, with_gpu} <= set(KINDS)


def test_sums_are_kept_by_holder_kind_and_size_and_taken_once():
    transfers.note(HOLDER, answer(ARRAY), 100, 0.25)
    transfers.note(HOLDER, answer(ARRAY, ARRAY), 300, 0.5)
    transfers.note(HOLDER, answer(ARRAY), transfers.LARGE, 1.0)
    transfers.note(HOLDER, answer("text"), 50, 2.0)
    transfers.note("ucx://10.0.0.2:5", answer(ARRAY), 7, 4.0)
    assert sorted(transfers.take()) == [
        (HOLDER, HOST, 1, transfers.LARGE, 1.0), (HOLDER, HOST, 2, 400, 0.75), (HOLDER, PICKLED, 1, 50, 2.0),
        ("ucx://10.0.0.2:5", HOST, 1, 7, 4.0),
    ]  # fmt: skip
    assert transfers.take() == []


@pytest.mark.parametrize("said", [
    answer(), answer(ARRAY, "text"), answer(ARRAY, status="busy"), {"status": "busy"}, {"status": "OK"}, {"data": {}},
    {"status": "OK", "data": [ARRAY]}, {"status": "OK", "data": None}, "OK", b"OK", None, 5, ["status", "OK"],
    to_serialize(ARRAY),
], ids=str)  # fmt: skip
def test_what_is_not_counted(said):
    transfers.note(HOLDER, said, 100, 1.0)
    assert transfers.take() == []


def test_one_heartbeat_has_a_limit_and_what_is_known_already_goes_on():
    for number in range(transfers.MOST + 50):
        transfers.note(f"ucx://10.0.0.1:{number}", answer(ARRAY), 100, 1.0)
    transfers.note("ucx://10.0.0.1:0", answer(ARRAY), 100, 1.0)
    taken = transfers.take()
    assert len(taken) == transfers.MOST
    assert taken[0] == ("ucx://10.0.0.1:0", HOST, 2, 200, 2.0)
    transfers.note(HOLDER, answer(ARRAY), 100, 1.0)
    assert transfers.take() == [(HOLDER, HOST, 1, 100, 1.0)]


@pytest.fixture
def eager_threads():
    """Have Python change between threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_nothing_is_lost_nor_torn_between_threads(eager_threads):
    times, threads, taken = 5000, 3, []

    def note(number):
        for _ in range(times):
            transfers.note(f"ucx://10.0.0.1:{number}", answer(ARRAY), 10, 0.5)

    writers = [threading.Thread(target=note, args=(number,)) for number in range(threads)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        taken += transfers.take()
    for writer in writers:
        writer.join()
    taken += transfers.take()
    assert sum(count for _, _, count, _, _ in taken) == times * threads
    assert all((nbytes, seconds) == (10 * count, 0.5 * count) for _, _, count, nbytes, seconds in taken)


def test_a_process_without_a_worker_that_tells_notes_nothing(run_python):
    status, said = run_python("import ucxx.dask.learning.transfers as t; print(t.is_noted, t.has_gpu, t.take())")
    assert (status, said) == (0, "False False []\n")


def test_nothing_is_noted_behind_the_last_worker_that_tells():
    """Two workers of one process, of which one after the other ends."""
    transfers.begin()
    transfers.begin()
    transfers.end()
    assert transfers.is_noted
    transfers.note("ucx://10.0.0.1:5000", {"status": "OK", "data": {"x": b"1"}}, 100, 0.1)
    transfers.end()
    assert not transfers.is_noted
    assert transfers.take() == []
