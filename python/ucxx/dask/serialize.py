# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of devices, of any library that has `__cuda_array_interface__`."""

from __future__ import annotations

from typing import Any


def abilities() -> dict[str, Any]:
    """Return what the handshake tells of this process."""
    return {"device": False}


def serializers() -> tuple[str, ...] | None:
    """Return the names of the families that a message is serialised with; None: Dask's own."""
    return None
