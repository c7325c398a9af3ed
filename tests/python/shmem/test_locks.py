# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Locks: one PE at a time, in the order in which they came."""

import numpy as np
import pytest
from samples import symmetric

from ucxx import shmem

ROUNDS = 50


def count_under_a_lock():
    """Count on PE 0 by get and put: only a lock makes that right."""
    lock, word = shmem.Lock(), shmem.new_lock()
    ways = [(lock.acquire, lock.release), (lock.__enter__, lambda: lock.__exit__(None, None, None)),
            (lambda: shmem.set_lock(word), lambda: shmem.clear_lock(word)),
            (lambda: shmem.set_lock(lock=word), lambda: shmem.clear_lock(lock=word)),
            (lambda: until_true(lambda: not shmem.test_lock(word)), lambda: shmem.clear_lock(word)),
            (lambda: until_true(lambda: lock.acquire(blocking=False)), lock.release)]
    with symmetric(np.zeros(len(ways), int)) as counters:
        for number, (take, give) in enumerate(ways):
            counter = counters[number, ...]
            for _ in range(ROUNDS):
                take()
                shmem.p(counter, shmem.g(counter, 0) + 1, 0)
                give()
            shmem.barrier_all()
        result = counters.tolist()
    lock.destroy()
    shmem.del_lock(word)
    return result


def until_true(ask):
    """Ask until it is so."""
    while not ask():
        pass


def held_by_one():
    """Hold a lock on PE 0; the others see it held."""
    me = shmem.my_pe()
    lock, word = shmem.Lock(), shmem.new_lock()
    assert (word.shape, word.dtype, word[0]) == ((1,), np.int64, 0)
    shmem.barrier_all()  # whoever takes a lock writes into the words of others
    if me == 0:
        assert lock.acquire() is True and shmem.test_lock(word) is False
        with pytest.raises(RuntimeError, match="^acquire: this PE holds the lock already"):
            lock.acquire()
        with pytest.raises(RuntimeError, match="^destroy: this PE holds the lock: release it first"):
            lock.destroy()
    shmem.barrier_all()
    if me != 0:
        assert lock.acquire(False) is False and shmem.test_lock(word) is True
        with pytest.raises(RuntimeError, match="^release: this PE does not hold the lock"):
            lock.release()
    shmem.barrier_all()
    if me == 0:
        lock.release()
        shmem.clear_lock(word)
    shmem.barrier_all()
    with pytest.raises(ZeroDivisionError), lock as held:
        assert held is lock
        _ = 1 / 0
    with lock:
        pass
    shmem.barrier_all()
    lock.destroy()
    shmem.del_lock(word)
    for use in (lock.acquire, lambda: lock.acquire(False), lambda: shmem.set_lock(word), lambda: shmem.test_lock(word)):
        with pytest.raises(shmem.NotSymmetricError, match=r"^(acquire|set_lock|test_lock): the memory of lock is freed"):
            use()
    for again in (lock.destroy, lambda: shmem.del_lock(word)):
        assert again() is None
    with pytest.raises(KeyError, match="^free: the memory at 0x[0-9a-f]* is freed already"):
        shmem.free(word)


def wrong_arguments():
    """Give what is no lock."""
    with symmetric(np.zeros(2, int), np.zeros((), np.uint64)) as (pair, other):
        reads_alone = pair[:1]
        reads_alone.flags.writeable = False
        for call in (shmem.set_lock, shmem.test_lock, shmem.clear_lock):
            for lock, kind, words in (
                (pair, ValueError, "lock has 2 elements: must have one"),
                (pair[0], TypeError, "lock is a NumPy scalar"),
                (other, TypeError, "lock is of dtype uint64: must be int64, as new_lock"),
                (np.zeros((), int), ValueError, "lock is not symmetric"),
                (reads_alone, ValueError, "lock is a read-only array: must be writable"),
                (5, TypeError, "lock is of type int: must be a numpy.ndarray"),
            ):
                with pytest.raises(kind, match=f"^{call.__name__}: {words}"):
                    call(lock)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_lock_counts(pes, count):
    assert pes(count, count_under_a_lock)[0] == [ROUNDS * count] * 6


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("function", [held_by_one, wrong_arguments])
def test_locks(pes, count, function):
    pes(count, function)
