# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Runs of the Parallel Research Kernels."""

import os
import subprocess

from ucxx.benchmarks.prk import compare, tools

PLAN = compare.Plan(order=60, radius=3, variant="alltoall", iterations=3, bind=False)
MODELS = {"shmem": "shmem", "mpi": "mpi4py"}  # and what a kernel in Python calls them
ALL = "UCXX_PRK_ALL" in os.environ
OSHMEM = "/usr/bin"  # Debian's, if it is installed
TRANSPORTS = ("UCX_TLS", "UCX_NET_DEVICES")  # of all tests here: with them MPICH does not start
# With one transport Open MPI starts in 0.1 s. It looks for others for a second.
FAST_START = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,sm"}


def run(case, plan=PLAN, found=None):
    """Run a case, which must validate; nothing that it needs may be missing."""
    found = found or tools.find(case.model)
    assert compare.reason_to_skip(case, {case.model: found}) is None
    assert compare.run(case, found, plan) > 0


def ended(found, program, pes):
    """Run a program; return how it has ended."""
    return subprocess.run(found.command(pes, program, False), env=tools.environment(), check=False,
                          capture_output=True, text=True, timeout=50)


def said_by(found, program, pes):
    """Run a program, which must succeed; return what it said."""
    done = ended(found, program, pes)
    assert done.returncode == 0, done
    return done.stdout


def refused(model, program, pes=4):
    """Run a program that must refuse its arguments; return what it said."""
    done = ended(tools.find(model), program, pes)
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    return done.stderr
