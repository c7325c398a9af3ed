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
from ucxx._shmem_adapters.functions import standard
from ucxx._shmem_adapters.source import PREFIX, adapter_source

LIMIT_S = 300


class AdaptError(Exception):
    """An adapter cannot be made; the text says why."""


def adapt(oshcc: str, name: str | None = None, launcher: list[str] | None = None) -> kept.Adapter:
    """Make the adapter to a library, in the user's cache folder; one of that name is replaced.

    Args:
        oshcc: the library's compiler for C: a path, or a name that PATH knows.
        name: what UCXX_SHMEM shall call it; made of the library's own name if it is not given.
        launcher: the command that starts a job, without the number of PEs; the `oshrun` beside `oshcc`
            if it is not given. Without either the adapter has none.

    Raises:
        AdaptError: there is no such compiler, it fails, the library is older than OpenSHMEM 1.4, or the
            cache folder cannot be written.
    """
    compiler = shutil.which(oshcc)
    if compiler is None:
        raise AdaptError(f"there is no program {oshcc!r}: must be the compiler of an OpenSHMEM library, "
                         "by its path or by a name that PATH knows")
    if name is not None:
        _require_name(name)
    compiler = os.path.abspath(compiler)
    try:
        kept.folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=kept.folder()) as place:
            library = _compiled(compiler, pathlib.Path(place))
            about = _about(library)
            adapter = kept.Adapter(kept.folder() / f"{name or _named_after(about['vendor'])}.so", compiler,
                                   launcher or _launcher_beside(compiler), about["vendor"],
                                   (about["major"], about["minor"]), about["lacks"])
            kept.keep(adapter, library)
    except OSError as error:
        raise AdaptError(f"{error.filename or kept.folder()} cannot be written: {error.strerror}") from None
    return adapter


def _require_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][\w.+-]*", name) or name == "ucxx":
        raise AdaptError(f"name = {name!r}: must be made of letters, digits and . _ + -, begin with a letter "
                         "or digit, and not be 'ucxx', which is UCXX's own library")


# Compile ------------------------------------------------------------------------------------------


def _compiled(compiler: str, folder: pathlib.Path) -> pathlib.Path:
    """Return the shared library that a compiler has made."""
    identifiers = _identifiers(compiler, folder)
    if "shmem_ctx_t" not in identifiers:
        raise AdaptError(f"the shmem.h of {compiler} has no contexts: the library must implement "
                         "OpenSHMEM 1.4 or newer")
    source, library = folder / "adapter.c", folder / "adapter.so"
    command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(source),
               "-Wno-deprecated-declarations", "-Werror=implicit-function-declaration",
               "-Werror=int-conversion", "-Werror=incompatible-pointer-types"]  # fmt: skip
    text = adapter_source(identifiers)
    source.write_text(text)
    done = _run(command)
    if done.returncode != 0 and (refused := _refused(text, done.stderr)):
        # Functions of the library that are declared otherwise than in the standard are left out.
        source.write_text(adapter_source(identifiers - refused))
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
    # Names of files, and what stands in texts, as in __attribute__((deprecated("use ..."))).
    text = re.sub(r'(?m)^# .*$|"(\\.|[^"\\\n])*"', "", done.stdout)
    return set(re.findall(r"[A-Za-z_]\w*", text))


def _refused(source: str, errors: str) -> set[str]:
    """Return the functions of the library in whose callers the compiler has found errors."""
    lines = source.splitlines()
    found = set()
    for number in re.findall(r"(?m)^\S*adapter\.c:(\d+):(?:\d+:)? (?:fatal )?error:", errors):
        heads = (line for line in reversed(lines[: int(number)]) if re.match(r"\w.*\{$", line))
        if match := re.search(rf"\b{PREFIX}(\w+)\(", next(heads, "")):
            found.add(match[1])
    return found


# Try ----------------------------------------------------------------------------------------------

# Runs in a process of its own: it loads the library, which may print.
_ANSWER = "ucxx-adapter: "
_QUESTIONS = """
import ctypes, json, sys
library = ctypes.CDLL(sys.argv[1])
prefix, answer, names = sys.argv[2], sys.argv[3], json.loads(sys.stdin.read())
vendor = library[prefix + "SHMEM_VENDOR_STRING"]
vendor.restype = ctypes.c_char_p
print(answer + json.dumps({
    "vendor": vendor().decode(errors="replace"),
    "major": library[prefix + "SHMEM_MAJOR_VERSION"](),
    "minor": library[prefix + "SHMEM_MINOR_VERSION"](),
    "lacks": [name for name in names if not hasattr(library, prefix + name)],
}), flush=True)
"""


def _about(library: pathlib.Path) -> dict[str, Any]:
    """Load the adapter in another process; return what it says."""
    names = [function.name for function in standard()]
    done = _run([sys.executable, "-I", "-c", _QUESTIONS, str(library), PREFIX, _ANSWER], json.dumps(names))
    answers = [line for line in done.stdout.splitlines() if line.startswith(_ANSWER)]
    if not answers:
        raise AdaptError(f"the adapter cannot be loaded:\n{_last_lines(done.stderr)}")
    about: dict[str, Any] = json.loads(answers[0].removeprefix(_ANSWER))
    return about


def _named_after(vendor: str) -> str:
    """Return a short name of the library that calls itself so."""
    for word in ("open-mpi", "sandia", "osss", "oshmpi", "cray", "mvapich", "nvidia"):
        if word in vendor.lower():
            return word.replace("open-mpi", "openmpi")
    words = re.findall(r"[a-z0-9]+", vendor.lower())
    return "-".join(words[:2]) or "other"


def _launcher_beside(compiler: str) -> list[str]:
    beside = pathlib.Path(compiler).parent / "oshrun"
    return [str(beside)] if beside.is_file() else []


def _run(command: list[str], told: str = "") -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, input=told, capture_output=True, text=True, errors="replace",
                              timeout=LIMIT_S, check=False, env={**os.environ, "LC_ALL": "C"})
    except OSError as error:
        raise AdaptError(f"{command[0]} cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise AdaptError(f"{command[0]} has not ended within {LIMIT_S} s") from None


def _last_lines(text: str, most: int = 20) -> str:
    return "\n".join(text.splitlines()[-most:])
