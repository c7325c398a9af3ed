# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`dask ucx worker` as a process, and what it refuses."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib

import psutil
import pytest
import tasks
from click.testing import CliRunner
from distributed import Client
from processes import Command
from pins import CPUS, affinities, slow

from ucxx.dask import cli
from ucxx.dask.clusters import nannies

SECONDS = 30


def invoke(*words):
    """Run the command in this process: (status, what it printed)."""
    done = CliRunner().invoke(cli.worker, list(words))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


SCHEDULER = "ucx://127.0.0.1:9"  # nobody is there
ONE = "--listen-address=ucx://127.0.0.1:9000"


@pytest.mark.parametrize(("words", "what"), [
    ([], "no scheduler: give its address, as ucx://10.0.0.1:8786, or --scheduler-file"),
    ([SCHEDULER, "--no-nanny"], "--no-nanny: a worker that is pinned has a nanny; use `dask worker --no-nanny`"),
    ([SCHEDULER, "--host=127.0.0.1", "--interface=lo"], "--host and --interface exclude each other"),
    ([SCHEDULER, ONE, "--host=127.0.0.1"], "--listen-address excludes --host, --interface and --worker-port"),
    ([SCHEDULER, ONE, "--interface=lo"], "--listen-address excludes --host, --interface and --worker-port"),
    ([SCHEDULER, ONE, "--worker-port=9000"], "--listen-address excludes --host, --interface and --worker-port"),
    ([SCHEDULER, "--contact-address=ucx://127.0.0.1:9000"], "--contact-address needs --listen-address"),
    ([SCHEDULER, ONE, "--n-workers=2"], "--listen-address is of one worker, and there are 2"),
    ([SCHEDULER, "--nthreads=0"], "'0' is no number from 1 on, nor auto"),
    ([SCHEDULER, "--nworkers=-1"], "'-1' is no number from 1 on, nor auto"),
    ([SCHEDULER, "--placement=socket"], "'socket' is not one of 'auto', 'gpu', 'numa', 'core'"),
    ([SCHEDULER, "--memory-binding=near"], "'near' is not one of 'bind', 'preferred'"),
    ([SCHEDULER, "--multiprocessing-method=fork"], "'fork' is not one of 'spawn', 'forkserver'"),
    ([SCHEDULER, "--tls-cert=/nowhere"], "File '/nowhere' does not exist"),
    ([SCHEDULER, "--death-timeout=soon"], "'soon' is no time, as 30s or 5m"),
    ([SCHEDULER, "--lifetime="], "'' is no time, as 30s or 5m"),
    ([SCHEDULER, "more", "words"], "unexpected extra arguments"),
    ([SCHEDULER, "--enable-nvlnk"], "No such option '--enable-nvlnk'"),
], ids=str)  # fmt: skip
def test_words_that_do_not_fit(words, what):
    status, said = invoke(*words)
    assert (status, "Usage: worker" in said) == (2, True)
    assert what in " ".join(said.split())


@pytest.mark.parametrize(("words", "what"), [
    (["--worker-port=9000", "--n-workers=2"], "--worker-port 9000 has 1 ports, and there are 2 workers; give a range"),
    (["--nanny-port=9000:9001", "--n-workers=3"], "--nanny-port 9000:9001 has 2 ports, and there are 3 workers"),
    (["--worker-port=some"], "--worker-port some is no port, nor a range as 9000:9100"),
    (["--listen-address=ucx://127.0.0.1", "--n-workers=1"], "missing port number in address '127.0.0.1'"),
    (["--listen-address=gopher://127.0.0.1:70", "--n-workers=1"], "unknown address scheme 'gopher'"),
    ([ONE, "--contact-address=ucx://somewhere", "--n-workers=1"], "missing port number in address 'somewhere'"),
    (["--resources=GPU"], "--resources has 'GPU', which is no name and number"),
    (["--resources=GPU=two"], "--resources has 'GPU=two', which is no name and number"),
    (["--memory-limit=much"], "'much'"),
    (["--protocol=tcp", "--enable-nvlink"], "enable_nvlink is a flag of UCX, so protocol must be 'ucx', not 'tcp'"),
    (["--enable-rdmacm"], "enable_rdmacm=True needs enable_infiniband=True"),
    (["--enable-nvlink"], "no two GPUs of the plan have a link"),
    (["--net-devices=nowhere0"], "there is no network device 'nowhere0'"),
    (["--cpu-affinity=0;x", "--n-workers=2"], "cpu_affinity of worker 1 is 'x', which are no CPUs"),
    (["--topology=/nowhere"], "/nowhere"), (["--pid-file=/nowhere/pid"], "/nowhere/pid"),
    (["--worker-class=nowhere.Worker"], "worker_class 'nowhere.Worker' cannot be imported"),
    (["--worker-class=builtins.int"], "worker_class must be a class of Worker or Nanny"),
    (["--rmm-pool-size=1GB"], "RMM, which is not installed"),
], ids=str)  # fmt: skip
def test_what_the_machine_has_not_is_one_line(words, what):
    status, said = invoke(SCHEDULER, *words)
    assert (status, said[:7]) == (1, "Error: ")
    assert what in said


def test_ports_of_each_worker_and_any():
    assert nannies.ports_of("9000:9004", 2, "--worker-port") == [[9000, 9002, 9004], [9001, 9003]]
    assert nannies.ports_of("9000:9001", 2, "--worker-port") == [9000, 9001]
    assert nannies.ports_of("9000", 1, "--worker-port") == [9000]
    assert nannies.ports_of(None, 2, "--worker-port") == nannies.ports_of("0", 2, "--worker-port") == [None, None]


def test_a_protocol_is_that_of_the_address():
    assert "not 'tcp'" in invoke("tcp://127.0.0.1:9", "--enable-nvlink")[1]
    assert "tcp" in invoke("tcp://127.0.0.1:9", "--dry-run", "--n-workers=1")[1].splitlines()[1].split()


def test_texts_of_flags_become_values(root):
    dgx1 = f"--topology={root / 'tests/python/topology/machines/dgx1.txt'}"

    def cpus(*words):
        status, said = invoke("--dry-run", dgx1, *words)
        assert status == 0, said
        return [re.split(" {2,}", line)[1] for line in said.splitlines()[1:]]

    assert len(cpus("--cpu-affinity=auto", "--n-workers=auto", "--nthreads=auto")) == 8
    assert cpus("--cpu-affinity=none", "--nworkers=2") == ["0-9,40-49 (not pinned)", "10-19,50-59 (not pinned)"]
    assert cpus("--cpu-affinity=0-3;4,5", "--cuda-visible-devices=0,1") == ["0-3", "4-5"]
    assert cpus("--placement=numa", "--memory-binding=bind") == ["0-19,40-59", "20-39,60-79"]
    words = ["--net-devices=auto", "--interface=ib*", "--disable-tcp-over-ucx", "--nworkers=1"]
    status, said = invoke("--dry-run", dgx1, *words)
    assert status == 0, said
    assert re.split(" {2,}", said.splitlines()[1])[5:9] == ["ib0", "ib0", "ib0", "shared memory, TCP"]


def test_the_script_and_the_command_of_dask_are_one(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["scripts"]["dask-ucx-worker"] == "ucxx.dask.cli:worker"
    assert project["entry-points"]["dask_cli"]["ucx"] == "ucxx.dask.cli:ucx"
    assert cli.ucx.commands["worker"] is cli.worker


@pytest.mark.parametrize("words", [["dask", "ucx", "worker"], ["ucxx.dask.cli", "worker"]], ids=" ".join)
def test_a_dry_run_as_a_process(words, root):
    dgx1 = root / "tests/python/topology/machines/dgx1.txt"
    words = [*words, "--dry-run", f"--topology={dgx1}", "--net-devices=auto"]
    command = [sys.executable, "-B", "-W", "error", "-m", *words]
    done = subprocess.run(command, text=True, check=False, capture_output=True, timeout=SECONDS)
    assert (done.returncode, done.stderr) == (0, "")
    header, first, *_, last = done.stdout.splitlines()
    assert header.split()[:5] == ["worker", "cpus", "node", "threads", "GPU"]
    assert first.split()[:6] == ["0", "0-4,40-44", "0", "1", "0", "ib0"]
    assert last.split()[:6] == ["7", "35-39,75-79", "1", "1", "7", "ib3"]


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """Return the address of a scheduler that is a process, and its file."""
    path = tmp_path_factory.mktemp("scheduler") / "scheduler.json"
    command = Command("scheduler", "--protocol=ucx", "--host=127.0.0.1", "--port=0", f"--scheduler-file={path}")
    try:
        yield command.address(), path
    finally:
        command.end()


@pytest.fixture
def client(scheduler):
    """Return a client of it."""
    with Client(scheduler[0], timeout=SECONDS) as made:
        yield made


@contextlib.contextmanager
def started(*words, client, count=2):
    """Give a command whose workers have come; it ends by SIGTERM in time, and they with it."""
    command = Command("ucx", "worker", *words)
    try:
        client.wait_for_workers(count, timeout=SECONDS)
        yield command
        processes = pids(client).values()
        command.process.send_signal(signal.SIGTERM)
        said = command.process.communicate(timeout=SECONDS)[0]
        assert command.process.returncode == 0, said
        assert not re.search(r" - (ERROR|CRITICAL) - ", said), said
        assert not any(os.path.exists(f"/proc/{pid}") for pid in processes)
        until(lambda: not workers_of(client))
    finally:
        command.end()


def until(condition):
    """Wait until a condition holds, with a deadline."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def workers_of(client):
    """Return what the scheduler knows of its workers, by their names."""
    return {worker["name"]: worker for worker in client.scheduler_info(n_workers=-1)["workers"].values()}


def pids(client):
    """Return the processes of the workers, by their names."""
    return dict(client.run(lambda dask_worker: (dask_worker.name, os.getpid())).values())


def nanny_states(client):
    """Return the states that the nannies of the workers have."""
    return set(client.run(lambda dask_worker: dask_worker.status.name, nanny=True).values())


@slow
def test_two_workers_by_core(scheduler, client, tmp_path):
    preload = tmp_path / "with_words.py"
    preload.write_text(
        "import builtins, click\n"
        "@click.command()\n@click.argument('word')\ndef dask_setup(worker, word):\n    builtins.word = word\n"
    )
    base = 20_000 + os.getpid() % 10_000
    words = [scheduler[0], "--placement=core", "--n-workers=2", "--name=here", "--host=127.0.0.1",
             f"--worker-port={base}:{base + 20}", f"--nanny-port={base + 21}:{base + 30}", "--resources=GPU=2 MEM=10e9",
             "--memory-limit=1GiB", "--enable-tcp-over-ucx", "--death-timeout=30s", f"--preload={preload}",
             "hello"]  # fmt: skip
    with started(*words, client=client):
        workers = workers_of(client)
        assert set(workers) == {"here-0", "here-1"}
        for worker in workers.values():
            assert (worker["nthreads"], worker["memory_limit"]) == (1, 1 << 30)
            assert worker["resources"] == {"GPU": 2.0, "MEM": 10e9}
            assert base <= int(worker["nanny"].rpartition(":")[2]) - 21 < base + 10
        for address in client.scheduler_info(n_workers=-1)["workers"]:
            assert address.startswith("ucx://127.0.0.1:")
            assert int(address.rpartition(":")[2]) in range(base, base + 21)
        for name, pid in pids(client).items():
            assert affinities(pid) == {frozenset({CPUS[int(name[-1]) % len(CPUS)]})}
        assert list(client.run(lambda: __import__("dask").config.get("ucxx.tcp")).values()) == [True, True]
        assert list(client.run(lambda: __import__("builtins").word).values()) == ["hello", "hello"]
        array = client.submit(tasks.make, 3_000_000, workers=["here-0"])
        assert client.submit(tasks.total, array, workers=["here-1"]).result(SECONDS) == 3_000_000
        killed = pids(client)["here-1"]
        os.kill(killed, signal.SIGKILL)
        until(lambda: client.submit(os.getpid, workers=["here-1"], pure=False).result(SECONDS) != killed)
        assert affinities(pids(client)["here-1"]) == {frozenset({CPUS[1 % len(CPUS)]})}


@slow
def test_one_worker_with_files_and_preloads(scheduler, client, tmp_path):
    preload = tmp_path / "preload.py"
    preload.write_text("import builtins, os\nbuiltins.seen_by_preload = os.sched_getaffinity(0)\n")
    port, pid_file = 30_000 + os.getpid() % 10_000, tmp_path / "pid"
    words = [f"--scheduler-file={scheduler[1]}", f"--pid-file={pid_file}", f"--listen-address=ucx://127.0.0.1:{port}",
             "--name=alone", "--n-workers=1", "--nthreads=2", f"--cpu-affinity={CPUS[-1]}",
             "--pre-import=colorsys,this", f"--local-directory={tmp_path}", f"--preload={preload}",
             "--multiprocessing-method=forkserver", "--worker-class=distributed.Worker", "--protocol=ucx"]  # fmt: skip
    assert json.loads(scheduler[1].read_text())["address"] == scheduler[0]
    with started(*words, client=client, count=1) as command:
        assert int(pid_file.read_text()) == command.pid
        (address,) = client.scheduler_info()["workers"]
        assert address == f"ucx://127.0.0.1:{port}"
        assert workers_of(client)["alone"]["nthreads"] == 2
        pid = pids(client)["alone"]
        assert affinities(pid) == {frozenset({CPUS[-1]})}
        assert list(client.run(lambda: __import__("builtins").seen_by_preload).values()) == [{CPUS[-1]}]
        assert list(client.run(lambda: {"colorsys", "this"} <= set(__import__("sys").modules)).values()) == [True]
        assert any(tmp_path.glob("dask-scratch-space/worker-*"))
    assert not pid_file.exists()


@slow
def test_without_a_scheduler_it_ends_in_time():
    start = time.monotonic()
    command = [sys.executable, "-B", "-m", "dask", "ucx", "worker", SCHEDULER, "--n-workers=1", "--death-timeout=1s"]
    done = subprocess.run(command, text=True, check=False, capture_output=True, timeout=SECONDS)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "Error: Nanny start timed out after 1s."
    assert time.monotonic() - start < 15


def end_early(command):
    """End a command by SIGTERM whose workers have not started; it is quiet about it, and leaves no process."""
    processes = psutil.Process(command.pid).children(recursive=True)
    command.process.send_signal(signal.SIGTERM)
    said = command.process.communicate(timeout=SECONDS)[0]
    assert command.process.returncode == 0, said
    assert not re.search(r" - (ERROR|CRITICAL) - |Traceback", said), said
    assert not psutil.wait_procs(processes, timeout=SECONDS)[1]


@slow
def test_it_ends_while_it_looks_for_a_scheduler():
    command = Command("ucx", "worker", SCHEDULER, "--n-workers=1")
    try:
        until(lambda: tasks.listening_ports(command.pid))
        end_early(command)
    finally:
        command.end()


# Dask imports a file twice in a process.
SLOW = """
import os, pathlib, time
here = pathlib.Path({folder!r})
(here / f"process-{{os.getpid()}}").touch()
if len([*here.glob("process-*")]) >= {number}:
    (here / "slow").touch()
    time.sleep(60)
"""


@slow
@pytest.mark.parametrize("number", [1, 2], ids=["first", "after it was killed"])
def test_it_ends_while_a_worker_starts(scheduler, client, tmp_path, number):
    preload = tmp_path / "slow.py"
    preload.write_text(SLOW.format(folder=str(tmp_path), number=number))
    command = Command("ucx", "worker", scheduler[0], "--n-workers=1", f"--preload={preload}")
    try:
        if number == 2:
            client.wait_for_workers(1, timeout=SECONDS)
            until(lambda: nanny_states(client) == {"running"})  # it starts no other before
            os.kill(*pids(client).values(), signal.SIGKILL)
        until((tmp_path / "slow").exists)
        end_early(command)
    finally:
        command.end()


@slow
def test_it_ends_with_the_scheduler():
    scheduler = Command("scheduler", "--protocol=ucx", "--host=127.0.0.1", "--port=0")
    try:
        address = scheduler.address()
        command = Command("ucx", "worker", address, "--placement=core", "--n-workers=2")
        try:
            with Client(address, timeout=SECONDS) as client:
                client.wait_for_workers(2, timeout=SECONDS)
                processes = pids(client).values()
                client.shutdown()
            said = command.process.communicate(timeout=SECONDS)[0]
            assert command.process.returncode == 0, said
            assert not any(os.path.exists(f"/proc/{pid}") for pid in processes)
        finally:
            command.end()
    finally:
        scheduler.end()
