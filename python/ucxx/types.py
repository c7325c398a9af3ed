# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Small types of both APIs: tags, masks and features."""

import enum
import operator

_MOST = 2**64 - 1


class Tag(int):
    """A tag: an int of 0 to 2**64 - 1. Raises ValueError for others."""

    __slots__ = ()

    def __new__(cls, value):
        """Check the value."""
        try:
            number = operator.index(value)
        except TypeError:
            kind = type(value).__name__
            raise TypeError(f"a tag is an int of 0 to 2**64 - 1, not {kind}") from None
        if not 0 <= number <= _MOST:
            raise ValueError(f"a tag is an int of 0 to 2**64 - 1, not {number}")
        return super().__new__(cls, number)

    @property
    def value(self):
        """The int."""
        return int(self)

    def __repr__(self):
        """Show it as programs write it."""
        return f"{type(self).__name__}({int(self):#x})"


class TagMask(Tag):
    """Which bits of a tag a receive looks at."""

    __slots__ = ()


TagMaskFull = TagMask(_MOST)
UCXXTag, UCXXTagMask, UCXXTagMaskFull = Tag, TagMask, TagMaskFull


class Feature(enum.Enum):
    """What a context can be asked for; the values are UCX's (ucp_feature)."""

    TAG = 1 << 0
    RMA = 1 << 1
    AMO32 = 1 << 2
    AMO64 = 1 << 3
    WAKEUP = 1 << 4
    STREAM = 1 << 5
    AM = 1 << 6
