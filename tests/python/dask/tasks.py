# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tasks of the cluster tests; workers import them."""

import os
import signal
import time

import numpy as np


def make(nbytes, value=1):
    """Return an array of bytes."""
    return np.full(nbytes, value, dtype="u1")


def total(array):
    """Return the sum of an array of bytes."""
    return int(array.sum(dtype="u8"))


def transports():
    """Return the names of the transports of this process's comms."""
    from distributed.comm.core import Comm

    endpoints = [comm.endpoint for comm in Comm._instances if getattr(comm, "endpoint", None)]
    return tuple(sorted({name for endpoint in endpoints for name in endpoint.transports}))


def listening_ports(pid=None, dask_worker=None):
    """Return the TCP ports of a process, without that of a worker's dashboard."""
    import psutil

    connections = psutil.Process(pid).net_connections("tcp")
    dashboard = dask_worker.http_server.port if dask_worker else None
    return sorted({c.laddr.port for c in connections if c.status == psutil.CONN_LISTEN} - {dashboard})


def hold_the_gil(seconds):
    """Compute without letting another thread in."""
    import ctypes

    ctypes.PyDLL(None).usleep(int(seconds * 1e6))
    return "done"


def fork_a_child():
    """Fork, and return what the child has ended with."""
    child = os.fork()
    if child == 0:
        os._exit(7)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill_once(marker, value):
    """End this process by SIGKILL the first time, and return the value the next."""
    try:
        with open(marker, "x"):
            pass
    except FileExistsError:
        return value
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)
