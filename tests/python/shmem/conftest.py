# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Over another OpenSHMEM library (UCXX_SHMEM) tests of what it lacks, or does wrong, do not count."""

import pytest

from other_libraries import missing_call, reason_to_skip
from ucxx._shmem_adapters.chosen import chosen

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
