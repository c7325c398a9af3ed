# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Each reduction beside NumPy's, for several types."""

import functools

import numpy as np

from ucxx import shmem

LENGTH = 7

me = shmem.my_pe()
pes = shmem.n_pes()


def sources(dtype):
    """Return what the PEs have."""
    return [(np.arange(1, LENGTH + 1) * (pe + 2) % 11 + 1).astype(dtype) for pe in range(pes)]


def check(names, dtypes, function):
    """Compare one operation, by its function and by reduce."""
    name, op = names
    for dtype in dtypes:
        expected = functools.reduce(function, sources(dtype))
        source = shmem.array(sources(dtype)[me])
        target = shmem.zeros(LENGTH, dtype=dtype)
        getattr(shmem, f"{name}_reduce")(target, source)
        assert np.allclose(target, expected), (name, dtype)
        target[:] = 0
        shmem.barrier_all()
        shmem.reduce(target, source, op, LENGTH - 1)
        assert np.allclose(target[:-1], expected[:-1]) and target[-1] == 0, (name, dtype)
        shmem.barrier_all()
        shmem.free(source)
        shmem.free(target)


BITS = ["uint8", "uint16", "uint32", "uint64"]
ORDERED = ["int8", "uint16", "int64", "float32", "float64", "longdouble"]
assert (shmem.OP.MAX, shmem.AMO_ADD, shmem.OP("min")) == ("max", "add", shmem.OP_MIN)
check(("and", shmem.OP_AND), BITS, np.bitwise_and)
check(("or", shmem.OP.OR), BITS, np.bitwise_or)
check(("xor", "xor"), BITS, np.bitwise_xor)
check(("max", shmem.OP_MAX), ORDERED, np.maximum)
check(("min", "min"), ORDERED, np.minimum)
check(("sum", shmem.OP_SUM), [*ORDERED, "complex64", "complex128"], np.add)
check(("prod", shmem.OP.PROD), ["int64", "float64", "complex128"], np.multiply)
