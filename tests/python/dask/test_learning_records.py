# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What was learnt as plain data, as text and as HTML."""

import html.parser
import json

import pytest
from learning import FIRST, SECOND

from ucxx.dask.learning import records
from ucxx.dask.learning.kinds import HOST, PICKLED
from ucxx.dask.learning.knowledge import Knowledge
from ucxx.dask.learning.records import Bandwidths

MEGABYTE = 1_000_000


@pytest.fixture
def known():
    """Return what is known of two workers of one machine, and of some transfers."""
    made = Knowledge()
    for address in (FIRST, SECOND):
        made.put(address, {"machine": "m"})
    made.learn(FIRST, SECOND, HOST, (100, 100 * MEGABYTE, 100 * 1e-3))
    made.learn(SECOND, FIRST, HOST, (100, 100 * MEGABYTE, 100 * 1e-2))
    return made


def read(known, first="one", second="two"):
    """Return the table of it, by way of a message."""
    return Bandwidths(json.loads(json.dumps(records.of(known, {FIRST: first, SECOND: second}))))


def test_records(known):
    table = read(known)
    learnt, other = table.classes
    assert (learnt["class"], learnt["kind"], learnt["samples"]) == ("shared memory", HOST, 200)
    assert (learnt["prior_gb_per_s"], learnt["prior_latency_us"]) == pytest.approx((10, 20))
    assert learnt["gb_per_s"] == pytest.approx(0.1, rel=0.2)
    assert learnt["megabyte_us"] == pytest.approx(learnt["latency_us"] + 1e3 / learnt["gb_per_s"])
    assert (other["kind"], other["samples"], other["spread"]) == (PICKLED, 0, 1.0)
    assert [(pair["holder"], pair["receiver"]) for pair in table.pairs] == [("two", "one"), ("one", "two")]
    assert table.pairs[0]["megabyte_us"] == pytest.approx(10_000, rel=0.1)
    assert table.pairs[1]["megabyte_us"] == pytest.approx(1000, rel=0.1)


def test_text(known):
    table = read(known)
    header, learnt, other, empty, caption, names, slowest, quicker = str(table).splitlines()
    assert header.split() == ["class", "kind", "prior", "learnt", "spread", "samples"]
    assert learnt.startswith("shared memory  host array  10 GB/s, 20 us  ")
    assert learnt.endswith("  200")
    nothing = f"{'shared memory  pickled     10 GB/s, 20 us  -':<{learnt.index('x ')}}-"
    assert other == f"{nothing:<{learnt.rindex('200')}}0"
    assert (empty, caption) == ("", "slowest pairs")
    assert names.split() == ["holder", "receiver", "kind", "learnt", "spread", "samples"]
    assert slowest.split()[:4] == ["two", "one", "host", "array"]
    assert quicker.split()[:2] == ["one", "two"]
    assert repr(table) == str(table)
    assert not any(line != line.rstrip() for line in str(table).splitlines())


def test_without_transfers_and_without_anything():
    known = Knowledge()
    table = read(known)
    assert table.pairs == []
    assert "slowest" not in str(table)
    assert "slowest" not in table._repr_html_()
    assert [row["samples"] for row in table.classes] == [0] * len(table.classes)
    nothing = Bandwidths({"classes": [], "pairs": []})
    assert str(nothing) == "no links are known yet"
    assert nothing._repr_html_() == "<p>no links are known yet</p>"


def test_the_ten_slowest_pairs():
    known = Knowledge()
    workers = {f"ucx://10.0.0.1:{number}": f"w{number}" for number in range(30)}
    for number, address in enumerate(workers):
        known.learn(address, "ucx://10.0.0.1:0", PICKLED, (50, 50 * MEGABYTE, 50 * 1e-3 * (number + 1)))
    pairs = records.of(known, workers)["pairs"]
    assert [pair["holder"] for pair in pairs] == [f"w{number}" for number in range(29, 19, -1)]
    del workers["ucx://10.0.0.1:29"]  # it has gone
    assert records.of(known, workers)["pairs"][0]["holder"] == "w28"


class Tags(html.parser.HTMLParser):
    """Collects tags and text."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts = set(), []

    def handle_starttag(self, tag, attributes):
        """Keep a tag."""
        assert not attributes
        self.tags.add(tag)

    def handle_data(self, data):
        """Keep a text."""
        self.texts.append(data)


HOSTILE = "</td><script>alert(1)</script>&<b"


def test_names_do_not_break_out_of_html(known):
    known.put(FIRST, {"machine": "m", "gpu": 0, "links": {"0": [HOSTILE, 1, 1]}})
    found = Tags()
    found.feed(read(known, HOSTILE)._repr_html_())
    assert found.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert found.texts.count(HOSTILE) == 3  # twice a pair's, once a link's
    assert {"links", "slowest pairs", "class", "holder"} <= set(found.texts)


@pytest.mark.parametrize("name", ["two\nlines", "\x1b[2Jclears", "\rback", "a\u2028b", "\u202ereversed", "tab\there"])
def test_names_do_not_break_out_of_the_text(known, name):
    said = str(read(known, name))
    assert len(said.splitlines()) == 8
    assert said.replace("\n", "").isprintable()
