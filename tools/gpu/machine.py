# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tell what machine this is. As a program: fail where no GPU can be used, and say why.

Nothing here changes a setting of the GPU.
"""

import ctypes
import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from typing import Any

PACKAGES = ("numpy", "cupy-cuda12x", "cupy-cuda13x", "torch", "numba-cuda", "cuda-core", "nanobind",
            "distributed")  # fmt: skip
QUERY = "name,driver_version,pci.bus_id,pcie.link.gen.current,pcie.link.width.current,memory.total,mig.mode.current"


def missing() -> str:
    """Return why CUDA does not start here; empty where it does."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        error, count = driver.cuInit(0), ctypes.c_int(0)
        error = error or driver.cuDeviceGetCount(ctypes.byref(count))
    except (OSError, AttributeError) as failure:  # no library, or the toolkit's stub of it
        return str(failure)
    if error:
        return f"the driver of CUDA answers with error {error}"
    return "" if count.value else "the driver of CUDA finds no GPU"


def _output(*command: str) -> str:
    """Return what a program prints; what went wrong where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]}: {error}"
    return (done.stdout or done.stderr).strip()


def _processor() -> dict[str, Any]:
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        names = re.findall(r"^model name\s*:\s*(.*)$", lines.read(), re.MULTILINE)
    return {"name": names[0] if names else platform.machine(), "cores": len(os.sched_getaffinity(0))}


def _packages() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def describe() -> dict[str, Any]:
    """Return what a reader of the figures has to know of the machine."""
    gpu = _output("nvidia-smi", f"--query-gpu={QUERY}", "--format=csv,noheader")
    return {
        "gpu": gpu,
        "nvcc": _output("nvcc", "--version").rpartition("\n")[2],
        "kernel": platform.release(),
        "libc": " ".join(platform.libc_ver()),
        "python": platform.python_version(),
        "processor": _processor(),
        "packages": _packages(),
        "environment": {name: value for name, value in sorted(os.environ.items())
                        if name.startswith(("CUDA", "UCX", "NVIDIA_VISIBLE", "LD_"))},
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(missing() or 0)
