# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What of Dask's `Security` these schemes can keep."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

logger = logging.getLogger("distributed.comm.ucxx")

_warned = False


def check(what: str, address: str, connection_args: Mapping[str, Any]) -> None:
    """Refuse what asks for encryption; warn once, where certificates are given and not required.

    Args:
        what: "listen at" or "connect to", for the message.
        address: with its scheme.
        connection_args: what Dask passes along from its `Security`.

    Raises:
        RuntimeError: encryption is required.
    """
    global _warned
    if connection_args.get("require_encryption"):
        raise RuntimeError(
            f"cannot {what} {address}: Dask's configuration requires encryption (require_encryption), "
            "and this scheme does not encrypt. Use tls://, which does"
        )
    if connection_args.get("ssl_context") is not None and not _warned:
        _warned = True
        logger.warning(
            "certificates are configured, and %s does not use them: what is sent is not encrypted. "
            "Use tls:// for encryption; ucxx.secret-file keeps strangers out",
            address,
        )
