# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What begins with the first use of the extension, and ends with the process."""

from ucxx import _at_exit, _core, _dispatcher, _dump_signal, _log


def _end() -> None:
    _core._end_dumps()
    _core._end_all()
    _log.end()
    _dispatcher.end()


_dump_signal.begin()
_at_exit.call(_end)  # the last: what raises before it is done again by the next import
