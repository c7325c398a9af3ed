# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Machines as JSON: there and back, and files that are damaged."""

import copy
import json
import random

import pytest

from ucxx.topology import jsons, reading, text
from ucxx.topology.machine import Card, Closeness, Core, Gpu, Link, Machine, Node, TopologyError

FULL = Machine(
    name="full", source="by hand",
    cores=(Core(frozenset({0, 2}), 0, 0), Core(frozenset({1, 3}), 1, 1)), nodes=(Node(0, 0, 1 << 30), Node(1, 1)),
    gpus=(Gpu(0, frozenset({0, 2}), 0, "0000:06:00.0", "A100", "GPU-1", ("MIG-1", "MIG-2")), Gpu(3)),
    cards=(Card("mlx5_0", frozenset({1}), 1, "0000:05:00.0", "roce", "ib0", 1, 12.5, True), Card("mlx5_0", port=2)),
    links={(0, 3): Link("XGMI", None, 50.0)}, between={("GPU0", "mlx5_0"): Closeness.PXB},
)  # fmt: skip


def there_and_back(machine):
    return jsons.from_text(json.dumps(jsons.to_json(machine)))


def test_nothing_is_lost():
    assert there_and_back(FULL) == FULL and there_and_back(Machine()) == Machine()


def test_nothing_is_lost_of_any_machine(machines):
    paths = sorted(machines.iterdir())
    assert len(paths) >= 9
    for path in paths:
        machine = reading.read(path)
        assert there_and_back(machine) == machine, path


def test_file_is_read_by_the_way_in_of_all_readers(tmp_path):
    path = tmp_path / "full.json"
    path.write_text(json.dumps(jsons.to_json(FULL)))
    assert reading.read(path) == FULL


def test_json_does_not_change_with_the_machine():
    data = jsons.to_json(FULL)
    data["nodes"][0]["index"] = 7
    assert FULL.nodes[0].index == 0


def test_least_that_may_be_written_by_hand():
    assert jsons.from_json({"format": 1}, "mine") == Machine("mine")
    data = {"format": 1, "gpus": [{"index": 1}, {"index": 0, "cpus": "0-3"}], "links": [{"gpus": [1, 0], "width": 2}]}
    assert jsons.from_json(data) == Machine(gpus=(Gpu(1), Gpu(0, frozenset(range(4)))), links={(0, 1): Link(width=2)})


GPUS = {"gpus": [{"index": 0}, {"index": 1}]}
WRONG = [
    ([], "the whole is ["), ({}, "format is missing"), ({"format": 2}, "format is 2; expected is 1"),
    ({"format": True}, "format is True; expected is 1"),
    ({"format": 1, "gpu": []}, "'gpu' is no key here; there are format,"),
    ({"gpus": {}}, "gpus is {}; expected is a list"), ({"gpus": [7]}, "gpus[0] is 7; expected is an object"),
    ({"gpus": [{}]}, "gpus[0].index is missing"),
    ({"gpus": [{"index": -1}]}, "gpus[0].index is -1; expected is a whole number"),
    ({"gpus": [{"index": 0.0}]}, "gpus[0].index is 0.0"), ({"gpus": [{"index": 10**5000}]}, "gpus[0].index is"),
    ({"gpus": [{"index": 0}, {"index": 0}]}, "gpus: 0 is there 2 times"),
    ({"gpus": [{"index": 0, "cpus": "3-1"}]}, "gpus[0].cpus is '3-1'; expected is a list of CPUs"),
    ({"gpus": [{"index": 0, "cpus": [0]}]}, "gpus[0].cpus is [0]; expected is a list of CPUs as a text"),
    ({"gpus": [{"index": 0, "slices": [""]}]}, "gpus[0].slices[0] is ''; expected is a name"),
    ({"gpus": [{"index": number} for number in range(1025)]}, "gpus has 1025 entries; expected are 1024 at most"),
    ({"cards": [{"name": ""}]}, "cards[0].name is ''"), ({"cards": [{"name": "a\nb"}]}, "cards[0].name is 'a\\nb'"),
    ({"cards": [{"name": "\ud800"}]}, "cards[0].name is"), ({"cards": [{"name": "x" * 5000}]}, "cards[0].name is 'xxx"),
    ({"cards": [{"name": "a", "kind": "token"}]}, "cards[0].kind is 'token'; expected is one of 'infiniband', 'roce'"),
    ({"cards": [{"name": "a", "gb_per_s": 0}]}, "cards[0].gb_per_s is 0; expected is a number above 0"),
    ({"cards": [{"name": "a", "gb_per_s": float("nan")}]}, "cards[0].gb_per_s is nan"),
    ({"cards": [{"name": "a", "gb_per_s": float("inf")}]}, "cards[0].gb_per_s is inf"),
    ({"cards": [{"name": "a", "is_up": 1}]}, "cards[0].is_up is 1; expected is true, false or null"),
    ({"cards": [{"name": "a", "port": "1"}]}, "cards[0].port is '1'"),
    ({"cards": [{"name": "a"}, {"name": "a"}]}, "cards: 'a' is there 2 times"),
    ({"nodes": [{"index": 0}]}, "nodes[0].package is missing"),
    ({"nodes": [{"index": 0, "package": 0, "memory_bytes": 1 << 70}]}, "nodes[0].memory_bytes is 11805"),
    ({"cores": [{"cpus": "", "node": 0, "package": 0}]}, "cores[0].cpus is ''; expected is the CPUs of a core"),
    ({"cores": [{"cpus": "0-1", "node": 0, "package": 0}, {"cpus": "1", "node": 0, "package": 0}]},
     "cores: 1 is there 2 times"),
    ({"cores": [{"cpus": "99999", "node": 0, "package": 0}]}, "cores[0].cpus is '99999'"),
    ({**GPUS, "links": [{"gpus": [0]}]}, "links[0].gpus is [0]; expected is a list of two"),
    ({"links": [{}]}, "links[0].gpus is missing"),
    ({**GPUS, "links": [{"gpus": [0, 2]}]}, "links[0].gpus is [0, 2]; expected is the indices of two GPUs of the file"),
    ({**GPUS, "links": [{"gpus": [0, 0]}]}, "links[0].gpus is [0, 0]"),
    ({**GPUS, "links": [{"gpus": [0, 1], "width": 0}]}, "links[0].width is 0"),
    ({**GPUS, "links": [{"gpus": [0, 1]}, {"gpus": [1, 0]}]}, "links[1].gpus is [1, 0]"),
    ({**GPUS, "links": [{"gpus": [0, 1], "kind": "rope"}]}, "links[0].kind is 'rope'"),
    ({**GPUS, "between": [{"devices": ["GPU0", "GPU1"], "closeness": "NV2"}]},
     "between[0].closeness is 'NV2'; expected is one of 'PIX'"),
    ({**GPUS, "between": [{"devices": ["GPU0", "ib0"], "closeness": "PIX"}]},
     "between[0].devices is ['GPU0', 'ib0']; expected"),
    ({"name": 7}, "name is 7; expected is a text"), ({"name": [[[[[[[[[0]]]]]]]]]}, "name is [[[[[["),
]  # fmt: skip


@pytest.mark.parametrize(("data", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_is_wrong_is_named_with_its_key_and_value(data, words):
    if data and "gpu" not in data:
        data = {"format": 1, **data}
    with pytest.raises(TopologyError) as told:
        jsons.from_json(data, "mine.json")
    assert str(told.value).startswith(f"mine.json: {words}") and len(str(told.value)) < 300
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(("said", "words"), [
    ("{", "x: line 1 is no JSON: Expecting"), ('{\n"format": 1,\n}', "x: line 3 is no JSON"),
    ("", "x: line 1 is no JSON"),
    ('{"format": 1}{', "x: line 1 is no JSON: Extra data"), ('{"a":' * 100_000, "x: this is no JSON of a machine"),
    ('{"format": 1' + "0" * 5000 + "}", "x: this is no JSON of a machine"),
])  # fmt: skip
def test_text_that_is_no_json(said, words):
    with pytest.raises(TopologyError) as told:
        jsons.from_text(said, "x")
    assert str(told.value).startswith(words)


ODD = [None, True, False, 0, -1, 1, 2, 1 << 80, 0.5, float("nan"), "", "x", "GPU0", "0-3", "0-99999999", "\x00", [],
       [0, 1], {}, {"": 0}]  # fmt: skip


def places(data, found):
    """Collect all (container, key) of a tree."""
    for key in data if isinstance(data, dict) else range(len(data)):
        found.append((data, key))
        if isinstance(data[key], (dict, list)):
            places(data[key], found)
    return found


def damaged(data, luck):
    """Return a copy of a tree in which something was changed, taken away, repeated or added."""
    data = copy.deepcopy(data)
    for _ in range(luck.choice((1, 1, 2, 5))):
        container, key = luck.choice(places(data, []) or [(data, "format")])
        do = luck.randrange(4)
        if do == 0 and isinstance(container, dict):
            container[luck.choice(["x", "index", "cpus", "name"])] = luck.choice(ODD)
        elif do == 1 and isinstance(container, list):
            container.insert(key, copy.deepcopy(luck.choice(container)))
        elif do == 2:
            del container[key]
        else:
            container[key] = copy.deepcopy(luck.choice(ODD))
    return data


def require_machine_or_error(read, seen):
    try:
        machine = read()
    except TopologyError as error:
        seen["errors"] += 1
        assert "\n" not in str(error)
    else:
        seen["machines"] += 1
        assert there_and_back(machine) == machine
        assert text.describe(machine).endswith("\n")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["amd.xml", "bridged.txt", None])
def test_damaged_trees_are_machines_or_errors(machines, name):
    data = jsons.to_json(reading.read(machines / name) if name else FULL)
    luck, seen = random.Random(50), {"machines": 0, "errors": 0}
    for _ in range(2000):
        wrong = damaged(data, luck)
        require_machine_or_error(lambda wrong=wrong: jsons.from_json(wrong), seen)
    assert seen["machines"] > 20 and seen["errors"] > 1000


@pytest.mark.slow
def test_damaged_texts_are_machines_or_errors():
    said = json.dumps(jsons.to_json(FULL))
    luck, seen = random.Random(51), {"machines": 0, "errors": 0}
    for _ in range(4000):
        first, last = sorted(luck.randrange(len(said)) for _ in range(2))
        wrong = luck.choice((said[:first], said[:first] + said[last:], said[:last] + said[first:],
                             said[:first] + luck.choice('{}[]",:0-e\\\x00\ud800') + said[first + 1 :]))  # fmt: skip
        require_machine_or_error(lambda wrong=wrong: jsons.from_text(wrong, "x"), seen)
    assert seen["errors"] > 3000
