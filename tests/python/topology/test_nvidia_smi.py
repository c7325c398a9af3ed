# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The reader of `nvidia-smi topo -m` in its forms and of `nvidia-smi -L`, and the program itself."""

import collections
import contextlib
import dataclasses
import itertools
import logging
import os
import pathlib
import time

import pytest

from ucxx.testing import DEADLINE
from ucxx.topology import Closeness, Link, TopologyError, format_cpus, nvidia_smi, read
from ucxx.topology._nvidia import listed

TWO = """\tGPU0\tGPU1\tib0\tCPU Affinity
GPU0\tX\tNV2\tPIX\t0-3
GPU1\tNV2\tX\tSYS\t4-7
ib0\tPIX\tSYS\tX
"""
LIST = """GPU 0: NVIDIA H200 (UUID: GPU-00000000-1111-2222-3333-444444444444)
  MIG 1g.18gb     Device  0: (UUID: MIG-11111111-1111-2222-3333-444444444444)
  MIG 3g.71gb     Device  1: (UUID: MIG-GPU-22222222-1111-2222-3333-444444444444/1/0)
GPU 1: NVIDIA H200 (UUID: GPU-55555555-1111-2222-3333-444444444444)
"""


def without_name(machine):
    return dataclasses.replace(machine, name="")


@pytest.fixture
def dgx1(machines):
    """Return the machine of the DGX-1's text."""
    return read(machines / "dgx1.txt")


def test_dgx1_links(dgx1):
    assert (dgx1.name, dgx1.source) == ("dgx1.txt", "nvidia-smi")
    assert [gpu.index for gpu in dgx1.gpus] == list(range(8))
    assert len(dgx1.links) == 16
    assert collections.Counter(link.width for link in dgx1.links.values()) == {1: 8, 2: 8}
    assert dgx1.link(3, 0) == dgx1.link(0, 3) == Link("NVLink", width=2)
    assert dgx1.link(0, 5) is None
    ring = (0, 3, 2, 1, 5, 6, 7, 4)
    assert {dgx1.link(one, other).width for one, other in itertools.pairwise((*ring, 0))} == {2}


def test_dgx1_affinities_have_the_last_core(dgx1):
    assert [format_cpus(gpu.cpus) for gpu in dgx1.gpus] == ["0-19,40-59"] * 4 + ["20-39,60-79"] * 4
    assert [gpu.node for gpu in dgx1.gpus] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert [(sorted(core.cpus), core.node, core.package) for core in dgx1.cores] == [
        ([cpu, cpu + 40], cpu // 20, cpu // 20) for cpu in range(40)
    ]
    assert [(node.index, node.package) for node in dgx1.nodes] == [(0, 0), (1, 1)]


def test_dgx1_cards(dgx1):
    near = {closeness: {} for closeness in Closeness}
    for gpu, card in itertools.product(dgx1.gpus, dgx1.cards):
        near[dgx1.closeness(gpu, card)][gpu.index] = card.name
    assert list(near[Closeness.PIX].values()) == ["ib0", "ib0", "ib2", "ib2", "ib1", "ib1", "ib3", "ib3"]
    assert list(near[Closeness.PHB].values()) == ["ib2", "ib2", "ib0", "ib0", "ib3", "ib3", "ib1", "ib1"]
    assert [(card.ucx_name, card.interface, card.kind, card.node) for card in dgx1.cards] == [
        (f"ib{n}", f"ib{n}", "infiniband", n % 2) for n in range(4)
    ]


def test_new_form(machines, dgx1):
    machine = read(machines / "dgx1_new.txt")
    assert (machine.gpus, machine.links, machine.cores) == (dgx1.gpus, dgx1.links, dgx1.cores)
    assert [(card.ucx_name, card.interface, card.kind) for card in machine.cards] == [
        (f"mlx5_{n}:1", "", "") for n in range(4)
    ]
    renamed = {tuple(name.replace("ib", "mlx5_") for name in pair): near for pair, near in dgx1.between.items()}
    assert machine.between == renamed


def test_wrapped_as_pandas_does(machines, dgx1):
    assert without_name(read(machines / "dgx1_wrapped.txt")) == without_name(dgx1)


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\t", "  "),
    lambda text: text.replace("\t", " ").replace("\n", "\r\n"),
    lambda text: text.replace("SYS", "SOC"),
    lambda text: text.partition("Legend")[0].strip(),
    lambda text: "\n" + text.replace("\tGPU0", "\t\x1b[4mGPU0").replace("Affinity", "Affinity\x1b[0m"),
    lambda text: text.replace("\tX", "\t X "),
], ids=["blanks", "other lines", "old name", "without a legend", "escapes", "wide"])  # fmt: skip
def test_other_writings(machines, dgx1, change):
    assert nvidia_smi.from_text(change((machines / "dgx1.txt").read_text())) == without_name(dgx1)


def test_new_form_by_blanks(machines):
    text = (machines / "dgx1_new.txt").read_text().replace("\t", " ")
    assert nvidia_smi.from_text(text) == without_name(read(machines / "dgx1_new.txt"))


def test_bridges_of_pairs(machines):
    machine = read(machines / "bridged.txt")
    assert machine.links == {(0, 1): Link("NVLink", width=4), (2, 3): Link("NVLink", width=4)}
    assert [sorted(core.cpus) for core in machine.cores] == [[cpu] for cpu in range(32)]
    (card,) = machine.cards
    assert (card.ucx_name, card.node, format_cpus(card.cpus)) == ("mlx5_0:1", 1, "16-31")


def test_card_that_is_near_no_gpu():
    (card,) = nvidia_smi.from_text(TWO.replace("PIX", "SYS")).cards
    assert (card.node, card.cpus) == (None, frozenset())


def test_switch_of_links(machines):
    machine = read(machines / "switched.txt")
    assert machine.links == dict.fromkeys(itertools.combinations(range(8), 2), Link("NVLink", width=18))
    assert [card.ucx_name for card in machine.cards] == [f"mlx5_{n}:1" for n in range(8)]


ONE = "\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t{}\n"


@pytest.mark.parametrize(("cells", "cpus", "node"), [
    ("0-1\t0\t\tN/A", "0-1", 0),
    ("0-1\t3\t\tN/A", "0-1", 3),
    ("0-1\t0-1\t\tN/A", "0-1", 0),
    ("0-1\tN/A\t\tN/A", "0-1", 0),
    ("0-1", "0-1", 0),
    ("\t\t\tN/A", "", None),
    ("N/A\tN/A\t\tN/A", "", None),
    ("", "", None),
])  # fmt: skip
def test_affinities_that_are_not_told(cells, cpus, node):
    machine = nvidia_smi.from_text(ONE.format(cells))
    assert (format_cpus(machine.gpu(0).cpus), machine.gpu(0).node) == (cpus, node)
    assert [node.index for node in machine.nodes] == ([] if node is None else [node])
    assert format_cpus(machine.cpus) == cpus


def test_nodes_of_affinities():
    rows = "\tGPU0\tGPU1\tGPU2\tCPU Affinity\tNUMA Affinity\n"
    told = [("8-9", "0"), ("0-3", "N/A"), ("0-7", "")]  # the first is told; of the rest the lowest free ones
    for row, (cpus, node) in enumerate(told):
        cells = ["X" if row == column else "SYS" for column in range(3)]
        rows += "\t".join([f"GPU{row}", *cells, cpus, node]) + "\n"
    machine = nvidia_smi.from_text(rows)
    assert [gpu.node for gpu in machine.gpus] == [0, 1, 2]
    assert [(format_cpus(machine.cpus_of(node))) for node in range(3)] == ["8-9", "0-3", "4-7"]


@pytest.mark.parametrize(("old", "new", "said"), [
    ("", "", "no GPU; expected the table of `nvidia-smi topo -m`, with GPU0"),
    ("NV2\tPIX", "NVX\tPIX", "line 2: unknown cell 'NVX'; expected X, NV and a number, PIX, PXB, PHB, NODE or SYS"),
    ("NV2\tPIX", "NV0\tPIX", "line 2: unknown cell 'NV0'"),
    ("NV2\tPIX", "NV1\tPIX", "line 3: NV2 from GPU1 to GPU0; expected NV1, as from GPU0 to GPU1 in line 2"),
    ("GPU0\tX\tNV2", "GPU0\tX\tX", "line 2: 'X' from GPU0 to GPU1; expected NV and a number, PIX"),
    ("GPU0\tX", "GPU0\tSYS", "line 2: 'SYS' from GPU0 to GPU0; expected X"),
    ("PIX", "NV4", "line 2: NV4 from GPU0 to ib0; expected links between GPUs alone"),
    ("GPU1\tNV2\tX\tSYS\t4-7", "GPU1\tNV2\tX", "line 3: row GPU1 has 2 cells; expected 3 at least"),
    ("4-7", "4-7\t0", "line 3: row GPU1 has 5 cells; expected 4 at most"),
    ("4-7", "4-7x", "line 3: CPU Affinity '4-7x' of GPU1; expected a list as 0-19,40-59, or N/A"),
    ("4-7", "4-70000000", "line 3: CPU Affinity '4-70000000' of GPU1"),
    ("ib0\tPIX\tSYS\tX\n", "", "line 1: column ib0 has no row"),
    ("\tib0", "\tib1", "line 1: column ib1 has no row"),
    ("ib0\tPIX\tSYS\tX\n", "ib0\tPIX\tSYS\tX\nib1\tPIX\tSYS\tX\n", "line 5: row ib1 has no column"),
    ("GPU1\tNV2", "GPU0\tNV2", "line 3: row GPU0 is there twice, first in line 2"),
    ("\tGPU1\tib0", "\tGPU0\tib0", "line 1: column GPU0 is there twice, first in line 1"),
    ("\tib0", "\tGPUx", "line 1: unknown column 'GPUx'; expected GPU0, NIC0, mlx5_0 or CPU Affinity, NUMA Affinity"),
    ("ib0\tPIX", "?\tPIX", "line 4: unknown row '?'"),
    ("GPU1\tNV2", "\nGPU1\tNV2", "line 4: column GPU1 is there twice, first in line 1"),
    ("SYS\tX\n", "SYS\tX\nNIC Legend:\nib0 mlx5_0", "line 6: 'ib0 mlx5_0' in the NIC legend; expected a line"),
    ("SYS\tX\n", "SYS\tX\nNIC Legend:\nNIC0: a\nNIC0: b", "line 7: NIC0: b is there twice in the NIC legend"),
    ("\tib0", "\t" + "\t".join(f"m{n}" for n in range(1024)), "line 1: 1027 columns; expected 1024 at most"),
])  # fmt: skip
def test_what_is_no_table_is_named(old, new, said):
    with pytest.raises(TopologyError) as raised:
        nvidia_smi.from_text(TWO.replace(old, new) if old else "", "my.txt")
    assert str(raised.value).startswith(f"my.txt{', ' if said.startswith('line') else ': '}{said}")


def test_text_of_another_program_is_named():
    with pytest.raises(TopologyError, match="line 1: unknown column \"couldn't\"; expected GPU0, NIC0"):
        nvidia_smi.from_text("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n")


def test_legend_that_names_a_column():
    text = TWO.replace("ib0", "NIC0") + "NIC Legend:\n NIC0: GP\n"
    assert nvidia_smi.from_text(text).cards[0].ucx_name == "GP:1"
    two = "\tGPU0\tNIC0\tmlx5_0\nGPU0\tX\tSYS\tSYS\nNIC0\tSYS\tX\tSYS\nmlx5_0\tSYS\tSYS\tX\nNIC Legend:\nNIC0: mlx5_0"
    with pytest.raises(TopologyError, match="a name of the NIC legend is also that of a column"):
        nvidia_smi.from_text(two)


def test_list_of_devices():
    one, other = listed.parse(LIST, "my.txt")
    assert (one.index, one.model, one.uuid) == (0, "NVIDIA H200", "GPU-00000000-1111-2222-3333-444444444444")
    assert one.slices == (
        "MIG-11111111-1111-2222-3333-444444444444", "MIG-GPU-22222222-1111-2222-3333-444444444444/1/0",
    )  # fmt: skip
    assert (other.index, other.slices) == (1, ())
    assert listed.parse("", "my.txt") == ()


@pytest.mark.parametrize(("text", "said"), [
    ("No devices found.", "line 1: 'No devices found.'; expected a line as GPU 0: NVIDIA H200"),
    ("  MIG 1g.5gb Device 0: (UUID: MIG-1)", "line 1: 'MIG 1g.5gb"),
    (LIST.replace("GPU 1", "GPU 0"), "line 4: GPU 0 is there twice"),
    (LIST.replace("UUID: MIG", "UUID: ???"), "line 2: 'MIG 1g.18gb"),
])  # fmt: skip
def test_what_is_no_list(text, said):
    with pytest.raises(TopologyError) as raised:
        listed.parse(text, "my.txt")
    assert str(raised.value).startswith(f"my.txt, {said}")


def test_live(machines, put_program, tmp_path):
    (tmp_path / "list").write_text(LIST)
    put_program("nvidia-smi", f"""case "$*" in
        "topo -m") exec /bin/cat {machines}/bridged.txt ;;
        -L) exec /bin/cat {tmp_path}/list ;;
        *) exit 1 ;;
    esac""")  # fmt: skip
    machine = nvidia_smi.live()
    assert (machine.name, machine.links) == ("", read(machines / "bridged.txt").links)
    assert [(gpu.model, gpu.uuid[:8], len(gpu.slices)) for gpu in machine.gpus] == [
        ("NVIDIA H200", "GPU-0000", 2), ("NVIDIA H200", "GPU-5555", 0), ("", "", 0), ("", "", 0),
    ]  # fmt: skip


def test_live_without_the_program(put_program, caplog):
    assert nvidia_smi.live() is None
    assert not caplog.records


@pytest.mark.parametrize(("script", "said"), [
    ("echo it has failed; exit 9", "nvidia-smi topo -m is left out: it ends with status 9: it has failed"),
    ("echo rubbish, truly", "nvidia-smi topo -m is left out: nvidia-smi topo -m, line 1: unknown column 'rubbish,'"),
    ("echo rubbish", "nvidia-smi topo -m is left out: nvidia-smi topo -m: no GPU; expected the table"),
    ("echo", "nvidia-smi topo -m is left out: nvidia-smi topo -m: no GPU; expected the table"),
    ("kill -9 $$", "nvidia-smi topo -m is left out: it ends with status -9"),
    ("printf '\\200'", "nvidia-smi topo -m is left out: it prints no text (UTF-8)"),
])  # fmt: skip
def test_live_by_a_program_that_fails(put_program, caplog, script, said):
    put_program("nvidia-smi", script)
    with caplog.at_level(logging.WARNING):
        assert nvidia_smi.live() is None and nvidia_smi.live() is None
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("ucxx.topology", "WARNING")
    assert record.getMessage().startswith(said)


def test_live_where_the_list_fails(machines, put_program, caplog):
    put_program("nvidia-smi", f'[ "$1" = topo ] && exec /bin/cat {machines}/bridged.txt')
    assert len(nvidia_smi.live().gpus) == 4
    assert caplog.messages == ["nvidia-smi -L is left out: it ends with status 1"]


@pytest.mark.parametrize("hang", [
    "/bin/sleep 60 & echo $! > {pids}; wait",  # waits for its child
    "/bin/sleep 60 & echo $! > {pids}",  # has ended; its child holds the pipe
    "exec >&-; echo $$ > {pids}; exec /bin/sleep 60",  # has closed the pipe
], ids=["waits", "leaves a child", "is silent"])  # fmt: skip
def test_live_by_a_program_that_hangs(put_program, caplog, monkeypatch, tmp_path, hang):
    monkeypatch.setattr(nvidia_smi, "LIMIT_S", 0.3)
    put_program("nvidia-smi", hang.format(pids=tmp_path / "pids"))
    start = time.monotonic()
    assert nvidia_smi.live() is None
    assert time.monotonic() - start < 30  # and not 60
    assert caplog.messages == ["nvidia-smi topo -m is left out: it has not ended after 0.3 s"]
    pid = int((tmp_path / "pids").read_text())
    deadline = time.monotonic() + DEADLINE
    while is_running(pid):
        assert time.monotonic() < deadline
        os.sched_yield()


def is_running(pid):
    """Tell whether a process is there, and no zombie that nobody has waited for."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
