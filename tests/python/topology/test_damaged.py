# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Damaged descriptions: an error that names the file, or a machine that is consistent, never anything else."""

import json
import pathlib
import random

import pytest
from trees import plant_server

from ucxx.topology import TopologyError, read
from ucxx.topology.jsons import from_json, to_json

MACHINES = sorted((pathlib.Path(__file__).parent / "machines").iterdir())
MUTATIONS = 10_000  # of all files together
TREE_MUTATIONS = 400


def span(rng, data, most):
    first = rng.randrange(len(data))
    return first, first + rng.randint(1, most)


def flip(rng, data):
    for _ in range(rng.randint(1, 3)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def delete(rng, data):
    first, last = span(rng, data, 80)
    del data[first:last]


def duplicate(rng, data):
    first, last = span(rng, data, 400)
    data[first:first] = data[first:last]


def truncate(rng, data):
    del data[rng.randrange(len(data)) :]


def parts_swapped(separator):
    def swap(rng, data):
        parts = bytes(data).split(separator)
        one, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        parts[one], parts[other] = parts[other], parts[one]
        data[:] = separator.join(parts)

    return swap


def part_repeated_or_gone(separator):
    def change(rng, data):
        parts = bytes(data).split(separator)
        at = rng.randrange(len(parts))
        parts[at : at + 1] = [parts[at]] * rng.choice((0, 2))
        data[:] = separator.join(parts)

    return change


def other_number(rng, data):
    digits = [at for at, byte in enumerate(data) if 48 <= byte <= 57]
    if digits:
        data[rng.choice(digits)] = rng.choice(b"0123456789-")


CHANGES = [
    flip, delete, duplicate, truncate, other_number, *map(parts_swapped, (b"\n", b"\t", b'"')),
    *map(part_repeated_or_gone, (b"\n", b"\t", b"<")),
]  # fmt: skip


def damaged(rng, original):
    data = bytearray(original)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        rng.choice(CHANGES)(rng, data)
        if not data:
            break
    return bytes(data)


def check(path, name):
    """Read a description: whether it is a machine, which must be one that its own JSON gives back."""
    try:
        machine = read(path)
    except TopologyError as error:
        assert str(error).startswith(str(name)), error
        return False
    assert from_json(json.loads(json.dumps(to_json(machine)))) == machine
    return True


@pytest.mark.parametrize("original", MACHINES, ids=lambda path: path.name)
def test_damaged_files(original, tmp_path):
    content = original.read_bytes()
    file = tmp_path / original.name
    count = -(-MUTATIONS // len(MACHINES))
    machines = 0
    for seed in range(count):
        file.unlink(missing_ok=True)  # some file systems wait for the disk where a file is written again
        file.write_bytes(damaged(random.Random(f"{original.name} {seed}"), content))
        try:
            machines += check(file, file)
        except Exception:
            print(f"seed {seed}")
            raise
    assert 0 < machines < count  # both ends are reached


def test_damaged_trees(tmp_path):
    plant_server(tmp_path)
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink())
    machines = 0
    for seed in range(TREE_MUTATIONS):
        rng = random.Random(seed)
        file = rng.choice(files)
        original = file.rename(tmp_path / "original")
        file.write_bytes(damaged(rng, original.read_bytes()))
        machines += check(tmp_path, tmp_path)
        original.replace(file)
    assert 0 < machines < TREE_MUTATIONS
