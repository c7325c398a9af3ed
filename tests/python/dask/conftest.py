# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the tests of Dask over UCXX share."""

import importlib.metadata

import dask
import pytest
from comms import CHANNELS

import ucxx


@pytest.fixture(autouse=True, scope="session")
def found():
    """Check that Dask finds the schemes: by the metadata of a build folder, or of an installed package."""
    assert importlib.metadata.entry_points(group="dask.sizeof", name="ucxx"), "tools/dev/metadata.py writes it"


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
