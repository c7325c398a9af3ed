# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the tests of the Python package share. `./dev test python` runs them."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys

import pytest

pytest_plugins = ["ucxx.testing._pytest_plugin"]
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(ROOT / "build/hypothesis")
# As for the tests in C++ (cmake/testing.cmake): UCX starts in 3 ms, and talks to the loopback only.
# Another OpenSHMEM library may need more of UCX, even within a machine.
if os.environ.get("UCXX_SHMEM", "ucxx") == "ucxx":
    os.environ.setdefault("UCX_MEM_MMAP_HOOK_MODE", "reloc")
    os.environ.update(UCX_MEM_MALLOC_RELOC="n", UCX_NET_DEVICES="lo", UCX_TLS="tcp")


@pytest.fixture(scope="session")
def root():
    """Return the folder of the clone."""
    return ROOT


@pytest.fixture
def run_python():
    """Return a function that runs code in a process of its own: (status, what it printed)."""

    def run(code, *, executable=sys.executable, **environment):
        process = subprocess.Popen(
            [executable, "-B", "-W", "error", "-c", code], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, "UCXX_UCX": "auto", **environment},
        )  # fmt: skip
        try:
            said, _ = process.communicate(timeout=50)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # it, and children that it has left
        return process.returncode, said

    return run


@pytest.fixture
def run_with_helpers(run_python):
    """Return a function as `run_python`, for code that imports modules of this folder, as `ctrl_c`."""

    def run(code, **environment):
        return run_python(f"import sys\nsys.path.insert(0, {str(HERE)!r})\n{code}", **environment)

    return run


@pytest.fixture
def stand_in():
    """Return the folder of the driver that stands in for CUDA's."""
    from ucxx import _core

    return pathlib.Path(_core.__file__).parents[2] / "tests/cuda/driver"


@pytest.fixture
def run_over_stand_in(run_with_helpers, stand_in):
    """Return a function that runs code, which must end well, and returns what it has printed."""

    def run(code, **environment):
        assert (stand_in / "libcuda.so.1").exists(), "built with the tests in C++"
        # UCX must not take it for a whole driver.
        environment = {"LD_LIBRARY_PATH": str(stand_in), "UCX_MODULES": "^cuda", **environment}
        status, said = run_with_helpers(code, **environment)
        assert status == 0, said
        return said

    return run


CHANNELS = {"local": {}, "tcp": {"UCXX_LOCAL": "off"}}


@pytest.fixture(params=CHANNELS)
def options(request):
    """Return the settings of a channel."""
    return CHANNELS[request.param]
