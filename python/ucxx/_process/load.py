# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Decide which UCX this process uses, before the extension asks the dynamic linker for one.

Wheels of MPI, NIXL and others bring a UCX of their own, and two in one process break each other. So
one that is there already is used, else the one that UCXX_UCX names: `auto` (the wheel libucx, else
the system's), `wheel`, `system` (what the dynamic linker finds), or `/prefix`.

The libraries are loaded by absolute path and RTLD_LOCAL; whoever needs libucp.so.0 later gets the
same one by its name. The environment stays as it is.
"""

import contextlib
import ctypes
import functools
import glob
import importlib.util
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any, NamedTuple

OLDEST = (1, 13)

# In the order of loading. libucs brings libucm; neither loads without the other.
LIBRARIES = ("libucs", "libuct", "libucp", "libucm")
MAIN_LIBRARY = re.compile(rf"/({'|'.join(LIBRARIES)})\.so(\.\d+)*( \(deleted\))?$")


class UcxInUse(NamedTuple):
    """The UCX of this process: the file of libucp, its version, and why this one."""

    path: str
    version: tuple[int, int, int]
    reason: str


@functools.cache
def load() -> UcxInUse:
    """Load a UCX, unless one is there, and tell which.

    Raises ImportError when there is none, one that is too old, or parts of several.
    """
    _check_surroundings(os.path.dirname(os.path.dirname(__file__)))
    wanted = os.environ.get("UCXX_UCX") or "auto"
    folder, reason = _choose(wanted)
    if loaded := _loaded():
        _check_wanted(wanted, folder, loaded)
        reason = "was in this process already"
    else:
        _open(folder)
    return UcxInUse(*_examine(), reason)


def _check_surroundings(package: str) -> None:
    if sys.platform != "linux":
        raise ImportError("ucxx runs on Linux only, as UCX does: on Windows in WSL2, on macOS in a "
                          "Linux container (Docker)")
    if os.path.isdir(os.path.join(package, "_lib")):
        raise ImportError(f"{package} holds two packages of the name ucxx, this one and RAPIDS' "
                          "(ucxx-cu12, ucxx-cu13). Uninstall both and install one; the other needs "
                          "an environment of its own")


def _choose(wanted: str) -> tuple[str | None, str]:
    """Return the folder of the libraries, None for the linker's choice, and why this one."""
    if wanted in ("auto", "wheel"):
        if folder := _wheel():
            return folder, "the wheel libucx"
        if wanted == "wheel":
            raise ImportError("UCXX_UCX=wheel: libucx is not installed (pip install libucx-cu12)")
        return None, "the system's: the wheel libucx is not installed"
    if wanted == "system":
        return None, "the system's, by UCXX_UCX=system"
    if not os.path.isabs(wanted):
        raise ImportError(f"UCXX_UCX={wanted}: must be auto, wheel, system or an absolute path")
    for place in ("lib", "lib64", "lib/*-linux-gnu"):
        if found := glob.glob(os.path.join(glob.escape(wanted), place, "libucp.so.0")):
            return os.path.dirname(found[0]), f"by UCXX_UCX={wanted}"
    raise ImportError(f"UCXX_UCX={wanted}: there is no lib/libucp.so.0")


def _wheel() -> str | None:
    """Return the folder of the wheel's libraries, or None. Its code is not run."""
    spec = importlib.util.find_spec("libucx")
    for root in (spec and spec.submodule_search_locations) or ():
        if os.path.exists(os.path.join(root, "lib", "libucp.so.0")):
            return os.path.join(root, "lib")
    return None


# Devices whose drivers keep memory registered: UCX watches over what is unmapped for their sake.
WATCHING = ("/dev/infiniband/*", "/dev/nvidiactl", "/dev/kfd", "/dev/xpmem", "/dev/knem",
            "/dev/dri/renderD*", "/dev/habanalabs*", "/dev/accel/*")


@contextlib.contextmanager
def _without_hooks() -> Iterator[None]:
    """Load UCX in 3 ms, not 400: without patching mmap and its like, where no device needs that.

    UCX reads this setting while it is loaded, from nowhere but the environment of C, which is as
    before afterwards: neither `os.environ` nor a child sees it. Whoever has set it decides.
    """
    name = "UCX_MEM_MMAP_HOOK_MODE"
    if name in os.environ or any(glob.glob(pattern) for pattern in WATCHING):
        yield
        return
    libc = ctypes.CDLL(None)
    libc.setenv(name.encode(), b"none", 1)
    try:
        yield
    finally:
        libc.unsetenv(name.encode())


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """Hold back what handlers of signals raise, Ctrl-C's KeyboardInterrupt above all, until the end.

    A UCX of which half is loaded is refused for ever. And making the extension's classes runs code of
    Python's: what is raised in it is an ImportError for nanobind, or the end of the process.
    """
    handlers: dict[int, Any] = {}
    caught: list[tuple[int, FrameType | None]] = []
    try:
        if threading.current_thread() is threading.main_thread():  # no other runs handlers
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
                if callable(handler := signal.getsignal(number)):
                    handlers[number] = handler
                    signal.signal(number, lambda *arguments: caught.append(arguments))
        yield
    finally:
        for held, handler in reversed(handlers.items()):
            signal.signal(held, handler)
        for came, frame in caught:
            handlers[came](came, frame)


@_without_hooks()
def _open(folder: str | None) -> None:
    """Load the libraries of a folder, or those that the linker finds."""
    for name in LIBRARIES:
        path = os.path.join(folder or "", f"{name}.so.0")
        try:
            ctypes.CDLL(path, mode=os.RTLD_LOCAL | os.RTLD_NOW)
        except OSError as error:
            raise _refusal(f"UCX cannot be loaded: {error}") from error


def _check_wanted(wanted: str, folder: str | None, loaded: list[str]) -> None:
    """Refuse another UCX than the one that is asked for."""
    folders = {os.path.dirname(path) for path in loaded}
    if wanted == "system":
        # Whatever is there is what the linker gives; but who says system does not mean the wheel.
        wheel = _wheel()
        right = wheel is None or os.path.realpath(wheel) not in folders
    else:
        right = wanted == "auto" or (folder is not None and folders == {os.path.realpath(folder)})
    if not right:
        raise _refusal(f"UCXX_UCX={wanted}, but another UCX is in this process already")


def _examine() -> tuple[str, tuple[int, int, int]]:
    """Return path and version of the UCX in this process: whole, new enough, and the only one."""
    loaded = _loaded()
    if len({os.path.dirname(path) for path in loaded}) > 1:
        raise _refusal("Parts of more than one UCX are in this process")
    names = [os.path.basename(path).partition(".")[0] for path in loaded]
    if missing := set(LIBRARIES).difference(names):
        raise _refusal(f"UCX is in this process without {', '.join(sorted(missing))}")
    version = _version()
    if version < OLDEST:
        found, oldest = (".".join(map(str, numbers)) for numbers in (version, OLDEST))
        raise _refusal(f"UCX {found} is too old: {oldest} is the oldest supported")
    return loaded[names.index("libucp")], version


def _version() -> tuple[int, int, int]:
    major, minor, patch = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    ucp = ctypes.CDLL("libucp.so.0", mode=os.RTLD_NOLOAD)
    ucp.ucp_get_version(*map(ctypes.byref, (major, minor, patch)))
    return major.value, minor.value, patch.value


def _mapped() -> list[str]:
    """Return the path of each libuc* in this process."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        paths = {line.rstrip("\n").split(maxsplit=5)[-1] for line in maps if "/libuc" in line}
    return sorted(path for path in paths if os.path.basename(path).startswith("libuc"))


def _loaded() -> list[str]:
    """Return the main libraries in this process; copies that others renamed are not in our way."""
    return [path for path in _mapped() if MAIN_LIBRARY.search(path)]


def _refusal(what: str) -> ImportError:
    """Say what is wrong, what is there, and the two ways out."""
    here = "".join(f"\n  {path}" for path in _mapped()) or " none"
    return ImportError(
        f"{what}.\nUCX libraries in this process:{here}\n"
        "Two ways out: import ucxx.core before whatever brings the other UCX, which then uses the "
        "same one; or let both use one UCX, by UCXX_UCX=system or UCXX_UCX=/its/prefix.")
