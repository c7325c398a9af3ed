# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tasks that wait in the middle, for the tests of many workers; workers import them."""

import dask
from distributed import Event

WAIT = 60


def total_after(name, *arrays):
    """Return the sum of arrays of bytes, once an event is set."""
    assert Event(name).wait(WAIT)
    return sum(int(array.sum(dtype="u8")) for array in arrays)


def executing(dask_worker):
    """Return how many tasks a worker executes."""
    return dask_worker.state.executing_count


def set_patience(seconds):
    """Have a worker call others for so long that do not answer."""
    dask.config.set({"distributed.comm.timeouts.connect": f"{seconds} s"})
