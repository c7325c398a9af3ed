# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The settings of Dask's configuration that concern UCXX: read, checked, and given to `ucxx.init`.

`Options` is the one list of them: it is read from the configuration, and `table()` writes it into the
documentation. Of UCX's own settings the environment (UCX_...) goes first, then the flags, then the mapping
`environment`.
"""

from __future__ import annotations

import dataclasses
import errno
import logging
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

import dask
from dask.utils import parse_timedelta
from distributed.utils import parse_ports

import ucxx
from ucxx._runtime import known_runtime, runtime
from ucxx.dask import devices, serialize
from ucxx.exceptions import UCXBusyError

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
    net_devices: str | None = _option(_text, "network devices of UCX, as `UCX_NET_DEVICES`", "names, with commas")
    environment: dict[str, str] | None = _option(
        _mapping, "UCX's other settings: `some-name: x` is `UCX_SOME_NAME=x`; `ucxx-...` one of UCXX", "a mapping"
    )
    secret_file: str | None = _option(_text, "file of the [shared secret](security.md), as `UCXX_SECRET_FILE`", "a path")
    multi_buffer: object = _option(_anything, "accepted and ignored: always so", "any")
    reuse_endpoints: object = _option(_anything, "accepted and ignored: always so", "any")
    rmm: object = _option(_anything, "accepted and ignored: `dask-cuda` makes RMM's pool", "any")

    @classmethod
    def read(cls) -> Options:
        """Read Dask's configuration.

        Raises:
            ValueError: naming the key, for one that is unknown and for a value that is none; it lists
                what there is.
        """
        fields = {field.name: field for field in dataclasses.fields(cls)}
        found: dict[str, Any] = {}
        for root in ROOTS:
            section = dask.config.get(root, None)
            if section is None:
                continue
            if not isinstance(section, Mapping):
                raise ValueError(f"Dask's configuration {root} must be a mapping, not {section!r}")
            for key, value in section.items():
                name = str(key).replace("-", "_")
                if name not in fields:
                    raise ValueError(f"Dask's configuration {root}.{key} is unknown; there are: {_keys()}")
                if value is not None and name not in found:
                    try:
                        found[name] = fields[name].metadata["read"](value)
                    except ValueError as error:
                        raise ValueError(f"Dask's configuration {root}.{key} {error}") from None
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
        if transports := self.transports():
            settings["TLS"] = ",".join(transports)
            settings["SOCKADDR_TLS_PRIORITY"] = "rdmacm" if self.rdmacm else "tcp"
        if self.net_devices is not None:
            settings["NET_DEVICES"] = self.net_devices
        if self.secret_file is not None:
            settings["UCXX_SECRET_FILE"] = os.path.expanduser(self.secret_file)
        return {name: value for name, value in settings.items() if not _in_environment(name, value)}


def _keys() -> str:
    return ", ".join(field.name.replace("_", "-") for field in dataclasses.fields(Options))


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


_lock = threading.Lock()  # loops of several threads


def start(host: str = "", ports: Any = None) -> None:
    """Initialise UCXX as Dask's configuration says, unless the program has done so.

    Args:
        host: the address that a server listens at; UCX's own ports are opened only there, unless the
            configuration names devices.
        ports: the ports of which the server takes one, as `--worker-port` has them; UCX's own are among
            them, unless the configuration gives UCX a range.

    Raises:
        ValueError: the configuration names what is unknown, or not there.
    """
    if known_runtime() is not None:
        return
    with _lock:
        if known_runtime() is None:
            _start(host, ports)


def start_worker() -> None:
    """Have a worker for the running loop. With UCXX_LOCAL=off UCX opens its own ports now.

    Raises:
        OSError: its range has no free port. The errno is not EADDRINUSE: Dask would try its next port.
    """
    try:
        runtime().worker()
    except UCXBusyError as error:
        raise OSError(errno.EADDRNOTAVAIL, f"no port of UCX's range (UCX_TCP_PORT_RANGE) is free: {error}") from error


def _patience() -> str:
    """Return for how long a network may be silent, as Dask says of tcp://: a lost worker is recomputed."""
    seconds = parse_timedelta(dask.config.get("distributed.comm.timeouts.tcp"), default="seconds")
    return f"{min(max(seconds, 1), 600):g}"


_FEWEST_PORTS = 4  # of a range that UCX shares with Dask


def range_of(ports: Any) -> str:
    """Return the ports that UCX takes of those that Dask gives a server; empty: any.

    Dask takes the first that is free, so UCX gets the upper half. Dask deals a range out to the workers of a
    command by turns: the half of one worker spans ports of the others.
    """
    numbers = sorted(set(parse_ports(ports))) if ports else []
    if len(numbers) < _FEWEST_PORTS or numbers != list(range(numbers[0], numbers[-1] + 1, numbers[1] - numbers[0])):
        return ""
    return f"{numbers[len(numbers) // 2]}-{numbers[-1]}"


def _start(host: str, ports: Any) -> None:
    options = Options.read()
    settings = options.settings()
    wanted = settings.get("NET_DEVICES", os.environ.get("UCX_NET_DEVICES"))
    if wanted is not None:
        devices.require(wanted)
    elif derived := devices.at(host, settings.get("UCXX_LOCAL", os.environ.get("UCXX_LOCAL"))):
        settings["NET_DEVICES"] = ",".join(derived)
    if "UCX_TCP_PORT_RANGE" not in os.environ and (ports_of_ucx := range_of(ports)):
        settings.setdefault("TCP_PORT_RANGE", ports_of_ucx)
    if "UCXX_PATIENCE" not in os.environ:
        settings.setdefault("UCXX_PATIENCE", _patience())
    if options.create_cuda_context:
        devices.create_cuda_context()
    ucxx.init(settings)
    serialize.prepare()
    logger.debug("ucxx starts with %s", settings or "UCX's defaults")
