# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The settings of Dask's configuration that concern UCXX: read, and checked.

`Options` is the one list of them: it is read from the configuration, and `table()` writes it into the
documentation. Of UCX's own settings the environment (UCX_...) goes first, then the flags, then the mapping
`environment`.

Nothing here loads UCX, which reads some of its settings while it is loaded: `before_ucx` gives it those.
"""

from __future__ import annotations

import dataclasses
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import dask

from ucxx.dask import devices

logger = logging.getLogger("distributed.comm.ucxx")

# Where an option may stand, the strongest first. None is the same as absent.
ROOTS = ("ucxx", "distributed-ucxx", "distributed.comm.ucx", "distributed.ucx", "ucx")


def _flag(value: object) -> bool:
    words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    word = str(value).strip().lower()
    if word not in words:
        raise ValueError(f"must be true, false or null, not {value!r}")
    return words[word]


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"must be a text, not {value!r}")
    return value


def _mapping(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise ValueError(f"must be a mapping of names to values, not {value!r}")
    return {str(name): str(given) for name, given in value.items() if given is not None}


def _anything(value: object) -> object:
    return value


def _option(read: Callable[[object], Any], text: str, values: str = "true, false") -> Any:
    return dataclasses.field(default=None, metadata={"read": read, "text": text, "values": values})


@dataclasses.dataclass(frozen=True)
class Options:
    """What Dask's configuration says of UCXX; None: nothing."""

    tcp: bool | None = _option(_flag, "UCX's TCP between machines")
    infiniband: bool | None = _option(_flag, "InfiniBand and RoCE; an error without such a device")
    nvlink: bool | None = _option(_flag, "CUDA IPC between the GPUs of a machine")
    rdmacm: bool | None = _option(_flag, "RDMA's connection manager for UCX's own sockets; with `infiniband`")
    cuda_copy: bool | None = _option(_flag, "copies between host and GPU; any flag above brings them where there is a GPU")
    create_cuda_context: bool | None = _option(_flag, "make the CUDA context of the first visible GPU before UCX starts")
    net_devices: str | None = _option(_text, "network devices of UCX, as `UCX_NET_DEVICES`; auto: the nearest card", "auto, or names with commas")
    environment: dict[str, str] | None = _option(
        _mapping, "UCX's other settings: `some-name: x` is `UCX_SOME_NAME=x`; `ucxx-...` one of UCXX", "a mapping"
    )
    secret_file: str | None = _option(_text, "file of the [shared secret](security.md), as `UCXX_SECRET_FILE`", "a path")
    multi_buffer: object = _option(_anything, "accepted and ignored: always so", "any")
    reuse_endpoints: object = _option(_anything, "accepted and ignored: always so", "any")
    rmm: object = _option(_anything, "accepted and ignored: `dask-cuda` makes RMM's pool", "any")
    version: object = _option(_anything, "accepted and ignored: of the file of `distributed-ucxx`", "any")

    @classmethod
    def read(cls) -> Options:
        """Read Dask's configuration.

        Raises:
            ValueError: naming the key, for one that is unknown and for a value that is none; it lists
                what there is.
        """
        found: dict[str, Any] = {}
        places: dict[str, tuple[str, str]] = {}
        for root, key, name, value in _given():
            if name in found:
                continue
            try:
                found[name] = _FIELDS[name].metadata["read"](value)
            except ValueError as error:
                raise ValueError(f"Dask's configuration {root}.{key} {error}") from None
            places[name] = root, key
        if _is_derived(found) and not _is_order(*places["infiniband"]) and not devices.of_rdma():
            logger.info(
                "Dask's configuration %s.%s: not used, since this machine has no such device; it follows from"
                " another flag that is false", *places["infiniband"],
            )  # fmt: skip
            found["infiniband"] = False
        return cls(**found)

    def transports(self) -> list[str]:
        """Return UCX's transports that the flags ask for; none: UCX decides."""
        flags = {"tcp": self.tcp, "infiniband": self.infiniband, "nvlink": self.nvlink}
        if False in flags.values() and True not in flags.values():
            flags = {name: value is not False for name, value in flags.items()}
        if not any(flags.values()):
            return []
        chosen = []
        if flags["infiniband"] and devices.of_rdma():
            chosen.append("rc")
        elif self.infiniband:
            raise ValueError(
                "Dask's configuration asks for infiniband, and this machine has no such device; "
                f"there are: {', '.join(devices.names())}"
            )
        # Where processes meet, and what is left when no faster way is there.
        if self.tcp is not False:
            chosen.append("tcp")
        if devices.has_cuda() and self.cuda_copy is not False:
            chosen += ["cuda_copy", *(["cuda_ipc"] if flags["nvlink"] else [])]
        return chosen or ["tcp"]

    def settings(self) -> dict[str, str]:
        """Return the settings for `ucxx.init`: flags before `environment`, nothing that the process's has."""
        settings = {_setting(name): value for name, value in (self.environment or {}).items()}
        settings = {name: value for name, value in settings.items() if not _is_of_core(name)}
        if transports := self.transports():
            settings["TLS"] = ",".join(transports)
            settings["SOCKADDR_TLS_PRIORITY"] = "rdmacm" if self.rdmacm else "tcp"
        if self.net_devices is not None:
            settings["NET_DEVICES"] = self.net_devices
        if self.secret_file is not None:
            settings["UCXX_SECRET_FILE"] = os.path.expanduser(self.secret_file)
        return {name: value for name, value in settings.items() if not _in_environment(name, value)}


_FIELDS = {field.name: field for field in dataclasses.fields(Options)}


def _given() -> Iterator[tuple[str, str, str, object]]:
    """Give root, key, name of the option, and value of what the configuration has, the strongest first."""
    for root in ROOTS:
        section = dask.config.get(root, None)
        if section is None:
            continue
        if not isinstance(section, Mapping):
            raise ValueError(f"Dask's configuration {root} must be a mapping, not {section!r}")
        for key, value in section.items():
            name = str(key).replace("-", "_")
            if name not in _FIELDS:
                raise ValueError(f"Dask's configuration {root}.{key} is unknown; there are: {_keys()}")
            if value is not None:
                yield root, key, name, value


def _is_order(root: str, key: str) -> bool:
    """Whether a user wrote it: dask-cuda fills in other keys, and never the environment."""
    # Not what a cluster hands down to its processes: that is the whole configuration of another one.
    environment = {name: value for name, value in os.environ.items() if name != "DASK_INTERNAL_INHERIT_CONFIG"}
    written = dask.config.collect_env(environment)
    return root == "ucxx" or dask.config.get(f"{root}.{key}", None, config=written) is not None


def _is_derived(flags: Mapping[str, Any]) -> bool:
    """Whether dask-cuda may have made `infiniband` of a flag that is false: it makes the others true.

    Where both of the other flags are false, nothing would be left, and UCX would take what was switched off.
    """
    return flags.get("infiniband") is not None and {flags.get("tcp"), flags.get("nvlink")} == {True, False}


def _keys() -> str:
    return ", ".join(name.replace("_", "-") for name in _FIELDS)


# What UCX's core reads once, while it is loaded, from the environment alone. Its names, or how they begin.
_OF_CORE = (
    "ASYNC_MAX_EVENTS", "ASYNC_SIGNO", "BUILTIN_MEMCPY_", "DEBUG_SIGNO", "DISTANCE_", "ERROR_", "GDB_COMMAND",
    "HANDLE_ERRORS", "LOG_", "MEMTRACK_", "MEMTYPE_CACHE", "MEM_", "MODULES", "MODULE_", "MPOOL_FIFO",
    "NT_BUFFER_TRANSFER_MIN", "PLUGIN_PATH", "PROFILE_", "RCACHE_CHECK_PFN", "RCACHE_STAT_", "STATS_",
    "TOPO_PRIO", "TUNING_PATH", "VFS_", "WARN_UNUSED_ENV_VARS",
)  # fmt: skip


def _is_of_core(setting: str) -> bool:
    return setting.startswith(_OF_CORE)


def before_ucx() -> None:
    """Put the settings of UCX's core that the configuration has into the environment: UCX reads them there.

    Those that the environment has stay. What is wrong in the configuration is told when UCXX starts.
    """
    if "ucxx._core" in sys.modules:
        return
    try:
        environment = Options.read().environment or {}
    except ValueError:
        return
    for name, value in environment.items():
        if _is_of_core(_setting(name)):
            os.environ.setdefault(_variable(_setting(name)), value)


def too_late(environment: Mapping[str, str] | None) -> None:
    """Warn of settings of UCX's core that came into the configuration after UCX was loaded."""
    for name, value in (environment or {}).items():
        if _is_of_core(_setting(name)) and not _in_environment(_setting(name), value):
            logger.warning(
                "%s=%s of Dask's configuration has no effect: UCX was loaded before, and reads it only then",
                _variable(_setting(name)), value,
            )  # fmt: skip


def _setting(name: str) -> str:
    return name.upper().replace("-", "_").removeprefix("UCX_")


def _variable(setting: str) -> str:
    return setting if setting.startswith("UCXX_") else f"UCX_{setting}"


def _in_environment(setting: str, value: str) -> bool:
    variable = _variable(setting)
    if variable not in os.environ:
        return False
    if os.environ[variable] != value:
        logger.warning(
            "%s=%s of the environment is used, not %s of Dask's configuration",
            variable, os.environ[variable], value,
        )  # fmt: skip
    return True


def table() -> str:
    """Return the options as a table of Markdown."""
    lines = ["| key | values | what it does |", "|---|---|---|"]
    for field in dataclasses.fields(Options):
        key, meta = field.name.replace("_", "-"), field.metadata
        lines.append(f"| `{key}` | {meta['values']} | {meta['text']} |")
    return "\n".join(lines)
