# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""OpenSHMEM 1.6 for NumPy arrays::

    import numpy as np
    from ucxx import shmem

    mine = shmem.array(shmem.my_pe(), dtype=np.int32)
    all_of_us = shmem.empty(shmem.n_pes(), dtype=np.int32)
    shmem.fcollect(all_of_us, mine)

Run by `oshrun -n 4 python program.py`, or alone as one PE. The library is initialised when a name is
first used, but for `rc`, `init`, `init_thread`, `query_initialized`, the exceptions and the constants;
`rc` says how.
The end of the program finalises it.

Symmetric arrays are there on all PEs, under the same name: `put` and `get` copy to and from that of
another PE. They are ndarrays, also those of one element: an element that a call changes is a view,
`flags[i, ...]` or `flags[i:i+1]`; `flags[i]` is a copy.

A child that a PE forks is no PE: calls raise there. It can read symmetric arrays, which it shares with
the PEs: it sees what they write later. A store into one ends the child by SIGSEGV, although
`array.flags.writeable` stays true: let it write into a copy.

Calls that wait, collectives, and copies of 64 KiB and more let Python's other threads run. How many of
them may call the library says `init_thread`.
"""

from importlib import import_module

try:
    import numpy as _numpy  # noqa: F401
except ImportError as error:
    raise ImportError("ucxx.shmem needs NumPy: pip install 'ucxx[shmem]'") from error

from ucxx._shmem_adapters.chosen import chosen_path as _chosen_path

if _chosen_path() is not None:
    from ucxx import _shmem as _shmem  # what is wrong with another library is said here

TYPE_CHECKING = False
if TYPE_CHECKING:  # type checkers see all names here; without __all__, of which they read no sums
    from ucxx.shmem import c as c
    from ucxx.shmem._api import *  # noqa: F403
    from ucxx.shmem._constants import *  # noqa: F403
    from ucxx.shmem._errors import DtypeError as DtypeError
    from ucxx.shmem._errors import HandleError as HandleError
    from ucxx.shmem._errors import NotSymmetricError as NotSymmetricError
    from ucxx.shmem._errors import SizeError as SizeError
    from ucxx.shmem._rc import rc as rc
    from ucxx.shmem._start import init as init
    from ucxx.shmem._start import init_thread as init_thread
    from ucxx.shmem._start import query_initialized as query_initialized
else:
    # What is there before the library is initialised, and where.
    _EARLY = {"rc": "_rc", "init": "_start", "init_thread": "_start", "query_initialized": "_start",
              "DtypeError": "_errors", "HandleError": "_errors", "NotSymmetricError": "_errors",
              "SizeError": "_errors"}

    def _use():
        """Put all names here, and initialise the library as `rc` says."""
        api = import_module("ucxx.shmem._api")
        import_module("ucxx.shmem._start").begin()
        globals().update({name: getattr(api, name) for name in api.__all__})

    def _home(name):
        """Return the module of a name that needs no library, or None."""
        if name.isupper() and name in import_module("ucxx.shmem._constants").__all__:
            return "_constants"
        return _EARLY.get(name)

    def __getattr__(name):
        if home := _home(name):
            globals()[name] = getattr(import_module(f"ucxx.shmem.{home}"), name)
            return globals()[name]
        if name == "__all__":
            return __dir__()
        if not name.startswith("_") and name in __dir__():
            _use()
            return globals()[name] if name != "c" else import_module("ucxx.shmem.c")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted(["c", *_EARLY, *import_module("ucxx.shmem._api").__all__])


del TYPE_CHECKING
