# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs in the manner of shmem4py run with nothing changed but the import.

shmem4py 1.0 itself runs them all, over libucxx_shmem as well: built as docs/how-to/from_shmem4py.md says.
"""

from concurrent.futures import ThreadPoolExecutor
import pathlib
import re

import pytest

from oshrun import run_job

PROGRAMS = pathlib.Path(__file__).parent / "programs4py"
# How many PEs; each also asserts what it computes.
PES = {
    "bounded_buffer": 3,
    "breadth_first": 3,
    "broadcast_tree": 4,
    "careful_copy": 2,
    "conjugate_gradient": 3,
    "context_pool": 2,
    "contexts": 2,
    "election": 4,
    "flag_waves": 4,
    "heat_plate": 2,
    "heat_rod": 3,
    "hello": 1,
    "histogram": 3,
    "life": 2,
    "mandelbrot": 2,
    "matrix_multiply": 4,
    "memory": 2,
    "mutual_exclusion": 3,
    "n_body": 3,
    "odd_even_sort": 4,
    "odd_one_out": 3,
    "pi_integral": 3,
    "pi_monte_carlo": 2,
    "ping_pong": 2,
    "pipeline": 3,
    "prefix_sum": 4,
    "reductions": 3,
    "ring": 4,
    "rows_columns": 4,
    "sample_sort": 3,
    "settings": 2,
    "shortest_paths": 2,
    "sieve": 3,
    "strides": 3,
    "team_or_none": 3,
    "threads": 2,
    "ticket_lock": 2,
    "tidy_up": 2,
    "token_ring": 4,
    "transpose": 3,
    "unequal_collect": 4,
    "waits": 3,
    "weighted_vote": 3,
    "word_count": 3,
    "work_queue": 3,
}


@pytest.fixture(scope="module")
def results():
    """Return how each program has ended: two at a time run, as one has to wait for its start."""
    with ThreadPoolExecutor(2) as pool:
        ended = pool.map(lambda name: run_job(PES[name], PROGRAMS / f"{name}.py"), PES)
        return dict(zip(PES, ended, strict=True))


def test_each_program_has_its_pes():
    assert sorted(PES) == sorted(path.stem for path in PROGRAMS.glob("*.py"))


@pytest.mark.parametrize("name", PES)
def test_imports_what_shmem4py_has(name):
    """Beside NumPy and the standard library there is one import, the one that is changed."""
    imports = re.findall(r"^(?:from|import) (ucxx.*)$", (PROGRAMS / f"{name}.py").read_text(), re.MULTILINE)
    assert set(imports) <= {"ucxx import shmem", "ucxx.shmem import rc  # isort: skip"}


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", PES)
def test_program(name, results):
    status, said = results[name]
    assert (status, said) == (0, ""), said
