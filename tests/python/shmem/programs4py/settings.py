# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The settings are looked at, copied and set again before the library is used."""

from ucxx.shmem import rc  # isort: skip

rc.threads = True
rc(thread_level="serialized")
saved = rc.__dict__.copy()
assert saved["threads"] is True and saved["thread_level"] == "serialized"
rc(threads=False, thread_level="single", finalize=False)
rc(**{"finalize": None, **saved})
rc()
assert rc.threads is True and rc.thread_level == "serialized" and rc.initialize is True and rc.finalize is None
assert repr(rc) == f"<{type(rc).__module__}.rc>"
for wrong in ("Threads", "thread", "fast_reduce"):
    try:
        rc(**{wrong: True})
    except TypeError:
        pass
    else:
        raise AssertionError(wrong)
    try:
        setattr(rc, wrong, True)
    except TypeError:
        pass
    else:
        raise AssertionError(wrong)

from ucxx import shmem

assert shmem.query_thread() >= shmem.THREAD.SERIALIZED
assert 0 <= shmem.my_pe() < shmem.n_pes()
shmem.barrier_all()
