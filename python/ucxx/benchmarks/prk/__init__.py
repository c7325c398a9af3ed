# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Parallel Research Kernels: stencil, synch_p2p and transpose.

Each is one kernel, of which the communication is an exchangeable part: OpenSHMEM or MPI. In Python,
with NumPy or Numba, it is a module: `oshrun -n 4 python -m ucxx.benchmarks.prk.stencil`. In C it is
a program, which `python -m ucxx.benchmarks.prk.programs` compiles. `python -m ucxx benchmark prk`
compares them all.
"""

KERNELS = ("stencil", "synch_p2p", "transpose")
