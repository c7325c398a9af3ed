# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is measured: UCXX, Debian's OSHMEM, and the bare functions of limit_calls.c."""

import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent
OPTIONS = ("-O3", "-Wall", "-Wextra")
LIMIT_S = 30
UCXX, OSHMEM, OSHMEM_BASIC, LIMIT = "UCXX", "OSHMEM", "OSHMEM, basic", "limit"
# Of OSHMEM, which would refuse root and take the settings that ./dev demo makes for UCX.
FOREIGN = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class Absent(Exception):
    """A library that is not on this machine, or cannot do this."""


def use_two_processors():
    """Leave this process the first two that it may use: crowded jobs share them."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])


def output_of(command, limit_s, environment, crowded=False):
    """Run to the end; return what was printed and, where it did not end well, why."""
    with tempfile.TemporaryFile("w+") as text, tempfile.TemporaryFile("w+") as errors:
        try:
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=text,
                                       stderr=errors, env=environment, start_new_session=True,
                                       preexec_fn=use_two_processors if crowded else None)
        except OSError as error:
            return "", str(error)
        in_time = ended(process, limit_s)
        text.seek(0)
        errors.seek(0)
        return text.read(), ending(process.returncode, errors.read()) if in_time else f"ended after {limit_s} s"


def ended(process, limit_s):
    """Wait for the end; end what takes too long. Tell whether it ended by itself. With a timer, since
    Popen.wait looks only now and then where it is given a time."""
    late = [threading.Timer(limit_s, os.killpg, (process.pid, signal.SIGTERM)),
            threading.Timer(limit_s + 3, os.killpg, (process.pid, signal.SIGKILL))]
    begin = time.monotonic()
    for timer in late:
        timer.start()
    process.wait()
    for timer in late:
        timer.cancel()
        timer.join()
    return time.monotonic() - begin < limit_s


def ending(status, errors):
    """Return what was wrong, or None."""
    if status == 0:
        return None
    lines = [line.strip() for line in errors.splitlines() if any(letter.isalpha() for letter in line)]
    return f"exit status {status}" + "".join(f": {line}" for line in lines[-1:])


class Library:
    """How programs are compiled and run; a folder in `folder` receives them."""

    measured_in = None  # the jobs that measure it, by their kind; None: all

    def __init__(self, title, folder, environment):
        self.title, self.folder, self.environment = title, folder / title.lower().replace(", ", "_"), environment

    def compile(self, *command):
        """Run a compiler."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text, wrong = output_of([*command], 100, self.environment)
        if wrong:
            raise Absent(f"{command[0]}: {wrong}")
        return text


class Shmem(Library):
    """An OpenSHMEM with a compiler and a launcher."""

    def __init__(self, title, folder, tools, options, crowded_options, environment):
        super().__init__(title, folder, environment)
        self.compiler, self.launcher = tools
        self.options, self.crowded_options = options, crowded_options

    def build(self):
        """Compile all programs."""
        for name in ("calls", "process", "hello"):
            self.compile(self.compiler, *OPTIONS, "-o", self.folder / name, HERE / f"{name}.c")

    def run(self, pes, program, *arguments, crowded=False):
        """Run a job; return what it printed and what was wrong."""
        options = self.crowded_options if crowded else self.options
        return output_of([self.launcher, "--timeout", LIMIT_S, *options, "-n", pes, self.folder / program,
                          *arguments], LIMIT_S + 5, self.environment, crowded)

    def include_flags(self):
        """Return what finds shmem.h."""
        return self.compile(self.compiler, "--showme:compile").split()


class Limits(Library):
    """Two processes that fork."""

    def build(self):
        """Compile the functions, the program that measures them, and an empty program."""
        self.compile("cc", *OPTIONS, "-shared", "-fPIC", "-o", self.folder / "liblimit_calls.so",
                     HERE / "limit_calls.c")
        self.compile("cc", *OPTIONS, "-o", self.folder / "calls", HERE / "limits.c", f"-L{self.folder}",
                     "-llimit_calls", f"-Wl,-rpath,{self.folder}")
        self.compile("cc", *OPTIONS, "-DWITHOUT_SHMEM", "-o", self.folder / "process", HERE / "process.c")

    def run(self, pes, program, *arguments, crowded=False):
        """Run a program of two processes."""
        if pes != 2 or crowded:
            raise Absent("two processes only")
        return output_of([self.folder / program, *arguments], LIMIT_S, self.environment)


def ours(build, folder):
    """Return the library of a build."""
    tools = build / "src/shmem/oshcc", build / "src/shmem/oshrun"
    return Shmem(UCXX, folder, tools, ("--bind", "core"), (), dict(os.environ))


def oshmem(folder):
    """Return Open MPI's, which must be Debian's; and once more with collectives of its own instead of
    those of MPI, which are slow with large payloads where a container forbids to copy between processes."""
    tools = pathlib.Path("/usr/bin/oshcc"), pathlib.Path("/usr/bin/oshrun")
    if not all(tool.exists() for tool in tools):
        raise Absent("openmpi-bin and libopenmpi-dev are not installed")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UCX_")} | FOREIGN
    version, _ = output_of([tools[1], "--version"], LIMIT_S, environment)
    if "OpenRTE" not in version and "Open MPI" not in version:
        raise Absent("/usr/bin/oshrun is not that of Open MPI")
    without_rdma = ("--mca", "osc", "^rdma")  # its finalize crashes with it
    crowded = ("--bind-to", "none", "--oversubscribe")
    first, second = (Shmem(title, folder, tools, (*without_rdma, *more, "--bind-to", "core"),
                           (*without_rdma, *more, *crowded), environment)
                     for title, more in ((OSHMEM, ()), (OSHMEM_BASIC, ("--mca", "scoll", "^mpi"))))
    second.measured_in = "collectives"
    return [first, second]


def limits(folder):
    """Return the bare functions."""
    return [Limits(LIMIT, folder, dict(os.environ))]
