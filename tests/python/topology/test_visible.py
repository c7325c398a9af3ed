# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Which GPUs CUDA_VISIBLE_DEVICES means, and what it says to each worker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_machines import checked, machine

from ucxx.topology import Gpu
from ucxx.topology.visible import Visible, turned, visible

# Indices have a gap; two UUIDs begin alike; the third GPU is cut into two MIG devices, the last one into one.
MACHINE = machine(gpus=(
    Gpu(0, uuid="GPU-8d6b1f00-0001"),
    Gpu(1, uuid="GPU-8d6b1f00-0002"),
    Gpu(2, uuid="GPU-c0ffee00-0003", slices=("MIG-1a000000-0004", "MIG-1a000000-0005")),
    Gpu(4, uuid="GPU-feed0000-0006", slices=("MIG-2b000000-0007",)),
    Gpu(5),
))  # fmt: skip
WORDS = ["0", "1", "2", "4", "5", "GPU-8d6b1f00-0001", "GPU-8d6b1f00-0002", "GPU-c0ffee", "GPU-feed0000-0006",
         "MIG-1a000000-0004", "MIG-1a000000-0005", "MIG-2b", "MIG-GPU-8d6b1f00-0001/1/0",
         "MIG-GPU-8d6b1f00-0001/2/0"]  # fmt: skip


def meant(wanted):
    """Return (index, text) of each GPU that is meant."""
    return [(found.gpu.index, found.text) for found in visible(MACHINE, wanted)]


def turns(wanted):
    """Return what CUDA_VISIBLE_DEVICES says to each worker."""
    seen = visible(MACHINE, wanted)
    return [turned(seen, number) for number in range(len(seen))]


@pytest.mark.parametrize(("wanted", "found"), [
    ("0,1", [(0, "0"), (1, "1")]),
    ("4,0", [(4, "4"), (0, "0")]),
    (" 4 ,\t0", [(4, "4"), (0, "0")]),
    ("1,1", [(1, "1"), (1, "1")]),
    ("01", [(1, "01")]),
    ("0,1,-1,4", [(0, "0"), (1, "1")]),
    ("0,-1,x", [(0, "0")]),
    ([0, -1, 1], [(0, "0")]),
    ("1,NoDevFiles,0", [(1, "1")]),
    (4, [(4, "4")]),
    ([5, 0], [(5, "5"), (0, "0")]),
    ((word for word in ("5", 0)), [(5, "5"), (0, "0")]),
    ("GPU-8d6b1f00-0002", [(1, "GPU-8d6b1f00-0002")]),
    ("GPU-c", [(2, "GPU-c")]),
    (["GPU-feed", 0], [(4, "GPU-feed"), (0, "0")]),
    ("0,GPU-8d6b1f00-0001", [(0, "0"), (0, "GPU-8d6b1f00-0001")]),
    ("MIG-1a000000-0005", [(2, "MIG-1a000000-0005")]),
    ("MIG-2", [(4, "MIG-2")]),
    ("MIG-GPU-c0ffee00-0003/7/0,MIG-GPU-c0ffee00-0003/8/0",
     [(2, "MIG-GPU-c0ffee00-0003/7/0"), (2, "MIG-GPU-c0ffee00-0003/8/0")]),
])  # fmt: skip
def test_words_mean_gpus_in_their_order(wanted, found):
    assert meant(wanted) == found


@pytest.mark.parametrize("wanted", ["", " ", "-1", " -1 ", -1, [], [-1], ["-1"], [""], (), "NoDevFiles", "-1,0"])
def test_words_that_mean_no_gpu(wanted):
    assert visible(MACHINE, wanted) == ()


def test_none_means_all_and_mig_devices_of_what_is_cut():
    assert meant(None) == [(0, "0"), (1, "1"), (2, "MIG-1a000000-0004"), (2, "MIG-1a000000-0005"),
                           (4, "MIG-2b000000-0007"), (5, "5")]  # fmt: skip
    assert visible(machine(), None) == visible(machine(), "") == ()


@pytest.mark.parametrize("word", ["3", "6", "99999999999999999999", "GPU-9", "GPU-8D6B1F00-0001", "MIG-3",
                                  "MIG-GPU-c0ffee00/7/0", "MIG-GPU-/1/0", "MIG-GPU-8d6b1f00-00011/1/0"])  # fmt: skip
def test_gpu_that_is_not_there_is_told_with_those_that_are(word):
    with pytest.raises(ValueError, match="there is no such GPU; there are: ") as raised:
        visible(MACHINE, f"0,{word}")
    said = str(raised.value)
    assert said.startswith(f"CUDA_VISIBLE_DEVICES has {word!r}, and")
    assert "0 (GPU-8d6b1f00-0001)" in said and "4 (GPU-feed0000-0006, MIG-2b000000-0007), 5" in said


def test_machine_without_a_gpu_says_so():
    with pytest.raises(ValueError, match=r"has '0', and there is no such GPU; there are: none$"):
        visible(machine(), "0")


@pytest.mark.parametrize("word", ["GPU-", "GPU-8d6b", "GPU-8d6b1f00-000", "MIG-"])
def test_beginning_of_several_is_told(word):
    with pytest.raises(ValueError, match="and several begin so; there are: 0 "):
        visible(MACHINE, word)


def test_beginning_of_several_mig_devices_of_one_gpu_is_told():
    with pytest.raises(ValueError, match="begin so"):
        visible(MACHINE, "MIG-1a")


def test_index_with_many_noughts():
    assert meant("0000000001") == [(1, "0000000001")]


@pytest.mark.parametrize("wanted", ["x", "all", "none", "0,", ",0", "0,,1", "0,-2", "-2", "0 1", "0-3", "1.0", "0x1",
                                    "²", "٣", "gpu-c", "gpu0", "GPU0", [None], [True], [0.0], True])  # fmt: skip
def test_words_that_are_no_gpu_are_told(wanted):
    with pytest.raises(ValueError, match=r"which is no GPU: an index, or a UUID that begins with GPU- or MIG-$"):
        visible(MACHINE, wanted)


@checked(max_examples=200)
@given(st.text() | st.text(st.sampled_from("01459GPUMIG-abcdef,/ "), max_size=14)
       | st.lists(st.sampled_from(WORDS) | st.integers() | st.text(max_size=5)))  # fmt: skip
def test_anything_means_gpus_or_is_refused(wanted):
    try:
        found = visible(MACHINE, wanted)
    except ValueError as error:
        assert "CUDA_VISIBLE_DEVICES has " in str(error)
    else:
        assert all(one.gpu in MACHINE.gpus for one in found)
        assert visible(MACHINE, ",".join(one.text for one in found)) == found


@pytest.mark.parametrize(("wanted", "each"), [
    ("0,1,4", ["0,1,4", "1,4,0", "4,0,1"]),
    ("4,0", ["4,0", "0,4"]),
    ("5", ["5"]),
    ("1,1", ["1", "1"]),
    ("0,1,0", ["0,1", "1,0", "0,1"]),
    ("0,GPU-8d6b1f00-0001,1", ["0,1", "GPU-8d6b1f00-0001,1", "1,0"]),
    ("1,GPU-c,2", ["1,GPU-c", "GPU-c,1", "2,1"]),
    ("MIG-1a000000-0004,MIG-1a000000-0005", ["MIG-1a000000-0004", "MIG-1a000000-0005"]),
    ("0,MIG-2b,1", ["0,1", "MIG-2b", "1,0"]),
    ("MIG-GPU-c0ffee00-0003/7/0,2,0", ["MIG-GPU-c0ffee00-0003/7/0", "2,0", "0,2"]),
    ("", []),
])  # fmt: skip
def test_each_worker_sees_its_own_gpu_first(wanted, each):
    assert turns(wanted) == each


@checked(max_examples=200)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
def test_each_worker_sees_all_gpus_once(wanted):
    seen = visible(MACHINE, wanted)
    whole = {one.gpu.index for one in seen if not one.text.startswith("MIG-")}
    for own, said in zip(seen, turns(wanted), strict=True):
        found = visible(MACHINE, said)
        assert found[0] == own
        if own.text.startswith("MIG-"):
            assert found == (own,)
        else:
            indices = [one.gpu.index for one in found]
            assert sorted(indices) == sorted(whole)
            assert not any(one.text.startswith("MIG-") for one in found)


def test_what_is_seen_is_a_value():
    assert visible(MACHINE, "0") == (Visible(MACHINE.gpus[0], "0"),)


def test_uuids_of_a_description_steer_no_terminal():
    with pytest.raises(ValueError, match=r"there are: 0 \(GPU-\?\[31m, MIG-\?\)$"):
        visible(machine(gpus=(Gpu(0, uuid="GPU-\x1b[31m", slices=("MIG-\x9b",)),)), "1")
