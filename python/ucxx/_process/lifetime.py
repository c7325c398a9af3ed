# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The life of the package: it begins with the first use of the extension, and ends with the process.

The end has the place that `import ucxx` has among the handlers of atexit: a program that registers a
handler after that import can use ucxx in it, also where UCX is loaded later.
"""

import atexit

_has_begun = False


def begin() -> None:
    """Begin, unless it has. What raises is done again by the next import."""
    global _has_begun
    if _has_begun:
        return
    from ucxx._process import dump_signal

    dump_signal.begin()
    _has_begun = True


@atexit.register
def _end() -> None:
    if not _has_begun:
        return
    from ucxx import _core
    from ucxx._process import callbacks, log

    _core._end_dumps()
    _core._end_all()
    log.end()
    callbacks.end()
