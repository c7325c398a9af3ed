# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What `doctor` looks at, a function for each row of its table.

Those that read files take the folder that stands for `/`.
"""

from __future__ import annotations

import dataclasses
import pathlib

OK, NOTE, PROBLEM = "ok", "note", "problem"


@dataclasses.dataclass(frozen=True)
class Finding:
    """One row: what was looked at, its state, what was found, what it costs, how to mend it."""

    name: str
    state: str
    found: str
    cost: str = ""
    fix: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return it for JSON."""
        return dataclasses.asdict(self)


def read(path: pathlib.Path) -> str | None:
    """Return the text of a file without blanks around it; None where it cannot be read."""
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return None


def bytes_text(count: int) -> str:
    """Return '64 MiB' for 67108864."""
    for power, unit in ((4, "TiB"), (3, "GiB"), (2, "MiB"), (1, "KiB")):
        if count >= 1 << (10 * power):
            return f"{count / (1 << 10 * power):.3g} {unit}"
    return f"{count} B"
