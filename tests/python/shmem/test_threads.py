# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Threads of Python beside `ucxx.shmem`: they run while one waits, and may call at once."""

from jobs_in_python import prints

# Each call of PE 0's main thread ends only when its other thread has run: a call that kept the GIL would
# never end, and the limit of `prints` would. PE 1 does what the call needs, when that thread tells it to.
HEARTBEAT = """
import threading, time
import numpy as np
from ucxx import shmem

shmem.init_thread()
me, pes = shmem.my_pe(), shmem.n_pes()
words, goes = shmem.zeros(4, int), shmem.zeros((), int)
one, signal, lock = words[:1], shmem.new_signal(), shmem.new_lock()
rows, more, row = shmem.zeros((pes, 4), int), shmem.zeros((pes, 4), int), shmem.zeros(4, int)
team = shmem.TEAM_WORLD.split_strided()
BEATS = 20
waits_for_a_word = {
    "wait_until": lambda: shmem.wait_until(one, "==", 1),
    "wait_until_all": lambda: shmem.wait_until_all(one, "==", 1),
    "wait_until_any": lambda: shmem.wait_until_any(words, "==", 1),
    "wait_until_some": lambda: shmem.wait_until_some(words, "==", 1),
    "wait_until_all_vector": lambda: shmem.wait_until_all_vector(one, "==", [1]),
    "wait_until_any_vector": lambda: shmem.wait_until_any_vector(words, "==", [1] * 4),
    "wait_until_some_vector": lambda: shmem.wait_until_some_vector(words, "==", [1] * 4),
}
others = {
    "signal_wait_until": lambda: shmem.signal_wait_until(signal, "==", 1),
    "set_lock": lambda: (shmem.set_lock(lock), shmem.clear_lock(lock)),
}
collectives = {
    "barrier_all": shmem.barrier_all,
    "sync_all": shmem.sync_all,
    "sync": lambda: shmem.sync(team),
    "broadcast": lambda: shmem.broadcast(row, words, 1),
    "fcollect": lambda: shmem.fcollect(rows, row),
    "collect": lambda: shmem.collect(rows, row),
    "alltoall": lambda: shmem.alltoall(rows, more),
    "alltoalls": lambda: shmem.alltoalls(rows, more, size=1),
    "sum_reduce": lambda: shmem.sum_reduce(row, words),
    "sum_inscan": lambda: shmem.sum_inscan(row, words),
    "zeros": lambda: shmem.free(shmem.zeros(5)),
    "split_strided": lambda: shmem.TEAM_WORLD.split_strided().destroy(),
    "team.sync": team.sync,
    "init": lambda: (shmem.init(), shmem.finalize()),
}

def beat(begun):
    begun.wait(20)
    for _ in range(BEATS):
        time.sleep(0.0005)  # wants the GIL each time
    shmem.p(goes, 1, 1)

def help_to_the_end(name, call):
    if name == "set_lock":
        shmem.set_lock(lock)
    shmem.barrier_all()
    shmem.wait_until(goes, "==", 1)
    goes[...] = 0
    if name in waits_for_a_word:
        shmem.p(one, 1, 0)
    elif name == "signal_wait_until":
        shmem.signal_set(signal, 1, 0)
    elif name == "set_lock":
        shmem.clear_lock(lock)
    else:
        call()

def play(name, call):
    begun = threading.Event()
    thread = threading.Thread(target=beat, args=(begun,))
    thread.start()
    shmem.barrier_all()
    begun.set()
    call()
    thread.join()
    words[...] = 0
    signal[...] = 0

for name, call in {**waits_for_a_word, **others, **collectives}.items():
    (help_to_the_end if me else play)(name, call)
    shmem.barrier_all()
    if me == 0:
        print(name)
"""


def test_other_threads_run_while_one_waits():
    found = prints(HEARTBEAT, pes=2)
    assert len(found) == 23
    assert {"barrier_all", "set_lock", "wait_until", "signal_wait_until", "zeros", "init"} <= set(found)


# With this interval the GIL goes to the other thread only where a call lets it go.
COPIES = """
import sys, threading, time
from ucxx import shmem

shmem.init_thread()
me, right = shmem.my_pe(), (shmem.my_pe() + 1) % shmem.n_pes()
a, b = shmem.zeros(64 << 20, "u1"), shmem.zeros(64 << 20, "u1")
beats, ends = 0, False

def beat():
    global beats
    while not ends:
        beats += 1
        time.sleep(2e-4)  # lets the GIL go, for long enough that the other thread gets it

def beats_during(call):
    for _ in range(10):
        before = beats
        call()
        if beats > before:
            return True
    return False

thread = threading.Thread(target=beat)
thread.start()
while beats == 0:
    time.sleep(0)
sys.setswitchinterval(1000)
found = [beats_during(call) for call in (
    lambda: shmem.put(a, b, right), lambda: shmem.get(b, a, right),
    lambda: shmem.put_nbi(a, b, right), lambda: shmem.get_nbi(b, a, right),
    lambda: shmem.put_signal(a, b, right, SIGNAL, 1, shmem.SIGNAL_SET),
    lambda: shmem.put(a[:8], b[:8], right))]  # which keeps the GIL: so the others have let it go
ends = True
thread.join()
print(found)
""".replace("beats, ends", "SIGNAL = shmem.new_signal()\nbeats, ends", 1)


def test_other_threads_run_during_large_copies():
    assert prints(COPIES, pes=2) == ["[True, True, True, True, True, False]"] * 2


AT_ONCE = """
import sys, threading
import numpy as np
from ucxx import shmem

assert shmem.init_thread(shmem.THREAD_MULTIPLE) == shmem.THREAD_MULTIPLE
sys.setswitchinterval(1e-5)
me, pes = shmem.my_pe(), shmem.n_pes()
THREADS, ROUNDS = 4, 400
count = shmem.zeros((), int)
slots, flags = shmem.zeros((THREADS, 16384), int), shmem.zeros((2, THREADS), int)
contexts = [shmem.Ctx.create(shmem.CTX_SERIALIZED) for _ in range(THREADS)]
failed = []

def work(i):
    try:
        right = (me + 1) % pes
        for j in range(1, ROUNDS + 1):
            shmem.atomic_inc(count, right)
            shmem.p(slots[i, :1], j, right, contexts[i])
            if j % 100 == 0:
                shmem.put(slots[i], np.full(16384, j), right, ctx=contexts[i])
            contexts[i].quiet()
            shmem.atomic_add(flags[0, i, ...], 1, right)
            shmem.wait_until(flags[0, i, ...], ">=", j)
            assert slots[i, 0] >= j
    except BaseException as error:
        failed.append(error)

threads = [threading.Thread(target=work, args=(i,)) for i in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
shmem.barrier_all()
print(failed, count == THREADS * ROUNDS, slots[:, 0].tolist() == [ROUNDS] * THREADS)
"""


def test_threads_call_at_once():
    assert prints(AT_ONCE, pes=2) == ["[] True True"] * 2


# PE 0 makes no call while it computes, and does not end before it has what PE 1 puts.
COMPUTES = """
from ucxx import shmem
me = shmem.my_pe()
a, large, seen = shmem.zeros(1, int), shmem.zeros(1 << 20, int), shmem.zeros(1, int)
shmem.barrier_all()
if me == 0:
    x = 0
    while a[0] != 7:
        x += 1
    print("has it", large[-1])
    seen[0] = 1
    while a[0] != 8:
        x += 1
else:
    large[...] = 5
    shmem.put(large, large, 0)
    shmem.fence()
    shmem.p(a, 7, 0)
    shmem.quiet()
    assert shmem.g(a, 0) == 7  # done, whatever PE 0 does
    while shmem.atomic_fetch(seen, 0) != 1:
        pass
    shmem.atomic_inc(a, 0)
"""


def test_a_put_to_a_pe_that_computes_is_done_at_once():
    assert prints(COMPUTES, pes=2) == ["has it 5"]


# PE 1 ends late: PE 0's interpreter has gone while its daemon thread waits, and what it waits for comes.
DAEMON = """
import threading, time
from ucxx import shmem
shmem.init_thread()
word = shmem.zeros((), int)
begun = threading.Event()

def wait():
    begun.set()
    shmem.wait_until(word, "==", 1)

threading.Thread(target=wait, daemon=True).start()
begun.wait()
shmem.barrier_all()
if shmem.my_pe() == 1:
    time.sleep(0.5)
    shmem.p(word, 1, 0)
"""


def test_a_daemon_thread_that_waits_does_not_trouble_the_end():
    assert prints(DAEMON, pes=2) == []
