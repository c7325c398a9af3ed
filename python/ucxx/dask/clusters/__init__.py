# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Dask clusters that know their machine.

`settings` is the one list of what a user may say, `plan` where each worker belongs and what carries its payloads,
`spec` what the worker's nanny gets of it, `local` and `gpus` the clusters, `command` the command `dask ucx worker`.
In the worker `preload` pins the process (`pinning`) before UCX starts.
"""
