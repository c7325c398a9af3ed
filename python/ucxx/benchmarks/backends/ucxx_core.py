# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The synchronous API: `endpoint.tag_send(...).wait()`, `endpoint.tag_recv(...).wait()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ucxx import core
from ucxx.benchmarks import kinds
from ucxx.benchmarks.backends.base import Announce, Call, SyncBackend

if TYPE_CHECKING:
    from ucxx.benchmarks.message import Message
    from ucxx.benchmarks.settings import Settings

_TAG = 1


class Backend(SyncBackend):
    """Endpoints of `ucxx.core`; whoever waits moves the worker, or a thread in the thread modes."""

    object_types = kinds.NAMES
    gives_memory = True
    has_active_messages = True
    _endpoint: core.UCXEndpoint

    def __init__(self, settings: Settings) -> None:
        """Make a worker."""
        super().__init__(settings)
        self._worker = core.UCXWorker(core.UCXContext())
        if settings.progress_mode.startswith("thread"):
            self._worker.start_progress_thread(settings.progress_mode == "thread-polling")

    def serve(self, announce: Announce) -> None:
        """Call `announce(port)` and wait for the first caller."""
        callers: list[core.UCXEndpoint] = []
        listener = core.UCXListener.create(
            self._worker,
            self.settings.port,
            callers.append,
            deliver_endpoint=True,
            ip=self.settings.address,
        )
        announce(listener.port)
        while not callers:
            self._worker.progress_worker_event(100)
        self._endpoint = callers[0]
        listener.close()

    def connect(self, address: int) -> None:
        """Connect, and wait until the other process has accepted."""
        self._endpoint = self._worker.create_endpoint(self.settings.address, address)
        self._endpoint.flush().wait()

    def calls(self, message: Message) -> tuple[Call, Call]:
        """Return functions that wait for the requests of tag_send and tag_recv."""
        endpoint = self._endpoint
        if self.settings.is_multi:
            return lambda: endpoint.tag_send_multi(message.sent, _TAG).wait(), self._many(message)
        (sent,) = message.sent
        if self.settings.active_messages:
            return lambda: endpoint.am_send(sent).wait(), self._active(message)
        if not message.reuse:
            return lambda: endpoint.tag_send(sent, _TAG).wait(), self._one(message)
        (received,) = message.received
        return (
            lambda: endpoint.tag_send(sent, _TAG).wait(),
            lambda: endpoint.tag_recv(received, _TAG).wait(),
        )

    def _one(self, message: Message) -> Call:
        return lambda: self._endpoint.tag_recv(message.fresh()[0], _TAG).wait()

    def _active(self, message: Message) -> Call:
        def receive() -> None:
            message.received = [self._endpoint.am_recv().wait()]

        return receive

    def _many(self, message: Message) -> Call:
        def receive() -> None:
            message.received = self._endpoint.tag_recv_multi(_TAG).wait()

        return receive

    def close(self) -> None:
        """Close the endpoint, and stop the thread."""
        self._endpoint.close_blocking()
        self._worker.stop_progress_thread()
