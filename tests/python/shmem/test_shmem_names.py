# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Every name of `ucxx.shmem`: that it is there, with its arguments and defaults, and its types."""

import ast
import inspect
import os
import pathlib
import subprocess
import sys

import pytest

from ucxx import _shmem, shmem
from ucxx.shmem import _api

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]

# shmem4py's names, and those of OpenSHMEM 1.6 that it has not, as inspect shows their arguments.
SIGNATURES = """
init(*, rank=None, size=None, allgather=None)
init_thread(requested=3, *, rank=None, size=None, allgather=None)
query_initialized()
query_thread()
finalize()
global_exit(status=0)
info_get_version()
info_get_name()
my_pe()
n_pes()
pe_accessible(pe)
addr_accessible(addr, pe)
ptr(target, pe)
team_ptr(team, target, pe)
pcontrol(level=1)
alloc(count, size=1, align=None, hints=None, clear=True)
free(mem)
fromalloc(mem, shape=None, dtype=None, order='C')
new_array(shape, dtype='float', order='C', *, align=None, hints=None, clear=True)
del_array(a)
empty(shape, dtype='float', order='C', *, align=None, hints=None)
zeros(shape, dtype='float', order='C', *, align=None, hints=None)
ones(shape, dtype=<class 'float'>, order='C', *, align=None, hints=None)
full(shape, fill_value, dtype=None, order='C', *, align=None, hints=None)
array(obj, dtype=None, *, order='K', align=None, hints=None)
put(target, source, pe, size=None, ctx=None)
get(target, source, pe, size=None, ctx=None)
put_nbi(target, source, pe, size=None, ctx=None)
get_nbi(target, source, pe, size=None, ctx=None)
iput(target, source, pe, tst=1, sst=1, size=None, ctx=None)
iget(target, source, pe, tst=1, sst=1, size=None, ctx=None)
ibput(target, source, pe, tst=None, sst=None, bsize=1, size=None, ctx=None)
ibget(target, source, pe, tst=None, sst=None, bsize=1, size=None, ctx=None)
p(target, value, pe, ctx=None)
g(source, pe, ctx=None)
atomic_set(target, value, pe, ctx=None)
atomic_add(target, value, pe, ctx=None)
atomic_and(target, value, pe, ctx=None)
atomic_or(target, value, pe, ctx=None)
atomic_xor(target, value, pe, ctx=None)
atomic_inc(target, pe, ctx=None)
atomic_fetch(source, pe, ctx=None)
atomic_fetch_nbi(fetch, source, pe, ctx=None)
atomic_swap(target, value, pe, ctx=None)
atomic_fetch_add(target, value, pe, ctx=None)
atomic_fetch_and(target, value, pe, ctx=None)
atomic_fetch_or(target, value, pe, ctx=None)
atomic_fetch_xor(target, value, pe, ctx=None)
atomic_fetch_inc(target, pe, ctx=None)
atomic_swap_nbi(fetch, target, value, pe, ctx=None)
atomic_fetch_add_nbi(fetch, target, value, pe, ctx=None)
atomic_fetch_and_nbi(fetch, target, value, pe, ctx=None)
atomic_fetch_or_nbi(fetch, target, value, pe, ctx=None)
atomic_fetch_xor_nbi(fetch, target, value, pe, ctx=None)
atomic_fetch_inc_nbi(fetch, target, pe, ctx=None)
atomic_compare_swap(target, cond, value, pe, ctx=None)
atomic_compare_swap_nbi(fetch, target, cond, value, pe, ctx=None)
atomic_op(target, value, op, pe, ctx=None)
atomic_fetch_op(target, value, op, pe, ctx=None)
atomic_fetch_op_nbi(fetch, target, value, op, pe, ctx=None)
new_signal()
del_signal(signal)
signal_fetch(signal)
signal_set(signal, value, pe, ctx=None)
signal_add(signal, value, pe, ctx=None)
signal_wait_until(signal, cmp, value)
put_signal(target, source, pe, signal, value, sigop, size=None, ctx=None)
put_signal_nbi(target, source, pe, signal, value, sigop, size=None, ctx=None)
fence(ctx=None)
quiet(ctx=None)
pe_quiet(pes, ctx=None)
session_start(ctx=None, options=0, total_ops=None)
session_stop(ctx=None)
barrier_all()
sync_all()
sync(team=None)
wait_until(ivar, cmp, value)
test(ivar, cmp, value)
wait_until_all(ivars, cmp, value, status=None)
wait_until_any(ivars, cmp, value, status=None)
wait_until_some(ivars, cmp, value, status=None)
test_all(ivars, cmp, value, status=None)
test_any(ivars, cmp, value, status=None)
test_some(ivars, cmp, value, status=None)
wait_until_all_vector(ivars, cmp, values, status=None)
wait_until_any_vector(ivars, cmp, values, status=None)
wait_until_some_vector(ivars, cmp, values, status=None)
test_all_vector(ivars, cmp, values, status=None)
test_any_vector(ivars, cmp, values, status=None)
test_some_vector(ivars, cmp, values, status=None)
broadcast(target, source, root, size=None, team=None)
collect(target, source, size=None, team=None)
fcollect(target, source, size=None, team=None)
alltoall(target, source, size=None, team=None)
alltoalls(target, source, tst=1, sst=1, size=None, team=None)
reduce(target, source, op='sum', size=None, team=None)
and_reduce(target, source, size=None, team=None)
or_reduce(target, source, size=None, team=None)
xor_reduce(target, source, size=None, team=None)
max_reduce(target, source, size=None, team=None)
min_reduce(target, source, size=None, team=None)
sum_reduce(target, source, size=None, team=None)
prod_reduce(target, source, size=None, team=None)
sum_inscan(target, source, size=None, team=None)
sum_exscan(target, source, size=None, team=None)
new_lock()
del_lock(lock)
set_lock(lock)
test_lock(lock)
clear_lock(lock)
Lock()
Lock.acquire(self, blocking=True)
Lock.release(self)
Lock.destroy(self)
Ctx(ctx=None)
Ctx.create(options=0, team=None)
Ctx.destroy(self)
Ctx.get_team(self)
Ctx.fence(self)
Ctx.quiet(self)
Ctx.pe_quiet(self, pes)
Ctx.session_start(self, options=0, total_ops=None)
Ctx.session_stop(self)
Team(team=None)
Team.split_strided(self, start=0, stride=1, size=None, config=None, **kwargs)
Team.split_2d(self, xrange, xconfig=None, yconfig=None)
Team.get_config(self)
Team.my_pe(self)
Team.n_pes(self)
Team.translate_pe(self, pe=None, team=None)
Team.create_ctx(self, options=0)
Team.sync(self)
Team.destroy(self)
""".split("\n")[1:-1]

ENUMERATIONS = {
    "THREAD": "SINGLE FUNNELED SERIALIZED MULTIPLE",
    "MALLOC": "ATOMICS_REMOTE SIGNAL_REMOTE",
    "CTX": "PRIVATE SERIALIZED NOSTORE",
    "CMP": "EQ NE GT LE LT GE",
    "SIGNAL": "SET ADD",
    "AMO": "SET INC ADD AND OR XOR",
    "OP": "AND OR XOR MAX MIN SUM PROD",
}
OTHERS = """c rc MAJOR_VERSION MINOR_VERSION VENDOR_STRING CTX_DEFAULT CTX_INVALID CTX_SESSION_BATCH TEAM_WORLD TEAM_SHARED
    TEAM_INVALID DtypeError HandleError NotSymmetricError SizeError""".split()


def found(name):
    """Return what a name stands for, without the library."""
    home = shmem if name in ("rc", "c", "init", "init_thread", "query_initialized") else _api
    for part in name.split("."):
        home = getattr(home, part)
    return home


def plain(signature):
    """Return a signature without types."""
    parameters = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
    return signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)


@pytest.mark.parametrize("line", SIGNATURES, ids=lambda line: line.partition("(")[0])
def test_signature(line):
    name = line.partition("(")[0]
    text = str(plain(inspect.signature(found(name))))
    assert f"{name}{text}".replace("<THREAD.MULTIPLE: 3>", "3") == line


def test_there_are_no_other_names():
    names = {line.partition("(")[0] for line in SIGNATURES if "." not in line}
    names |= set(OTHERS) | set(ENUMERATIONS)
    names |= {f"{group}_{name}" for group, members in ENUMERATIONS.items() for name in members.split()}
    assert dir(shmem) == sorted(names)
    assert sorted(set(_api.__all__)) == sorted(_api.__all__)


def test_each_enumerator_is_a_constant_of_the_c_value():
    text = "".join(path.read_text() for path in (ROOT / "include").rglob("*.h"))
    for group, names in ENUMERATIONS.items():
        kind = found(group)
        assert [one.name for one in kind] == names.split()
        for name in names.split():
            assert found(f"{group}_{name}") is kind[name]
            c_name = f"SHMEM_{'MALLOC' if group == 'MALLOC' else group}_{name}"
            if group in ("THREAD", "CMP", "SIGNAL", "CTX", "MALLOC"):
                assert c_name in text


def test_everything_is_documented():
    for line in SIGNATURES:
        assert inspect.getdoc(found(line.partition("(")[0])), line


def test_first_use_of_a_name_initialises(run_python):
    assert run_python("""
from ucxx import shmem
assert "put" in dir(shmem) and "put" not in vars(shmem)
shmem.rc, shmem.init, shmem.init_thread, shmem.AMO, shmem.CMP_EQ
assert not shmem.query_initialized()
try:
    shmem.no_such_name
except AttributeError as error:
    print(error)
assert not shmem.query_initialized()
shmem.put
assert shmem.query_initialized()
from ucxx.shmem import *
print(my_pe(), n_pes(), sorted(set(dir(shmem)) - set(globals())))
""") == (0, "module 'ucxx.shmem' has no attribute 'no_such_name'\n0 1 []\n")


# The stub ---------------------------------------------------------------------------------------


def stub_functions():
    """Return the parameters of each function of the stub: names, and which have defaults; of all overloads."""
    tree = ast.parse((ROOT / "python/ucxx/_shmem.pyi").read_text())
    functions = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            arguments = node.args
            assert not arguments.vararg and not arguments.kwarg and not arguments.posonlyargs
            count = len(arguments.args) - len(arguments.defaults)
            parameters = [(one.arg, place >= count, False) for place, one in enumerate(arguments.args)]
            parameters += [(one.arg, default is not None, True)
                           for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
            functions.setdefault(node.name, []).append(parameters)
    return functions


def test_stub_has_the_functions_of_the_extension():
    functions = {name for name, one in vars(_shmem).items() if inspect.isbuiltin(one)}
    assert set(stub_functions()) == functions


@pytest.mark.parametrize("name", sorted(name for name, one in vars(_shmem).items() if inspect.isbuiltin(one)))
def test_stub_agrees_with_the_extension(name):
    wanted = [(one.name, one.default is not one.empty, one.kind is one.KEYWORD_ONLY)
              for one in inspect.signature(getattr(_shmem, name)).parameters.values()]
    for overload in stub_functions()[name]:
        names = [parameter[0] for parameter in overload]
        assert names == [parameter[0] for parameter in wanted]
        for (_, has_default, by_name), (_, may_be_left_out, only_by_name) in zip(overload, wanted, strict=True):
            assert may_be_left_out or not has_default  # an overload may want more than the function
            assert by_name == only_by_name or has_default is False


# Types ------------------------------------------------------------------------------------------


def mypy(*arguments):
    """Run mypy; return its status and what it says."""
    done = subprocess.run([sys.executable, "-m", "mypy", *map(str, arguments)], cwd=ROOT, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "MYPYPATH": str(ROOT / "python")})
    return done.returncode, done.stdout


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_typed_program_is_right():
    status, said = mypy(HERE / "programs/typed_shmem.py")
    assert status == 0, said


MISUSES = ["shmem.atomic_inc(floats, 0)", "shmem.atomic_add(floats, 1, 0)",
           "shmem.put(numbers, [1], 0)", "shmem.barrier_all(1)", "shmem.zeros('3')", "shmem.quiet(shmem.TEAM_WORLD)",
           "x: str = shmem.my_pe()", "shmem.sum_reduce(numbers, numbers, team=1)", "shmem.wait_until(floats, '==', 0)"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_misuse_is_found(tmp_path):
    lines = ["import numpy as np", "from ucxx import shmem", "", "numbers = shmem.zeros(3, np.int64)",
             "floats = shmem.zeros(3)", *MISUSES]
    wanted = list(range(len(lines) - len(MISUSES) + 1, len(lines) + 1))
    (tmp_path / "wrong.py").write_text("\n".join(lines) + "\n")
    _, said = mypy("--no-error-summary", "--hide-error-context", tmp_path / "wrong.py")
    wrong = {int(line.split(":")[1]) for line in said.splitlines() if "wrong.py" in line and ": error:" in line}
    assert sorted(wrong) == wanted, said


@pytest.mark.parametrize("count", [1, 2])
def test_typed_program_runs(pes, count):
    pes(count, run_typed_program)


def run_typed_program():
    """Run it on this PE."""
    import runpy

    runpy.run_path(str(HERE / "programs/typed_shmem.py"), run_name="__main__")
