# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Pictures of machines: where everything is, how links go, and what a saved picture says."""

import dataclasses
import itertools
import json
import math
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from matplotlib.text import Text
from PIL import Image

from ucxx.benchmarks import drawing
from ucxx.topology import neighbours, picture, reading
from ucxx.topology.machine import Card, Closeness, Core, Gpu, Link, Machine, Node, pair_of
from ucxx.topology.picture import curves, headers, layout, legend, lines, looks
from ucxx.topology.picture.boxes import Box, around
from ucxx.topology.picture.groups import by_switch, switches
from ucxx.topology.picture.places import places
from ucxx.topology.picture.sheet import LINE, MARGIN, cut, cut_inside, width_of

FILES = ["amd.xml", "amd_3.xml", "bridged.txt", "container.xml", "dgx1.txt", "dgx1_new.txt", "laptop.xml",
         "switched.txt", "switched.xml", "two_sockets.xml"]  # fmt: skip


def machine(packages=2, nodes=1, gpus=8, cards=4, links=(), shared=True):
    """Return a machine with eight cores in each node, and GPUs and cards in turn over all nodes."""
    every = packages * nodes
    cores = tuple(Core(frozenset({number}), number // 8, number // 8 // nodes) for number in range(8 * every))
    near = [frozenset(range(8 * node, 8 * node + 8)) for node in range(every)]
    home = [number * every // gpus for number in range(gpus)]
    made = tuple(Gpu(number, near[node], node, model="A100") for number, node in enumerate(home))
    beside = [number * max(1, gpus // max(1, cards)) for number in range(cards)]
    where = [home[gpu % gpus] if gpus else number % every for number, gpu in enumerate(beside)]
    ports = tuple(Card(f"mlx5_{number}", near[node], node, "", "infiniband", "", 1, 25.0, number % 3 < 2)
                  for number, node in enumerate(where))
    between = {pair_of(f"GPU{gpu}", f"mlx5_{number}"): Closeness.PIX
               for number, gpu in enumerate(beside) if gpu < gpus and shared}
    described = tuple(Node(node, node // nodes, 1 << 37) for node in range(every))
    return Machine("made", "by hand", cores, described, made, ports, dict(links), between)


def all_pairs(number, link):
    return {pair: link for pair in itertools.combinations(range(number), 2)}


CUBE = {(one, one ^ bit): Link("XGMI", bit) for one in range(8) for bit in (1, 2, 4) if one < one ^ bit}
MADE = {
    "sixteen behind a switch": machine(gpus=16, cards=16, links=all_pairs(16, Link(width=6))),
    "eight on one socket": machine(1, links=all_pairs(8, Link(width=12))),
    "one group with a switch": dataclasses.replace(
        machine(1, gpus=6, cards=1, links=all_pairs(6, Link(width=3))),
        between={pair_of(f"GPU{gpu}", "mlx5_0"): Closeness.PXB for gpu in range(6)}),
    "four in a mesh": machine(1, gpus=4, cards=0, links=all_pairs(4, Link(width=4))),
    "bridges": machine(1, gpus=4, cards=1, links={(0, 1): Link(width=4), (2, 3): Link(width=4)}, shared=False),
    "three in a row": machine(2, gpus=6, cards=2, links=all_pairs(3, Link(width=2)), shared=False),
    "four nodes each": machine(2, 4, links=CUBE),
    "four sockets": machine(4, links=CUBE),
    "four nodes of one socket": machine(1, 4, gpus=4, cards=1, links=all_pairs(4, Link(width=3))),
    "one": machine(1, gpus=1, cards=1),
    "no gpu": machine(gpus=0, cards=2),
    "no links": machine(gpus=8, cards=8),
    "many cards": machine(1, gpus=1, cards=30, shared=False),
    "gpus alone": Machine(gpus=tuple(map(Gpu, range(3)))),
    "nothing": Machine(),
}


@pytest.fixture(params=[*FILES, *MADE])
def any_machine(request, machines):
    """Return each machine of the files, and those that are made here."""
    return MADE.get(request.param) or reading.read(machines / request.param)


@pytest.fixture
def dgx1(machines):
    return reading.read(machines / "dgx1.txt")


def require_apart(boxes):
    wrong = [pair for pair in itertools.combinations(boxes, 2) if pair[0].overlaps(pair[1])]
    assert wrong == []


def is_inside(box, frame):
    larger = frame.grown(1e-6)
    return larger.has((box.x, box.y)) and larger.has((box.right, box.bottom))


def require_in_one(boxes, frames):
    assert [box for box in boxes if sum(is_inside(box, frame) for frame in frames) != 1] == []


def words_of(sheet):
    return [Box(word.x, word.y, width_of(word.text, word.is_bold), LINE) for word in sheet.words]


def require_tidy(made, sheet):
    devices = [*sheet.gpus.values(), *sheet.cards.values()]
    assert set(sheet.gpus) == {gpu.index for gpu in made.gpus}
    assert set(sheet.cards) == {card.ucx_name for card in made.cards}
    require_apart(sheet.packages)
    require_apart(sheet.nodes)
    require_apart([*devices, *words_of(sheet), *sheet.cores, *([sheet.bar] if sheet.bar else [])])
    require_apart(sheet.switches)
    require_in_one([*devices, *words_of(sheet), *sheet.cores, *sheet.switches, *sheet.nodes], sheet.packages)
    if sheet.nodes:
        require_in_one([*devices, *sheet.switches, *sheet.cores], sheet.nodes)
    require_in_one(sheet.packages, [Box(MARGIN, 0, drawing.WIDTH - 2 * MARGIN, sheet.bottom)])


def test_everything_has_its_room(any_machine):
    require_tidy(any_machine, layout.lay_out(any_machine))


@settings(max_examples=60, deadline=None)
@given(some.integers(1, 4), some.integers(1, 3), some.integers(0, 9), some.integers(0, 6), some.booleans(), some.data())
def test_everything_has_its_room_in_any_machine(packages, nodes, gpus, cards, shared, data):
    pairs = list(itertools.combinations(range(gpus), 2))
    chosen = data.draw(some.lists(some.sampled_from(pairs), max_size=12, unique=True)) if pairs else []
    links = {pair: Link(width=data.draw(some.integers(1, 3))) for pair in chosen}
    made = machine(packages, nodes, gpus, cards, links, shared)
    sheet = layout.lay_out(made)
    require_tidy(made, sheet)
    for pair, line in lines.links(sheet, list(links)).items():
        assert_ends(sheet, pair, line)


def assert_ends(sheet, pair, line):
    assert [sheet.gpus[gpu].has(point) for gpu, point in zip(pair, (line[0], line[-1]), strict=True)] == [True, True]


def test_links_pass_no_other_device(any_machine):
    sheet = layout.lay_out(any_machine)
    if sheet.bar is not None:
        found = {(index,): line for index, line in lines.to_bar(sheet).items()}
        assert len(found) == len(any_machine.gpus)
        assert all(sheet.bar.has(line[-1]) for line in found.values())
    else:
        found = lines.links(sheet, list(any_machine.links))
        assert set(found) == set(any_machine.links)
        for pair, line in found.items():
            assert_ends(sheet, pair, line)
    boxes = {**sheet.gpus, **sheet.cards}
    for pair, line in found.items():
        assert [name for name, box in boxes.items() if name not in pair and curves.crosses(line, box)] == []
        assert 0 < curves.bounds(line).x and curves.bounds(line).right < drawing.WIDTH


def test_no_two_links_are_one_line(any_machine):
    sheet = layout.lay_out(any_machine)
    if sheet.bar is None:
        pieces = [curves.longest_piece(line) for line in lines.links(sheet, list(any_machine.links)).values()]
        assert [pair for pair in itertools.combinations(pieces, 2) if curves.run_along(*pair, 0.05)] == []


def test_dgx1_is_two_squares_of_which_each_is_the_image_of_the_other(dgx1):
    sheet = layout.lay_out(dgx1)
    assert len(sheet.packages) == 2 and not sheet.nodes and sheet.bar is None
    left, right = sheet.packages
    gpus = [sheet.gpus[index] for index in range(8)]
    require_in_one(gpus[:4], [left])
    require_in_one(gpus[4:], [right])
    for one, other in zip(gpus[:4], gpus[4:], strict=True):
        assert one.y == other.y and math.isclose(one.middle[0] + other.middle[0], drawing.WIDTH)
    assert gpus[0].x == gpus[2].x < gpus[1].x == gpus[3].x and gpus[0].y == gpus[1].y < gpus[2].y == gpus[3].y
    paths = lines.links(sheet, list(dgx1.links))
    assert {pair for pair, line in paths.items() if len(line) > 2} == {(0, 4), (2, 6)}  # around GPU 1 and 5, 3 and 7


@pytest.mark.parametrize(("card", "gpus"), [("ib0", (0, 1)), ("ib2", (2, 3)), ("ib1", (4, 5)), ("ib3", (6, 7))])
def test_cards_of_a_dgx1_are_beside_their_gpus(dgx1, card, gpus):
    sheet = layout.lay_out(dgx1)
    box, near = sheet.cards[card], [sheet.gpus[gpu] for gpu in gpus]
    assert {gpu.y for gpu in near} == {box.y}
    if box.x < drawing.WIDTH / 2:
        assert box.right < min(gpu.x for gpu in near)
    else:
        assert box.x > max(gpu.right for gpu in near)
    assert any(is_inside(around([box, *near]), switch) for switch in sheet.switches)


def test_switch_is_one_bar_between_the_sockets(machines):
    sheet = layout.lay_out(reading.read(machines / "switched.txt"))
    left, right = sheet.packages
    assert left.right < sheet.bar.x and sheet.bar.right < right.x
    assert {index for index, box in sheet.gpus.items() if is_inside(box, left)} == {0, 1, 2, 3}


def test_gpus_that_no_node_is_near_are_drawn(dgx1):
    gpus = tuple(dataclasses.replace(gpu, node=None) for gpu in dgx1.gpus)
    cards = tuple(dataclasses.replace(card, node=None, cpus=frozenset()) for card in dgx1.cards)
    bare = dataclasses.replace(dgx1, cores=(), nodes=(), gpus=gpus, cards=cards)
    assert [place.package for package in places(bare) for place in package] == ["CPUs 0-19,40-59", "CPUs 20-39,60-79"]
    assert layout.lay_out(bare).cards.keys() == {"ib0", "ib1", "ib2", "ib3"}


def test_gpus_of_a_whole_package_have_a_place_of_their_own():
    made = machine(2, 2, gpus=1, cards=0)
    spread = dataclasses.replace(made, gpus=(Gpu(0, frozenset(range(16))),))
    assert [place.words for place in places(spread)[0]][-1] == ("All of package 0",)
    require_tidy(spread, layout.lay_out(spread))


def test_devices_of_which_nothing_is_told_have_a_place_of_their_own():
    made = machine(1, gpus=1, cards=1)
    lost = dataclasses.replace(made, gpus=(*made.gpus, Gpu(1), Gpu(2)), cards=(*made.cards, Card("eth0")))
    first, last = places(lost)
    names = [[device.name for device in place.devices] for place in (*first, *last)]
    assert names == [["GPU0", "mlx5_0"], ["GPU1", "GPU2", "eth0"]]
    assert last[0].words == ("NUMA node not known",)
    require_tidy(lost, layout.lay_out(lost))


def test_devices_share_switches_in_chains():
    between = {("GPU0", "a"): Closeness.PIX, ("GPU1", "b"): Closeness.PXB, ("a", "b"): Closeness.PXB,
               ("GPU2", "a"): Closeness.PHB}  # fmt: skip
    made = Machine(gpus=(Gpu(0), Gpu(1), Gpu(2)), cards=(Card("a"), Card("b")), between=between)
    groups = by_switch(switches(made), (*made.gpus, *made.cards))
    assert [([gpu.index for gpu in group.gpus], [card.name for card in group.cards]) for group in groups] == [
        ([0, 1], ["a", "b"]), ([2], [])]


def test_widths_differ_without_colours(any_machine):
    found = looks.of(neighbours.links_by_order(any_machine))
    shapes = [tuple((stroke.width, stroke.colour == "white", stroke.dashes) for stroke in look)
              for look in found.values()]
    assert len(set(shapes)) == len(shapes)


def test_look_of_each_link_has_as_many_strokes():
    found = looks.of([Link(width=number) for number in (1, 2, 3, 4, 6, 12)])
    layers = {name: "".join("cw"[stroke.colour == "white"] for stroke in look) for name, look in found.items()}
    assert layers == {"NV1": "c", "NV2": "cw", "NV3": "cwc", "NV4": "cwcw", "NV6": "c", "NV12": "cw"}


def test_texts_are_in_their_boxes_and_can_be_read(any_machine):
    figure = picture.draw(any_machine)
    figure.draw_without_rendering()
    (axes,) = figure.axes
    inches = axes.transData.inverted()
    texts = [found for found in figure.findobj(Text) if found.get_text()]
    extents = {}
    for found in texts:
        assert found.get_fontsize() >= drawing.LEAST_FONT
        (x, y), (x2, y2) = inches.transform(found.get_window_extent().get_points())
        extents[found] = Box(min(x, x2), min(y, y2), abs(x2 - x), abs(y2 - y))
    require_apart([box.grown(-0.015) for box in extents.values()])
    assert all(0 <= box.x and box.right <= drawing.WIDTH and 0 <= box.y for box in extents.values())
    assert max(box.bottom for box in extents.values()) <= figure.get_size_inches()[1]
    names = [found.get_text() for found in texts if found.get_color() == "white"]
    assert sorted(names) == sorted(gpu.name for gpu in any_machine.gpus)


def shown(path):
    if path.suffix == ".png":
        return json.loads(Image.open(path).text["Description"])
    (description,) = ElementTree.parse(path).iter("{http://purl.org/dc/elements/1.1/}description")
    return json.loads(description.text)


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_saved_picture_says_what_it_shows(dgx1, tmp_path, suffix):
    path = tmp_path / f"dgx1.{suffix}"
    picture.save(dgx1, path)
    said = shown(path)
    assert {"dgx1.txt (nvidia-smi)", "Package 1", "20 cores: CPUs 20-39,60-79", "NV1: one link", "NV2: two links",
            "PCIe switch", "GPU7", "ib3"} <= set(said["words"])
    curves_said = said["panels"][0]["curves"]
    assert len(curves_said) == 16 and {"GPU0 GPU4: NV2", "GPU3 GPU7: NV1"} <= set(curves_said)


def test_svg_is_the_same_each_time(dgx1, tmp_path):
    for name in ("one.svg", "two.svg"):
        picture.save(dgx1, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_names_are_drawn_as_they_are_and_no_formula(tmp_path):
    odd = Machine("$x^2$ \\frac \N{SNOWMAN}", gpus=(Gpu(0, model="$"),), cards=(Card("$a_1$"), Card("x" * 500, port=2)))
    picture.save(odd, tmp_path / "odd.svg")
    words = shown(tmp_path / "odd.svg")["words"]
    assert {"$x^2$ \\frac ?", "1 GPU ($), 2 network cards", "$a_1$"} <= set(words)
    assert any(word.startswith("xxx...x") for word in words)


def test_many_lines_are_found_soon():
    links = {pair: Link(width=1 + sum(pair) % 3) for pair in itertools.combinations(range(64), 2)}
    everything = machine(8, 1, gpus=64, cards=64, links=links)
    sheet = layout.lay_out(everything)
    assert len(lines.links(sheet, list(everything.links))) == 2016


@pytest.mark.parametrize(("link", "is_from_each", "said"), [
    (Link(width=1), False, "NV1: one link"), (Link(width=18), True, "NV18: 18 links from each GPU"),
    (Link("XGMI", gb_per_s=50), False, "XGMI 50 GB/s"),
    (Link(gb_per_s=450), True, "NVLink 450 GB/s between each pair")])  # fmt: skip
def test_legend_names_links(link, is_from_each, said):
    assert legend.name(link, is_from_each) == said


def test_legend_has_rows_that_are_on_the_paper():
    pairs = itertools.combinations(range(8), 2)
    made = machine(links={pair: Link(width=number + 1) for number, pair in enumerate(pairs)})
    found, bottom = legend.entries(made, layout.lay_out(made), 3.0)
    assert len(found) == 28 + 2 and len({entry.sample.y for entry in found}) > 3
    ends = [entry.sample.right + 0.08 + width_of(entry.text) for entry in found]
    assert max(ends) <= drawing.WIDTH and max(entry.sample.bottom for entry in found) <= bottom


@pytest.mark.parametrize("width", [0.6, 1.0, 3.0])
def test_texts_are_cut_and_broken_to_a_width(width):
    name = "a_long_name_of_an_interface_np17"
    for short in (cut(name, width), cut_inside(name, width)):
        assert width_of(short) <= width
    assert cut(name, width)[0] == "a" and cut_inside(name, width)[-1] == "7"
    found = headers.wrapped("64 cores: CPUs " + ",".join(map(str, range(0, 128, 2))), width)
    assert 1 < len(found) <= 3 and max(map(width_of, found)) <= width and found[-1].endswith("...")


@pytest.mark.parametrize(("line", "is_crossed"), [
    (((0, 0), (4, 0)), False), (((0, 1.5), (4, 1.5)), True), (((0, 0), (4, 4)), True), (((1.5, 0), (1.5, 0.9)), False),
    (((0, 2.5), (2.5, 5)), False), (((1.5, 1.5), (1.6, 1.6)), True), (((0, 0), (0, 5), (1.5, 1.5)), True)])  # fmt: skip
def test_lines_cross_boxes(line, is_crossed):
    assert curves.crosses(line, Box(1, 1, 1, 1)) is is_crossed


@pytest.mark.parametrize(("piece", "other", "is_along"), [
    (((0, 0), (4, 0)), ((1, 0.05), (2, 0.05)), True), (((0, 0), (4, 0)), ((1, 0.2), (2, 0.2)), False),
    (((0, 0), (4, 0)), ((5, 0), (6, 0)), False), (((0, 0), (4, 0)), ((2, -1), (2, 1)), False),
    (((0, 0), (0, 4)), ((0, 3), (0, 9)), True), (((0, 0), (4, 4)), ((0, 0), (4, 4)), False)])  # fmt: skip
def test_pieces_run_along_each_other(piece, other, is_along):
    assert curves.run_along(piece, other, 0.1) is is_along and curves.run_along(other, piece, 0.1) is is_along


def test_curves_end_where_they_should():
    for line in (curves.arc((0, 0), (3, 4), 0.7), curves.rounded((0, 0), (0, 2), (5, 2), (5, 0))):
        assert line[0] == (0, 0) and math.dist(line[-1], (3, 4) if len(line) == 25 else (5, 0)) < 1e-9
    assert math.isclose(max(point[1] for point in curves.arc((0, 0), (4, 0), 0.5)), 0.5)
