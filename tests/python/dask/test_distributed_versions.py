# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A scheduler that learns, over other versions of distributed; `./dev test` installs them into build/peers."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
VERSIONS = (ROOT / "tools/requirements/distributed.txt").read_text().splitlines()[1:]
SECONDS = 60

PROGRAM = """
import sys
import time

import distributed
import numpy as np
import ucxx.dask

MOST = time.monotonic() + 30


def samples(client):
    rows = ucxx.dask.bandwidths(client).classes
    return {row["kind"]: row["samples"] for row in rows if row["class"] == "shared memory"}


if __name__ == "__main__":
    assert distributed.__version__ == sys.argv[1], distributed.__version__
    options = {"dashboard_address": None, "scheduler_kwargs": {"dashboard_address": ":0"}}
    with (
        ucxx.dask.LocalUCXCluster(n_workers=2, threads_per_worker=1, cpu_affinity=None, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        first, second = client.nthreads()
        for _ in range(5):
            array = client.submit(np.ones, 1_000_000, workers=[first], pure=False)
            text = client.submit(str, 1, workers=[first], pure=False)
            assert client.submit(lambda a, t: a.sum(), array, 1, workers=[second], pure=False).result(30) == 1e6
            assert client.submit(len, text, workers=[second], pure=False).result(30) == 1
        while samples(client) != {"host array": 5, "pickled": 5}:
            assert time.monotonic() < MOST, samples(client)
            time.sleep(0.05)
        assert "slowest pairs" in str(ucxx.dask.bandwidths(cluster))
        cost = client.run_on_scheduler(lambda dask_scheduler: type(dask_scheduler.get_comm_cost).__name__)
        ucxx.dask.learn_bandwidths(cluster, on=False)
        own = client.run_on_scheduler(lambda dask_scheduler: type(dask_scheduler.get_comm_cost).__name__)
        print(cost, own)
"""


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_scheduler_learns(tmp_path, version):
    folder = ROOT / "build/peers" / f"distributed-{version}"
    assert folder.exists(), f"{folder} is missing: ./dev test makes it"
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    path = os.pathsep.join([str(folder), os.environ["PYTHONPATH"]])
    done = subprocess.run([sys.executable, "-B", program, version], env={**os.environ, "PYTHONPATH": path}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS, check=False)  # fmt: skip
    # A heartbeat that meets the scheduler's end is logged behind it, to stderr.
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["CommCost method"]), done
