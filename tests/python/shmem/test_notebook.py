# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`ucxx.shmem` in a notebook: cells that a real kernel of Jupyter runs."""

import re

import pytest
from jupyter_client.manager import KernelManager

LIMIT_S = 40


class Notebook:
    """A kernel, and what its cells print."""

    def __init__(self, manager, client):
        """Take a kernel that runs."""
        self.manager, self.client = manager, client

    def start(self, code):
        """Begin to run a cell."""
        self.cell = self.client.execute(code)

    def end(self):
        """Wait for the end of the cell; return what it printed, or its error."""
        printed, error = [], None
        while True:
            message = self.client.get_iopub_msg(timeout=LIMIT_S)
            if message["parent_header"].get("msg_id") != self.cell:
                continue
            content = message["content"]
            if message["msg_type"] == "stream" and content["name"] == "stdout":
                printed.append(content["text"])
            elif message["msg_type"] == "error":
                error = f"{content['ename']}: {content['evalue']}"
            elif message["msg_type"] == "status" and content["execution_state"] == "idle":
                return error or "".join(printed)

    def line(self):
        """Return what the cell prints next."""
        while True:
            message = self.client.get_iopub_msg(timeout=LIMIT_S)
            if message["msg_type"] == "stream":
                return message["content"]["text"]

    def run(self, code):
        """Run a cell to its end."""
        self.start(code)
        return self.end()


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """Return a notebook whose kernel has just started."""
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=LIMIT_S)
        yield Notebook(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def test_a_kernel_is_one_pe(notebook):
    assert notebook.run("""
import numpy as np
from ucxx import shmem

a = shmem.array([1, 2, 3])
shmem.put(a, a + 1, shmem.my_pe())
print(shmem.n_pes(), a)
""") == "1 [2 3 4]\n"
    assert re.match("ValueError: put: pe = 1: ", notebook.run("shmem.put(a, a, 1)"))
    notebook.start("print('waits', flush=True); shmem.wait_until(a[:1], '==', 7)")
    assert notebook.line() == "waits\n"
    notebook.manager.interrupt_kernel()
    assert notebook.end() == "KeyboardInterrupt: "
    assert notebook.run("a[0] = 7; shmem.wait_until(a[:1], '==', 7); print(a)") == "[7 3 4]\n"
    assert notebook.run("shmem.finalize(); shmem.init(); print(shmem.zeros(1))") == "[0.]\n"
    assert status_at_end(notebook) == 0


# The kernel is PE 0 of a job with processes that it has started.
JOB = """
import multiprocessing
from ucxx import shmem

context = multiprocessing.get_context("fork")
pipes = [context.Pipe() for _ in range(2)]

def gather_all(mine):
    cards = [mine, *(own.recv() for own, _ in pipes)]
    for own, _ in pipes:
        own.send(cards)
    return cards

def work(rank):
    words = pipes[rank - 1][1]
    shmem.init(rank=rank, size=3, allgather=lambda mine: (words.send(mine), words.recv())[1])
    total = shmem.zeros((), int)
    while total != 100:  # what PE 0 brings to the last sum
        shmem.sum_reduce(total, shmem.array(rank * 10))

pes = [context.Process(target=work, args=(rank,)) for rank in (1, 2)]
for pe in pes:
    pe.start()
shmem.init(rank=0, size=3, allgather=gather_all)
total = shmem.zeros((), int)
print(shmem.my_pe(), shmem.n_pes())
"""
SUM = """
shmem.sum_reduce(total, shmem.array({}))
print(total)
"""
END = """
shmem.finalize()
for pe in pes:
    pe.join(20)
print([pe.exitcode for pe in pes])
"""


def test_a_kernel_is_a_pe_beside_processes_that_it_starts(notebook):
    assert notebook.run(JOB) == "0 3\n"
    assert notebook.run(SUM.format(5)) == "35\n"
    assert notebook.run("shmem.nothing").startswith("AttributeError: ")
    assert notebook.run(SUM.format(70)) == "100\n"
    assert notebook.run(END) == "[0, 0]\n"
    assert status_at_end(notebook) == 0


def status_at_end(notebook):
    """Ask the kernel to end, and return its exit status."""
    process = notebook.manager.provisioner.process
    notebook.client.shutdown()
    return process.wait(LIMIT_S)
