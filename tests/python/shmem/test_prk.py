# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The Parallel Research Kernels: all validate, in each language over each model, with 1 to 4 PEs.

Another OpenSHMEM library has a share here, 2 PEs; `./dev prk-all` runs all of them.
"""

import dataclasses

import numpy as np
import pytest

from prk_runs import ALL, MODELS, PLAN, run, said_by
from ucxx.benchmarks.prk import KERNELS, compare, powers, programs, random, shares, tools
from ucxx.benchmarks.prk.layout import Layout

pytestmark = pytest.mark.usefixtures("prk_settings")


def there(languages, models, pes):
    """Return the cases that there are."""
    return [pytest.param(case, id=f"{case.kernel}-{case.language}-{case.model}-{case.pes}")
            for case in compare.cases(KERNELS, pes, languages, models)]


@pytest.mark.parametrize("case", [
    *there(["c", "numpy"], MODELS, [1, 2, 3, 4]),
    *there(["numba"], MODELS, [1, 2, 3, 4] if ALL else [2]),  # each PE compiles
])
def test_kernel_validates(case):
    run(case)


@pytest.mark.parametrize("case", there(["c"], ["oshmem"], [1, 2, 3, 4] if ALL else [2]))
def test_kernel_validates_over_another_openshmem(case, oshmem):
    run(case, found=oshmem)


SHARE = [compare.Case("stencil", 2, "numpy", "oshmem"), compare.Case("synch_p2p", 2, "numba", "oshmem")]


@pytest.mark.usefixtures("adapter")
@pytest.mark.parametrize("case", there(["numpy", "numba"], ["oshmem"], [1, 2, 3, 4]) if ALL else SHARE)
def test_kernel_in_python_validates_over_another_openshmem(case, oshmem):
    if case.kernel == "dgemm":
        assert compare.reason_to_skip(case, {"oshmem": oshmem}) == "openmpi has no shmem_team_split_2d"
    else:
        run(case, found=oshmem)


if ALL:
    @pytest.mark.usefixtures("slow_start")
    @pytest.mark.parametrize("case", there(["c"], ["mpi"], [1, 2, 3, 4]))
    def test_kernel_validates_over_mpich(case, root):
        run(case, found=tools.find("mpi", str(root / "build/peers/mpich/bin")))
else:
    @pytest.mark.parametrize("pes", [1, 3])
    def test_compiled_communication_validates(pes):
        run(compare.Case("synch_p2p", pes, "numba", "shmem"))


PES = [1, 2, 3, 4] if ALL else [1, 3]


@pytest.mark.parametrize("pes", PES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("language", compare.LANGUAGES if ALL else ["c", "numpy"])
def test_transpose_by_get_validates(language, model, pes):
    plan = dataclasses.replace(PLAN, variant="get")
    run(compare.Case("transpose", pes, language, model), plan)


@pytest.mark.parametrize("radius", [1, 2, 4, 5, 6, 7, 15])
@pytest.mark.parametrize("language", compare.LANGUAGES if ALL else ["c", "numpy"])
def test_stencil_validates_with_each_radius(language, radius):
    plan = dataclasses.replace(PLAN, order=31, radius=radius)  # which no number of PEs divides
    run(compare.Case("stencil", 2, language, "shmem"), plan)


@pytest.mark.parametrize("pes", PES)
@pytest.mark.parametrize(("language", "model"), [("c", "shmem"), ("c", "mpi"), ("numpy", "shmem"), ("numba", "shmem")])
def test_refcount_by_atomic_operations_validates(language, model, pes):
    found = tools.find(model)
    program = [programs.compiled("refcount", found), "3", "100", "atomic"] if language == "c" else [
        found.python, "-B", "-m", "ucxx.benchmarks.prk.refcount", f"--language={language}",
        "--updates=100", "--variant=atomic"]
    assert "Solution validates" in said_by(found, program, pes)


@pytest.mark.parametrize("variant", ["go", "stop", "never", "many"])
@pytest.mark.parametrize("straight", ["", "-straight"])
def test_each_branch_validates(variant, straight):
    found, name = tools.find("shmem"), variant + straight
    program = programs.compiled("branch", found)
    for iterations in ("3", "4"):
        assert "Solution validates" in said_by(found, [program, iterations, "1003", name], 2)
    module = [found.python, "-B", "-m", "ucxx.benchmarks.prk.branch", "--length=1003", f"--variant={name}"]
    assert "Solution validates" in said_by(found, module, 2)


def test_powers_of_two_are_those_by_doubling():
    value, seen = 1, []
    for exponent in range(200):
        seen.append(value)
        assert powers.power_of_two(exponent) == value < 1 << 63
        value = powers.doubled(value)
    assert len(set(seen)) == 200


@pytest.mark.parametrize(("elements", "updates", "pes"), [(64, 100, 3), (8, 5, 8), (2, 20_000, 1)])
def test_layouts_and_replays(elements, updates, pes):
    layout = Layout(elements.bit_length() - 1, pes)
    wanted = np.arange(elements, dtype=np.uint64)
    for exponent in range(updates):
        value = powers.power_of_two(exponent)
        wanted[value % elements] ^= np.uint64(value)
    parts = []
    for pe in range(pes):
        owned = layout.owned(pe)
        assert {index * pes >> layout.bits for index in owned} == {pe}
        assert len({index & (layout.part - 1) for index in owned}) == len(owned) <= layout.part
        start = np.arange(owned.start, owned.stop, dtype=np.uint64)
        parts.append(random.replayed(start, layout, updates))
    assert np.array_equal(np.concatenate(parts), wanted)


# Both PEs have the sum of both strings after each turn: 3, 6, 12, 24.
TURNS = """
from ucxx import shmem
from ucxx.benchmarks.prk.loops import numba_options
from ucxx.benchmarks.prk.over_shmem.memory import Memory
from ucxx.benchmarks.prk.over_shmem.strings import Strings

def take(own, everything, me, pes):
    for i in range(len(own)):
        own[i] = everything[i] + everything[i + len(own)]

take = numba_options.compiled(take) if {language!r} == "numba" else take
strings = Strings(Memory(), 100, take, {language!r})
strings.own[:] = shmem.my_pe() + 1
shmem.barrier_all()
strings.turn(1)
strings.turn(0)
strings.turn(3)
print(set(strings.own.tolist()))
"""


@pytest.mark.parametrize("language", ["numpy", "numba"])
def test_strings_of_all_are_those_of_the_last_turn(tmp_path, language):
    path = tmp_path / "turns.py"
    path.write_text(TURNS.format(language=language))
    found = tools.find("shmem")
    assert said_by(found, [found.python, "-B", str(path)], 2) == "{24}\n" * 2


@pytest.mark.parametrize("language", ["c", "numpy"])
def test_rate_as_text(language):
    found = tools.find("shmem")
    program = [programs.compiled("transpose", found), "5", "60"]
    if language == "numpy":
        program = [found.python, "-B", "-m", "ucxx.benchmarks.prk.transpose", "--order=60"]
    lines = said_by(found, program, 2).split("\n")
    assert lines[1] == "Solution validates"
    assert lines[2].startswith("Rate: ") and "MB/s" in lines[2]


@pytest.mark.parametrize(("pes", "columns"), [(1, 1), (2, 1), (4, 2), (7, 1), (12, 3), (16, 4)])
def test_grids_of_pes(pes, columns):
    assert shares.columns_of(pes) == columns


def test_shares_cover_everything():
    firsts = [shares.first_of(11, 4, part) for part in range(5)]
    assert firsts == [0, 3, 6, 9, 11]
    assert [shares.share_of(11, 4, part) for part in range(4)] == [3, 3, 3, 2]
