# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Frees the name ucx:// in every process that imports Dask, before `distributed` takes it.

Dask asks packages for a scheme by entry points, but only for one that nobody has registered; and importing
`distributed.comm` registers ucx:// itself: a backend for ucx-py until 2025.8, since then one that
raises. It does not where its module cannot be imported.

The standard library only: who uses no ucx:// must not pay for it.
"""

import importlib
import importlib.machinery
import sys
import types
from collections.abc import Sequence
from typing import Any


def register(sizeof: object) -> None:
    """Do that; called by the entry point in group `dask.sizeof`, which is asked first of all."""
    del sizeof
    if "distributed.comm" not in sys.modules:
        sys.modules.setdefault("distributed.comm.ucx", None)  # type: ignore[arg-type]
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())  # the last one: a package of that name that is installed goes first


class _Finder:
    """Gives dask-cuda what it imports of `distributed_ucxx`, where that is not installed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return how to make one of these modules."""
        del path, target
        if name not in _CONTENTS:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package="." not in name)  # type: ignore[arg-type]

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Let Python make it."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Fill it."""
        vars(module).update(_CONTENTS[module.__name__])
        if module.__name__ == "distributed_ucxx":
            importlib.import_module("distributed_ucxx.config")


def _setup_config() -> None:
    """Have all keys of `distributed-ucxx` in Dask's configuration; dask-cuda sets some of them."""
    import dask

    names = ("tcp", "nvlink", "infiniband", "rdmacm", "cuda-copy", "create-cuda-context")
    dask.config.update_defaults({"distributed-ucxx": {**dict.fromkeys(names), "environment": {}}})


def _of_ucxx(name: str) -> Any:
    """Return `ucxx` once it has started: dask-cuda makes a CUDA context itself before that."""
    if name != "ucxx":
        raise AttributeError(f"module 'distributed_ucxx.ucxx' has no attribute {name!r}")
    runtime = sys.modules.get("ucxx._asyncio.runtime")
    return sys.modules["ucxx"] if runtime is not None and runtime.known_runtime() is not None else None


_CONTENTS: dict[str, dict[str, Any]] = {
    "distributed_ucxx": {"__doc__": "Served by ucxx, for dask-cuda."},
    "distributed_ucxx.config": {"setup_config": _setup_config},
    "distributed_ucxx.ucxx": {"__getattr__": _of_ucxx},
}
