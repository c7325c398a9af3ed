# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The reader of hwloc's XML: facts of machines, what is no such XML, and the program that writes it."""

import dataclasses
import itertools
import logging
import os
import shutil

import pytest

from ucxx.topology import Closeness, Link, Node, TopologyError, hwloc, programs, read
from ucxx.topology._hwloc import bitmaps

ONE_CORE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x00000001">
    <object type="NUMANode" os_index="0" cpuset="0x00000001" local_memory="4096"/>
    <object type="PU" os_index="0" cpuset="0x00000001"/>
  </object>
</topology>
"""


def with_objects(*lines):
    """Return the XML of one core with more in its machine."""
    return ONE_CORE.replace("  </object>", "\n".join([*lines, "  </object>"]))


def address(bus):
    return f"0000:{bus:02x}:00.0"


def device(where, kind, *children):
    inside = "".join(children)
    return f'<object type="PCIDev" pci_busid="{where}" pci_type="{kind}" gp_index="{where[5:7]}">{inside}</object>'


def os_device(name, kind, gp_index="", **notes):
    infos = "".join(f'<info name="{key}" value="{value}"/>' for key, value in notes.items())
    return f'<object type="OSDev" name="{name}" osdev_type="{kind}" gp_index="{gp_index}">{infos}</object>'


def bridge(kind, *children):
    return f'<object type="Bridge" bridge_type="{kind}">{"".join(children)}</object>'


def places(machine):
    return [(gpu.name, gpu.node) for gpu in machine.gpus], [(card.ucx_name, card.node) for card in machine.cards]


def test_server_behind_a_switch_of_links(machines):
    machine = read(machines / "switched.xml")
    assert (machine.name, machine.source, machine.packages) == ("switched", "hwloc 2.9.0", (0, 1))
    assert [sorted(core.cpus) for core in machine.cores] == [[cpu, cpu + 16] for cpu in range(16)]
    assert machine.nodes == (Node(0, 0, 1 << 30), Node(1, 1, 1 << 30))
    gpu = machine.gpu(4)
    assert (gpu.address, gpu.node, gpu.model) == ("0000:93:00.0", 1, "NVIDIA H100 80GB HBM3")
    assert gpu.uuid == "GPU-00000000-0000-0000-0000-000000000004"
    assert gpu.cpus == machine.cpus_of(1) == frozenset([*range(8, 16), *range(24, 32)])
    assert dict(machine.links) == dict.fromkeys(itertools.combinations(range(8), 2), Link("NVLink", None, 450.0))
    card = machine.cards[5]
    assert (card.ucx_name, card.interface, card.kind) == ("mlx5_5:1", "ib5", "infiniband")
    assert (card.is_up, card.node, card.address) == (True, 1, "0000:9c:00.0")


def test_closeness_is_that_of_the_text_of_the_same_server(machines):
    machine, text = read(machines / "switched.xml"), read(machines / "switched.txt")
    for one, other in itertools.combinations([*machine.gpus, *machine.cards], 2):
        if (one.name, other.name) in text.between or (other.name, one.name) in text.between:
            assert machine.closeness(one, other) == text.closeness(one, other), (one.name, other.name)
    assert machine.closeness(machine.gpu(0), machine.gpu(1)) == Closeness.PHB  # the text tells of links instead


@pytest.mark.parametrize("file", ["two_sockets.xml", "two_sockets_3.xml"])
def test_two_sockets_without_a_gpu(machines, file):
    machine = read(machines / file)
    assert machine.name == "two-sockets"
    assert places(machine) == ([], [("eno1", 0), ("mlx5_0:1", 1)])
    ethernet, infiniband = machine.cards
    assert (ethernet.kind, ethernet.interface, ethernet.port) == ("ethernet", "eno1", None)
    assert (infiniband.kind, infiniband.interface, infiniband.port) == ("infiniband", "ib0", 1)
    assert infiniband.cpus == frozenset([4, 5, 6, 7, 12, 13, 14, 15])
    assert machine.closeness(ethernet, infiniband) == Closeness.SYS


@pytest.mark.parametrize("file", ["two_sockets", "amd"])
def test_both_formats_tell_the_same(machines, file):
    both = [dataclasses.replace(read(machines / f"{file}{end}.xml"), source="") for end in ("", "_3")]
    assert both[0] == both[1]


def test_laptop(machines):
    machine = read(machines / "laptop.xml")
    assert [sorted(core.cpus) for core in machine.cores] == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert places(machine) == ([], [("wlp2s0", 0)])  # the graphics inside the processor do not compute


def test_container_sees_some_cores(machines):
    machine = read(machines / "container.xml")
    assert [sorted(core.cpus) for core in machine.cores] == [[5, 21], [6, 22], [7, 23]]
    assert machine.cards[0].cpus == machine.cpus


@pytest.mark.parametrize("file", ["amd.xml", "amd_3.xml"])
def test_amd(machines, file):
    machine = read(machines / file)
    assert places(machine) == ([("GPU0", 0), ("GPU1", 0), ("GPU2", 1), ("GPU3", 1)], [("mlx5_0:1", 1), ("mlx5_1:1", 1)])
    assert machine.links == {  # 0-2 and 1-3 are two hops apart; the matrix has its own order
        (0, 1): Link("XGMI", None, 200.0), (2, 3): Link("XGMI", None, 200.0),
        (0, 3): Link("XGMI", None, 100.0), (1, 2): Link("XGMI", None, 100.0),
    }  # fmt: skip
    near = machine.closeness
    assert near(machine.gpu(0), machine.gpu(1)) == Closeness.PXB  # a switch behind a switch
    assert near(machine.gpu(2), machine.gpu(3)) == Closeness.PHB
    assert near(machine.gpu(1), machine.gpu(2)) == Closeness.SYS
    one, other = machine.cards
    assert near(one, other) == Closeness.PIX  # two functions of one device
    assert [(card.kind, card.interface, card.is_up) for card in (one, other)] == [
        ("roce", "ens8f0", True), ("roce", "ens8f1", False),
    ]  # fmt: skip


def test_links_through_switches_count_all_switches():
    gpus = [device(address(bus), "0302 [10de:2330]", os_device(f"nvml{bus}", 1, f"gpu{bus}")) for bus in (1, 2)]
    switches = [device(address(bus), "0680 [10de:22a3]") for bus in (8, 9)]
    matrix = f"""<distances2hetero nbobjs="4" kind="18" name="NVLinkBandwidth">
      <indexes>OSDev:gpu1 OSDev:gpu2 </indexes><indexes>PCIDev:08 PCIDev:09 </indexes>
      <u64values>0 0 200 250  0 0 200 250 </u64values><u64values>200 200 0 0  250 150 0 0 </u64values>
      </distances2hetero></topology>"""
    text = with_objects(*gpus, *switches).replace("</topology>", matrix)
    assert hwloc.from_xml(text).links == {(0, 1): Link("NVLink", None, 0.35)}


def test_gpus_are_those_that_cuda_numbers():
    graphics = device("0000:01:00.0", "0300 [1002:164e]")
    gpus = [device(f"0000:{bus}:00.0", "0302 [10de:2330]") for bus in ("c1", "0a")]
    names = [gpu.address for gpu in hwloc.from_xml(with_objects(graphics, *gpus)).gpus]
    assert names == ["0000:0a:00.0", "0000:c1:00.0"]
    assert len(hwloc.from_xml(with_objects(graphics)).gpus) == 1


def test_ports_and_their_interfaces():
    fabric = os_device("mlx4_0", 3, Port1State="4", Port2State="1")
    own = [os_device("ib1", 2), os_device("ib0", 2)]
    machine = hwloc.from_xml(with_objects(device("0000:01:00.0", "0207 [15b3:1003]", *own, fabric)))
    assert [(card.ucx_name, card.interface, card.is_up) for card in machine.cards] == [
        ("mlx4_0:1", "ib0", True), ("mlx4_0:2", "ib1", False),
    ]  # fmt: skip
    machine = hwloc.from_xml(with_objects(device("0000:01:00.0", "0207 [15b3:1003]", own[1], fabric)))
    assert [card.interface for card in machine.cards] == ["ib0", ""]


def test_one_switch_and_several():
    gpus = [device(address(bus), "0302 [10de:2330]") for bus in range(7)]
    one = bridge("1-1", gpus[0], gpus[1])
    two = bridge("1-1", bridge("1-1", gpus[2]), bridge("1-1", gpus[3]))
    many = bridge("1-1", bridge("1-1", gpus[4]), bridge("1-1", bridge("1-1", gpus[5])))
    machine = hwloc.from_xml(with_objects(bridge("0-1", one, two, many), bridge("0-1", gpus[6])))
    pairs = {(0, 1): "PIX", (2, 3): "PIX", (4, 5): "PXB", (0, 2): "PHB", (1, 4): "PHB", (0, 6): "NODE"}
    assert {pair: machine.closeness(*map(machine.gpu, pair)).name for pair in pairs} == pairs


def test_interfaces_in_format_3_where_an_rdma_device_is_a_network_too():
    children = os_device("enp129s0f0np0", 1 << 4), os_device("mlx5_0", (1 << 5) + (1 << 4))
    text = with_objects(device("0000:01:00.0", "0200 [15b3:1021]", *children)).replace('"2.0"', '"3.0"')
    (card,) = hwloc.from_xml(text).cards
    assert (card.name, card.interface) == ("mlx5_0", "enp129s0f0np0")


def test_names_are_in_the_order_of_their_numbers():
    fabric = os_device("mlx4_0", 3, Port1State="4", Port2State="4")
    children = os_device("eth10", 2), os_device("eth9", 2), fabric
    machine = hwloc.from_xml(with_objects(device("0000:01:00.0", "0200 [15b3:1003]", *children)))
    assert [card.interface for card in machine.cards] == ["eth9", "eth10"]
    gpus = [device(where, "0302 [10de:2330]") for where in ("10000:01:00.0", "2000:01:00.0")]
    assert [gpu.address for gpu in hwloc.from_xml(with_objects(*gpus)).gpus] == ["2000:01:00.0", "10000:01:00.0"]


def test_device_of_no_node(machines):
    """Have a device below the machine itself: it is as near to both sockets."""
    card = device("0000:f0:00.0", "0200 [8086:1521]", os_device("eth0", 2))
    text = (machines / "two_sockets.xml").read_text().replace("  </object>\n</topology>", f"{card}</object></topology>")
    found = {card.name: card for card in hwloc.from_xml(text).cards}["eth0"]
    assert (found.node, found.cpus) == (None, frozenset(range(16)))


def test_node_inside_another():
    more = '<object type="NUMANode" os_index="1" cpuset="0x3"/>', '<object type="PU" os_index="1" cpuset="0x2"/>'
    assert [core.node for core in hwloc.from_xml(with_objects(*more)).cores] == [0, 1]


def test_nodes_with_the_same_cpus_and_with_none():
    more = '<object type="NUMANode" os_index="{}" cpuset="{}" local_memory="1"/>'.format
    machine = hwloc.from_xml(with_objects(more(1, "0x00000001"), more(2, "0x0")))
    assert [node.index for node in machine.nodes] == [0, 1, 2]
    assert [core.node for core in machine.cores] == [0]


@pytest.mark.parametrize(("text", "expected"), [
    ("0x0", []),
    ("0x00000001", [0]),
    ("0x00000001,0x80000000", [31, 32]),
    ("0x00000001,,0x3", [0, 1, 64]),
])  # fmt: skip
def test_bitmaps(text, expected):
    assert sorted(bitmaps.members(bitmaps.parse(text))) == expected


def test_bitmaps_without_an_end():
    bits = bitmaps.parse("0xf...f,0x00000005")
    assert sorted(bitmaps.members(bits))[:4] == [0, 2, 32, 33]
    assert bitmaps.parse("0xf...f") & 0xFF == 0xFF
    assert hwloc.from_xml(ONE_CORE.replace('cpuset="0x00000001"', 'cpuset="0xf...f"')).cpus == {0}


@pytest.mark.parametrize("text", ["", "1", "0x", "0x1;0x2", "0xg", "0x123456789", "0xf...f0x1", "," * 2048])
def test_what_is_no_bitmap(text):
    with pytest.raises(ValueError, match="set of"):
        bitmaps.parse(text)


NVLINK = """<distances2 type="OSDev" nbobjs="2" name="NVLinkBandwidth"><indexes>{}</indexes>
<u64values>{}</u64values></distances2></topology>"""
PU = '<object type="PU" os_index="0" cpuset="0x00000001"/>'


def in_machine(*lines):
    """Return what to replace, and the same with more objects before it."""
    return "  </object>", "".join(lines) + "</object>"


def net(*children):
    return device("0000:01:00.0", "0200 [15b3:1021]", *children)


@pytest.mark.parametrize(("old", "new", "said"), [
    ('version="2.0"', 'version="1.0"', "line 3: version '1.0' of hwloc's XML; expected 2.0 or 3.0"),
    ('version="2.0"', "", "line 3: version nothing"),
    ("topology", "machine", "line 3: the element 'machine'; expected hwloc's topology"),
    ("</topology>", "", "line 9: no XML: "),
    ('type="PU"', 'type="Core"', "no PU (hardware thread); expected one at least"),
    (PU, PU + PU, "line 6: PU 0 is there twice, first in line 6"),
    ('"PU" os_index="0"', '"PU" os_index="99999"', "line 6: PU has os_index '99999'; expected a number below 65536"),
    ('"PU" os_index="0"', '"PU"', "line 6: PU has os_index nothing"),
    ('"0x00000001" local', '"0x00000002" local', "line 6: no NUMANode has all threads [0] of a core"),
    ('"0x00000001" local', '"one" local', "line 5: NUMANode has cpuset 'one'; expected a set as 0x0"),
    ('"hwloc2.dtd"', '"hwloc2.dtd" [<!ENTITY a "b">]', "line 2: the entity 'a' is defined"),
    ('"hwloc2.dtd"', '"a" [<!ENTITY % a SYSTEM "file:///etc/hosts"> %a;]', "line 2: the entity 'a' is defined"),
    ("<object", "<x>" * 250 + "<object", "200 elements inside one another"),
    (*in_machine(device("0:1", "0302 [10de:2330]")), "line 7: PCIDev has pci_busid '0:1'; expected one as 0000"),
    (*in_machine(device("0000:01:00.0", "gpu")), "line 7: PCIDev has pci_type 'gpu'; expected one as 0302 [10de:1db1]"),
    (*in_machine(net(), net()), "line 7: PCIDev 0000:01:00.0 is there twice"),
    (*in_machine(net(os_device("", 2))), "line 7: OSDev has name ''; expected one as mlx5_0 or eth0"),
    (*in_machine(net(os_device("a", "net"))), "line 7: OSDev has osdev_type 'net'"),
    (*in_machine(net(os_device("a", 2) * 2)), "line 7: OSDev a is there twice"),
    ("</topology>", NVLINK.format("1 2", "0 0 0 0"), "line 8: no object has the gp_index '1' of this matrix"),
    ("</topology>", NVLINK.format("1 2", "0 0 0"), "line 8: NVLinkBandwidth has 2 indexes and 3 values; expected 2"),
    ("</topology>", NVLINK.format("1 2", "0 0 0 x"), "line 8: NVLinkBandwidth has the value 'x'"),
])  # fmt: skip
def test_what_is_no_topology_is_named(old, new, said):
    with pytest.raises(TopologyError) as raised:
        hwloc.from_xml(ONE_CORE.replace(old, new), "my.xml")
    assert str(raised.value).startswith("my.xml") and said in str(raised.value)


def test_entities_do_not_grow():
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 20))
    with pytest.raises(TopologyError, match="the entity 'e1' is defined"):
        hwloc.from_xml(ONE_CORE.replace('"hwloc2.dtd"', f'"hwloc2.dtd" [{entities}]'))


def test_characters_that_are_none():
    with pytest.raises(TopologyError, match="no Unicode"):
        hwloc.from_xml(ONE_CORE + "\ud800")


def test_live_of_what_is_installed():
    machine = hwloc.live()
    if machine is None:
        assert shutil.which("lstopo-no-graphics") is None and shutil.which("lstopo") is None
    else:
        assert os.sched_getaffinity(0) <= machine.cpus


@pytest.mark.parametrize("name", ["lstopo-no-graphics", "lstopo"])
def test_live_runs_the_program(machines, put_program, name):
    put_program(name, f'[ "$*" = "--of xml" ] && exec /bin/cat {machines}/amd.xml')
    assert hwloc.live() == read(machines / "amd.xml")


def test_live_without_the_program(put_program, caplog):
    assert hwloc.live() is None
    assert not caplog.records


@pytest.mark.parametrize(("script", "said"), [
    ("exit 3", "it ends with status 3"),
    ("echo no topology; exit 1", "it ends with status 1: no topology"),
    ("echo '<topology/>'", "lstopo, line 1: version nothing"),
    ("printf '\\377'", "it prints no text (UTF-8)"),
    ("exec /bin/cat /dev/zero", "it prints over 16 MiB"),
])  # fmt: skip
def test_live_by_a_program_that_fails(put_program, caplog, script, said):
    put_program("lstopo", script)
    with caplog.at_level(logging.WARNING):
        assert hwloc.live() is None and hwloc.live() is None
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("ucxx.topology", "WARNING")
    assert record.getMessage().startswith("lstopo is left out: ") and said in record.getMessage()


def test_a_program_that_cannot_start(put_program, tmp_path):
    put_program("lstopo", "")
    (tmp_path / "bin/lstopo").write_text("#!/no/such/shell\n")
    with pytest.raises(programs.Failed, match="it does not start: No such file"):
        programs.output("lstopo", limit_s=5)


@pytest.mark.parametrize("text", [
    ONE_CORE.replace(*in_machine(net(os_device("\x9ba", 2) * 2))),
    ONE_CORE.replace(*in_machine(f'<object type="\x9bGroup">{net(os_device("a", 2))}</object>')),
], ids=["a name", "a type"])  # fmt: skip
def test_names_in_errors_steer_no_terminal(text):
    with pytest.raises(TopologyError) as raised:
        hwloc.from_xml(text)
    assert str(raised.value).isprintable()


def test_devices_have_a_limit():
    def gpus(count):
        lines = [device(f"{bus >> 8:04x}:{bus & 255:02x}:00.0", "0302 [10de:2330]") for bus in range(count)]
        return hwloc.from_xml(ONE_CORE.replace(*in_machine(*lines)), "my.xml").gpus

    assert len(gpus(1024)) == 1024
    with pytest.raises(TopologyError, match="^my.xml: 1025 GPUs; expected are 1024 at most$"):
        gpus(1025)


def test_cards_have_a_limit():
    lines = [os_device(f"eth{number}", 2) for number in range(1025)]
    with pytest.raises(TopologyError, match="^my.xml: 1025 network cards; expected are 1024 at most$"):
        hwloc.from_xml(ONE_CORE.replace(*in_machine(net(*lines))), "my.xml")
