# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What ./dev demo runs: files between two processes, then C++, Python, Dask and OpenSHMEM beside others.

usage: demo.py --build BUILD --out FOLDER [FILE...]

Without files, the libraries that were just built and those of UCX are sent. FOLDER receives the
copies, what was measured as JSON, and the plots.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import compare
import with_dask
import with_shmem
import with_shmem_python

from ucxx.benchmarks.measure import BenchmarkError

LIMIT_S = 150
# UCX's hooks in the way that starts quickly, without its malloc. ucx_perftest and RAPIDS UCXX handle
# errors, as we do: inside a machine UCX has to be told to do that over shared memory.
ENVIRONMENT = {"UCX_NET_DEVICES": "lo", "UCX_MEM_MMAP_HOOK_MODE": "reloc", "UCX_MEM_MALLOC_RELOC": "n",
               "UCX_TLS": "all", "UCX_POSIX_ERROR_HANDLING": "y", "UCX_WARN_UNUSED_ENV_VARS": "n"}


def programs(build: pathlib.Path) -> dict[str, pathlib.Path]:
    """Return the programs of a build, by name."""
    return {"info": build / "src/tools/ucxx-info", "perftest": build / "src/tools/ucxx-perftest",
            "send_files": build / "examples/example_send_files"}


def default_files(build: pathlib.Path, program: dict[str, pathlib.Path]) -> list[pathlib.Path]:
    """Return the libraries: ours, and those of the UCX in use."""
    said = subprocess.run([program["info"], "--json"], check=True, capture_output=True, timeout=60)
    ucx = pathlib.Path(json.loads(said.stdout)["ucx"]["path"]).parent
    found = [*build.glob("src/libucxx.so*"), *ucx.glob("libuc[mpst]*.so*"), program["perftest"]]
    one_each = {path.resolve().name: path.resolve() for path in found}
    # The wheel has each library under two names: one of equal content is enough.
    return list({digest(path): path for path in sorted(one_each.values())}.values())


def digest(path: pathlib.Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def port_of(receiver: subprocess.Popen[str]) -> str:
    """Wait until the receiver listens; return its port."""
    for line in receiver.stdout or ():
        match = re.match(r"listening at port (\d+)", line)
        if match:
            return match[1]
    raise SystemExit("demo: the receiver did not start")


def send(program: dict[str, pathlib.Path], files: list[pathlib.Path], folder: pathlib.Path) -> None:
    """Send the files from one process to another; compare what came with what was there."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    print(f"Two processes: one sends {len(files)} files as one multi-buffer message, one receives.\n")
    receiver = subprocess.Popen([program["send_files"], "--listen", "0", folder],
                                stdout=subprocess.PIPE, text=True)
    try:
        peer = f"127.0.0.1:{port_of(receiver)}"
        sender = subprocess.run([program["send_files"], peer, *files], capture_output=True, text=True,
                                timeout=LIMIT_S, check=False)
        received, _ = receiver.communicate(timeout=LIMIT_S)
    finally:
        receiver.kill()
    if sender.returncode != 0 or receiver.returncode != 0:
        raise SystemExit(f"demo: the transfer failed\n{sender.stdout}{sender.stderr}{received}")
    good = True
    print(f"{'file':<32} {'bytes':>12}  {'SHA-256 of the copy':<20} equal")
    for path in files:
        copy = folder / path.name
        equal = copy.is_file() and digest(copy) == digest(path)
        good = good and equal
        shown = digest(copy)[:16] + "..." if copy.is_file() else "missing"
        print(f"{path.name[:32]:<32} {path.stat().st_size:>12,}  {shown:<20} {'yes' if equal else 'NO'}")
    print(f"\n{sender.stdout.strip()}\n")
    if not good:
        raise SystemExit("demo: what came is not what was sent")


def measure(program: dict[str, pathlib.Path], out: pathlib.Path) -> pathlib.Path:
    """Measure, and show the table. Return the picture."""
    print("One message to and fro between two processes of this machine: half a round trip, or bandwidth;\n"
          f"medians of {compare.ROUNDS} runs in turn.\n", flush=True)
    report = compare.measure_all(program["perftest"])
    print("\n".join(compare.table(report)))
    (out / "compare.json").write_text(json.dumps(report, indent=2) + "\n")
    import plot  # not above: the processes that are measured import this file, too

    picture = out / "compare.png"
    plot.draw(report, picture)
    return picture


def measure_dask(out: pathlib.Path) -> None:
    """Measure Dask's connections, and show the table."""
    print("\nDask, from process to process, over ucx:// and over tcp:// in turn:\n", flush=True)
    try:
        rows = with_dask.measure()
    except BenchmarkError as error:
        print(f"    not measured: {error}")
        return
    print("\n".join(with_dask.table(rows)))
    (out / "dask.json").write_text(json.dumps(rows, indent=2) + "\n")


def show_shmem(build: pathlib.Path, out: pathlib.Path) -> list[pathlib.Path]:
    """Run programs of OpenSHMEM and measure its calls, and show both. Return the picture."""
    print(f"\nOpenSHMEM, programs of {with_shmem.PES} PEs (examples/shmem):\n", flush=True)
    picture = out / "shmem.png"
    picture.unlink(missing_ok=True)
    try:
        for line in with_shmem.run_examples(build):
            print(line, flush=True)
        print("\nOpenSHMEM, calls between 2 PEs, UCXX and Debian's OSHMEM in turn:\n", flush=True)
        print("\n".join(with_shmem.table(with_shmem.measure(build, out))))
    except with_shmem.Failed as error:
        print(f"    not measured: {error}")
    return [picture] if picture.exists() else []


def show_shmem_python(out: pathlib.Path) -> list[pathlib.Path]:
    """Measure calls of OpenSHMEM from Python, and show the table. Return the picture."""
    print("\nOpenSHMEM from Python between 2 PEs, C and mpi4py in turn:\n", flush=True)
    picture = out / "shmem_python.png"
    picture.unlink(missing_ok=True)
    print("\n".join(with_shmem_python.table(with_shmem_python.measure(out))))
    return [picture] if picture.exists() else []


def main() -> None:
    """Send, measure, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)

    start = time.monotonic()
    program = programs(arguments.build.resolve())
    files = [path.resolve() for path in arguments.files] or default_files(arguments.build, program)
    missing = [str(path) for path in files if not path.is_file()]
    if missing:
        raise SystemExit(f"demo: no such file: {', '.join(missing)}")
    if len({path.name for path in files}) < len(files):
        raise SystemExit("demo: two of the files have the same name")
    send(program, files, out / "received")
    pictures = [measure(program, out)]
    measure_dask(out)
    pictures += show_shmem(arguments.build.resolve(), out)
    pictures += show_shmem_python(out)
    print(f"\nload {os.getloadavg()[0]:.1f}; {time.monotonic() - start:.0f} s")
    print("\n".join(f"Plot: {picture}" for picture in pictures))


if __name__ == "__main__":
    try:
        main()
    except subprocess.SubprocessError as error:
        sys.exit(f"demo: {error}")
