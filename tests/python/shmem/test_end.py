# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How a program of `ucxx.shmem` ends, and what is left of the library then."""

import pytest
from jobs_in_python import prints, run, without_pids

# What is alive at the end of the program.
ALIVE = """
import sys
from ucxx import shmem

a = shmem.array([1, 2, 3])
view, memory = a[1:], shmem.alloc(100)
ctx, lock, word = shmem.Ctx.create(), shmem.Lock(), shmem.new_lock()
team = shmem.TEAM_WORLD.split_strided(0, 1)
of_team = team.create_ctx()
peer = shmem.ptr(a, 0)
fetched = shmem.zeros(1, int)
shmem.atomic_fetch_add_nbi(fetched, a[:1], 1, 0)
held = [a, view, memory, ctx, lock, word, team, of_team, peer]
held.append(held)
"""


@pytest.mark.parametrize("pes", [0, 3])
def test_the_end_with_everything_alive(pes):
    assert prints(f"{ALIVE}\nprint(a[1])", pes=pes) == ["2"] * max(1, pes)


def test_the_end_with_objects_that_call_the_library_when_they_go():
    """What is collected when the interpreter ends: before the library is finalised."""
    assert prints(f"""{ALIVE}
class Last:
    def __init__(self):
        self.put, self.me, self.a = shmem.put, shmem.my_pe(), a
    def __del__(self):
        self.put(self.a, self.a, self.me)
last = Last()
cycle = [Last()]
cycle.append(cycle)
import atexit
atexit.register(lambda: (shmem.barrier_all(), print("at exit", shmem.n_pes())))
""", pes=2) == ["at exit 2"] * 2


# One PE ends as the argument says; the other waits for it.
ENDS = f"""{ALIVE}
import os, signal, threading
if shmem.my_pe() == 0:
    exec(sys.argv[1])
else:
    shmem.barrier_all()
"""
ENDED = {
    "sys.exit(0)": (1, "exited with status 0 after shmem_finalize"),
    "sys.exit(3)": (3, "exited with status 3"),
    "sys.exit('in words')": (1, "exited with status 1"),
    "os._exit(0)": (1, "exited with status 0 without shmem_finalize"),
    "os._exit(5)": (5, "exited with status 5"),
    "shmem.global_exit(7)": (7, "called shmem_global_exit(7)"),
    "shmem.global_exit()": (0, None),
    "shmem.finalize()": (1, "exited with status 0 after shmem_finalize"),
    "os.kill(os.getpid(), signal.SIGKILL)": (137, "was killed by signal 9 (Killed)"),
    "os.abort()": (134, "was killed by signal 6 (Aborted)"),
    "raise SystemExit(4)": (4, "exited with status 4"),
    "1 / 0": (1, "exited with status 1"),
}  # fmt: skip


@pytest.mark.parametrize("end", ENDED)
def test_the_end_of_one_pe_ends_the_job(end):
    status, words = ENDED[end]
    found = run(ENDS, end, pes=2)
    assert found.status == status, found.err
    told = [line for line in without_pids(found.err).splitlines() if line.startswith("oshrun: ")]
    if words is None:
        assert told == []
    else:
        assert len(told) == 1
        assert told[0].startswith((f"oshrun: PE 0 (pid N) {words}", f"oshrun: PE 0 {words}"))


@pytest.mark.parametrize("end", ["sys.exit(0)", "shmem.finalize(); shmem.query_initialized()",
                                 "shmem.barrier_all(); sys.exit(0)"])
def test_all_pes_end_well(end):
    assert prints(f"{ALIVE}\n{end}", pes=2) == []


PRINTS = """
from ucxx import shmem
print("before", shmem.my_pe())  # into a buffer
shmem.barrier_all()
try:
    if shmem.my_pe() == 0:
        shmem.global_exit(9)
    shmem.barrier_all()
finally:
    print("never")
"""


def test_what_was_printed_is_there_after_global_exit():
    """A PE that is not yet in a call is ended by a signal: then another job is tried."""
    for _ in range(10):
        status, out, _ = run(PRINTS, pes=2)
        assert status == 9
        assert out.startswith("before 0\n") or out.endswith("before 0\n")
        assert "never" not in out
        if out.count("before") == 2:
            return
    pytest.fail("the output of the PE that waits was never there")


@pytest.mark.parametrize("given", ["-1", "256", "'x'"])
def test_a_status_that_is_none_ends_nothing(given):
    assert prints(f"""
from ucxx import shmem
try:
    shmem.global_exit({given})
except (TypeError, ValueError) as error:
    print(error)
""") == [f"global_exit: status = {given}: must be " + (
        "an integer" if "x" in given else "from 0 to 255")]


# After the end -----------------------------------------------------------------------------------

TWICE = """
import re
from ucxx import shmem

def error(function):
    try:
        function()
    except RuntimeError as error:
        return error

a = shmem.array([1, 2, 3])
shmem.finalize()
print(error(shmem.finalize), shmem.query_initialized())
before = a[:].tolist()
a[0] = 5  # there is memory still, if not what it held
print(before, a)
shmem.init()
print(shmem.query_initialized(), shmem.n_pes(), a.shape)
b = shmem.array([4, 5, 6])
for call in (lambda: shmem.put(b, b, 0), lambda: shmem.put(a, b, 0), lambda: shmem.free(a)):
    try:
        print(call())
    except Exception as error_:
        print(type(error_).__name__, re.sub(" at 0x[0-9a-f]*", "", str(error_)))
shmem.free(b)
shmem.init()
shmem.init_thread()
shmem.finalize()
shmem.finalize()
print(shmem.query_initialized())
shmem.finalize()
print(error(lambda: shmem.my_pe()))
"""


@pytest.mark.parametrize("pes", [0, 2])
def test_finalize_twice_and_init_again(pes):
    found = prints(TWICE, pes=pes)
    n = max(1, pes)
    assert found == sorted([
        "finalize: the library was finalised False",
        "[0, 0, 0] [5 0 0]",
        f"True {n} (3,)",
        "None",
        "NotSymmetricError put: the memory of target went with the finalize since",
        "NotSymmetricError free: the memory went with the finalize since",
        "True",
        "my_pe: the library was finalised",
    ] * n)  # fmt: skip


MADE_BY = ("must be made by zeros(), empty() or another function of ucxx.shmem, or be a view of such an "
           "array")

# Every function, with as many arguments as it must have. The ones that need no library are named.
REFUSED = """
import inspect
from ucxx import shmem, _shmem

free = {"info_get_name", "info_get_version"}
a = shmem.zeros(1, int)
arguments = {"target": a, "source": a, "fetch": a, "ivar": a, "ivars": a, "signal": a, "lock": a, "mem": a,
             "addr": a, "team": shmem.TEAM_WORLD, "cmp": "==", "op": "sum", "values": [1], "shape": 1,
             "pes": [0], "obj": 1, "fill_value": 1, "sigop": 0}
ctx, lock, team = shmem.Ctx.create(), shmem.Lock(), shmem.TEAM_WORLD.split_strided()
shmem.finalize()

def attempt(name, function):
    parameters = inspect.signature(function).parameters.values()
    by_name = arguments | {"op": "add"} if name.startswith("atomic") else arguments
    given = {one.name: by_name.get(one.name, 0) for one in parameters
             if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD}
    try:
        function(**given)
        print(name, "has returned")
    except Exception as error:
        if type(error) is not RuntimeError or "the library was finalised" not in str(error):
            print(name, type(error).__name__, error)

names = [name for name in dir(shmem) if callable(getattr(shmem, name)) and name.islower()]
for name in sorted(set(names) - free - {"init", "init_thread", "query_initialized", "rc", "fromalloc"}):
    attempt(name, getattr(shmem, name))
attempt("Lock", shmem.Lock)
attempt("Ctx.create", shmem.Ctx.create)
for held in (ctx, team, lock):
    for name in ("fence", "quiet", "destroy", "sync", "split_strided", "create_ctx", "acquire"):
        if hasattr(held, name):
            attempt(f"{type(held).__name__}.{name}", getattr(held, name))
print(len(names) > 100, bool(ctx), bool(team), repr(ctx), repr(team))
"""


def test_each_call_after_finalize_is_an_error():
    assert prints(REFUSED) == ["True False False <Ctx: none> <Team: none>"]


def test_pickled_arrays_are_copies():
    assert prints("""
import copy, pickle
import numpy as np
from ucxx import shmem

a = shmem.array([1, 2, 3])
for made in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a), a.copy()):
    made[0] = 9
    assert a[0] == 1 and not shmem.addr_accessible(made, 0) and shmem.addr_accessible(a, 0)
    try:
        shmem.put(made, a, 0)
    except ValueError as error:
        print(error)
for one in (shmem.Ctx.create(), shmem.TEAM_WORLD):
    try:
        pickle.dumps(one)
    except TypeError as error:
        print(type(one).__name__)
""") == ["Ctx", "Team"] + [f"put: target is not symmetric: {MADE_BY}"] * 4


# Arrays that nobody frees -------------------------------------------------------------------------

LEFT = """
import gc, logging, sys
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(name)s %(levelname)s %(message)s")
from ucxx import shmem

for i in range(10):
    shmem.zeros(100 + i, "u1")
shmem.free(shmem.zeros(50))
kept = shmem.zeros(3, "u1")
gc.collect()
shmem.init()
shmem.finalize()  # the last one counts
exec(sys.argv[1])
"""
COUNT = "ucxx.shmem INFO 11 symmetric arrays were not freed, of 1048 bytes together"


@pytest.mark.parametrize(("end", "times"), [
    ("", 1), ("shmem.finalize()", 1), ("shmem.finalize(); shmem.init()", 1), ("sys.exit(0)", 1),
])
def test_arrays_that_were_dropped_and_not_freed_are_counted_in_the_log(end, times):
    assert prints(LEFT, end) == [COUNT] * times


def test_nothing_is_said_where_all_are_freed():
    assert prints(LEFT.replace("range(10)", "range(0)"), "shmem.free(kept)") == []
