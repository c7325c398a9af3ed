# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A child that a PE forks reads the PEs' arrays, and is no PE: its calls raise, and the PE goes on."""

from jobs_in_python import prints

FORKS = """
import os, sys
from ucxx import shmem

a, one, lock = shmem.zeros(3, int), shmem.zeros(1, int), shmem.Lock()
ctx, team = shmem.Ctx.create(), shmem.TEAM_WORLD.split_strided()
calls = [
    shmem.my_pe, shmem.n_pes, shmem.barrier_all, shmem.quiet, shmem.fence, shmem.finalize, shmem.init,
    shmem.init_thread, shmem.query_thread, shmem.Lock, shmem.Ctx.create, team.sync, team.destroy,
    ctx.quiet, ctx.destroy, lock.acquire, shmem.global_exit, shmem.new_signal,
    lambda: shmem.zeros(3), lambda: shmem.array([1]), lambda: shmem.free(a),
    lambda: shmem.put(a, a, 0), lambda: shmem.get(a, a, 0), lambda: shmem.atomic_inc(one, 0),
    lambda: shmem.wait_until(one, "==", 0), lambda: shmem.sum_reduce(a, a),
    lambda: shmem.init(rank=0, size=1, allgather=lambda mine: [mine]),
]

def attempt_all():
    wrong = []
    for call in calls:
        try:
            wrong.append((call, call()))
        except RuntimeError as error:
            if "was forked from PE" not in str(error) or "start a new program instead" not in str(error):
                wrong.append((call, error))
    return wrong, shmem.query_initialized(), bool(ctx), bool(team)

child = os.fork()
if child == 0:
    print("child", *attempt_all(), flush=True)
    grandchild = os.fork()
    if grandchild == 0:
        print("grandchild", *attempt_all(), flush=True)
        sys.exit(0)
    os.waitpid(grandchild, 0)
    sys.exit(END)  # with its handlers of atexit
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == END
shmem.p(one, 5, (shmem.my_pe() + 1) % shmem.n_pes())
shmem.barrier_all()
print("PE", one[0], shmem.query_initialized())
"""


def test_calls_in_a_child_raise_and_the_pe_goes_on():
    assert prints(FORKS.replace("END", "3"), pes=2) == sorted(
        ["child [] False False False", "grandchild [] False False False", "PE 5 True"] * 2)


MULTIPROCESSING = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from ucxx import shmem

a = shmem.array([1, 2, 3])

def call(array):
    try:
        return shmem.my_pe()
    except RuntimeError as error:
        return str(error).partition(":")[0], int(array.sum())

context = multiprocessing.get_context("fork")
with context.Pool(2) as pool:
    print(pool.map(call, [a, a + 1]))
with ProcessPoolExecutor(2, mp_context=context) as pool:
    print(pool.submit(call, a).result())
shmem.barrier_all()
"""


def test_processes_that_multiprocessing_forks_get_arrays_by_value():
    found = prints(MULTIPROCESSING, pes=2)
    assert found == sorted(["[('my_pe', 6), ('my_pe', 9)]", "('my_pe', 6)"] * 2)


READERS = """
import multiprocessing, resource
from ucxx import shmem

me, pes = shmem.my_pe(), shmem.n_pes()
a = shmem.full(1000, me + 1, dtype="i8")
peers = shmem.ptr(a, (me + 1) % pes)
shmem.barrier_all()
context = multiprocessing.get_context("fork")

def totals(_):
    return int(a.sum()), int(peers.sum())

with context.Pool(2) as pool:
    assert pool.map(totals, range(4)) == [(1000 * (me + 1), 1000 * ((me + 1) % pes + 1))] * 4
shmem.barrier_all()

def later(end):
    end.recv()
    end.send(a[[0, -1]].tolist())

here, there = context.Pipe()
reader = context.Process(target=later, args=(there,))
reader.start()
a[0] = -1
shmem.p(a[-1:], -2, (me + 1) % pes)
shmem.barrier_all()
here.send("now")
assert here.recv() == [-1, -2]
reader.join()
assert reader.exitcode == 0

def write(array):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    assert array.flags.writeable
    array[1] = 5

for array in a, peers:
    writer = context.Process(target=write, args=(array,))
    writer.start()
    writer.join()
    assert writer.exitcode == -11, writer.exitcode
shmem.barrier_all()
print(a[1], peers[1])
"""


def test_children_read_arrays_and_cannot_write_them():
    assert prints(READERS, pes=2) == ["1 2", "2 1"]
    assert prints(READERS) == ["1 1"]


def test_a_child_of_a_process_that_has_finalised_is_no_pe():
    assert prints("""
import os
from ucxx import shmem
shmem.my_pe()
shmem.finalize()
if os.fork() == 0:
    for call in (shmem.my_pe, shmem.init):
        try:
            print(call())
        except RuntimeError as error:
            print(str(error).partition(":")[0], flush=True)
    os._exit(0)
os.wait()
shmem.init()
print(shmem.n_pes())
""") == ["1", "init", "my_pe"]


def test_other_programs_run_as_from_anywhere():
    assert prints("""
import os, subprocess, sys
from ucxx import shmem
shmem.barrier_all()
with os.popen("echo popen") as pipe:
    said = pipe.read().strip(), subprocess.check_output(["echo", "process"], text=True).strip()
print(*said, os.system("true"))
shmem.barrier_all()
""", pes=2) == ["popen process 0"] * 2
