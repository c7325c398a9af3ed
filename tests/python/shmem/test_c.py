# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`ucxx.shmem.c`: the C functions as typed pointers."""

import ctypes
import importlib.util
import pathlib

import pytest

from oshrun import run_job
from ucxx import _shmem
from ucxx.shmem import c

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]


@pytest.fixture(scope="module")
def functions():
    """Return the functions of tools/shmem_api's table."""
    path = ROOT / "tools/shmem_api/table.py"
    spec = importlib.util.spec_from_file_location("shmem_api_table", path)
    table = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(table)
    return table.all_functions()


def test_holds_each_function_of_the_table_but_pcontrol(functions):
    names = [function.name.removeprefix("shmem_") for function in functions]
    assert dir(c) == sorted(set(names) - {"pcontrol"})
    assert len(dir(c)) == len(names) - 1 > 1700


def test_each_has_its_prototype(functions):
    wanted = {str(function).removeprefix("UCXX_SHMEM_NORETURN ") for function in functions}
    found = {getattr(c, name).__doc__ for name in dir(c) if hasattr(c, name)}
    if _shmem.prefix():  # another library
        assert found < wanted
    else:
        assert found == wanted - {"void shmem_pcontrol(int level, ...)"}


def test_each_is_the_function_of_that_name(functions):
    library = ctypes.CDLL(_shmem.library())
    for function in functions:
        found = getattr(c, function.name.removeprefix("shmem_"), None)
        if found is not None:
            assert address(found) == address(library[_shmem.prefix() + function.name])


def address(function):
    """Return the address of a function."""
    return ctypes.cast(function, ctypes.c_void_p).value


INT, LONG, SIZE, POINTER = ctypes.c_int, ctypes.c_long, ctypes.c_size_t, ctypes.c_void_p
STRIDE, SIGNAL = ctypes.c_ssize_t, ctypes.c_uint64


@pytest.mark.parametrize(("name", "result", "parameters"), [
    ("init", None, []),
    ("my_pe", INT, []),
    ("malloc", POINTER, [SIZE]),
    ("long_p", None, [POINTER, LONG, INT]),
    ("ctx_long_p", None, [POINTER, POINTER, LONG, INT]),
    ("longdouble_g", ctypes.c_longdouble, [POINTER, INT]),
    ("char_p", None, [POINTER, ctypes.c_byte, INT]),
    ("uchar_g", ctypes.c_ubyte, [POINTER, INT]),
    ("ulonglong_g", ctypes.c_ulonglong, [POINTER, INT]),
    ("float_iput", None, [POINTER, POINTER, STRIDE, STRIDE, SIZE, INT]),
    ("ctx_put128_nbi", None, [POINTER, POINTER, POINTER, SIZE, INT]),
    ("putmem_signal", None, [POINTER, POINTER, SIZE, POINTER, SIGNAL, INT, INT]),
    ("ptrdiff_atomic_fetch_add", STRIDE, [POINTER, STRIDE, INT]),
    ("size_wait_until_some", SIZE, [POINTER, SIZE, POINTER, POINTER, INT, SIZE]),
    ("complexd_sum_reduce", INT, [POINTER, POINTER, POINTER, SIZE]),
    ("ctx_quiet", None, [POINTER]),
    ("team_translate_pe", INT, [POINTER, INT, POINTER]),
    ("_num_pes", INT, []),
    ("shmalloc", POINTER, [SIZE]),
    ("short_xor_to_all", None, [POINTER, POINTER, INT, INT, INT, INT, POINTER, POINTER]),
])  # fmt: skip
def test_types_are_those_of_c(name, result, parameters):
    function = getattr(c, name)
    assert function.restype is result
    assert function.argtypes == parameters


def test_a_function_is_looked_up_once():
    assert c.long_g is c.long_g


@pytest.mark.parametrize(("name", "meant"), [
    ("shmem_long_p", "long_p"), ("long_put_nb", "long_put_nbi"), ("barier_all", "barrier_all"),
])  # fmt: skip
def test_an_unknown_name_is_an_error_that_says_what_is_meant(name, meant):
    with pytest.raises(AttributeError, match=f"has no function '{name}': is '{meant}' meant"):
        getattr(c, name)


def test_a_name_like_no_other_is_an_error():
    with pytest.raises(AttributeError, match="has no function 'zzzz'$"):
        _ = c.zzzz


def test_calls_from_python():
    assert run_job(1, "-c", "from ucxx import shmem; print(shmem.c.n_pes())") == (0, "1\n")


@pytest.mark.slow
def test_numba_calls_them():
    assert run_job(2, str(HERE / "programs/c_numba.py")) == (0, "played\n")
