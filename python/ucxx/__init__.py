# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""UCXX: moves data between processes, for asyncio programs (here) and synchronous ones (ucxx.core)."""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ucxx._load import UcxInUse as _UcxInUse
from ucxx._load import load as _load
from ucxx._load import without_interrupts as _without_interrupts

with _without_interrupts():
    _ucx = _load()
    from ucxx import _core as _core

from ucxx import _observe, core, exceptions, types, utils  # noqa: E402  UCX is in the process by now
from ucxx._core import __git_commit__ as __git_commit__  # noqa: E402
from ucxx._core import __version__ as __version__  # noqa: E402
from ucxx._core import set_pool_limits, trim_pool  # noqa: E402
from ucxx._functions import (  # noqa: E402
    continuous_ucx_progress,
    create_endpoint,
    create_endpoint_from_worker_address,
    create_listener,
    create_memory_handle,
    get_active_transports,
    get_config,
    get_ucp_context_info,
    get_ucp_worker,
    get_ucp_worker_info,
    get_ucx_address_from_buffer,
    get_ucxx_worker,
    get_worker_address,
    progress,
    recv,
    register_am_receiver_callback,
    set_allocator,
    stop_notifier_thread,
    tag_probe,
)
from ucxx._interfaces import get_address  # noqa: E402
from ucxx._log import get_ucxpy_logger  # noqa: E402
from ucxx._observe import describe, dump, dump_on_signal, stats  # noqa: E402
from ucxx._runtime import init, reset  # noqa: E402
from ucxx._trace import trace  # noqa: E402
from ucxx.endpoint import Endpoint  # noqa: E402
from ucxx.exceptions import *  # noqa: E402, F403
from ucxx.listener import Listener  # noqa: E402
from ucxx.types import (  # noqa: E402
    Feature,
    Tag,
    TagMask,
    TagMaskFull,
    UCXXTag,
    UCXXTagMask,
    UCXXTagMaskFull,
)

__all__ = [
    "Endpoint",
    "Feature",
    "Listener",
    "Tag",
    "TagMask",
    "TagMaskFull",
    "UCXXTag",
    "UCXXTagMask",
    "UCXXTagMaskFull",
    "build_info",
    "continuous_ucx_progress",
    "core",
    "create_endpoint",
    "create_endpoint_from_worker_address",
    "create_listener",
    "create_memory_handle",
    "describe",
    "dump",
    "dump_on_signal",
    "exceptions",
    "get_active_transports",
    "get_address",
    "get_config",
    "get_ucp_context_info",
    "get_ucp_worker",
    "get_ucp_worker_info",
    "get_ucx_address_from_buffer",
    "get_ucx_version",
    "get_ucxpy_logger",
    "get_ucxx_worker",
    "get_worker_address",
    "init",
    "progress",
    "recv",
    "register_am_receiver_callback",
    "reset",
    "set_allocator",
    "set_pool_limits",
    "stats",
    "stop_notifier_thread",
    "tag_probe",
    "trace",
    "trim_pool",
    "types",
    "utils",
]


__ucx_version__ = ".".join(map(str, _ucx.version))


def build_info() -> _UcxInUse:
    """Return which UCX is in the process, by path and version, and why."""
    return _ucx


def get_ucx_version() -> tuple[int, int, int]:
    """Return the version of UCX as a tuple of three ints."""
    return _ucx.version


if not _TYPE_CHECKING:  # where any name would be taken

    def __getattr__(name: str) -> object:
        """Import `ucxx.testing` where it is used: it brings multiprocessing along."""
        if name == "testing":
            return _importlib.import_module("ucxx.testing")
        raise AttributeError(f"module 'ucxx' has no attribute {name!r}")



_observe.begin()
