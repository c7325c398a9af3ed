# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Two ends of a pair of the synchronous API, for tests of conditions."""

import time

from ucxx import core

DEADLINE = 20


class Pair:
    """Two ends of a pair, of two workers, and memory of the right one that the left one reaches."""

    def __init__(self, options):
        """Connect them."""
        context = core.UCXContext(options)
        self.workers = [core.UCXWorker(context) for _ in range(2)]
        accepted = []
        listener = core.UCXListener.create(
            self.workers[1], 0, accepted.append, deliver_endpoint=True, ip="127.0.0.1"
        )
        self.left = self.workers[0].create_endpoint("127.0.0.1", listener.port)
        self.until(lambda: accepted)
        (self.right,) = accepted
        self.memory = core.MemoryHandle(context, 8)
        memoryview(self.memory)[:] = bytes(8)
        key = bytes(self.memory.create_remote_key())
        self.key = core.RemoteKey.create_from_buffer(self.left, key)

    def until(self, condition):
        """Move both workers until the condition holds."""
        deadline = time.monotonic() + DEADLINE
        while not condition():
            for worker in self.workers:
                worker.progress()
            assert time.monotonic() < deadline

    def finish(self, *requests):
        """Wait for the requests; return their results."""
        self.until(lambda: all(request.completed for request in requests))
        return [request.wait(0) for request in requests]

    @property
    def word(self):
        """What the memory holds."""
        return int.from_bytes(self.memory, "little")
