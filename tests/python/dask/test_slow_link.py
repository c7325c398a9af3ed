# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A scheduler that learns, and a machine behind whose network card data leaves slowly."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from processes import HERE, commands

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")]

SECONDS = 60
COUNT = 6
LARGE, SMALL = 5_000_000, 4_000_000

# Each task needs a large array of one worker and a small one of the other. Dask moves the small one.
PROGRAM = f"""
import json, sys, time, tasks
import ucxx.dask
from distributed import Client, wait

def received(dask_worker):
    return sum(entry["total"] for entry in dask_worker.transfer_incoming_log)

def compute(client):
    start, found = time.perf_counter(), []
    for number in range({COUNT}):
        large = client.submit(tasks.make, {LARGE}, number, workers=["fast"], pure=False)
        small = client.submit(tasks.make, {SMALL}, number, workers=["slow"], pure=False)
        wait([large, small], {SECONDS})
        result = client.submit(lambda a, b: len(a) + len(b), large, small, pure=False)
        assert result.result({SECONDS}) == {LARGE + SMALL}
        (address,) = client.who_has([result])[result.key]
        found.append(names[address])
    return found, time.perf_counter() - start

def learn(client):
    ucxx.dask.learn_bandwidths(client)
    limit = time.monotonic() + 30
    while True:
        for one, other in (("fast", "slow"), ("slow", "fast")):
            data = client.submit(tasks.make, 1_000_000, workers=[one], pure=False)
            client.submit(len, data, workers=[other], pure=False).result({SECONDS})
        pairs = {{(pair["holder"], pair["receiver"]): pair for pair in ucxx.dask.bandwidths(client).pairs}}
        if min((pair["samples"] for pair in pairs.values()), default=0) >= 10 and len(pairs) == 2:
            return [pairs[pair]["gb_per_s"] for pair in (("fast", "slow"), ("slow", "fast"))]
        assert time.monotonic() < limit, pairs

with Client(sys.argv[1], timeout=60) as client:
    client.wait_for_workers(2, timeout=60)
    names = {{address: worker["name"] for address, worker in client.scheduler_info()["workers"].items()}}
    before, seconds_before = compute(client)
    moved = client.run(received)
    rates = learn(client)
    warm = client.run(received)
    after, seconds_after = compute(client)
    more = client.run(received)
    by_name = lambda ends, starts: {{names[worker]: ends[worker] - starts.get(worker, 0) for worker in ends}}
    print(json.dumps({{"before": before, "after": after, "moved before": by_name(moved, {{}}),
                      "moved after": by_name(more, warm), "rates": rates, "seconds": [seconds_before, seconds_after]}}))
"""

if os.geteuid() == 0 and shutil.which("ip") and shutil.which("tc"):

    def ip(*words):
        subprocess.run(["ip", *words], check=True)

    @pytest.fixture
    def machines():
        """Make two network namespaces, 10.97.0.1 and 10.97.0.2; what leaves the second has 200 Mb/s. Return their names."""
        names = [f"ucxx-slow-{number}-{os.getpid()}" for number in (1, 2)]
        try:
            for name in names:
                ip("netns", "add", name)
                ip("-n", name, "link", "set", "lo", "up")
            ip("-n", names[0], *"link add veth0 type veth peer name veth0 netns".split(), names[1])
            for number, name in enumerate(names):
                ip("-n", name, "addr", "add", f"10.97.0.{number + 1}/24", "dev", "veth0")
                ip("-n", name, "link", "set", "veth0", "up")
            subprocess.run(["ip", "netns", "exec", names[1], *"tc qdisc add dev veth0 root tbf".split(),
                            *"rate 200mbit burst 256kb latency 400ms".split()], check=True)  # fmt: skip
            yield names
        finally:
            for name in names:
                subprocess.run(["ip", "netns", "del", name], check=False)

    def test_tasks_go_where_their_data_arrives_sooner(machines, monkeypatch):
        fast, slow = (("ip", "netns", "exec", name) for name in machines)
        monkeypatch.setenv("UCX_NET_DEVICES", "veth0")
        monkeypatch.setenv("PYTHONPATH", f"{HERE}:{os.environ.get('PYTHONPATH', '')}")
        options = ("--protocol=ucx", "--host")
        with commands() as start:
            address = start("scheduler", *options, "10.97.0.1", "--port=0", prefix=fast).address()
            for number, (name, prefix) in enumerate({"fast": fast, "slow": slow}.items()):
                start("worker", address, *options, f"10.97.0.{number + 1}", "--nthreads=1", "--no-nanny", "--name", name,
                      prefix=prefix)  # fmt: skip
            done = subprocess.run([*fast, sys.executable, "-B", "-c", PROGRAM, address], text=True, timeout=SECONDS,
                                  stdout=subprocess.PIPE, check=True)  # fmt: skip
        found = json.loads(done.stdout.splitlines()[-1])
        print(found)  # its times stand in no test
        assert found["before"] == ["fast"] * COUNT and found["moved before"] == {"fast": COUNT * SMALL, "slow": 0}
        assert found["rates"][0] > 3 * found["rates"][1]
        assert found["after"] == ["slow"] * COUNT and found["moved after"] == {"fast": 0, "slow": COUNT * LARGE}
