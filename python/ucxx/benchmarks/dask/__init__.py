# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Dask over ucx:// and beside it over tcp://: `python -m ucxx benchmark dask`.

`comm` measures connections alone, the others clusters of two workers. Needs distributed, which the extra
`dask` installs; `payload`, `figures` and `transports` do not.
"""
