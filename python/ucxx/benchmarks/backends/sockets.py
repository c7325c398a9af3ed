# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A blocking TCP socket at the loopback address."""

import socket

from ucxx.benchmarks.backends.base import SyncBackend


class Backend(SyncBackend):
    """A socket with TCP_NODELAY."""

    _socket = None

    def serve(self, announce):
        """Call `announce(port)` and accept one caller."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            announce(server.getsockname()[1])
            self._use(server.accept()[0])

    def connect(self, address):
        """Connect."""
        self._use(socket.create_connection(("127.0.0.1", address)))

    def _use(self, connected):
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connected

    def calls(self, message):
        """Return functions that send and receive the buffers one after the other."""
        send_all, receive_into = self._socket.sendall, self._socket.recv_into
        whole, size = socket.MSG_WAITALL, message.size

        def send():
            for buffer in message.sent:
                send_all(buffer)

        def receive():
            for buffer in message.received if message.reuse else message.fresh():
                got = receive_into(buffer, 0, whole)
                while got < size:  # a signal, or the peer has gone
                    more = receive_into(buffer[got:], 0, whole)
                    if more == 0:
                        raise ConnectionResetError("the peer has gone")
                    got += more

        return send, receive

    def close(self):
        """Close the socket."""
        self._socket.close()
