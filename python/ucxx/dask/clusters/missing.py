# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What dask-cuda has and this package has not: refused where it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The values that ask for nothing, and what else there is.
NOT_HERE: dict[str, tuple[tuple[Any, ...], str]] = {
    "device_memory_limit": (
        (None, 0, "0", "auto", "default"),
        "nothing spills arrays from a GPU to the host here; RMM's managed memory (rmm_managed_memory=True) does the like",
    ),
    "enable_cudf_spill": ((None, False), "call cudf.set_option('spill', True) in each process (client.run)"),
    "cudf_spill_stats": ((None, 0), "call cudf.set_option('spill_stats', ...) in each process (client.run)"),
    "rmm_allocator_external_lib_list": ((None, "", [], ()), "call the library's own function for it (client.run)"),
    "log_spilling": ((None, False), "nothing spills arrays from a GPU to the host here"),
    "jit_unspill": ((None, False), "dask-cuda has given it up, too"),
}


def without_what_is_not_here(owner: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments without those of dask-cuda that are not here, where they ask for nothing.

    Raises:
        ValueError: one asks for something; it says what to do instead.
    """
    for name, (nothing, instead) in NOT_HERE.items():
        if given.get(name) not in nothing:
            raise ValueError(f"{owner} has no {name}: {instead}")
    return {name: value for name, value in given.items() if name not in NOT_HERE}
