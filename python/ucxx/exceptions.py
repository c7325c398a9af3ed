# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What UCXX raises: one class for each status of UCX, each also the nearest class of Python's own."""

from __future__ import annotations


class UCXError(Exception):
    """Any failure; a class of its own where UCX has a status of its own."""


UCXBaseException = UCXError


class UCXCanceledError(UCXError):
    """The transfer was cancelled, or its endpoint closed. Not asyncio's CancelledError."""


UCXCanceled = UCXCanceledError


class UCXConnectionResetError(UCXCanceledError, ConnectionResetError):
    """The peer has gone, or has closed its endpoint, which cancels what is pending there."""


UCXConnectionReset = UCXConnectionResetError


class UCXEndpointTimeoutError(UCXError, TimeoutError):
    """The peer has not answered for too long."""


class UCXTimedOutError(UCXError, TimeoutError):
    """The time was up."""


class UCXUnreachableError(UCXError, ConnectionRefusedError):
    """Nobody is there, or no transport reaches the peer."""


UCXUnreachable = UCXUnreachableError


class UCXRejectedError(UCXError, ConnectionRefusedError):
    """The peer has sent us away."""


class UCXNotConnectedError(UCXError, ConnectionError):
    """There is no connection."""


UCXNotConnected = UCXNotConnectedError


class UCXCloseError(UCXNotConnectedError):
    """The endpoint or listener is closed."""


class UCXMessageTruncatedError(UCXError, ValueError):
    """The message is longer than the buffer it was received into."""


UCXMsgTruncated = UCXMessageTruncatedError


class UCXNoMemoryError(UCXError, MemoryError):
    """There is no memory."""


class UCXInvalidParamError(UCXError, ValueError):
    """An argument is wrong."""


UCXConfigError = UCXInvalidParamError


class UCXInvalidAddrError(UCXError, ValueError):
    """Bytes are no address, or an address is none of this machine."""


class UCXUnsupportedError(UCXError, NotImplementedError):
    """This is not possible here."""


class UCXNotImplementedError(UCXError, NotImplementedError):
    """UCX has not got it."""


class UCXNoElemError(UCXError, LookupError):
    """There is no such thing, for example no such setting."""


class UCXOutOfRangeError(UCXError, IndexError):
    """A value is out of range."""


class UCXIOError(UCXError, OSError):
    """Input or output has failed."""


class UCXBusyError(UCXError):
    """It is in use."""


class UCXAlreadyExistsError(UCXError):
    """There is one already."""


class UCXBufferTooSmallError(UCXError, ValueError):
    """The buffer is too small."""


class UCXExceedsLimitError(UCXError):
    """There is too much of it."""


class UCXNoDeviceError(UCXError):
    """There is no device for the settings."""


class UCXNoMessageError(UCXError):
    """There is no message."""


class UCXNoResourceError(UCXError):
    """A resource is used up."""


class UCXNoProgressError(UCXError):
    """Nothing moves."""


class UCXSomeConnectsFailedError(UCXError):
    """Some connections have failed."""


class UCXShmemSegmentError(UCXError):
    """Shared memory has failed."""


class UCXFirstLinkFailureError(UCXError):
    """A link has failed."""


class UCXLastLinkFailureError(UCXError):
    """A link has failed."""


class UCXFirstEndpointFailureError(UCXError):
    """An endpoint has failed."""


class UCXLastEndpointFailureError(UCXError):
    """An endpoint has failed."""


# By ucs_status_t (UCX, ucs/type/status.h). What is not in it is a UCXError.
BY_STATUS: dict[int, type[UCXError]] = {
    -1: UCXNoMessageError,
    -2: UCXNoResourceError,
    -3: UCXIOError,
    -4: UCXNoMemoryError,
    -5: UCXInvalidParamError,
    -6: UCXUnreachableError,
    -7: UCXInvalidAddrError,
    -8: UCXNotImplementedError,
    -9: UCXMessageTruncatedError,
    -10: UCXNoProgressError,
    -11: UCXBufferTooSmallError,
    -12: UCXNoElemError,
    -13: UCXSomeConnectsFailedError,
    -14: UCXNoDeviceError,
    -15: UCXBusyError,
    -16: UCXCanceledError,
    -17: UCXShmemSegmentError,
    -18: UCXAlreadyExistsError,
    -19: UCXOutOfRangeError,
    -20: UCXTimedOutError,
    -21: UCXExceedsLimitError,
    -22: UCXUnsupportedError,
    -23: UCXRejectedError,
    -24: UCXCloseError,  # nothing but an operation on a closed endpoint has it
    -25: UCXConnectionResetError,
    -40: UCXFirstLinkFailureError,
    -59: UCXLastLinkFailureError,
    -60: UCXFirstEndpointFailureError,
    -80: UCXEndpointTimeoutError,
    -89: UCXLastEndpointFailureError,
}
