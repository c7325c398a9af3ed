# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Names of `ucxx.shmem` that can be used before the library is initialised."""

CODE = """
from ucxx import shmem

assert shmem.THREAD_MULTIPLE == shmem.THREAD.MULTIPLE and shmem.CMP.EQ is shmem.CMP_EQ
assert not shmem.query_initialized()
assert shmem.init_thread(shmem.THREAD_MULTIPLE) == shmem.THREAD_MULTIPLE
assert shmem.query_initialized() and shmem.query_thread() == shmem.THREAD_MULTIPLE
"""


def test_constants_do_not_initialise(run_python):
    """Else init_thread(THREAD_MULTIPLE) would come too late, after its own argument."""
    assert run_python(CODE) == (0, "")
