# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Pins the worker that imports this: Dask imports preloads before a worker listens, and so before UCX starts."""

from ucxx.dask.clusters import pinning
from ucxx.dask.learning import places

pinning.apply()
places.keep()
