# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The constants of OpenSHMEM, as enumerations, and each of them by its whole name.

The values are those of the library that is loaded.
"""

from enum import IntEnum, IntFlag, StrEnum

from ucxx import _shmem

__all__ = [
    "AMO",
    "AMO_ADD",
    "AMO_AND",
    "AMO_INC",
    "AMO_OR",
    "AMO_SET",
    "AMO_XOR",
    "CMP",
    "CMP_EQ",
    "CMP_GE",
    "CMP_GT",
    "CMP_LE",
    "CMP_LT",
    "CMP_NE",
    "CTX",
    "CTX_NOSTORE",
    "CTX_PRIVATE",
    "CTX_SERIALIZED",
    "CTX_SESSION_BATCH",
    "MAJOR_VERSION",
    "MALLOC",
    "MALLOC_ATOMICS_REMOTE",
    "MALLOC_SIGNAL_REMOTE",
    "MINOR_VERSION",
    "OP",
    "OP_AND",
    "OP_MAX",
    "OP_MIN",
    "OP_OR",
    "OP_PROD",
    "OP_SUM",
    "OP_XOR",
    "SIGNAL",
    "SIGNAL_ADD",
    "SIGNAL_SET",
    "THREAD",
    "THREAD_FUNNELED",
    "THREAD_MULTIPLE",
    "THREAD_SERIALIZED",
    "THREAD_SINGLE",
    "VENDOR_STRING",
]


_VALUES = _shmem.constants()


class THREAD(IntEnum):
    """Which threads of a PE may call the library."""

    SINGLE = _VALUES["THREAD_SINGLE"]
    FUNNELED = _VALUES["THREAD_FUNNELED"]
    SERIALIZED = _VALUES["THREAD_SERIALIZED"]
    MULTIPLE = _VALUES["THREAD_MULTIPLE"]


class MALLOC(IntFlag):
    """What symmetric memory is used for."""

    ATOMICS_REMOTE = _VALUES["MALLOC_ATOMICS_REMOTE"]
    SIGNAL_REMOTE = _VALUES["MALLOC_SIGNAL_REMOTE"]


class CTX(IntFlag):
    """What a context promises."""

    PRIVATE = _VALUES["CTX_PRIVATE"]
    SERIALIZED = _VALUES["CTX_SERIALIZED"]
    NOSTORE = _VALUES["CTX_NOSTORE"]


class CMP(IntEnum):
    """How waits and tests compare. The signs '==', '!=' ... and the names 'eq', 'ne' ... do as well."""

    EQ = _VALUES["CMP_EQ"]
    NE = _VALUES["CMP_NE"]
    GT = _VALUES["CMP_GT"]
    LE = _VALUES["CMP_LE"]
    LT = _VALUES["CMP_LT"]
    GE = _VALUES["CMP_GE"]


class SIGNAL(IntEnum):
    """What put_signal does to the signal."""

    SET = _VALUES["SIGNAL_SET"]
    ADD = _VALUES["SIGNAL_ADD"]


class AMO(StrEnum):
    """Atomic operations. Each is the text of its value: 'add'."""

    SET = "set"
    INC = "inc"
    ADD = "add"
    AND = "and"
    OR = "or"
    XOR = "xor"


class OP(StrEnum):
    """Reductions. Each is the text of its value: 'sum'."""

    AND = "and"
    OR = "or"
    XOR = "xor"
    MAX = "max"
    MIN = "min"
    SUM = "sum"
    PROD = "prod"


THREAD_SINGLE = THREAD.SINGLE
THREAD_FUNNELED = THREAD.FUNNELED
THREAD_SERIALIZED = THREAD.SERIALIZED
THREAD_MULTIPLE = THREAD.MULTIPLE

MALLOC_ATOMICS_REMOTE = MALLOC.ATOMICS_REMOTE
MALLOC_SIGNAL_REMOTE = MALLOC.SIGNAL_REMOTE

CTX_PRIVATE = CTX.PRIVATE
CTX_SERIALIZED = CTX.SERIALIZED
CTX_NOSTORE = CTX.NOSTORE
CTX_SESSION_BATCH = _VALUES["CTX_SESSION_BATCH"]

CMP_EQ = CMP.EQ
CMP_NE = CMP.NE
CMP_GT = CMP.GT
CMP_LE = CMP.LE
CMP_LT = CMP.LT
CMP_GE = CMP.GE

SIGNAL_SET = SIGNAL.SET
SIGNAL_ADD = SIGNAL.ADD

AMO_SET = AMO.SET
AMO_INC = AMO.INC
AMO_ADD = AMO.ADD
AMO_AND = AMO.AND
AMO_OR = AMO.OR
AMO_XOR = AMO.XOR

OP_AND = OP.AND
OP_OR = OP.OR
OP_XOR = OP.XOR
OP_MAX = OP.MAX
OP_MIN = OP.MIN
OP_SUM = OP.SUM
OP_PROD = OP.PROD

MAJOR_VERSION = _VALUES["MAJOR_VERSION"]
MINOR_VERSION = _VALUES["MINOR_VERSION"]
VENDOR_STRING = _shmem.vendor()
