# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Parallel Research Kernels, as their papers describe them.

Each is one kernel, of which the communication is an exchangeable part: OpenSHMEM or MPI. In Python,
with NumPy or Numba, it is a module: `oshrun -n 4 python -m ucxx.benchmarks.prk.stencil`. In C it is
a program, which `python -m ucxx.benchmarks.prk.programs` compiles. `python -m ucxx benchmark prk`
compares them all.
"""

KERNELS = (
    "stencil", "synch_p2p", "transpose", "synch_global", "reduce", "stream", "refcount", "random",
    "sparse", "dgemm", "branch",
)  # fmt: skip
# Where the comparison with MPI says nothing: no communication but broadcasts and gathers of OpenSHMEM;
# in Python, one-sided calls of mpi4py.
_SHMEM_ONLY = {("c", "sparse"), ("c", "dgemm")} | {
    (language, kernel)
    for language in ("numpy", "numba")
    for kernel in ("refcount", "random", "sparse", "dgemm")
}
_WITHOUT_LOOPS = ("stream", "dgemm", "branch")


def is_there(kernel: str, language: str, model: str) -> bool:
    """Whether a kernel computes with "c", "numpy" or "numba" over "shmem", "oshmem" or "mpi".

    "oshmem" is another OpenSHMEM library than UCXX's.
    """
    if language == "numba" and kernel in _WITHOUT_LOOPS:
        return False
    return model != "mpi" or (language, kernel) not in _SHMEM_ONLY
