# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Processes of the command line that are killed in the middle of a transfer, and networks that are silent."""

import os
import shutil
import signal
import subprocess
import sys
import time

import comms
import dask
import pytest
import tasks
from distributed import Client, wait
from processes import HERE, commands

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")]

SECONDS = 60
NBYTES, COUNT = 50_000_000, 6


@pytest.fixture(params=["local", "tcp"])
def environment(request):
    """Set a channel for this process, and return it for others."""
    with dask.config.set({"distributed-ucxx.environment": comms.CHANNELS[request.param]}):
        yield comms.CHANNELS[request.param]


@pytest.fixture
def start():
    """Return a function that starts commands of Dask."""
    with commands() as started:
        yield started


@pytest.fixture
def servers(environment, start):
    """Return the commands of a scheduler and of two workers with nannies, and the scheduler's address."""
    options = ("--protocol=ucx", "--host=127.0.0.1")
    scheduler = start("scheduler", *options, "--port=0", **environment)
    address = scheduler.address()
    workers = [start("worker", address, *options, "--nthreads=1", f"--name={i}", **environment) for i in "ab"]
    return scheduler, workers, address


def sums(client):
    """Have arrays at one worker, and let the other begin to fetch them."""
    data = client.map(tasks.make, [NBYTES] * COUNT, range(COUNT), workers="a", allow_other_workers=True, pure=False)
    wait(data, SECONDS)
    return client.map(tasks.total, data, workers="b", allow_other_workers=True)


def test_a_nanny_killed_while_its_worker_sends(servers):
    _, (first, _), address = servers
    with Client(address, timeout=SECONDS) as client:
        client.wait_for_workers(2, timeout=SECONDS)
        results = sums(client)
        time.sleep(0.03)  # somewhere in the transfers; wherever it is, the results must be right
        os.kill(first.pid, signal.SIGKILL)
        assert client.gather(results) == [NBYTES * value for value in range(COUNT)]
        assert client.submit(sum, [1, 2]).result(SECONDS) == 3


def test_a_scheduler_killed_while_workers_send(servers, start, environment):
    scheduler, workers, address = servers
    with Client(address, timeout=SECONDS) as client:
        client.wait_for_workers(2, timeout=SECONDS)
        results = sums(client)
        time.sleep(0.03)  # somewhere in the transfers
        scheduler.process.kill()
        for worker in workers:
            worker.process.wait(SECONDS)  # it ends by itself
        # Another one at the same port gets the client, and new workers.
        options = ("--protocol=ucx", "--host=127.0.0.1")
        start("scheduler", *options, f"--port={address.rpartition(':')[2]}", **environment)
        start("worker", address, *options, "--no-nanny", **environment)
        client.wait_for_workers(1, timeout=SECONDS)
        assert all(future.status in ("cancelled", "lost") for future in results)
        assert client.submit(tasks.total, client.submit(tasks.make, NBYTES)).result(SECONDS) == NBYTES


_PROGRAM = """
import os, sys, tasks
from distributed import Client
with Client(sys.argv[1], timeout=60) as client:
    client.wait_for_workers(1, timeout=60)
    workers = client.run(os.getpid)
    print(client.gather(client.submit(tasks.make, 5_000_000)).sum(dtype="u8"), flush=True)
    sys.stdin.readline()
    array = client.gather(client.submit(tasks.make, 5_000_000, 2), asynchronous=False)
    print(array.sum(dtype="u8"), client.run(os.getpid) == workers, flush=True)
"""
SILENCE = 8  # seconds; 20 were run by hand

if os.geteuid() == 0 and shutil.which("ip"):

    @pytest.fixture
    def machines():
        """Make three network namespaces: 10.98.0.2 and 10.98.1.2, and a router in between; return their names."""
        names = [f"ucxx-dask-{what}-{os.getpid()}" for what in ("here", "there", "router")]
        *ends, router = names
        try:
            for name in names:
                ip("netns", "add", name)
                ip("-n", name, "link", "set", "lo", "up")
            for number, name in enumerate(ends):
                ip("-n", name, *"link add veth0 type veth peer name".split(), f"veth{number}", "netns", router)
                for where, device, last in ((name, "veth0", 2), (router, f"veth{number}", 1)):
                    ip("-n", where, "addr", "add", f"10.98.{number}.{last}/24", "dev", device)
                    ip("-n", where, "link", "set", device, "up")
                ip("-n", name, "route", "add", "default", "via", f"10.98.{number}.1")
            forward(router, 1)
            yield names
        finally:
            for name in names:
                subprocess.run(["ip", "netns", "del", name], check=False)

    def test_a_silent_network_costs_no_worker(machines, start, monkeypatch):
        """The router drops all packets, of which some are under way, and nobody is told."""
        here, there, router = machines
        monkeypatch.setenv("UCX_NET_DEVICES", "veth0")
        monkeypatch.setenv("PYTHONPATH", f"{HERE}:{os.environ.get('PYTHONPATH', '')}")
        enter = {name: ("ip", "netns", "exec", name) for name in machines}
        options = ("--protocol=ucx", "--host")
        address = start("scheduler", *options, "10.98.0.2", "--port=0", prefix=enter[here]).address()
        start("worker", address, *options, "10.98.1.2", "--nthreads=1", prefix=enter[there])
        client = subprocess.Popen([*enter[here], sys.executable, "-B", "-c", _PROGRAM, address], text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
        try:
            assert client.stdout.readline() == "5000000\n"
            forward(router, 0)
            client.stdin.write("\n")
            client.stdin.flush()
            time.sleep(SILENCE)
            forward(router, 1)
            assert client.communicate(timeout=SECONDS)[0] == "10000000 True\n"
        finally:
            client.kill()
            client.wait()

    def forward(router, number):
        """Let a router forward packets, or drop them."""
        command = f"echo {number} > /proc/sys/net/ipv4/ip_forward"
        subprocess.run(["ip", "netns", "exec", router, "sh", "-c", command], check=True)

    def ip(*words):
        """Run the command."""
        subprocess.run(["ip", *words], check=True)
