# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""PEs that a test starts itself, by multiprocessing: ucxx.shmem.init(rank=, size=, allgather=).

The test hands the allgather's bytes round: each PE is a peer of ucxx.testing.
"""


def join(words):
    """In a peer: become a PE, as `start` says; return its number."""
    from ucxx import shmem

    rank, size = words.recv()

    def allgather(mine):
        words.send(mine)
        return words.recv()

    shmem.init_thread(rank=rank, size=size, allgather=allgather)
    return shmem.my_pe()


def start(peers, size, function, *arguments):
    """In the test: start peers that run `function(words, *arguments)`, and let all of them join."""
    started = peers(size, function, *arguments)
    for rank, peer in enumerate(started):
        peer.send((rank, size))
    cards = [peer.receive() for peer in started]
    for peer in started:
        peer.send(cards)
    return started
