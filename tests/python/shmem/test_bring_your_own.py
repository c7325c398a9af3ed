# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`shmem.init(rank=, size=, allgather=)`: processes that something else has started become PEs."""

import os
import pathlib
import re
import sys

import brought
import pytest
from jobs_in_python import PYTHON, ended, prints, run, running

MPIEXEC = pathlib.Path(sys.executable).with_name("mpiexec")
MAY_BE_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def sum_of_ranks(words):
    """Sum what all PEs give, and tell it; initialise again. The end of the process finalises."""
    me = brought.join(words)
    from ucxx import shmem

    sums = shmem.zeros((), "i8")
    shmem.sum_reduce(sums, shmem.array(me + 1, dtype="i8"))
    total = int(sums)
    shmem.finalize()
    shmem.init()
    words.send((me, shmem.n_pes(), total))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_processes_of_multiprocessing(peers, size):
    started = brought.start(peers, size, sum_of_ranks) if size > 1 else [None]
    if size == 1:  # which asks nobody
        (peer,) = started = peers(1, sum_of_ranks)
        peer.send((0, 1))
    total = size * (size + 1) // 2
    assert [peer.receive() for peer in started] == [(rank, size, total) for rank in range(size)]
    assert [peer.join() for peer in started] == [0] * size


# As in a notebook: a process that is no PE forks children, which become PEs of one job.
FORKED = """
import multiprocessing, os, sys, time

def gather(mine, rank, board, barrier):
    board[rank] = mine
    barrier.wait(20)
    return [board[i] for i in range(len(board))]

def work(rank, size, board, barrier):
    from ucxx import shmem
    shmem.init(rank=rank, size=size, allgather=lambda mine: gather(mine, rank, board, barrier))
    found = shmem.zeros((), int)
    shmem.p(found, rank, (rank + 1) % size)
    shmem.barrier_all()
    print(int(found), flush=True)
    if rank == 1:  # PE 0 has come to its end
        time.sleep(0.3)
        shmem.p(found, 9, 2)
    elif rank == 2:
        shmem.wait_until(found, "==", 9)
    elif sys.argv[2] != "end":
        exec(sys.argv[2])

context = multiprocessing.get_context(sys.argv[1])
if __name__ == "__main__":
    with context.Manager() as manager:
        board, barrier = manager.dict({0: 0, 1: 0, 2: 0}), manager.Barrier(3)
        pes = [context.Process(target=work, args=(rank, 3, board, barrier)) for rank in range(3)]
        for pe in pes:
            pe.start()
        for pe in pes:
            pe.join()
    print([pe.exitcode for pe in pes])
"""


@pytest.fixture
def run_forked(tmp_path):
    """Return a function that runs that program: what it says, and the errors."""
    program = tmp_path / "program.py"
    program.write_text(FORKED)

    def run_it(*arguments):
        with running([*PYTHON, str(program), *arguments], {}) as process:
            status, out, err = ended(process)
        assert status == 0, err
        return sorted(out.splitlines()), err

    return run_it


@pytest.mark.parametrize(("method", "end"), [
    ("fork", "end"), ("forkserver", "end"), ("fork", "sys.exit()"), ("fork", "shmem.finalize()"),
])
def test_a_forked_process_that_ends_well_waits_for_the_others(run_forked, method, end):
    assert run_forked(method, end) == (["0", "1", "2", "[0, 0, 0]"], "")


@pytest.mark.parametrize(("end", "status"), [("sys.exit(3)", 3), ("1 / 0", 1), ("os._exit(0)", 0)])
def test_a_forked_process_that_ends_otherwise_ends_the_others(run_forked, end, status):
    lines, err = run_forked("fork", end)
    assert lines == ["0", "1", "2", f"[{status}, -6, -6]"]
    assert re.search(r"ucxx: PE 2 of 3: shmem_int64_wait_until: .*PE 0", err), err


MPI = """
from mpi4py import MPI
from ucxx import shmem

world = MPI.COMM_WORLD
shmem.init(rank=world.rank, size=world.size, allgather=world.allgather)
total = shmem.zeros((), int)
shmem.sum_reduce(total, shmem.array(world.rank + 1))
assert world.allreduce(world.rank + 1) == total
print(shmem.my_pe(), shmem.n_pes(), total)
"""


@pytest.mark.parametrize("pes", [2, 3])
def test_processes_of_mpi(pes):
    status, out, err = run_by_mpi(pes, MPI)
    assert (status, err) == (0, "")
    assert sorted(out.splitlines()) == [f"{pe} {pes} {pes * (pes + 1) // 2}" for pe in range(pes)]


def test_without_the_three_arguments_mpi_is_told_to_use_oshrun():
    status, _, err = run_by_mpi(2, "from ucxx import shmem\nshmem.my_pe()")
    assert status == 1
    assert "RuntimeError: init: the OpenSHMEM library could not be initialised: " in err
    assert "use oshrun, or shmemx_init_with (in Python: ucxx.shmem.init with" in err


def run_by_mpi(pes, code):
    """Run a program as processes of MPI."""
    command = [str(MPIEXEC), "--bind-to", "none", "--oversubscribe", "-n", str(pes), *PYTHON, "-c", code]
    with running(command, {} if os.geteuid() else MAY_BE_ROOT) as process:
        return ended(process)


# Each case in a child, since a process for which it has failed becomes no PE.
WRONG = """
import os
from ucxx import shmem

def raise_in_allgather(mine):
    raise LookupError("nobody answers")

def case(**given):
    child = os.fork()
    if child == 0:
        try:
            shmem.init(**given)
        except Exception as error:
            print(f"{type(error).__name__}: {error}", shmem.query_initialized(), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, given

def twice(mine):
    return [mine, mine]
"""
REFUSED = {
    "rank=0": "TypeError: init: rank = 0, size = None, allgather = None: must be all given, or none",
    "rank=0, size=2": "TypeError: init: rank = 0, size = 2, allgather = None: must be all given, or none",
    "allgather=min": "TypeError: init: rank = None, size = None, allgather = <built-in function min>: "
                     "must be all given, or none",
    "rank='0', size=2, allgather=twice": "TypeError: init: rank = '0': must be an integer",
    "rank=0, size=2.0, allgather=twice": "TypeError: init: size = 2.0: must be an integer",
    "rank=2, size=2, allgather=twice": "ValueError: init: rank = 2: must be from 0 to 1",
    "rank=-1, size=2, allgather=twice": "ValueError: init: rank = -1: must be from 0 to 1",
    "rank=0, size=0, allgather=twice": "ValueError: init: size = 0: must be at least 1",
    "rank=0, size=2, allgather=7": "TypeError: init: allgather = 7: must be a function",
    "rank=0, size=2, allgather=raise_in_allgather": "LookupError: nobody answers",
    "rank=0, size=2, allgather=lambda: 0": "TypeError: <lambda>() takes 0 positional arguments but 1 was "
                                           "given",
    "rank=0, size=2, allgather=lambda mine: 5": "TypeError: init: allgather must return a sequence",
    "rank=0, size=2, allgather=lambda mine: None": "TypeError: init: allgather must return a sequence",
    "rank=0, size=3, allgather=twice": "ValueError: init: allgather has returned 2 items: must be 3, one "
                                       "for each rank",
    "rank=0, size=2, allgather=lambda mine: [mine, 'x']": "ValueError: init: allgather has returned 'x' "
    "for rank 1: must be the bytes that it was given there",
    # No quote after the b: repr() chooses it by the bytes, and they are random.
    "rank=0, size=2, allgather=lambda mine: [mine, mine[1:]]": "ValueError: init: allgather has returned b",
}  # fmt: skip


def test_wrong_arguments_are_errors_that_say_what_would_be_right():
    said = run(WRONG + "".join(f"\nprint('''{given}''', end=' -> ', flush=True)\ncase({given})"
                               for given in REFUSED))
    assert (said.status, said.err) == (0, "")
    found = dict(line.split(" -> ", 1) for line in said.out.splitlines())
    for given, words in REFUSED.items():
        assert found[given].startswith(words), given
        assert found[given].endswith(" False"), given


def test_what_all_have_brought_must_be_cards_of_this_library():
    status, _, err = run("""
from ucxx import shmem
shmem.init(rank=0, size=2, allgather=lambda mine: [mine, bytes(len(mine))])
""")
    assert status == 1
    assert "RuntimeError: init: the OpenSHMEM library could not be initialised: " in err


def test_a_process_that_has_failed_gets_an_error_from_each_later_use():
    lines = prints(WRONG + """
for use in (lambda: shmem.init(rank=0, size=2, allgather=raise_in_allgather), shmem.init,
            lambda: shmem.my_pe(), lambda: shmem.zeros(3)):
    try:
        use()
    except Exception as error:
        print(type(error).__name__)
""")
    assert lines == ["LookupError", "RuntimeError", "RuntimeError", "RuntimeError"]


def test_a_pe_cannot_be_brought_again():
    lines = prints("""
from ucxx import shmem
shmem.init()
try:
    shmem.init(rank=0, size=1, allgather=lambda mine: [mine])
except RuntimeError as error:
    print(error)
shmem.finalize()
try:
    shmem.init(rank=0, size=1, allgather=lambda mine: [mine])
except RuntimeError as error:
    print(error)
shmem.init()
print(shmem.n_pes())
""")
    assert lines[0] == "1"
    assert any(line.startswith("init: the library runs already: rank, size and") for line in lines)
    assert any(re.search("this process is a PE already", line) for line in lines)


def fail_in_allgather(words):
    """Tell what `init` raises where the exchange has failed."""
    from ucxx import shmem

    rank, size = words.recv()

    def allgather(mine):
        words.send(mine)
        words.recv()
        raise ConnectionError("the board is gone")

    try:
        shmem.init(rank=rank, size=size, allgather=allgather)
    except ConnectionError as error:
        words.send(str(error))


def test_an_allgather_that_fails_for_all_is_told_to_all(peers):
    started = brought.start(peers, 3, fail_in_allgather)
    assert [peer.receive() for peer in started] == ["the board is gone"] * 3
    assert [peer.join() for peer in started] == [0] * 3


def one_fails(words):
    """As before, for PE 1 alone, which ends; the others tell what the library says."""
    from ucxx import shmem

    rank, size = words.recv()

    def allgather(mine):
        words.send(mine)
        cards = words.recv()
        if rank == 1:
            os._exit(3)
        return cards

    try:
        shmem.init(rank=rank, size=size, allgather=allgather)
    except RuntimeError as error:
        words.send(str(error))


def test_the_end_of_a_process_in_the_exchange_is_told_to_the_others(peers):
    started = brought.start(peers, 3, one_fails)
    for rank in (0, 2):
        said = started[rank].receive()
        assert said.startswith("init: the OpenSHMEM library could not be initialised: ")
        assert "PE 1" in said
    assert [peer.join() for peer in started] == [0, 3, 0]
