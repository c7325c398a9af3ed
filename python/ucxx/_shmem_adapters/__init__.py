# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Other OpenSHMEM libraries under `ucxx.shmem`.

An adapter is a shared library that is compiled against another library's `shmem.h`: constants, handles
and functions differ from library to library, and can be macros. It has a function `ucxx_NAME` for each
`NAME` of OpenSHMEM, with handles as pointers, and a value `ucxx_NAME` for each constant. `_shmem` loads
either libucxx_shmem or an adapter, and finds functions by their names.

`chosen` says which one the environment asks for, `kept` where adapters are, `making` makes one:
`source` writes its C source, from the functions that `functions` lists; what the library lacks is in
`shims.c`, `team_of_all.c` and `collects.c`. Nothing in here loads `_shmem`.
"""
