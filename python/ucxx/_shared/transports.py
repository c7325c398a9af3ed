# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What UCX says of its transports."""

import re

_RESOURCE = re.compile(r"^#\s+resource\s+\d+\s*:.*\s(\S+)/(\S+)\s*$", re.MULTILINE)


def transports_in(info: str) -> dict[str, list[str]]:
    """Return {transport: [devices]} of a text that a context gives about itself."""
    found: dict[str, list[str]] = {}
    for transport, device in _RESOURCE.findall(info):
        found.setdefault(transport, []).append(device)
    return {name: sorted(devices) for name, devices in sorted(found.items())}
