# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Where the elements of a table are: each PE owns a run of neighbours.

Their number is a power of 2, so that no update divides.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Layout:
    """A table of 2**bits elements among PEs.

    The owner of an element is PE `index * pes >> bits`. There its place is `index & (part - 1)`: owned
    elements are neighbours, and no more than places, so that no two of them share one.
    """

    bits: int
    pes: int

    @property
    def part(self) -> int:
        """Return the places of a PE: the least power of 2 that is enough for the elements of each."""
        return 1 << (-(-(1 << self.bits) // self.pes) - 1).bit_length()

    def owned(self, pe: int) -> range:
        """Return the elements of a PE."""
        first, end = (-(-(one << self.bits) // self.pes) for one in (pe, pe + 1))
        return range(first, end)
