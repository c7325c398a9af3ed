# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What all backends share: the ping-pong, over one call that sends and one that receives."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ucxx.testing import Peer, running_peers

if TYPE_CHECKING:
    from ucxx.benchmarks.message import Message, ObjectMessage
    from ucxx.benchmarks.rank import Rank
    from ucxx.benchmarks.settings import Settings

Announce = Callable[[Any], object]
Call = Callable[[], Any]
AsyncCall = Callable[[], Awaitable[Any]]


class SyncBackend:
    """A way to send whose calls block.

    One process calls `serve`, the other one `connect` with the address that it has announced;
    then both call `ping_pong` with the same counts, and `close`.

    Attributes:
        object_types: whose memory it takes.
        sleeps: whether its calls sleep when there is nothing to do for long.
        meets: whether its two processes can be started apart, and meet at an address.
        has_active_messages: whether it can send those.
        gives_memory: whether it can receive into memory of its own.
    """

    object_types: tuple[str, ...] = ("numpy", "bytearray")
    sleeps = True
    meets = True
    has_active_messages = False
    gives_memory = False

    def __init__(self, settings: Settings) -> None:
        """Keep the settings."""
        self.settings = settings

    @classmethod
    def missing(cls) -> str | None:
        """Return why it cannot be used here, None if it can."""
        return None

    @classmethod
    def unfit(cls, settings: Settings) -> str | None:
        """Return why it cannot do what the settings say, None if it can."""
        if settings.object_type not in (None, *cls.object_types):
            return f"it does not take memory of {settings.object_type}"
        if settings.content == "dict" and cls.object_calls is SyncBackend.object_calls:
            return "it does not send objects"
        if settings.receive_into == "library" and not cls.gives_memory:
            return "it has no memory of its own to receive into"
        if settings.pause_us and not cls.sleeps:
            return "its calls never sleep"
        if settings.active_messages and not cls.has_active_messages:
            return "it has no active messages"
        if settings.side != "both" and not cls.meets:
            return "it starts both processes itself"
        return None

    @classmethod
    def processes(
        cls, function: Callable[..., object], *args: Any
    ) -> AbstractContextManager[Sequence[Peer | Rank]]:
        """Return a context manager that gives two processes of `function(words, *args)`."""
        return running_peers(2, function, *args)

    def serve(self, announce: Announce) -> None:
        """Call `announce(address)` and wait until the other process has connected."""
        raise NotImplementedError

    def connect(self, address: Any) -> None:
        """Connect to the process that serves."""
        raise NotImplementedError

    def calls(self, message: Message) -> tuple[Call, Call]:
        """Return two functions: one sends the message, one receives its counterpart."""
        raise NotImplementedError

    def object_calls(self, message: ObjectMessage) -> tuple[Call, Call]:
        """Return two functions: one sends the object, one receives its counterpart."""
        raise NotImplementedError

    def ping_pong(
        self, message: Message | ObjectMessage, count: int, begins: bool
    ) -> list[float]:
        """Exchange messages; return `count + 1` instants in seconds, one after each round trip."""
        send, receive = message.calls(self)
        now = time.perf_counter
        if not begins:
            receive()
        instants = [now()]
        for _ in range(count if begins else count - 1):
            self._pause()
            send()
            receive()
            instants.append(now())
        if not begins:
            send()
        return instants

    def _pause(self) -> None:
        """Compute as long as the settings say."""
        if self.settings.pause_us:
            until = time.perf_counter() + self.settings.pause_us / 1e6
            while time.perf_counter() < until:
                pass

    def close(self) -> None:
        """Let go of the peer."""


class AsyncBackend(SyncBackend):
    """A way to send whose calls are awaited; it has an event loop of its own.

    Subclasses have `_serve`, `_connect` and `_close` as coroutines; `calls` gives functions whose
    results are awaited.
    """

    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None

    def __init__(self, settings: Settings) -> None:
        """Make the loop."""
        super().__init__(settings)
        self._runner = asyncio.Runner(loop_factory=self.loop_factory)

    def serve(self, announce: Announce) -> None:
        """Call `announce(address)` and wait until the other process has connected."""
        self._runner.run(self._serve(announce))

    def connect(self, address: Any) -> None:
        """Connect to the process that serves."""
        self._runner.run(self._connect(address))

    def ping_pong(
        self, message: Message | ObjectMessage, count: int, begins: bool
    ) -> list[float]:
        """Exchange messages; return `count + 1` instants in seconds, one after each round trip."""
        return self._runner.run(self._ping_pong(message, count, begins))

    async def _ping_pong(
        self, message: Message | ObjectMessage, count: int, begins: bool
    ) -> list[float]:
        send, receive = message.calls(self)
        now = time.perf_counter
        if not begins:
            await receive()
        instants = [now()]
        for _ in range(count if begins else count - 1):
            self._pause()
            await send()
            await receive()
            instants.append(now())
        if not begins:
            await send()
        return instants

    def close(self) -> None:
        """Let go of the peer and of the loop."""
        self._runner.run(self._close())
        self._runner.close()

    async def _serve(self, announce: Announce) -> None:
        raise NotImplementedError

    async def _connect(self, address: Any) -> None:
        raise NotImplementedError

    async def _close(self) -> None:
        raise NotImplementedError
