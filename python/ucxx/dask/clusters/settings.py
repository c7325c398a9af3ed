# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a user may say of a cluster: the one list, for the arguments in Python, the command line and the documentation."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dask.utils import parse_bytes

from ucxx.topology.machine import Machine

PLACEMENTS = ("auto", "gpu", "numa", "core")
BINDINGS = ("bind", "preferred")


def _setting(default: Any, values: str, text: str, *flags: str) -> Any:
    """Declare a setting. `flags`: its names on the command line; none: it has none there."""
    return dataclasses.field(default=default, metadata={"values": values, "text": text, "flags": flags})


def _switch(text: str, name: str) -> Any:
    return _setting(None, "True, False, None", text, f"--enable-{name}/--disable-{name}")


@dataclasses.dataclass(frozen=True)
class Settings:
    """Where workers go, and what carries their payloads. The constructor refuses what is no value of a setting."""

    placement: str = _setting(
        "auto", "auto, gpu, numa, core",
        "a worker for each GPU, NUMA node or core; auto: by GPU where there is one, else as many as `LocalCluster` takes",
        "--placement",
    )  # fmt: skip
    n_workers: int | None = _setting(
        None, "a number", "how many, 0 for none at the start; without it one for each GPU, NUMA node or core", "--n-workers", "--nworkers"
    )
    threads_per_worker: int | None = _setting(
        None, "a number", "threads of a worker; without it 1 by GPU and by core, else one for each of its CPUs", "--nthreads"
    )
    topology: Any = _setting(
        None, "a file, a `Machine`", "the machine to plan for; without it the one that the program runs on", "--topology"
    )
    cpu_affinity: Any = _setting(
        "auto", "auto, None, a list, a function",
        "the CPUs of each worker: as planned, not pinned, a list with those of each, or what a function of the GPU's index returns",
        "--cpu-affinity",
    )  # fmt: skip
    memory_binding: str | None = _setting(
        None, "bind, preferred",
        "take memory only, or first, from the NUMA nodes of the worker's CPUs; without it Linux's way, which is near as well",
        "--memory-binding",
    )  # fmt: skip
    CUDA_VISIBLE_DEVICES: Any = _setting(
        None, "0,2 or UUIDs", "the GPUs of the cluster; without it those of the environment, or all", "--cuda-visible-devices"
    )
    ucx_net_devices: Any = _setting(
        None, "auto, names, a function",
        "network devices of UCX: auto is the nearest card of each worker; a function gets the GPU's index",
        "--net-devices", "--ucx-net-devices",
    )  # fmt: skip
    interface: str | None = _setting(
        None, "auto, a name, a pattern", "where workers listen: auto is the interface of the nearest card, ib* of the nearest one that is called so", "--interface"
    )
    protocol: str | None = _setting(None, "ucx, tcp, ...", "the scheme; ucx where nothing else is said", "--protocol")
    enable_tcp_over_ucx: bool | None = _switch("UCX's TCP", "tcp-over-ucx")
    enable_infiniband: bool | None = _switch("InfiniBand and RoCE; an error without such a card", "infiniband")
    enable_nvlink: bool | None = _switch("CUDA IPC between GPUs; an error without links", "nvlink")
    enable_rdmacm: bool | None = _switch("RDMA's connection manager; with `enable_infiniband`", "rdmacm")
    pre_import: Any = _setting(None, "names", "modules that each worker imports at its start", "--pre-import")
    rmm_pool_size: Any = _setting(None, "bytes, a part, a text", "a pool of RMM of this size in each worker", "--rmm-pool-size")
    rmm_maximum_pool_size: Any = _setting(None, "bytes, a part, a text", "how far the pool may grow", "--rmm-maximum-pool-size")
    rmm_managed_memory: bool = _setting(False, "True, False", "RMM with managed memory", "--rmm-managed-memory/--no-rmm-managed-memory")
    rmm_async: bool = _setting(False, "True, False", "RMM with CUDA's asynchronous allocator", "--rmm-async/--no-rmm-async")
    rmm_release_threshold: Any = _setting(None, "bytes, a text", "above it the allocator gives memory back", "--rmm-release-threshold")
    rmm_log_directory: str | None = _setting(None, "a folder", "where RMM logs", "--rmm-log-directory")
    rmm_track_allocations: bool = _setting(
        False, "True, False", "RMM counts what is allocated", "--rmm-track-allocations/--no-rmm-track-allocations"
    )
    worker_options: Any = _setting(
        None, "a list of mappings",
        "what is special about each worker: options of `Worker` and `Nanny`, and `gpu`, `cpu_affinity`, `ucx_net_devices`, `interface`",
    )  # fmt: skip
    learn_bandwidths: bool = _setting(
        True, "True, False", "the scheduler learns how fast the links between workers are (`LocalUCXCluster` over ucx://)"
    )
    dry_run: bool = _setting(False, "True, False", "plan, and start nothing", "--dry-run")

    def __post_init__(self) -> None:
        """Refuse what is no value; the machine is not asked yet."""
        _one_of("placement", self.placement, PLACEMENTS)
        if self.memory_binding is not None:
            _one_of("memory_binding", self.memory_binding, BINDINGS)
        _count("n_workers", self.n_workers, 0)
        _count("threads_per_worker", self.threads_per_worker, 1)
        self._check_kinds()
        self._check_flags()
        self._check_rmm()

    def _check_kinds(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            is_empty = value == "" and field.name != "CUDA_VISIBLE_DEVICES"  # there it is no GPU
            if is_empty or not isinstance(value, _KINDS.get(field.type, object)):
                raise TypeError(f"{field.name} must be {field.metadata['values']}, not {value!r}")
        if isinstance(self.cpu_affinity, str) and self.cpu_affinity != "auto":
            raise ValueError(
                f"cpu_affinity must be auto, None, a function, or a list with the CPUs of each worker, as ['0-3', '4-7'], "
                f"not {self.cpu_affinity!r}"
            )
        _require("cpu_affinity", self.cpu_affinity, (str, Sequence), can_be_called=True)
        _require("ucx_net_devices", self.ucx_net_devices, (str,), can_be_called=True)
        _require("topology", self.topology, (str, os.PathLike, Machine))
        _require("CUDA_VISIBLE_DEVICES", self.CUDA_VISIBLE_DEVICES, (str, int, Iterable))
        if self.worker_options is not None and not _is_list_of_mappings(self.worker_options):
            raise TypeError(f"worker_options must be a list of mappings, one for each worker, not {self.worker_options!r}")
        for options in self.worker_options or ():
            _count("nthreads of worker_options", options.get("nthreads"), 1)

    def _check_flags(self) -> None:
        if self.enable_rdmacm and not self.enable_infiniband:
            raise ValueError("enable_rdmacm=True needs enable_infiniband=True: it is RDMA's connection manager")
        asked = [name for name in _FLAGS if getattr(self, name) is not None]
        if asked and not self.is_ucx:
            raise TypeError(f"{asked[0]} is a flag of UCX, so protocol must be 'ucx', not {self.protocol!r}")
        if {self.enable_tcp_over_ucx, self.enable_infiniband, self.enable_nvlink} == {False}:
            raise ValueError(
                "enable_tcp_over_ucx, enable_infiniband and enable_nvlink are all False, which leaves UCX no transport; "
                "protocol='tcp' does without UCX"
            )

    def _check_rmm(self) -> None:
        for name in ("rmm_pool_size", "rmm_maximum_pool_size", "rmm_release_threshold"):
            _size(name, getattr(self, name))
        if self.rmm_async and self.rmm_managed_memory:
            raise ValueError("rmm_async and rmm_managed_memory exclude each other: RMM has one allocator")
        if self.rmm_maximum_pool_size is not None and (self.rmm_pool_size is None and not self.rmm_async):
            raise ValueError("rmm_maximum_pool_size needs rmm_pool_size, the size at which the pool begins")
        if self.rmm_release_threshold is not None and not self.rmm_async:
            raise ValueError("rmm_release_threshold needs rmm_async=True: the pool of RMM gives nothing back")

    @property
    def is_ucx(self) -> bool:
        """Tell whether the protocol is one of this package."""
        return self.scheme in ("ucx", "ucxx")

    @property
    def scheme(self) -> str:
        """Return the protocol without `://`."""
        return (self.protocol or "ucx").partition("://")[0]

    @property
    def flags(self) -> dict[str, bool]:
        """Return the keys of Dask's configuration that the `enable_...` give."""
        return {key: value for name, key in _FLAGS.items() if (value := getattr(self, name)) is not None}

    @classmethod
    def split(cls, given: Mapping[str, Any]) -> tuple[Settings, dict[str, Any]]:
        """Return the settings among arguments, and the other arguments."""
        names = {field.name for field in dataclasses.fields(cls)}
        return (
            cls(**{name: value for name, value in given.items() if name in names}),
            {name: value for name, value in given.items() if name not in names},
        )


_FLAGS = {
    "enable_tcp_over_ucx": "tcp", "enable_infiniband": "infiniband", "enable_nvlink": "nvlink",
    "enable_rdmacm": "rdmacm",
}  # fmt: skip


def _one_of(name: str, value: object, known: Sequence[str], more: str = "") -> None:
    if value not in known:
        raise ValueError(f"{name} must be {', '.join(known)}{f', {more}' if more else ''}, not {value!r}")


# Of fields whose type can be told by `isinstance`.
_KINDS: dict[Any, tuple[type, ...]] = {
    "bool": (bool,), "bool | None": (bool, type(None)), "str": (str,), "str | None": (str, type(None)),
}  # fmt: skip


def _count(name: str, value: object, least: int) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
        raise ValueError(f"{name} must be a number, at least {least}, not {value!r}")


def _require(name: str, value: object, kinds: tuple[type, ...], can_be_called: bool = False) -> None:
    if not (value is None or isinstance(value, kinds) or (can_be_called and callable(value))):
        values = next(field.metadata["values"] for field in dataclasses.fields(Settings) if field.name == name)
        raise TypeError(f"{name} must be {values}, not {value!r}")


def _size(name: str, value: object) -> None:
    """Refuse what is no size of memory: bytes, a text as 10GB, or a part as 0.5."""
    try:
        if value is None or (isinstance(value, float) and 0 < value <= 1) or (isinstance(value, str) and parse_bytes(value) >= 0):
            return
        is_number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 60
    except ValueError:
        is_number = False
    if not is_number:
        raise ValueError(f"{name} must be bytes, a text as '10GB', or a part of the GPU's memory as 0.5, not {value!r}")


def _is_list_of_mappings(value: object) -> bool:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return False
    return len(value) > 0 and all(isinstance(one, Mapping) for one in value)


def names() -> list[str]:
    """Return the names of all settings."""
    return [field.name for field in dataclasses.fields(Settings)]


def described() -> str:
    """Return the settings as lines for a docstring."""
    return "\n".join(
        f"        {field.name}: {field.metadata['text']} ({field.metadata['values']}; {field.default!r})."
        for field in dataclasses.fields(Settings)
    )


def table() -> str:
    """Return the settings as a table of Markdown: the argument in Python, the flags of the command, what it does."""
    lines = ["| in Python | `dask ucx worker` | values | what it does |", "|---|---|---|---|"]
    for field in dataclasses.fields(Settings):
        flags = " ".join(f"`{flag}`" for flag in field.metadata["flags"])
        lines.append(f"| `{field.name}` | {flags} | {field.metadata['values']} | {field.metadata['text']} |")
    return "\n".join(lines)


