# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A blocking TCP socket."""

from __future__ import annotations

import pickle
import socket
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks.backends.base import Announce, Call, SyncBackend

if TYPE_CHECKING:
    from ucxx.benchmarks.message import Message, ObjectMessage


class Backend(SyncBackend):
    """A socket with TCP_NODELAY."""

    _socket: socket.socket

    def serve(self, announce: Announce) -> None:
        """Call `announce(port)` and accept one caller."""
        with socket.create_server((self.settings.address, self.settings.port)) as server:
            announce(server.getsockname()[1])
            self._use(server.accept()[0])

    def connect(self, address: int) -> None:
        """Connect."""
        self._use(socket.create_connection((self.settings.address, address)))

    def _use(self, connected: socket.socket) -> None:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connected

    def calls(self, message: Message) -> tuple[Call, Call]:
        """Return functions that send and receive the buffers one after the other."""
        send_all, receive_all = self._socket.sendall, self._receive_all

        def send() -> None:
            for buffer in message.sent:
                send_all(buffer)

        def receive() -> None:
            for buffer in message.received if message.reuse else message.fresh():
                receive_all(buffer, message.size)

        return send, receive

    def object_calls(self, message: ObjectMessage) -> tuple[Call, Call]:
        """Return functions that send and receive a pickle behind its length."""

        def send() -> None:
            data = pickle.dumps(message.sent, protocol=5)
            self._socket.sendall(len(data).to_bytes(8, "little") + data)

        def receive() -> None:
            head = bytearray(8)
            self._receive_all(head, 8)
            data = bytearray(int.from_bytes(head, "little"))
            self._receive_all(data, len(data))
            message.received = pickle.loads(data)

        return send, receive

    def _receive_all(self, buffer: Any, size: int) -> None:
        got = self._socket.recv_into(buffer, 0, socket.MSG_WAITALL)
        while got < size:  # a signal, or the peer has gone
            more = self._socket.recv_into(memoryview(buffer)[got:], 0, socket.MSG_WAITALL)
            if more == 0:
                raise ConnectionResetError("the peer has gone")
            got += more

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
