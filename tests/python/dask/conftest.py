# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the tests of Dask over UCXX share."""

import importlib.metadata
import sys

import dask
import pytest

pytest.importorskip("distributed")

# The build folder has the metadata of tools/dev/metadata.py; an installed package has its own.
if not importlib.metadata.entry_points(group="dask.sizeof", name="ucxx"):
    pytest.exit("Dask finds no entry points of ucxx: put build/dev/python, or an installed package, on the path")

import ucxx  # noqa: E402

sys.path.append(__file__.rpartition("/")[0])
# `self`: both ends in this process; else the other end is in a process of its own.
CHANNELS = {"self": {}, "local": {}, "tcp": {"UCXX_LOCAL": "off"}}


@pytest.fixture(autouse=True)
def quiet():
    """Leave nothing initialised, and let Dask open no page at a fixed port."""
    with dask.config.set({"distributed.scheduler.dashboard.enabled": False}):
        yield
    ucxx.reset()


@pytest.fixture(params=CHANNELS)
def channel(request):
    """Return how the two ends of a comm are joined: self, local, tcp."""
    ucxx.init(CHANNELS[request.param])
    return request.param
