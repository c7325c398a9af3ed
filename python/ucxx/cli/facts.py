# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What can be said of the package, its UCX and this process, without sending anything."""

import os
import platform
from collections.abc import Mapping
from typing import Any

import ucxx
from ucxx import core
from ucxx._shared.transports import transports_in

_PREFIXES = ("UCX_", "UCXX_", "UCXPY_")


def environment(variables: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the settings of UCX and UCXX that the environment has."""
    return {name: variables[name] for name in sorted(variables) if name.startswith(_PREFIXES)}


def ucx() -> dict[str, str]:
    """Return path, version and reason of the UCX in use, as a dict."""
    used = ucxx.build_info()
    return {
        "path": used.path,
        "version": ".".join(map(str, used.version)),
        "reason": used.reason,
    }


def gather() -> dict[str, Any]:
    """Return everything that `info` shows, as a dict for JSON."""
    context = core.UCXContext()
    flags = context.feature_flags
    return {
        "ucxx": {"version": ucxx.__version__, "path": os.path.dirname(ucxx.__file__)},
        "ucx": ucx(),
        "python": {
            "version": platform.python_version(),
            "implementation": platform.python_implementation(),
        },
        "features": [item.name.lower() for item in ucxx.Feature if flags & item.value],
        "cuda": bool(context.cuda_support),
        "transports": transports_in(context.info),
        "environment": environment(),
    }
