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

# Tests of nothing but what came with OpenSHMEM 1.5.
OF_1_5 = {"test_teams.py*": "the library has no teams"}

# Tests of what is UCXX's own: how its launcher ends a job, what its library says, starts without a launcher.
OF_OWN = {
    f"test_{name}.py*": "of UCXX's library and launcher alone"
    for name in ("bring_your_own", "early_names", "end", "faults", "forks", "interrupts", "notebook", "ping_pong",
                 "prk", "prk_compare", "prk_pages", "prk_wrong", "rc", "shmem_leaks", "start")
} | {
    "test_errors.py::test_calls_before_init_and_after_finalize": "ends processes that no launcher has started",
    "test_errors.py::test_wrong_starts": "of UCXX's library and launcher alone",
    "test_teams.py::test_more_teams_than_there_can_be": "how many teams a job of UCXX's library has",
    "test_shmem_names.py::test_first_use_of_a_name_initialises": "ends a process that no launcher has started",
}  # fmt: skip

# What a library does otherwise than the standard, or than NumPy, says: the tests that see it. The page
# docs/how-to/shmem_libraries.md has these in words.
WRONG = {
    "http://www.open-mpi.org/": {
        "test_atomics.py::test_compare_and_swap*": "int32 compare_swap ends the program: it stores 8 bytes over 4",
        "test_atomics.py::test_integers": "of uint32 bitwise operations may store zeros",
        "test_one_element.py::test_one_element*atomics*": "int32 compare_swap ends the program",
        "test_programs4py.py::test_program*breadth_first*": "int32 compare_swap ends the program",
        "test_programs4py.py::test_program*context_pool*": "int32 compare_swap ends the program",
        "test_programs4py.py::test_program*election*": "int32 compare_swap ends the program",
        "test_reductions.py::test_kinds*not_a_number*": "largest and smallest pass over NaN",
        "test_signals.py::test_signals*words_alone*": "an atomic operation of a context that ends may be lost",
        "test_threads.py::test_threads_call_at_once": "calls of several threads at once may hang, or end the program",
        "test_waits.py::test_one*compare_one*": "compares unsigned elements as signed ones",
    },
}


def missing_call(adapter, text):
    """Return what the library lacks, if a failure of that text comes from it."""
    match = re.search(r"Error: .* \(OpenSHMEM \d+\.\d+, by the adapter \S+\) has no (\w+)", text)
    if not match or match[1] in adapter.lacks:
        return match and match[1]
    known = [*EXTENSIONS, *(SINCE_1_5 if adapter.version < (1, 5) else []),
             *(SINCE_1_6 if adapter.version < (1, 6) else [])]  # fmt: skip
    return match[1] if any(fnmatch.fnmatch(match[1], call) for call in known) else None


def reason_to_skip(adapter, test):
    """Return why a test does not run over a library, or None."""
    tables = [OF_OWN, WRONG.get(adapter.vendor, {}), OF_1_5 if adapter.version < (1, 5) else {}]
    return next((reason for table in tables for pattern, reason in table.items()
                 if fnmatch.fnmatch(test, f"*{pattern}")), None)
