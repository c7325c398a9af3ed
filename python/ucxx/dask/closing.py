# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A worker closes without a wait.

Dask's worker sleeps 0.2 s in `close` where its scheme begins with "ucx", for a backend that may lose what
was written last. The comms of this package flush, as those of tcp:// do.
"""

from __future__ import annotations

from typing import Any


class _Scheme(str):
    """A scheme that does not begin with "ucx" to who asks with these letters."""

    __slots__ = ()

    def startswith(self, prefix: Any, *limits: Any) -> bool:
        return prefix != "ucx" and super().startswith(prefix, *limits)


def need_no_wait(server: Any) -> None:
    """Have a worker that listens close at once; other servers do so."""
    scheme = getattr(server, "_protocol", None)
    if isinstance(scheme, str):
        server._protocol = _Scheme(scheme)
