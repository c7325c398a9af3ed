# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The fixtures `peers` and `pes`, and the functions beside them."""

import os
import pickle
import signal
import time

import pytest

import ucxx.testing
from ucxx.testing._pes import PesPool


def talk(words):
    """Send back each word until the other end hangs up."""
    try:
        while True:
            words.send((os.getpid(), words.recv()))
    except EOFError:
        pass


def mute(words):
    """Say nothing, and do not mind a hang-up."""
    while True:
        time.sleep(60)


def end_with(words, status):
    """End at once."""
    raise SystemExit(status)


def test_peers_are_processes_that_talk(peers):
    group = peers(3, talk)
    for peer in group:
        peer.send("hello")
    said = [peer.receive() for peer in group]
    assert [word for _, word in said] == ["hello"] * 3
    assert [pid for pid, _ in said] == [peer.pid for peer in group]
    assert os.getpid() not in {peer.pid for peer in group}


def test_killed_one_is_dead_and_says_so(peers):
    one, other = peers(2, talk)
    one.kill()
    assert one.join() == -signal.SIGKILL
    with pytest.raises(EOFError):
        one.receive()
    other.send(1)
    assert other.receive() == (other.pid, 1)


def test_stopped_one_is_silent_until_it_goes_on(peers):
    (peer,) = peers(1, talk)
    peer.send(0)
    peer.receive()
    peer.stop()
    peer.send(1)
    with pytest.raises(TimeoutError, match="has sent nothing for 0.1 s"):
        peer.receive(timeout=0.1)
    peer.go_on()
    assert peer.receive() == (peer.pid, 1)


def test_end_ends_who_does_not_listen():
    with ucxx.testing.running_peers(1, mute) as (peer,):
        with pytest.raises(TimeoutError, match="has not ended"):
            peer.join(timeout=0.01)
    assert peer.process.exitcode == -signal.SIGKILL


def test_exit_codes(peers):
    (peer,) = peers(1, end_with, 7)
    assert peer.join() == 7
    process = ucxx.testing.run_in_subprocess(end_with, None, 3)
    ucxx.testing.join_processes([process], timeout=ucxx.testing.DEADLINE)
    with pytest.raises(RuntimeError, match="exit code 3"):
        ucxx.testing.terminate_process(process)


# PEs ---------------------------------------------------------------------------------------------


class OddError(Exception):
    """One that cannot be pickled: it wants two arguments."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def numbers():
    """Return who this is."""
    from ucxx import shmem

    return shmem.my_pe(), shmem.n_pes(), os.getpid()


def sum_of(values):
    """Return the sum of one value of each PE."""
    from ucxx import shmem

    mine = shmem.array(values[shmem.my_pe()])
    total = shmem.empty((), mine.dtype)
    shmem.sum_reduce(total, mine)
    for array in (mine, total):
        shmem.free(array)
    return int(total)


def fail_on(pe, kind, *args):
    """Raise an exception on one PE, while the others wait for it."""
    from ucxx import shmem

    if shmem.my_pe() == pe:
        raise kind(*args)
    shmem.barrier_all()


def end_on(pe, how, number):
    """End one PE, while the others wait for it."""
    from ucxx import shmem

    if shmem.my_pe() == pe:
        how(*number)
    shmem.barrier_all()


def kill_itself():
    """End by SIGKILL."""
    os.kill(os.getpid(), signal.SIGKILL)


def leave_memory():
    """Free nothing."""
    from ucxx import shmem

    shmem.zeros(10)
    return os.getpid()


def finalize():
    """End the library."""
    from ucxx import shmem

    shmem.finalize()


def result_that_no_pickle_holds():
    """Return a function that has no name."""
    return lambda: None


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_pes_run_a_function_together(pes, count):
    found = pes(count, numbers)
    assert [(me, size) for me, size, _ in found] == [(pe, count) for pe in range(count)]
    assert len({pid for _, _, pid in found} | {os.getpid()}) == count + 1
    assert pes(count, sum_of, list(range(count))) == [sum(range(count))] * count


def test_pes_are_kept_for_the_next_call(pes):
    pids = [pid for _, _, pid in pes(2, numbers)]
    pes(1, numbers)
    assert [pid for _, _, pid in pes(2, numbers)] == pids


def test_what_a_pe_raises_is_raised_here_with_its_number(pes):
    before = {pid for _, _, pid in pes(3, numbers)}
    with pytest.raises(ValueError, match="^odd") as raised:
        pes(3, fail_on, 1, ValueError, "odd")
    (note,) = raised.value.__notes__
    assert note.startswith("On PE 1 of 3:\nTraceback") and "in fail_on\n" in note
    assert not before & {pid for _, _, pid in pes(3, numbers)}


def test_others_that_fail_are_noted(pes):
    with pytest.raises(TypeError) as raised:
        pes(2, numbers, "too many")
    notes = raised.value.__notes__
    assert len(notes) == 2 and "TypeError: numbers() takes 0" in notes[1]


@pytest.mark.parametrize(("kind", "args", "words"), [
    (OddError, (1, 2), "OddError: 1 and 2"),
    (SystemExit, (3,), "SystemExit: 3"),
    (KeyboardInterrupt, (), "KeyboardInterrupt"),
])
def test_what_cannot_be_raised_here_is_an_error_with_its_text(pes, kind, args, words):
    with pytest.raises(RuntimeError, match=rf"(?s)^PE 0 of 2:\nTraceback .*{words}\n$"):
        pes(2, fail_on, 0, kind, *args)


def test_result_that_cannot_be_pickled_is_an_error(pes):
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pes(1, result_that_no_pickle_holds)


@pytest.mark.parametrize(("how", "number", "words"), [
    (kill_itself, (), "was ended by SIGKILL"),
    (os._exit, (7,), "has ended with exit code 7"),
])
def test_pe_that_ends_is_an_error_and_nobody_stays(how, number, words):
    with ucxx.testing.running_pes(3) as group:
        pids = group.pids
        with pytest.raises(RuntimeError, match=f"^PE 2 of 3 {words}"):
            group.run(end_on, 2, how, number)
        assert not group.is_alive
        with pytest.raises(RuntimeError, match="have been ended"):
            group.run(numbers)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)


def test_pe_that_does_not_return_is_an_error(pes):
    with pytest.raises(TimeoutError, match=r"PE 0 of 2 has not returned within 0\.2 s"):
        pes(2, mute, None, timeout=0.2)


def test_pe_that_was_killed_between_calls_is_replaced():
    pool = PesPool()
    try:
        before = {pid for _, _, pid in pool.run(2, numbers)}
        os.kill(min(before), signal.SIGKILL)
        until = time.monotonic() + ucxx.testing.DEADLINE
        while pool._kept[2].is_alive:
            assert time.monotonic() < until
        assert not before & {pid for _, _, pid in pool.run(2, numbers)}
    finally:
        pool.end()


def state_of(pid):
    """Return the letter of a process's state; '-': there is none."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "-"


@pytest.mark.parametrize("function", [leave_memory, finalize])
def test_pes_that_are_not_as_before_are_replaced(pes, function):
    before = {pid for _, _, pid in pes(2, numbers)}
    pes(2, function)
    assert not before & {pid for _, _, pid in pes(2, numbers)}


def test_pes_end_with_who_has_started_them(run_python):
    status, said = run_python("""
import os, signal, sys
from ucxx.testing import Pes
if __name__ == "__main__":
    pes = Pes(2)
    print(*pes.pids, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
""")
    assert status == -signal.SIGKILL
    until = time.monotonic() + ucxx.testing.DEADLINE
    pids = said.splitlines()[0].split()
    assert len(pids) == 2
    while any(state_of(pid) not in "Z-" for pid in pids):
        assert time.monotonic() < until


def test_fewer_than_one_is_an_error():
    with pytest.raises(ValueError, match="count = 0: must be at least 1"):
        ucxx.testing.Pes(0)


def test_import_loads_neither_shmem_nor_numpy(run_python):
    code = """
import sys
from ucxx.testing import Pes, running_pes
import ucxx.testing._pytest_plugin
print([name for name in ("numpy", "ucxx.shmem", "ucxx._shmem", "ucxx._core") if name in sys.modules])
"""
    assert run_python(code) == (0, "[]\n")
