# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx doctor`: each check with files that say what is wrong, and with this machine."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from ucxx.cli import checks
from ucxx.cli.checks import container, copies, dask, devices, kernel, limits, live
from ucxx.cli.root import command

LIMITS = """Limit                     Soft Limit           Hard Limit           Units
Max locked memory         {memlock}              unlimited            bytes
Max address space         {space}                unlimited            bytes
Max open files            {files}                20000                files
"""


@pytest.fixture
def make(tmp_path):
    """Return a function that writes files below a folder, {path: text}, and returns the folder."""

    def write(files):
        for path, text in files.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}\n")
        return tmp_path

    return write


@pytest.fixture
def make_limits(make):
    """Return a function that writes the limits of a process."""

    def write(memlock="unlimited", space="unlimited", files="20000"):
        text = LIMITS.format(memlock=memlock, space=space, files=files)
        return make({"proc/self/limits": text})

    return write


def test_machine_is_examined():
    done = subprocess.run([sys.executable, "-W", "error", "-m", "ucxx", "doctor", "--json"],
                          stdout=subprocess.PIPE, text=True, check=False, timeout=50)
    findings = {finding["name"]: finding for finding in json.loads(done.stdout)}
    states = {finding["state"] for finding in findings.values()}
    assert done.returncode == (checks.PROBLEM in states)
    assert states <= {checks.OK, checks.NOTE, checks.PROBLEM}
    assert {findings[name]["state"] for name in ("UCX", "local channel", "TCP")} == {checks.OK}
    assert "CUDA driver" in findings
    assert all(finding["cost"] and finding["fix"] for finding in findings.values()
               if finding["state"] != checks.OK)


def test_problem_is_told_and_ends_with_one(make_limits):
    root = make_limits(files="40")
    done = CliRunner().invoke(command, ["doctor", "--quick", "--root", str(root)])
    assert done.exit_code == 1
    assert "open files     problem  40: enough for about 6 local peers" in done.output
    assert "remedy: `ulimit -n 4096`" in done.output
    assert "TCP" not in done.output.splitlines()[2]


def test_folder_that_is_not_there_is_refused():
    done = CliRunner().invoke(command, ["doctor", "--root", "/nowhere"])
    assert (done.exit_code, "'/nowhere' does not exist" in done.output) == (2, True)


def test_channel_that_fails_is_a_problem():
    finding = live.channel("TCP", {"UCXX_LOCAL": "off", "TLS": "nothing"})
    assert finding.state == checks.PROBLEM
    assert finding.found.startswith("UCX")


def test_setting_that_is_wrong_is_a_problem():
    finding = live.channel("local channel", {"UCXX_LOCAL": "perhaps"})
    assert (finding.state, "UCXX_LOCAL" in finding.found) == (checks.PROBLEM, True)


def test_copies_are_tried():
    finding = copies.check()
    assert finding.state in (checks.OK, checks.NOTE)
    assert "CMA" in finding.found or finding.found.startswith("refused: ")


@pytest.mark.parametrize(("scope", "state"), [("0", "ok"), ("1", "note"), ("3", "note")])
def test_ptrace_scope(make, scope, state):
    finding = kernel.ptrace_scope(make({"proc/sys/kernel/yama/ptrace_scope": scope}))
    assert (finding.state, finding.found[0]) == (state, scope)


def test_kernel_without_yama(tmp_path):
    assert kernel.ptrace_scope(tmp_path).state == checks.OK


def test_shared_memory_that_is_not_there(tmp_path):
    assert kernel.shared_memory(tmp_path).state == checks.NOTE


@pytest.mark.parametrize(("files", "state"), [("unlimited", "ok"), ("20000", "ok"), ("256", "note"),
                                              ("40", "problem"), ("10", "problem")])
def test_open_files(make_limits, files, state):
    assert limits.open_files(make_limits(files=files)).state == state


@pytest.mark.parametrize(("memlock", "has_rdma", "state"), [
    ("unlimited", True, "ok"), ("65536", True, "problem"), ("65536", False, "ok")])
def test_locked_memory_matters_to_rdma(make_limits, memlock, has_rdma, state):
    assert limits.locked_memory(make_limits(memlock=memlock), has_rdma).state == state


def test_address_space(make_limits):
    finding = limits.address_space(make_limits(space=str(1 << 30)))
    assert (finding.state, finding.found) == (checks.NOTE, "1 GiB")


@pytest.mark.parametrize("check", [limits.open_files, limits.address_space])
def test_limits_that_cannot_be_read(tmp_path, check):
    assert check(tmp_path).found.startswith("cannot be read")


DRIVER = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12"
GPU = {"dev/nvidia0": "", "dev/nvidia1": "", "dev/nvidiactl": "",
       "proc/driver/nvidia/version": DRIVER}


@pytest.mark.parametrize(("files", "supported", "state", "found"), [
    ({}, None, "ok", "no NVIDIA device"),
    (GPU | {"dev/nvidia-uvm": ""}, True, "ok", "2 NVIDIA, driver 535.183.01: from device to device by UCX"),
    (GPU | {"dev/nvidia-uvm": ""}, None, "ok", "2 NVIDIA, driver 535.183.01"),
    (GPU | {"dev/nvidia-uvm": ""}, False, "note", "2 NVIDIA, driver 535.183.01, which this UCX"),
    (GPU, None, "note", "2 NVIDIA, driver 535.183.01, without /dev/nvidia-uvm"),
])
def test_gpu(make, files, supported, state, found):
    finding = devices.gpu(make(files), supported)
    assert finding.state == state
    assert finding.found.startswith(found)


OFFER = {"is_there": True, "missing": "", "version": "13.0", "devices": ["NVIDIA H200: 64-bit memory operations yes"]}
NO_OFFER = {"is_there": False, "missing": "libcuda.so.1: not there", "version": "", "devices": []}
BROKEN = {"missing": "cuInit: error 999 of CUDA", "devices": []}


@pytest.mark.parametrize(("offer", "state", "found"), [
    (OFFER, "ok", "CUDA 13.0\nNVIDIA H200: 64-bit memory operations yes"),
    (NO_OFFER, "ok", "no driver: libcuda.so.1: not there"),
    (OFFER | BROKEN, "note", "CUDA 13.0\ncuInit: error 999 of CUDA"),
])
def test_driver(offer, state, found):
    finding = live.driver(offer)
    assert (finding.state, finding.found) == (state, found)


PORT = "sys/class/infiniband/mlx5_0/ports/1"
UP, DOWN = {f"{PORT}/state": "4: ACTIVE"}, {f"{PORT}/state": "1: DOWN"}
VERBS = {f"{PORT}/link_layer": "Ethernet", "dev/infiniband/uverbs0": ""}


@pytest.mark.parametrize(("files", "state", "found"), [
    ({}, "ok", "no device"), (UP | VERBS, "ok", "mlx5_0:1 Ethernet"),
    (DOWN | VERBS, "note", "mlx5_0, no port is up"),
    (UP, "note", "mlx5_0, without /dev/infiniband")])
def test_rdma(make, files, state, found):
    finding = devices.rdma(make(files))
    assert finding.state == state
    assert finding.found.startswith(found)


LO = {"sys/class/net/lo/mtu": "65536", "sys/class/net/lo/operstate": "unknown"}


def interface(name, mtu, state="up"):
    return {f"sys/class/net/{name}/mtu": str(mtu), f"sys/class/net/{name}/operstate": state}


@pytest.mark.parametrize(("files", "state", "found"), [
    ({}, "problem", "/sys/class/net is not there"),
    (LO, "note", "MTU: lo 65536"),
    (LO | interface("eth0", 9000), "ok", "MTU: eth0 9000, lo 65536"),
    (LO | interface("eth0", 1400), "note", "MTU: eth0 1400, lo 65536"),
    (LO | interface("eth0", 1500) | interface("ib0", 100, "down"), "ok",
     "MTU: eth0 1500, lo 65536"),
])
def test_interfaces(make, files, state, found):
    finding = devices.interfaces(make(files))
    assert (finding.state, finding.found) == (state, found)


V1 = "4:memory:/docker/7a\n3:cpu,cpuacct:/docker/7a\n0::/"


@pytest.mark.parametrize(("files", "state", "found"), [
    ({}, "ok", "none, and no limits of a cgroup"),
    ({".dockerenv": ""}, "note", "Docker"),
    ({"proc/self/cgroup": "0::/kubepods/pod7"}, "note", "kubepods"),
    ({"proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.max": "max"}, "ok", "none, and no limits"),
    ({"proc/self/cgroup": "0::/my", "sys/fs/cgroup/my/memory.max": str(1 << 30),
      "sys/fs/cgroup/my/cpu.max": "50000 100000"}, "note",
     "no container, memory: 1 GiB, processors: 0.5"),
    ({"proc/self/cgroup": V1, "sys/fs/cgroup/memory/memory.limit_in_bytes": str(64 << 20),
      "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1"}, "note", "docker, memory: 64 MiB"),
])
def test_container(make, files, state, found):
    finding = container.container(make(files))
    assert finding.state == state
    assert finding.found.startswith(found)


ENTRY_POINTS = "[distributed.comm.backends]\nucx = ucxx.dask.backend:UCXBackend\nucxx = ucxx.dask.backend:UCXXBackend"
OURS, NEW = ("ucxx", "0.1.0", ENTRY_POINTS), ("distributed", "2026.8.0", "")


@pytest.mark.parametrize(("installed", "state", "words"), [
    ([OURS], checks.OK, "not installed; for ucx://: pip install 'ucxx[dask]'"),
    ([OURS, NEW], checks.OK, "distributed 2026.8.0, ucx:// and ucxx:// by ucxx"),
    ([NEW], checks.PROBLEM, "finds no entry points of ucxx"),
    ([OURS, ("distributed", "2023.12.1", "")], checks.PROBLEM, "2023.12.1, older than 2024.8"),
    ([OURS, NEW, ("distributed-ucxx-cu12", "0.46.0", "")], checks.PROBLEM, "and distributed-ucxx-cu12, which registers"),
])  # fmt: skip
def test_dask_and_what_is_beside_it(make, monkeypatch, installed, state, words):
    files = {}
    for name, version, entries in installed:
        folder = f"{name.replace('-', '_')}-{version}.dist-info"
        files[f"{folder}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}"
        files[f"{folder}/entry_points.txt"] = entries
    monkeypatch.setattr(sys, "path", [str(make(files))])
    finding = dask.dask()
    assert finding.state == state and words in finding.found
    assert state == checks.OK or (finding.cost and finding.fix)
