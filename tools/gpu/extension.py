# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Build the extension of a pack that has its sources only, for this Python: extension.py PACK.

It needs CMake, a compiler and this Python's headers, and no network.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile

NAME = f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"


def is_needed(pack: pathlib.Path) -> bool:
    """Tell whether a pack has sources, and no extension for this Python."""
    return (pack / "sources").is_dir() and not (pack / "ucxx" / NAME).exists()


def configuration(pack: pathlib.Path, build: pathlib.Path) -> list[str]:
    """Return the words of CMake for a build folder."""
    commit = json.loads((pack / "pack.json").read_text())["commit"]
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    return ["cmake", *generator, "-S", str(pack / "sources"), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
            f"-DPython_EXECUTABLE={sys.executable}", f"-DUCXX_COMMIT={commit}"]  # fmt: skip


def main(pack: pathlib.Path) -> None:
    """Build it, and put it into the package."""
    header = pathlib.Path(sysconfig.get_path("include"), "Python.h")
    if not header.exists():
        sys.exit(f"the extension cannot be built: {header} is not there")
    with tempfile.TemporaryDirectory() as folder:
        build = pathlib.Path(folder)
        subprocess.run(configuration(pack, build), check=True)
        jobs = str(len(os.sched_getaffinity(0)))
        subprocess.run(["cmake", "--build", folder, "--parallel", jobs], check=True)
        shutil.copy2(build / NAME, pack / "ucxx")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
