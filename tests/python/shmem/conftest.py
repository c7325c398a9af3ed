# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What tests of `ucxx.shmem` share.

Over another OpenSHMEM library (UCXX_SHMEM) tests of what it lacks, or does wrong, do not count.
"""

import pytest

from other_libraries import missing_call, reason_to_skip
from prk_runs import FAST_START, OSHMEM, TRANSPORTS
from ucxx._shmem_adapters import making
from ucxx._shmem_adapters.chosen import chosen
from ucxx.benchmarks.prk import tools

ADAPTER = chosen()


def pytest_collection_modifyitems(items):
    if ADAPTER is None:
        return
    for item in items:
        if reason := reason_to_skip(ADAPTER, item.nodeid):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if ADAPTER is not None and report.failed and (name := missing_call(ADAPTER, report.longreprtext)):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1], f"Skipped: {ADAPTER.name} has no {name}")
    return report


@pytest.fixture(scope="session")
def prk_cache(tmp_path_factory):
    """Return the folder where all tests of kernels keep what they compile."""
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def prk_settings(prk_cache):
    """Compile into a folder of these tests, and start programs of MPI fast."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", prk_cache)
        for name, value in FAST_START.items():
            patch.setenv(name, value)
        yield


@pytest.fixture
def oshmem(slow_start):
    """Return the tools of Open MPI's OSHMEM."""
    try:
        found = tools.find("shmem", OSHMEM)
        assert found.compiler
    except tools.Missing as missing:
        pytest.skip(str(missing))
    return found


@pytest.fixture
def adapter(oshmem):
    """Return the adapter to it, which one test makes for all."""
    try:
        return tools.adapter_to(oshmem)
    except tools.Missing:
        return making.adapt(oshmem.compiler)


@pytest.fixture
def slow_start(prk_settings, monkeypatch):
    """Let MPI, and the UCX of others, choose their transports themselves, as for users."""
    for name in (*FAST_START, *TRANSPORTS):
        monkeypatch.delenv(name, raising=name in FAST_START)
