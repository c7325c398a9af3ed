# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The section of Dask's configuration that the processes of a cluster get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dask

from ucxx.dask.clusters.settings import Settings


def configuration(settings: Settings) -> dict[str, Any]:
    """Return what the flags and Dask's configuration say, as its section `ucxx`, for each process of a cluster."""
    return {**hyphened(dask.config.get("ucxx", None) or {}), **settings.flags}


def hyphened(section: Mapping[str, Any]) -> dict[str, Any]:
    """Return a section with each key in one spelling: the environment has them with underscores."""
    return {str(key).replace("_", "-"): value for key, value in section.items()}
