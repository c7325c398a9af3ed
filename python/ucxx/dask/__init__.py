# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Dask over UCXX: the schemes ucx:// and ucxx://, which `pip install ucxx[dask]` brings along.

    LocalCluster(protocol="ucx")
    dask scheduler --protocol ucx

Programs import nothing of this package: Dask finds it by its entry points. How it works:
`comm` is a connection, `frames` what is sent, `listener` and `connector` how two processes meet,
`options` the settings, `config` the start, `serialize` arrays of devices, `security` what is refused.
"""
