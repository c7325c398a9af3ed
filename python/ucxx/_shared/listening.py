# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the listeners of both APIs have in common."""

from __future__ import annotations

import operator
import weakref
from typing import Protocol, Self, SupportsIndex

from ucxx import _core
from ucxx.exceptions import UCXCloseError


def port_number(port: SupportsIndex) -> int:
    """Return a port as an int; raise ValueError or TypeError for what is none."""
    try:
        number = operator.index(port)
    except TypeError:
        kind = type(port).__name__
        raise TypeError(f"a port must be an int from 0 to 65535, not {kind}") from None
    if not 0 <= number <= 65535:
        raise ValueError(f"a port must be an int from 0 to 65535, not {number}")
    return number


class Listening:
    """A listener of the core, until it is closed."""

    _listener: _core._Listener | None = None

    @property
    def port(self) -> int:
        """The port it listens at."""
        return self._open().port

    @property
    def ip(self) -> str:
        """The address it listens at, as text."""
        return self._open().ip

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self._listener is None

    def close(self) -> None:
        """Stop listening; callers that wait for an answer are sent away. Endpoints live on."""
        self._listener = None

    def _open(self) -> _core._Listener:
        if self._listener is None:
            raise UCXCloseError("the listener is closed")
        return self._listener


class AsyncListening(Listening):
    """A listener of the APIs for event loops: a context manager, with `async` or without."""

    _error_handling: bool
    _receive_ahead: int

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close it."""
        self.close()

    async def __aenter__(self) -> Self:
        """Return it."""
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Close it."""
        self.close()

    def _accepted(self, request: int) -> _core.UCXEndpoint:
        """Accept a caller, as the arguments of this listener say."""
        accepted = self._open().accept(request, self._error_handling)
        if self._receive_ahead:
            accepted.receive_ahead(self._receive_ahead)
        return accepted


class _Answering(Protocol):
    def _on_caller(self, request: int) -> None: ...


class Caller:
    """What the core calls for each caller, without keeping the listener."""

    def __init__(self, listener: _Answering) -> None:
        """Begin; it calls `_on_caller` of the listener."""
        self._listener = weakref.ref(listener)

    def __call__(self, request: int) -> None:
        """Pass a caller on, while the listener is there."""
        listener = self._listener()
        if listener is not None:
            listener._on_caller(request)
