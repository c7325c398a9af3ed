# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The C functions of OpenSHMEM as typed pointers, which compiled Python code calls without Python.

Each has its C name without `shmem_` in front: `c.long_p` is `shmem_long_p`. The deprecated names
without it (`start_pes`, `_my_pe`, `shmalloc` ...) are as in C. `c.long_p.__doc__` is the prototype.

They are functions of ctypes, with `argtypes` and `restype`. A pointer is an address: an integer, or
what ctypes takes for `void*`, such as `array.ctypes`. So is a handle, `shmem_ctx_t` or
`shmem_team_t`. A `char` is a number of 8 bits with a sign. Nothing checks what an address is of.

Numba calls them within `@njit`: a put of one element within a node takes a few ns::

    from numba import njit
    from ucxx import shmem

    p, wait_until, CMP_GE = shmem.c.long_p, shmem.c.long_wait_until, int(shmem.CMP_GE)

    @njit(nogil=True)
    def play(ball, me, rounds):
        '''Throw the ball to PE 1 and back.'''
        for i in range(1, rounds + 1):
            if me == 0:
                p(ball.ctypes, i, 1)
            wait_until(ball.ctypes, CMP_GE, i)
            if me == 1:
                p(ball.ctypes, i, 0)

An address in there is `array.ctypes`, `array[i:].ctypes`, `array[i, j:].ctypes`, or a number:
`array.ctypes.data + i * array.itemsize`; 0 is the null pointer. Numba cannot call what takes or
returns a `long double` by value (`longdouble_p`, `longdouble_g`). It makes no copy of a kernel for
`cache=True`, as the addresses differ from process to process. Without `nogil=True` a kernel that
waits keeps Python's other threads from running; with or without, Ctrl-C waits for its end. And a
kernel waits by these functions: a loop that reads the array until it changes may read it once.

Cython takes the address::

    import ctypes
    from libc.stdint cimport uintptr_t
    from ucxx import shmem

    ctypedef void (*long_p_t)(long*, long, int) noexcept nogil
    cdef long_p_t p = <long_p_t><uintptr_t>ctypes.cast(shmem.c.long_p, ctypes.c_void_p).value

Not here: `shmem_pcontrol`, which takes variable arguments; the names for tools, `pshmem_...`; and
the extensions of `shmemx.h`, which take functions.
"""

import ctypes
import difflib
import functools
import os
from typing import Any

from ucxx import _shmem
from ucxx._shmem_adapters.functions import Function, functions, parts
from ucxx.shmem._constants import MAJOR_VERSION, MINOR_VERSION
from ucxx.shmem._start import begin

# C types whose name in ctypes is not that in C: as LP64 has them.
_OTHERS: dict[str, Any] = {
    "void": None,
    "char": ctypes.c_byte,
    "signed char": ctypes.c_byte,
    "unsigned char": ctypes.c_ubyte,
    "ptrdiff_t": ctypes.c_ssize_t,
    "size_t": ctypes.c_size_t,
    "shmem_ctx_t": ctypes.c_void_p,
    "shmem_team_t": ctypes.c_void_p,
}


class _MissingError(NotImplementedError, AttributeError):
    """A function that the library does not have: hasattr() says so, too."""


def __getattr__(name: str) -> "ctypes._NamedFuncPointer":
    known = functions().get(name)
    if known is None:
        raise AttributeError(_refusal(name))
    function = _typed(known)
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    return sorted(functions())


def _refusal(name: str) -> str:
    wanted = name.removeprefix("shmem_")
    close = difflib.get_close_matches(wanted, functions(), n=1)
    return f"module {__name__!r} has no function {name!r}" + (
        f": is {close[0]!r} meant?" if close else "")


def _typed(known: Function) -> "ctypes._NamedFuncPointer":
    """Return a C function with its types."""
    result, name, parameters = parts(prototype := known.prototype())
    try:
        function = _library()[_shmem.prefix() + name]
    except AttributeError:
        raise _MissingError(
            f"{_shmem.vendor()} (OpenSHMEM {MAJOR_VERSION}.{MINOR_VERSION}, by the adapter "
            f"{_shmem.library()}) has no {name}") from None
    function.restype = _c_type(result)
    function.argtypes = [_c_type(one.rpartition(" ")[0]) for one in parameters]
    function.__doc__ = prototype
    return function


@functools.cache
def _library() -> ctypes.CDLL:
    """Return the library that `ucxx._shmem` has loaded; the first use initialises it, as `rc` says.

    Its functions run without the GIL.
    """
    begin()
    return ctypes.CDLL(_shmem.library(), mode=os.RTLD_NOLOAD | os.RTLD_NOW)


def _c_type(text: str) -> Any:
    """Return what ctypes has for a C type, or None for void."""
    if text.endswith("*"):
        return ctypes.c_void_p
    if text in _OTHERS:
        return _OTHERS[text]
    name = text.replace("unsigned ", "u").replace(" ", "").removesuffix("_t")
    return getattr(ctypes, f"c_{name}")
