# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What one side sends and receives, and whether what came is what was sent."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks.kinds import kind

if TYPE_CHECKING:
    from ucxx.benchmarks.backends.base import Call, SyncBackend

_PERIOD = 251


def _pattern(size: int, side: int) -> bytes:
    period = bytes((i * 7 + side * 101) % 256 for i in range(_PERIOD))
    return (period * (size // _PERIOD + 1))[:size]


class Message:
    """`count` buffers of `size` bytes each.

    Attributes:
        sent: the buffers that are sent.
        received: those of the last message that came.
        reuse: whether a message is received into the memory of the one before.
    """

    def __init__(
        self, size: int, count: int, side: int, reuse: bool, object_type: str | None = None
    ) -> None:
        """Fill what is sent by this side, 0 or 1."""
        self.size, self.count, self.reuse = size, count, reuse
        self._kind = kind(object_type)
        self.sent = [self._filled(side) for _ in range(count)]
        self._expected = _pattern(size, 1 - side)
        self.received = self.fresh()

    def _filled(self, side: int) -> Any:
        memory = self._kind.allocate(self.size)
        self._kind.write(memory, _pattern(self.size, side))
        return memory

    @property
    def views(self) -> list[memoryview]:
        """What is sent, as memoryviews, for who takes nothing else."""
        return [memoryview(buffer) for buffer in self.sent]

    def fresh(self) -> list[Any]:
        """Return memory for a message, and keep it as what is received."""
        self._own = self.received = [self._kind.allocate(self.size) for _ in range(self.count)]
        return self.received

    def calls(self, way: SyncBackend) -> tuple[Call, Call]:
        """Return the functions of a backend that send and receive this."""
        return way.calls(self)

    def spoil(self) -> None:
        """Change the first and the last byte of our memory, so that `check` needs a message."""
        first, last = self._expected[0] ^ 255, self._expected[-1] ^ 255
        self.received = self._own
        for buffer in self.received:
            self._kind.write(buffer, bytes([first]))
            self._kind.write(buffer, bytes([last]), self.size - 1)

    def check(self) -> None:
        """Raise ValueError if the last message is another one than the peer has sent."""
        for number, buffer in enumerate(self.received):
            if self._kind.read(buffer) != self._expected:
                raise ValueError(f"buffer {number} of {self.size} bytes came as other bytes")


class ObjectMessage:
    """A small dict, as programs send beside their arrays.

    Attributes:
        sent: the dict.
        received: the last one that came.
    """

    def __init__(self, side: int) -> None:
        """Make the dict of this side, 0 or 1."""
        self.sent, self._expected = self._of(side), self._of(1 - side)
        self.received: Any = None

    @staticmethod
    def _of(side: int) -> dict[str, Any]:
        return {"step": 1000 + side, "loss": 0.25, "name": "weights", "shape": (3, 4)}

    @classmethod
    def size(cls) -> int:
        """Return how many bytes its pickle has."""
        return len(pickle.dumps(cls._of(0), protocol=5))

    def calls(self, way: SyncBackend) -> tuple[Call, Call]:
        """Return the functions of a backend that send and receive this."""
        return way.object_calls(self)

    def spoil(self) -> None:
        """Forget what came."""
        self.received = None

    def check(self) -> None:
        """Raise ValueError if the last object is another one than the peer has sent."""
        if self.received != self._expected:
            raise ValueError(f"{self._expected!r} came as {self.received!r}")
