# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The memory of one message, and whether what came is what was sent."""

from __future__ import annotations

try:
    import numpy
except ImportError:
    numpy = None

_PERIOD = 251


def allocate(size):
    """Return memory with a buffer: of NumPy, which writes nothing into it first, or a bytearray."""
    return memoryview(bytearray(size) if numpy is None else numpy.empty(size, "u1"))


def _pattern(size, side):
    period = bytes((i * 7 + side * 101) % 256 for i in range(_PERIOD))
    return (period * (size // _PERIOD + 1))[:size]


class Message:
    """What one side sends and receives: `count` buffers of `size` bytes each.

    Attributes:
        sent: the buffers that are sent.
        received: those of the last message that came.
    """

    def __init__(self, size, count, side, reuse):
        """Fill what is sent by this side, 0 or 1."""
        self.size, self.count, self.reuse = size, count, reuse
        self.sent = [self._filled(side) for _ in range(count)]
        self._expected = _pattern(size, 1 - side)
        self.received = self.fresh()

    def _filled(self, side):
        buffer = allocate(self.size)
        buffer[:] = _pattern(self.size, side)
        return buffer

    def fresh(self):
        """Return memory for a message, and keep it as what is received."""
        self.received = [allocate(self.size) for _ in range(self.count)]
        return self.received

    def spoil(self):
        """Change the first and the last byte of the memory, so that `check` needs a message."""
        for buffer, expected in ((buffer, self._expected) for buffer in self.received):
            if isinstance(buffer, memoryview) and not buffer.readonly:
                buffer[0], buffer[-1] = expected[0] ^ 255, expected[-1] ^ 255

    def check(self):
        """Raise ValueError if the last message is another one than the peer has sent."""
        for number, buffer in enumerate(self.received):
            if bytes(buffer) != self._expected:
                raise ValueError(f"buffer {number} of {self.size} bytes came as other bytes")
