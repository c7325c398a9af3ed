# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What calls of OpenSHMEM cost in Python and in C, beside MPI: `python -m ucxx benchmark shmem`."""
