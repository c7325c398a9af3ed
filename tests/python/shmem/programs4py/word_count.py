# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Count words: the PE of a word is a function of its text, its counter of the same table."""

import numpy as np

from ucxx import shmem

TEXT = ("the sun the moon and the stars look on the sea and on the land while "
        "the sea looks back on the moon").split()
SLOTS = 1000

me = shmem.my_pe()
pes = shmem.n_pes()


def place_of(word):
    """Return the PE and the slot of a word."""
    number = 0
    for letter in word.encode():
        number = (number * 31 + letter) % (SLOTS * pes)
    return divmod(number, SLOTS)


counts = shmem.zeros(SLOTS, dtype=np.int32)
names = shmem.zeros((SLOTS, 8), dtype=np.uint8)
for word in TEXT[me::pes]:
    pe, slot = place_of(word)
    if shmem.atomic_fetch_add(counts[slot:slot + 1], 1, pe) == 0:
        text = np.frombuffer(word.encode().ljust(8), dtype=np.uint8)
        shmem.put(names[slot], text, pe)
shmem.barrier_all()

all_counts = shmem.empty((pes, SLOTS), dtype=np.int32)
all_names = shmem.empty((pes, SLOTS, 8), dtype=np.uint8)
shmem.fcollect(all_counts, counts)
shmem.fcollect(all_names, names)
found = {all_names[i, j].tobytes().decode().strip(): int(all_counts[i, j])
         for i, j in np.argwhere(all_counts)}
assert found == {word: TEXT.count(word) for word in TEXT}, found
