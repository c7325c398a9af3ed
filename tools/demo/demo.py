# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What ./dev demo runs: files between two processes, then C++, Python, Dask and OpenSHMEM beside others.

usage: demo.py --build BUILD --out FOLDER [FILE...]

Without files, the libraries that were just built and those of UCX are sent. FOLDER receives the
copies, what was measured as JSON, and the pictures. A part that fails says so, and the next one
follows; the exit status is 0 only if the files have arrived whole.
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
from collections.abc import Callable, Iterator

import compare
import with_dask
import with_shmem
import with_shmem_python

LIMIT_S = 150
# UCX's hooks in the way that starts quickly, without its malloc. RAPIDS UCXX handles errors, as UCXX does: inside a
# machine UCX has to be told to do that over shared memory.
ENVIRONMENT = {"UCX_NET_DEVICES": "lo", "UCX_MEM_MMAP_HOOK_MODE": "reloc", "UCX_MEM_MALLOC_RELOC": "n",
               "UCX_TLS": "all", "UCX_POSIX_ERROR_HANDLING": "y", "UCX_WARN_UNUSED_ENV_VARS": "n"}
PICTURES = {"compare.png": "messages: half a round trip, and bandwidth, by size",
            "shmem.png": "calls of OpenSHMEM in C",
            "shmem_python.png": "calls of OpenSHMEM from Python"}
# Commands for the root of the clone after the demo: of what it has built and nothing else.
NEXT = {
    "PYTHONPATH=build/dev/python .venv/bin/python examples/hello.py":
        'a server in Python; the same command with the "127.0.0.1 PORT" that it prints, in a second terminal, calls it',
    "build/dev/src/tools/ucxx-perftest --sizes 1:64M:8":
        "times of messages in C++, by size; with --server here and --connect HOST there, between two machines",
    "PYTHONPATH=build/dev/python .venv/bin/python -m ucxx doctor":
        "tries what UCXX needs of this machine, and says what to mend",
}


class Failed(Exception):
    """A part of the demo has not done what it should."""


def programs(build: pathlib.Path) -> dict[str, pathlib.Path]:
    """Return the programs of a build, by name."""
    return {"info": build / "src/tools/ucxx-info", "perftest": build / "src/tools/ucxx-perftest",
            "send_files": build / "examples/example_send_files"}


def default_files(build: pathlib.Path, program: dict[str, pathlib.Path]) -> list[pathlib.Path]:
    """Return the libraries: UCXX's, and those of the UCX in use."""
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
    raise Failed("the receiver did not start")


def send(program: dict[str, pathlib.Path], files: list[pathlib.Path], folder: pathlib.Path) -> None:
    """Send the files from one process to another; compare what came with what was there."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    print(f"Two processes: one sends {len(files)} files as one multi-buffer message, one receives.\n")
    with subprocess.Popen([program["send_files"], "--listen", "0", folder], stdout=subprocess.PIPE,
                          text=True) as receiver:
        try:
            peer = f"127.0.0.1:{port_of(receiver)}"
            sender = subprocess.run([program["send_files"], peer, *files], capture_output=True, text=True,
                                    timeout=LIMIT_S, check=False)
            received, _ = receiver.communicate(timeout=LIMIT_S)
        finally:
            receiver.kill()
    if sender.returncode != 0 or receiver.returncode != 0:
        raise Failed(f"a process has failed\n{sender.stdout}{sender.stderr}{received}".strip())
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
        raise Failed("what came is not what was sent")


def measure(program: dict[str, pathlib.Path], out: pathlib.Path) -> None:
    """Measure messages, show the table, and draw."""
    print("Messages to and fro between two processes of this machine: half a round trip, or bandwidth;\n"
          f"medians of {compare.ROUNDS} rounds, all programs in turn.\n")
    report = compare.measure_all(program["perftest"])
    print("\n".join(compare.table(report)))
    (out / "compare.json").write_text(json.dumps(report, indent=2) + "\n")
    if report["half_round_trip_us"]:
        import plot  # not above: the processes that are measured import this file, too

        compare.say_step("drawing")
        plot.draw(report, out / "compare.png")
        compare.say("")


def measure_dask(out: pathlib.Path) -> None:
    """Measure Dask's connections, and show the table."""
    print("\nDask, from process to process, over ucx:// and over tcp:// in turn:\n")
    rows = with_dask.measure()
    print("\n".join(with_dask.table(rows)))
    (out / "dask.json").write_text(json.dumps(rows, indent=2) + "\n")


def show_shmem(build: pathlib.Path, out: pathlib.Path) -> None:
    """Run programs of OpenSHMEM in C and measure its calls, and show both."""
    print(f"\nOpenSHMEM in C, programs of {with_shmem.PES} PEs (examples/shmem):\n")
    for line in with_shmem.run_examples(build):
        print(line)
    print("\nOpenSHMEM in C, calls between 2 PEs, UCXX and Debian's OSHMEM in turn:\n")
    print("\n".join(with_shmem.table(with_shmem.measure(build, out))))


def show_shmem_python(out: pathlib.Path) -> None:
    """Measure calls of OpenSHMEM from Python, and show the table."""
    print("\nOpenSHMEM from Python, calls between 2 PEs, C and mpi4py in turn:\n")
    print("\n".join(with_shmem_python.table(with_shmem_python.measure(out))))


def done(what: str, part: Callable[[], None]) -> bool:
    """Run a part of the demo; say plainly when it has failed. Return whether it was done."""
    try:
        part()
    except Exception as error:  # whatever it is: the next part follows
        compare.say_end()
        print(f"demo: {what}: failed: {str(error) or type(error).__name__}")
        return False
    return True


def parts(build: pathlib.Path, out: pathlib.Path) -> dict[str, Callable[[], None]]:
    """Return what is measured, in the order of the table of README.md, by its name."""
    return {"messages": lambda: measure(programs(build), out),
            "Dask": lambda: measure_dask(out),
            "OpenSHMEM in C": lambda: show_shmem(build, out),
            "OpenSHMEM from Python": lambda: show_shmem_python(out)}


def ending(out: pathlib.Path) -> Iterator[str]:
    """Yield the lines that say which pictures there are, and what to try next."""
    pictures = {out / name: shows for name, shows in PICTURES.items() if (out / name).exists()}
    width = max((len(str(path)) for path in pictures), default=0)
    for path, shows in pictures.items():
        yield f"{path!s:<{width}}  {shows}"
    yield "\nThree things to try next:"
    for command, does in NEXT.items():
        yield f"\n  {command}\n      {does}"


def checked(files: list[pathlib.Path]) -> list[pathlib.Path]:
    """Return the whole paths of files that can be sent together."""
    files = [path.resolve() for path in files]
    missing = [str(path) for path in files if not path.is_file()]
    if missing:
        raise SystemExit(f"demo: no such file: {', '.join(missing)}")
    if len({path.name for path in files}) < len(files):
        raise SystemExit("demo: two of the files have the same name")
    return files


def main() -> int:
    """Send, measure, draw; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    files, build, out = checked(arguments.files), arguments.build.resolve(), arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        (out / name).unlink(missing_ok=True)
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)

    start = time.monotonic()
    program = programs(build)
    whole = done("files", lambda: send(program, files or default_files(build, program), out / "received"))
    for what, part in parts(build, out).items():
        done(what, part)
    print(f"\nload {os.getloadavg()[0]:.1f}; {time.monotonic() - start:.0f} s\n")
    print("\n".join(ending(out)))
    if not whole:
        print("\ndemo: the files have not arrived whole")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a pipe shows each line at once, too
    sys.exit(main())
