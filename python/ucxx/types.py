# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Small types of both APIs: tags, masks, features, options of workers, and what is taken as a buffer."""

from __future__ import annotations

import enum
import operator
import typing

if typing.TYPE_CHECKING:
    from typing_extensions import Buffer

_MOST = 2**64 - 1


class Tag(int):
    """A tag: an int of 0 to 2**64 - 1. Raises ValueError for others."""

    __slots__ = ()

    def __new__(cls, value: int) -> typing.Self:
        """Check the value."""
        try:
            number = operator.index(value)
        except TypeError:
            kind = type(value).__name__
            raise TypeError(f"a tag must be an int from 0 to 2**64 - 1, not {kind}") from None
        if not 0 <= number <= _MOST:
            raise ValueError(f"a tag must be an int from 0 to 2**64 - 1, not {number}")
        return super().__new__(cls, number)

    @property
    def value(self) -> int:
        """The int."""
        return int(self)

    def __repr__(self) -> str:
        """Show it as programs for RAPIDS UCXX do, whose name it has, too."""
        return f"UCXX{type(self).__name__}({int(self)})"


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


class WorkerOptions(typing.TypedDict, total=False):
    """How workers behave: arguments of `ucxx.init` and of `core.UCXWorker`, by these names.

    None, or none given, is the default. Sizes are in bytes, times in seconds up to 1e9.

    Args:
        unexpected_bytes: how much each peer may send before somebody receives it; then it waits. Also how
            many bytes of its large active messages come at a time. 64 MiB; at least 1.
        fetch_ahead_bytes: large messages that nobody has received for a millisecond are fetched all the
            same, so that both sides may send first: so many bytes of all peers at a time, of each peer at
            most `unexpected_bytes`; beyond that their senders wait. 256 MiB; 0: none.
        announcements: large messages of each peer that wait for a receive, before its further sends do.
            65,536; at least 1.
        multi_frames: buffers that a multi-buffer message may have; a receive of more is refused. 65,536.
        multi_bytes: bytes that they may have in all, and that a peer can have allocated by an active
            message. 64 GiB; never more than half of the machine's memory.
        connect_timeout: how long a connect may take, where the endpoint has no limit of its own. Five
            seconds; more than 0.
        close_timeout: how long a close waits for receivers of what was sent before, where it has no limit
            of its own. Ten seconds.
        stall_report: a transfer that is pending for longer is reported to the log once, as a warning of
            `ucxx.worker`, with a dump; so is an iteration of a prepared transfer. 0, the default: never.
    """

    unexpected_bytes: int | None
    fetch_ahead_bytes: int | None
    announcements: int | None
    multi_frames: int | None
    multi_bytes: int | None
    connect_timeout: float | None
    close_timeout: float | None
    stall_report: float | None


class HasArrayInterface(typing.Protocol):
    """What NumPy takes as an array, in memory of the host."""

    @property
    def __array_interface__(self) -> typing.Any:
        """Where the memory is, and its shape and type."""


class HasCudaArrayInterface(typing.Protocol):
    """What CuPy, Numba and others take as an array, in memory of a CUDA device."""

    @property
    def __cuda_array_interface__(self) -> typing.Any:
        """Where the memory is, and its shape and type."""


class HasDLPack(typing.Protocol):
    """A tensor of PyTorch, JAX and others, in memory of the host or of a device."""

    def __dlpack__(self, *args: typing.Any, **kwargs: typing.Any) -> typing.Any:
        """Return a capsule of the tensor."""


class HasCudaStream(typing.Protocol):
    """A stream of CUDA by CUDA's protocol for Python: of CuPy 14, cuda.core and others."""

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return 0, the version of the protocol, and the handle."""


class HasCudaStreamOfTorch(typing.Protocol):
    """A stream of PyTorch."""

    @property
    def cuda_stream(self) -> typing.Any:
        """The handle."""


class HasPtr(typing.Protocol):
    """A stream of CuPy."""

    @property
    def ptr(self) -> typing.Any:
        """The handle."""


class HasHandle(typing.Protocol):
    """A stream of Numba; a stream, a graph or a node of cuda.core."""

    @property
    def handle(self) -> typing.Any:
        """The handle: an int, or what Python makes one of."""


class HasRawCudaGraph(typing.Protocol):
    """A graph of PyTorch, which was made with `keep_graph=True`."""

    def raw_cuda_graph(self) -> int:
        """Return the handle."""


StreamLike = typing.Union[int, HasCudaStream, HasCudaStreamOfTorch, HasPtr, HasHandle]
"""A stream of CUDA, for annotations: an object of a library, or its handle (a cudaStream_t)."""

GraphLike = typing.Union[int, HasRawCudaGraph, HasHandle]
"""A graph of CUDA, for annotations, or its handle (a cudaGraph_t)."""

GraphNodeLike = typing.Union[int, HasHandle]
"""A node of a graph of CUDA, for annotations, or its handle (a cudaGraphNode_t)."""

BufferLike = typing.Union["Buffer", HasArrayInterface, HasCudaArrayInterface, HasDLPack]
"""What can be sent and received into, for annotations. It must be contiguous, and for a receive
writable; type checkers cannot see that, so it is looked at when a transfer begins."""
