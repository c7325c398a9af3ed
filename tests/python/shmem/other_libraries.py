# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What other OpenSHMEM libraries than UCXX's lack, and what they do wrong: which tests do not run there."""

import fnmatch
import re

# What a library of OpenSHMEM 1.4 lacks, for which an adapter has no substitute. A test that asks for one
# of them fails with NotImplementedError, and is skipped.
SINCE_1_5 = ["shmem_team_split_strided", "shmem_team_split_2d", "shmem_team_destroy", "SHMEM_TEAM_SHARED"]
SINCE_1_6 = ["shmem_team_ptr", "shmem_*_sum_inscan", "shmem_*_sum_exscan"]
# What UCXX's library has beyond the standard.
EXTENSIONS = ["shmemx_init_with"]

# Tests of UCXX's own library: its launcher, its messages, its ends.
OF_OWN = {}

# What a library does otherwise than the standard says: the tests that see it.
WRONG = {
    "openmpi": {
        "test_waits.py::test_one*compare_one*": "compares unsigned elements as signed ones",
        "test_atomics.py::test_compare_and_swap*": "shmem_int_atomic_compare_swap writes 8 bytes over 4",
    },
}


def missing_call(adapter, text):
    """Return what the library lacks, if a failure of that text comes from it."""
    match = re.search(r"NotImplementedError: .* \(OpenSHMEM \d+\.\d+, by the adapter \S+\) has no (\w+)", text)
    if not match:
        return None
    known = [*EXTENSIONS, *(SINCE_1_5 if adapter.version < (1, 5) else []),
             *(SINCE_1_6 if adapter.version < (1, 6) else [])]  # fmt: skip
    return match[1] if any(fnmatch.fnmatch(match[1], call) for call in known) else None


def reason_to_skip(adapter, test):
    """Return why a test does not run over a library, or None."""
    tables = [OF_OWN, WRONG.get(adapter.name, {})]
    return next((reason for table in tables for pattern, reason in table.items()
                 if fnmatch.fnmatch(test, f"*{pattern}")), None)
