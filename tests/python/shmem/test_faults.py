# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A PE dies, by a signal or an exception: the job ends, and says why."""

import re
import signal
import time

import brought
import pytest
from jobs_in_python import ended, run, started, without_pids

LIMIT_S = 2  # from the death to the end of the job

# PE 1 is killed when the others have come as far as the call, or nearly.
KILLED = """
import os, sys, time
from ucxx import shmem
me = shmem.my_pe()
words, more = shmem.zeros(4, int), shmem.zeros((shmem.n_pes(), 4), int)
one, signal, lock = words[:1], shmem.new_signal(), shmem.new_lock()
if me == 1:
    shmem.set_lock(lock)
shmem.barrier_all()
if me == 1:
    print(time.monotonic(), flush=True)
    os.kill(os.getpid(), 9)
CALL
"""
CALLS = {
    "shmem_barrier_all": "shmem.barrier_all()",
    "shmem_int64_wait_until": "shmem.wait_until(one, '==', 1)",
    "shmem_int64_wait_until_all": "shmem.wait_until_all(words, '==', 1)",
    "shmem_signal_wait_until": "shmem.signal_wait_until(signal, '==', 1)",
    "shmem_set_lock": "shmem.set_lock(lock)",
    "shmem_int64_sum_reduce": "shmem.sum_reduce(more[0], words)",
    "shmem_fcollectmem": "shmem.fcollect(more, words)",
    "shmem_calloc": "shmem.zeros(100)",
    "shmem_finalize": "shmem.finalize()",
}


@pytest.mark.parametrize("name", CALLS)
def test_a_killed_pe_ends_a_job_that_waits(name):
    with started(KILLED.replace("CALL", CALLS[name]), pes=3) as process:
        status, out, err = ended(process)
        took = time.monotonic() - float(out)
    assert status == 128 + signal.SIGKILL
    assert re.match(r"oshrun: PE 1 \(pid N\) was killed by signal 9 \(Killed\)(; .* in shmem_\w+)?\n$",
                    without_pids(err))
    assert took < LIMIT_S


def wait_in_barrier(words):
    """Say that this PE has joined, and wait for all."""
    me = brought.join(words)
    from ucxx import shmem

    words.send(me)
    shmem.barrier_all()


def wait_for_a_flag(words):
    """Say that this PE has joined, and wait for what nobody writes."""
    me = brought.join(words)
    from ucxx import shmem

    flag = shmem.zeros((), int)
    words.send(me)
    shmem.wait_until(flag, "==", 1)


@pytest.mark.parametrize("function", [wait_in_barrier, wait_for_a_flag])
def test_without_oshrun_the_others_end_too(peers, capfd, function):
    pes = brought.start(peers, 3, function)
    assert pes[1].receive() == 1
    if function is wait_for_a_flag:
        assert [pes[pe].receive() for pe in (0, 2)] == [0, 2]
    pes[1].kill()
    died = time.monotonic()
    assert [pes[pe].join() for pe in (0, 2)] == [-signal.SIGABRT] * 2
    assert time.monotonic() - died < LIMIT_S
    said = capfd.readouterr().err
    assert re.search(r"ucxx: PE [02] of 3: shmem_\w+: .*PE 1", said), said


# Exceptions ---------------------------------------------------------------------------------------

RAISES = """
from ucxx import shmem
me = shmem.my_pe()
def helper(depth):
    if depth:
        helper(depth - 1)
    elif me in WHO:
        raise ValueError(f"PE {me} has bad luck")
helper(5)
shmem.barrier_all()
"""
TRACEBACK = """PE {0} of 4:
Traceback (most recent call last):
  File "<string>", line 9, in <module>
  File "<string>", line 6, in helper
  File "<string>", line 6, in helper
  File "<string>", line 6, in helper
  [Previous line repeated 2 more times]
  File "<string>", line 8, in helper
ValueError: PE {0} has bad luck
"""


@pytest.mark.parametrize("tags", [(), ("--tag-output",)])
def test_an_exception_that_ends_a_pe_ends_the_job_with_one_traceback(tags):
    status, out, err = run(RAISES.replace("WHO", "(1,)"), pes=4, options=tags)
    assert (status, out) == (1, "")
    traceback, words, more = err.partition("oshrun: PE 1 ")
    wanted = TRACEBACK.format(1)
    assert traceback == ("".join(f"[1] {line}\n" for line in wanted.splitlines()) if tags else wanted)
    assert re.fullmatch(r"\(pid \d+\) exited with status 1(; .*)?\n", more), words + more


def test_tracebacks_of_several_pes_are_not_mixed():
    _, _, err = run(RAISES.replace("WHO", "(0, 1, 2, 3)"), pes=4)
    left = err
    for pe in range(4):
        assert left.count(TRACEBACK.format(pe)) <= 1
        left = left.replace(TRACEBACK.format(pe), "")
    assert re.fullmatch(r"oshrun: PE \d \(pid \d+\) exited with status 1.*\n", left), err


def test_an_exception_of_a_pe_that_is_alone_has_no_label():
    assert run("from ucxx import shmem\nshmem.my_pe()\n1/0", pes=1).err.startswith("Traceback ")
    assert run("from ucxx import shmem\nshmem.my_pe()\n1/0").err.startswith("Traceback ")


def test_a_hook_of_the_program_is_called():
    status, _, err = run("""
import sys
sys.excepthook = lambda kind, error, trace: print("hooked", error, file=sys.stderr)
from ucxx import shmem
if shmem.my_pe() == 1:
    raise ValueError("bad luck")
shmem.barrier_all()
""", pes=2)
    assert status == 1
    assert err.startswith("PE 1 of 2:\nhooked bad luck\noshrun: PE 1 ")


def test_an_exception_in_a_thread_ends_no_pe_and_says_which_it_is():
    status, out, err = run("""
import threading
from ucxx import shmem
if shmem.my_pe() == 1:
    thread = threading.Thread(target=lambda: shmem.zeros(-1), name="worker")
    thread.start()
    thread.join()
shmem.barrier_all()
print("went on")
""", pes=2)
    assert (status, out) == (0, "went on\n" * 2)
    assert err.startswith("PE 1 of 2:\nException in thread worker:\nTraceback (most recent call last):\n")
    assert err.endswith("ValueError: negative dimensions are not allowed\n") or "-1" in err
    assert err.count("Traceback") == 1


def test_an_exception_while_another_is_handled():
    status, _, err = run("""
from ucxx import shmem
a = shmem.zeros(3)
try:
    shmem.put(a, a, 99)
except ValueError:
    if shmem.my_pe() == 0:
        raise KeyError("second")
shmem.barrier_all()
""", pes=2)
    assert status == 1
    assert err.count("Traceback") == 2
    assert err.startswith("PE 0 of 2:\nTraceback (most recent call last):\n")
    assert "\nDuring handling of the above exception, another exception occurred:\n" in err
