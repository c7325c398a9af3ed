# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The way in to the readers: which one a file is for, and this machine of all that tells about it."""

import dataclasses
import json
import logging
import os
import pathlib
import pty
import subprocess
import sys

import pytest
from trees import plant_server

import ucxx.topology
from ucxx.topology import Card, Closeness, Gpu, Link, Machine, TopologyError, from_text, joining, read
from ucxx.topology.jsons import to_json

LIST = "GPU {n}: NVIDIA H100 (UUID: GPU-{n})\\n  MIG 1g.10gb Device 0: (UUID: MIG-{n})\\n"


def files():
    folder = pathlib.Path(__file__).parent / "machines"
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("file", files())
def test_content_chooses_the_reader(machines, file):
    machine = read(str(machines / file))
    assert machine == read(machines / file)
    assert machine.source.startswith("hwloc" if file.endswith(".xml") else "nvidia-smi")
    assert machine.name and "/" not in machine.name
    text = (machines / file).read_text()
    assert dataclasses.replace(from_text(text), name="") == dataclasses.replace(machine, name="")


@pytest.mark.parametrize("file", files())
def test_json_of_a_machine_is_read(machines, tmp_path, file):
    machine = read(machines / file)
    (tmp_path / "machine").write_text("\ufeff \n" + json.dumps(to_json(machine)))
    assert read(tmp_path / "machine") == machine


def test_a_machine_is_returned_as_it_is():
    machine = Machine("mine")
    assert read(machine) is machine


def test_exported():
    assert ucxx.topology.read is read and {"read", "from_text"} < set(ucxx.topology.__all__)


@pytest.mark.parametrize(("content", "said"), [
    (b"", ": empty; expected a machine"),
    (b" \n\t\n", ": empty; expected a machine"),
    (b"GPU0\n\xff", ", line 2: the byte 0xff; expected text (UTF-8)"),
    ("\tGPU0\n".encode("utf-16"), ", line 1: the byte 0xff; expected text (UTF-8)"),
    (b"<topology", ", line 1: no XML: "),
    (b"\n\n{,}", ": line 3 is no JSON: "),
    (b'{"a":' * 100_000, ": this is no JSON of a machine: "),
    (b'{"format": ' + b"1" * 5000 + b"}", ": this is no JSON of a machine: "),
    (b"\n[{", ": line 2 is no JSON: "),
    (b"[1, 2]", ": the whole is [1, 2]; expected is an object with keys and values"),
    (b"#!/bin/sh\n", ", line 1: unknown column '#!/bin/sh'; expected GPU0"),
    (b" " * (16 << 20) + b"<", ": over 16 MiB; expected the description of a machine"),
])  # fmt: skip
def test_what_is_no_machine_is_named(tmp_path, content, said):
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(TopologyError) as raised:
        read(file)
    assert str(raised.value).startswith(f"{file}{said}")


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")
    with pytest.raises(TopologyError, match="/dev/zero: a device; expected the file of a machine"):
        read("/dev/zero")
    with pytest.raises(TypeError):
        read(3)


def test_a_pipe_is_read(machines):
    code = "from ucxx.topology import read; print(len(read('/dev/stdin').gpus))"
    with open(machines / "dgx1.txt") as file, subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE) as cat:
        done = subprocess.run([sys.executable, "-B", "-c", code], stdin=cat.stdout, capture_output=True, text=True,
                              timeout=50, check=True)  # fmt: skip
    assert done.stdout == "8\n"


def test_nothing_loads_ucx(run_python):
    status, said = run_python("import sys; from ucxx.topology import read; read()\n"
                              "print({'ucxx._core', 'distributed', 'numpy'} & set(sys.modules))")  # fmt: skip
    assert (status, said.splitlines()[-1]) == (0, "set()")


def test_this_machine():
    machine = read()
    assert machine.name == os.uname().nodename
    assert machine.source.split()[0] in {"hwloc", "sysfs"}
    assert os.sched_getaffinity(0) <= machine.cpus


@pytest.fixture
def server(machines, put_program):
    """Put the programs of the server behind a switch of links on PATH."""
    put_program("lstopo-no-graphics", f"exec /bin/cat {machines}/switched.xml")
    lines = "".join(LIST.format(n=n) for n in range(8))
    put_program("nvidia-smi", f"[ $1 = topo ] && exec /bin/cat {machines}/switched.txt; printf '{lines}'")


@pytest.mark.usefixtures("server")
def test_this_machine_by_hwloc_and_nvidia_smi(machines, caplog):
    with caplog.at_level(logging.INFO):
        machine = read()
    assert not caplog.records
    hwloc = read(machines / "switched.xml")
    assert (machine.name, machine.source) == ("switched", "hwloc and nvidia-smi")
    assert (machine.cores, machine.nodes, machine.cards) == (hwloc.cores, hwloc.nodes, hwloc.cards)
    assert machine.links == dict.fromkeys(hwloc.links, Link("NVLink", width=18, gb_per_s=450.0))
    gpu = machine.gpu(5)
    assert (gpu.model, gpu.uuid, gpu.slices) == ("NVIDIA H100", "GPU-5", ("MIG-5",))
    assert (gpu.address, gpu.cpus, gpu.node) == (hwloc.gpu(5).address, hwloc.gpu(5).cpus, 1)
    assert machine.between["GPU0", "mlx5_7"] == Closeness.SYS  # as nvidia-smi has it
    assert machine.between["GPU0", "GPU1"] == Closeness.PHB  # as hwloc has it


@pytest.mark.usefixtures("server")
def test_this_machine_where_nvidia_smi_sees_more(machines, put_program, caplog):
    put_program("lstopo-no-graphics", f"exec /bin/cat {machines}/two_sockets.xml")
    with caplog.at_level(logging.INFO):
        machine = read()
    assert caplog.messages == ["hwloc sees 0 GPUs, nvidia-smi 8: nvidia-smi's are taken"]
    text = read(machines / "switched.txt")
    assert [gpu.cpus for gpu in machine.gpus] == [gpu.cpus for gpu in text.gpus]
    assert machine.links == text.links
    assert machine.cores == read(machines / "two_sockets.xml").cores
    known = {"mlx5_0", *(gpu.name for gpu in machine.gpus)}
    assert set(machine.between) == {pair for pair in text.between if known.issuperset(pair)} != set()


def test_this_machine_without_hwloc(machines, put_program, caplog):
    put_program("lstopo", "exit 1")
    machine = read()
    assert (machine.source, machine.name) == ("sysfs", os.uname().nodename)
    assert caplog.messages == ["lstopo is left out: it ends with status 1"]
    put_program("nvidia-smi", f"exec /bin/cat {machines}/dgx1.txt")
    machine = read()
    assert machine.source == "sysfs and nvidia-smi"
    assert len(machine.gpus) == 8 and len(machine.links) == 16
    assert len(machine.cpus) == os.cpu_count()


def test_nearest_cpus_are_those_of_hwloc():
    hwloc = Machine(gpus=(Gpu(0, frozenset({0, 1}), 0, "0000:01:00.0"), Gpu(1)))
    told = Machine(gpus=(Gpu(0, frozenset({0}), 5, model="A"), Gpu(1, frozenset({1}))))
    one, other = joining.with_gpus(hwloc, told).gpus
    assert one == Gpu(0, frozenset({0, 1}), 0, "0000:01:00.0", "A")
    assert other.cpus == {1}


def test_sysfs_completes_the_cards_of_hwloc():
    cpus = frozenset({1})
    hwloc = Machine(cards=(Card("mlx5_0", cpus, 0, "0000:01:00.0", "", "", 1, None, True), Card("eth0", cpus, 0)))
    told = [Card("mlx5_0", frozenset(), None, "", "roce", "eth1", 1, 12.5, None), Card("mlx5_0", port=2), Card("eth9")]
    assert joining.with_cards(hwloc, told).cards == (
        Card("mlx5_0", cpus, 0, "0000:01:00.0", "roce", "eth1", 1, 12.5, True), hwloc.cards[1],
    )  # fmt: skip


def number_of_gpus(path):
    """Read a file in another process, which must end: (how many GPUs, what went wrong)."""
    code = "import sys; from ucxx.topology import read; print(len(read(sys.argv[1]).gpus))"
    done = subprocess.run([sys.executable, "-B", "-c", code, path], capture_output=True, text=True, timeout=50,
                          stdin=subprocess.DEVNULL, check=False)  # fmt: skip
    return done.stdout.strip(), done.stderr.strip().rpartition("\n")[2]


def test_a_pipe_that_nobody_writes_to_is_told(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    said = f"ucxx.topology.machine.TopologyError: {tmp_path}/pipe: empty; expected a machine"
    assert number_of_gpus(tmp_path / "pipe") == ("", said)


def test_a_pipe_in_a_copied_tree_tells_nothing(tmp_path):
    plant_server(tmp_path)
    information = tmp_path / "proc/driver/nvidia/gpus/0000:13:00.0/information"
    information.unlink()
    os.mkfifo(information)
    assert number_of_gpus(tmp_path) == ("1", "")


def test_a_terminal_is_no_file():
    outer, inner = pty.openpty()
    try:
        with pytest.raises(TopologyError, match=": a device; expected the file of a machine"):
            read(os.ttyname(inner))
    finally:
        os.close(outer)
        os.close(inner)
