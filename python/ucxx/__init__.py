# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""UCXX: moves data between processes, for asyncio programs (here) and synchronous ones (ucxx.core).

A name is imported where it is first used. The first that needs UCX loads it, and the extension.
"""

import importlib as _importlib

from ucxx._process import lifetime as _lifetime  # noqa: F401  it ends the package
from ucxx.exceptions import *  # noqa: F403

__all__ = [
    "Endpoint",
    "Feature",
    "Listener",
    "PreparedRecv",
    "PreparedSend",
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
    "cuda",
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

# Which names each module has. The package itself is the home of its modules.
_NAMES = {
    "ucxx": "core cuda exceptions shmem testing types utils",
    "ucxx._arguments.interfaces": "get_address",
    "ucxx._asyncio.endpoint": "Endpoint",
    "ucxx._asyncio.functions": """continuous_ucx_progress create_endpoint create_endpoint_from_worker_address
        create_listener create_memory_handle get_active_transports get_config get_ucp_context_info
        get_ucp_worker get_ucp_worker_info get_ucx_address_from_buffer get_ucxx_worker
        get_worker_address progress recv register_am_receiver_callback set_allocator
        stop_notifier_thread tag_probe""",
    "ucxx._asyncio.listener": "Listener",
    "ucxx._asyncio.observe": "describe dump stats",
    "ucxx._asyncio.prepared": "PreparedRecv PreparedSend",
    "ucxx._asyncio.runtime": "init reset",
    "ucxx._process.dump_signal": "dump_on_signal",
    "ucxx._process.logger": "get_ucxpy_logger",
    "ucxx._process.start": "_core __git_commit__ __ucx_version__ __version__ build_info get_ucx_version",
    "ucxx._process.trace": "trace",
    "ucxx.core": "set_pool_limits trim_pool",
    "ucxx.types": "Feature Tag TagMask TagMaskFull UCXXTag UCXXTagMask UCXXTagMaskFull",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

TYPE_CHECKING = False  # as that of typing, which need not be imported for it

if TYPE_CHECKING:
    from ucxx import core, cuda, exceptions, types, utils
    from ucxx._arguments.interfaces import get_address
    from ucxx._asyncio.endpoint import Endpoint
    from ucxx._asyncio.functions import (
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
    from ucxx._asyncio.listener import Listener
    from ucxx._asyncio.observe import describe, dump, stats
    from ucxx._asyncio.prepared import PreparedRecv, PreparedSend
    from ucxx._asyncio.runtime import init, reset
    from ucxx._process.dump_signal import dump_on_signal
    from ucxx._process.logger import get_ucxpy_logger
    from ucxx._process.start import __git_commit__ as __git_commit__
    from ucxx._process.start import __ucx_version__ as __ucx_version__
    from ucxx._process.start import __version__ as __version__
    from ucxx._process.start import build_info, get_ucx_version
    from ucxx._process.trace import trace
    from ucxx.core import set_pool_limits, trim_pool
    from ucxx.types import (
        Feature,
        Tag,
        TagMask,
        TagMaskFull,
        UCXXTag,
        UCXXTagMask,
        UCXXTagMaskFull,
    )
else:  # of a __getattr__ type checkers would take any name

    def __getattr__(name: str) -> object:
        """Import a name, and keep it."""
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'ucxx' has no attribute {name!r}")
        if home == "ucxx":
            return _importlib.import_module(f"ucxx.{name}")  # which keeps it
        value = globals()[name] = getattr(_importlib.import_module(home), name)
        return value

    def __dir__() -> list[str]:
        """Return also the names that nobody has used yet."""
        return sorted({*globals(), *_HOMES})

del TYPE_CHECKING
