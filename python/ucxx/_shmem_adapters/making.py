# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Makes an adapter: asks a library's `shmem.h` what it has, compiles, and tries to load the result."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any

from ucxx._shmem_adapters import kept
from ucxx._shmem_adapters.source import PREFIX, adapter_source

LIMIT_S = 300


class AdaptError(Exception):
    """An adapter cannot be made; the text says why."""


def adapt(oshcc: str, name: str | None = None, launcher: list[str] | None = None) -> kept.Adapter:
    """Make the adapter to a library, in the user's cache folder; one of that name is replaced.

    Args:
        oshcc: the library's compiler for C: a path, or a name that PATH knows.
        name: what UCXX_SHMEM shall call it; made of the library's own name if it is not given.
        launcher: the command that starts a job, without the number of PEs; `oshrun` beside `oshcc`, or
            of PATH, if it is not given.

    Raises:
        AdaptError: there is no such compiler, it fails, or the library is older than OpenSHMEM 1.4.
    """
    compiler = shutil.which(oshcc)
    if compiler is None:
        raise AdaptError(f"there is no program {oshcc!r}: must be the compiler of an OpenSHMEM library, "
                         "by its path or by a name that PATH knows")
    with tempfile.TemporaryDirectory(prefix="ucxx-shmem-") as place:
        folder = pathlib.Path(place)
        library = _compiled(compiler, folder)
        about = _about(library)
        return _keep(library, about, name or _named_after(about["vendor"]), os.path.abspath(compiler),
                     launcher or _launcher_beside(compiler))


def _compiled(compiler: str, folder: pathlib.Path) -> pathlib.Path:
    """Return the shared library that a compiler has made."""
    known = _identifiers(compiler, folder)
    if "shmem_ctx_t" not in known:
        raise AdaptError(f"the shmem.h of {compiler} has no contexts: the library must implement "
                         "OpenSHMEM 1.4 or newer")
    source, library = folder / "adapter.c", folder / "adapter.so"
    command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(source),
               "-Wno-deprecated-declarations", "-Werror=implicit-function-declaration"]  # fmt: skip
    source.write_text(adapter_source(known))
    done = _run(command)
    if done.returncode != 0 and (wrong := _refused(done.stderr)):
        # Functions of the library that are declared otherwise than in the standard are left out.
        source.write_text(adapter_source(known - wrong))
        done = _run(command)
    if done.returncode != 0:
        raise AdaptError(f"{compiler} cannot compile the adapter:\n{_last_lines(done.stderr)}")
    return library


def _identifiers(compiler: str, folder: pathlib.Path) -> set[str]:
    """Return what the library's header names: macros, functions, types, enumerators."""
    probe = folder / "probe.c"
    probe.write_text("#include <shmem.h>\n")
    done = _run([compiler, "-E", "-dD", str(probe)])
    if done.returncode != 0:
        raise AdaptError(f"{compiler} finds no shmem.h that it can read:\n{_last_lines(done.stderr)}")
    return set(re.findall(r"[A-Za-z_]\w*", done.stdout))


def _refused(errors: str) -> set[str]:
    """Return the functions in which the compiler has found errors."""
    return set(re.findall(rf"[Ii]n function .{PREFIX}(\w+)", errors))


# Runs in a process of its own: it loads the library.
_QUESTIONS = """
import ctypes, json, sys
library = ctypes.CDLL(sys.argv[1])
prefix, names = sys.argv[2], json.loads(sys.stdin.read())
print(json.dumps({
    "vendor": ctypes.string_at(ctypes.addressof(
        ctypes.c_char.in_dll(library, prefix + "SHMEM_VENDOR_STRING"))).decode(errors="replace"),
    "major": ctypes.c_long.in_dll(library, prefix + "SHMEM_MAJOR_VERSION").value,
    "minor": ctypes.c_long.in_dll(library, prefix + "SHMEM_MINOR_VERSION").value,
    "lacks": [name for name in names if not hasattr(library, prefix + name)],
}))
"""


def _about(library: pathlib.Path) -> dict[str, Any]:
    """Load the adapter in another process; return what it says."""
    done = _run([sys.executable, "-I", "-c", _QUESTIONS, str(library), PREFIX], json.dumps(_standard()))
    if done.returncode != 0:
        raise AdaptError(f"the adapter cannot be loaded:\n{_last_lines(done.stderr)}")
    about: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return about


def _standard() -> list[str]:
    """Return the functions of OpenSHMEM 1.6 that are not deprecated."""
    from ucxx._shmem_adapters.c_table import PATTERNS
    from ucxx._shmem_adapters.functions import functions

    newest = PATTERNS[: PATTERNS.index("// Deprecated")]
    return [one.name for one in functions().values() if one.pattern.split("(")[0].split()[-1] in
            re.sub(r"\s+", " ", re.sub(r"[][]", "", newest) + re.sub(r"\[.*?\]", "", newest))]


def _keep(library: pathlib.Path, about: dict[str, Any], name: str, oshcc: str,
          launcher: list[str]) -> kept.Adapter:
    if not re.fullmatch(r"[\w.+-]+", name) or name == "ucxx":
        raise AdaptError(f"name = {name!r}: must be made of letters, digits and . _ + -, and not be "
                         "'ucxx', which is UCXX's own library")
    kept.folder().mkdir(parents=True, exist_ok=True)
    path = kept.folder() / f"{name}.so"
    adapter = kept.Adapter(path, oshcc, launcher, about["vendor"], (about["major"], about["minor"]),
                           about["lacks"])
    kept.write(adapter)
    # A rename: processes that use the one before keep it.
    new = path.with_suffix(f".{os.getpid()}.new")
    shutil.copy(library, new)
    new.replace(path)
    return adapter


def _named_after(vendor: str) -> str:
    """Return a short name of the library that calls itself so."""
    for word in ("open-mpi", "sandia", "osss", "oshmpi", "cray", "mvapich", "nvidia"):
        if word in vendor.lower():
            return word.replace("open-mpi", "openmpi")
    words = re.findall(r"[a-z0-9]+", vendor.lower())
    return "-".join(words[:2]) or "other"


def _launcher_beside(compiler: str) -> list[str]:
    beside = pathlib.Path(compiler).parent / "oshrun"
    return [str(beside) if beside.is_file() else shutil.which("oshrun") or "oshrun"]


def _run(command: list[str], told: str = "") -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, input=told, capture_output=True, text=True, timeout=LIMIT_S,
                              check=False)
    except OSError as error:
        raise AdaptError(f"{command[0]} cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise AdaptError(f"{command[0]} has not ended within {LIMIT_S} s") from None


def _last_lines(text: str, most: int = 20) -> str:
    return "\n".join(text.splitlines()[-most:])
