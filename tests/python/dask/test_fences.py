# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A process that uses ucx:// asks Linux for foreign fences while it starts, not when it meets its first peer."""

import pytest

_REGISTERED = 1 << 2  # MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED


def test_importing_the_backend_registers_the_process(run_python):
    status, said = run_python("""
import ctypes, os, threading
import ucxx.dask.backend
from ucxx.dask import fences
number = fences._NUMBERS.get(os.uname().machine)
for thread in threading.enumerate():
    if thread.name == "ucxx fences":
        thread.join(30)
        assert not thread.is_alive()
_GET_REGISTRATIONS = 1 << 9
print(-1 if number is None else ctypes.CDLL(None).syscall(number, _GET_REGISTRATIONS, 0, 0))
""")
    assert status == 0, said
    if int(said) < 0:
        pytest.skip("this kernel does not tell what is registered (Linux before 6.3)")
    assert int(said) & _REGISTERED


def test_the_import_does_not_wait_for_linux(run_python):
    code = """
import ctypes, threading
answer = threading.Event()
class Libc:
    def syscall(self, *arguments):
        assert answer.wait(60)
        print("answered", arguments[1:])
from ucxx.dask import fences
fences.ctypes = type("ctypes", (), {"CDLL": staticmethod(lambda name: Libc())})
fences._NUMBERS = dict.fromkeys([fences.os.uname().machine], 1)
import ucxx.dask.backend
print("imported")
answer.set()
"""
    assert run_python(code) == (0, "imported\nanswered (4, 0, 0)\n")


def test_where_the_number_of_the_call_is_unknown_nothing_is_asked(run_python):
    code = """
import threading
from ucxx.dask import fences
fences._NUMBERS = {}
import ucxx.dask.backend
print(sum(thread.name == "ucxx fences" for thread in threading.enumerate()))
"""
    assert run_python(code) == (0, "0\n")
