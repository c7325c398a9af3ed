# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is measured, and how often."""

from __future__ import annotations

import dataclasses

MODES = ("loop", "blocking", "polling", "thread", "thread-polling")
CONTENTS = ("buffer", "dict")
RECEIVE_INTO = ("same", "new", "library")

# Without a number of iterations: enough for percentiles, and for large messages a second or so.
_MOST, _LEAST, _BYTES = 5000, 20, 512 << 20
# What goes on between two reports of progress, while nothing else happens in the processes.
_BURST, _BURST_BYTES, _BURSTS = 500, 256 << 20, 5


@dataclasses.dataclass(frozen=True)
class Settings:
    """The settings of a run, the same in both processes.

    Attributes:
        sizes: bytes of each buffer; of a dict, of its pickle.
        content: "buffer", or "dict": a small dict as an object.
        iterations: round trips that are measured of each size; None: as many as the size permits.
        warm_up: round trips before; None: a tenth of that.
        pin: processor numbers of the two processes, the one that measures first; None: any.
        buffers: how many buffers each message has.
        receive_into: "same" memory each time, "new" memory, or memory that the "library" gives.
        object_type: whose memory, of `kinds.NAMES`; None: NumPy's if it is installed.
        progress_mode: who moves the workers of UCXX.
        pause_us: microseconds that a side computes before it sends, not measured: the other one
            sleeps by then.
        active_messages: whether UCXX sends by active messages, else by tags.
        side: which process runs here, "server", "client" (which measures) or "both".
        address: where the server listens.
        port: at which port; 0: any, with both here.
    """

    sizes: tuple[int, ...] = (8, 1 << 10, 64 << 10, 1 << 20)
    content: str = "buffer"
    iterations: int | None = None
    warm_up: int | None = None
    pin: tuple[int | None, int | None] | None = None
    buffers: int = 1
    receive_into: str = "same"
    object_type: str | None = None
    progress_mode: str = "loop"
    pause_us: float = 0
    active_messages: bool = False
    side: str = "both"
    address: str = "127.0.0.1"
    port: int = 0

    @property
    def is_multi(self) -> bool:
        """Whether the messages of UCXX are multi-buffer ones."""
        return self.buffers > 1 or self.receive_into == "library"

    def round_trips(self, size: int) -> int:
        """Return how many round trips are measured."""
        if self.iterations is not None:
            return self.iterations
        return max(_LEAST, min(_MOST, _BYTES // (size * self.buffers)))

    def unmeasured(self, size: int) -> int:
        """Return how many round trips warm up."""
        if self.warm_up is not None:
            return self.warm_up
        return max(1, self.round_trips(size) // 10)

    def bursts(self, size: int) -> list[int]:
        """Return the measured round trips, in portions."""
        total = self.round_trips(size)
        most = max(1, min(_BURST, total // _BURSTS, _BURST_BYTES // (size * self.buffers)))
        return [most] * (total // most) + ([total % most] if total % most else [])
