# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The same streams as in asyncio_streams, in uvloop's event loop."""

from __future__ import annotations

import asyncio
import importlib.util

from ucxx.benchmarks.backends import asyncio_streams


class Backend(asyncio_streams.Backend):
    """A reader and a writer of asyncio, by libuv."""

    @classmethod
    def missing(cls) -> str | None:
        """Return that uvloop is not installed, or None."""
        return None if importlib.util.find_spec("uvloop") else "uvloop is not installed"

    @staticmethod
    def loop_factory() -> asyncio.AbstractEventLoop:
        """Return a loop of uvloop's."""
        import uvloop

        return uvloop.new_event_loop()
