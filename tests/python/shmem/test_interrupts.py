# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ctrl-C, and other signals that Python handles, while a PE waits."""

import os
import signal
import threading
import time

import brought
import pytest
from jobs_in_python import ended, prints, started, without_pids

LIMIT_S = 2  # of a job under oshrun

# All PEs are in the call, or nearly, when the signal comes.
WAITS = """
from ucxx import shmem
words, signal = shmem.zeros(4, int), shmem.new_signal()
shmem.barrier_all()
print("ready", flush=True)
CALL
"""


@pytest.mark.parametrize("call", [
    "shmem.wait_until(words[:1], '==', 1)",
    "shmem.barrier_all() if shmem.my_pe() else shmem.wait_until_any(words, '==', 1)",
    "while True: pass",
])
def test_a_job_under_oshrun_ends_soon(call):
    with started(WAITS.replace("CALL", call), pes=2) as process:
        assert [process.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        status, _, err = ended(process)
        assert time.monotonic() - begin < LIMIT_S
    assert status == 128 + signal.SIGINT
    assert without_pids(err).startswith("oshrun: received signal 2 (Interrupt)")


def test_a_terminal_interrupts_all_processes_of_the_job():
    """Ctrl-C reaches the whole group: each PE raises, and the job ends all the same."""
    with started(WAITS.replace("CALL", "shmem.wait_until(words[:1], '==', 1)"), pes=2) as process:
        assert [process.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
        begin = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        status, _, err = ended(process)
        assert time.monotonic() - begin < LIMIT_S
    assert status in (128 + signal.SIGINT, 1)
    assert "oshrun: " in err


# Alone, or where something else has started the PEs ------------------------------------------------

# The signal comes when the call waits, or before: both end it. The least of some delays is judged, for
# other processes want the processor, too.
INTERRUPTED = """
import os, signal, sys, threading, time
from ucxx import shmem

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in a shell's background ignores it
words, signals = shmem.zeros(4, int), shmem.new_signal()
one = words[:1]
calls = {
    "wait_until": lambda: shmem.wait_until(one, "==", 1),
    "signal_wait_until": lambda: shmem.signal_wait_until(signals, "==", 1),
    "wait_until_all": lambda: shmem.wait_until_all(words, "==", 1),
    "wait_until_all_vector": lambda: shmem.wait_until_all_vector(words, "==", [1] * 4),
    "wait_until_any": lambda: shmem.wait_until_any(words, "==", 1),
    "wait_until_any_vector": lambda: shmem.wait_until_any_vector(words, "==", [1] * 4),
    "wait_until_some": lambda: shmem.wait_until_some(words, "==", 1),
    "wait_until_some_vector": lambda: shmem.wait_until_some_vector(words, "==", [1] * 4),
}

def delay(call):
    sent = []

    def send():
        time.sleep(0.06)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        call()
    except KeyboardInterrupt:
        took = time.monotonic() - sent[0]
    else:
        took = None
    thread.join()
    return took

for name, call in calls.items():
    took = delay(call)
    tries = 1
    while took is not None and took >= 0.2 and tries < 10:
        took = delay(call)
        tries += 1
    print(name, "left" if took is not None and took < 0.2 else took)

words[...] = 1  # later waits work
signals[...] = 1
found = [call() for call in calls.values()]
print("then", [kind if kind not in range(4) else "one" for kind in found])
"""


def test_waits_raise_keyboard_interrupt():
    names = ["wait_until", "signal_wait_until"] + [
        f"wait_until_{kind}{vector}" for kind in ("all", "any", "some") for vector in ("", "_vector")]
    assert prints(INTERRUPTED) == sorted([
        *(f"{name} left" for name in names),
        "then [None, 'one', None, None, 'one', 'one', [0, 1, 2, 3], [0, 1, 2, 3]]",
    ])  # fmt: skip


HANDLERS = """
import os, signal, threading, time
from ucxx import shmem

shmem.init_thread()
word, inner = shmem.zeros(1, int), shmem.zeros(1, int)
main = os.getpid()

def when(is_so):
    while not is_so():
        time.sleep(0.002)

def send_all():
    when(lambda: waits)
    os.kill(main, signal.SIGUSR1)      # the wait goes on
    when(lambda: seen == ["handler"])
    os.kill(main, signal.SIGUSR2)      # its handler waits in turn
    when(lambda: seen[-1] == "waits")
    shmem.p(inner, 1, 0)
    when(lambda: seen[-1] == "has waited")
    os.kill(main, signal.SIGALRM)      # its handler raises: it ends the outer wait
    when(lambda: seen[-1] == "left")
    os.kill(main, signal.SIGTERM)      # its handler lets the wait end
    when(lambda: seen[-1] == "ended")

def wait_within(*_):
    seen.append("waits")
    shmem.wait_until(inner, "==", 1)
    seen.append("has waited")

def raise_(*_):
    raise LookupError("from a handler")

signal.signal(signal.SIGUSR1, lambda *_: seen.append("handler"))
signal.signal(signal.SIGUSR2, wait_within)
signal.signal(signal.SIGALRM, raise_)
signal.signal(signal.SIGTERM, lambda *_: shmem.p(word, 1, 0))
seen, waits = [], []
thread = threading.Thread(target=send_all)
thread.start()
waits.append(1)
try:
    shmem.wait_until(word, "==", 1)
except LookupError as error:
    print(error)
seen.append("left")
shmem.wait_until(word, "==", 1)
seen.append("ended")
thread.join()
print(seen)
"""


def test_handlers_run_in_a_wait_and_it_goes_on():
    assert prints(HANDLERS) == ["['handler', 'waits', 'has waited', 'left', 'ended']", "from a handler"]


IN_A_THREAD = """
import os, signal, threading, time
from ucxx import shmem

signal.signal(signal.SIGINT, signal.default_int_handler)
shmem.init_thread()
word, found = shmem.zeros(1, int), []
thread = threading.Thread(target=lambda: found.append(shmem.wait_until_any(word, "==", 1)))
thread.start()
try:
    threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    thread.join()
except KeyboardInterrupt:
    print("interrupted", found)
shmem.p(word, 1, 0)
while not found:  # a join that was interrupted is over, in older Pythons
    time.sleep(0.002)
print(found)
"""


def test_the_wait_of_another_thread_goes_on():
    assert prints(IN_A_THREAD) == ["[0]", "interrupted []"]


def wait_twice(words):
    """Wait until interrupted, and then for the next PE; tell both."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    me = brought.join(words)
    from ucxx import shmem

    flags = shmem.zeros(2, int)
    shmem.barrier_all()
    try:
        threading.Thread(target=words.send, args=("waits",)).start()
        if me == 0:
            shmem.wait_until(flags[:1], "==", 1)
    except KeyboardInterrupt:
        words.send("interrupted")
    words.recv()
    shmem.p(flags[1:], 1, 1 - me)
    shmem.wait_until(flags[1:], "==", 1)
    words.send("went on")


def test_a_pe_of_a_brought_job_is_interrupted_and_the_job_goes_on(peers):
    pes = brought.start(peers, 2, wait_twice)
    assert [pe.receive() for pe in pes] == ["waits"] * 2
    pes[0].signal(signal.SIGINT)
    assert pes[0].receive() == "interrupted"
    for pe in pes:
        pe.send("go on")
    assert [pe.receive() for pe in pes] == ["went on"] * 2
    assert [pe.join() for pe in pes] == [0, 0]
