# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Jobs of oshrun for tests: the first argument is the path of oshrun."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import uuid

OSHRUN = pathlib.Path(sys.argv.pop(1)).resolve()
HERE = pathlib.Path(__file__).parent
FAKE_PE = (sys.executable, "-SEB", HERE / "fake_pe.py")
LIMIT_S = 20
# What a job has started is known by its environment, whoever its parent is by now.
MARK = "UCXX_TEST_JOB"


class Job:
    """A job that runs; at its end nothing of it may be left."""

    def __init__(self, *words, environment=None, **options):
        self.mark = uuid.uuid4().hex
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(
            [*words], text=True, env={**os.environ, **(environment or {}), MARK: self.mark},
            **{**pipes, **options})

    @property
    def pid(self):
        """Return the process id of oshrun."""
        return self.process.pid

    @property
    def runner(self):
        """Return the process of oshrun that runs the job, the child of the one that was started."""
        runner, = children_of(self.pid)
        return runner

    def line(self):
        """Return the next line of output."""
        return self.process.stdout.readline().rstrip("\n")

    def send(self, number):
        """Send oshrun a signal."""
        self.process.send_signal(number)

    def end(self, text=None):
        """Wait for the end; return status, output and errors."""
        try:
            out, err = self.process.communicate(text, timeout=LIMIT_S)
        finally:
            left = self.processes()
            for pid in left:
                os.kill(pid, 9)
        assert not left, f"{len(left)} processes are left; {err}"
        return self.process.returncode, out, err

    def processes(self):
        """Return the processes of the job that run."""
        entry = f"{MARK}={self.mark}".encode()
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if entry in path.read_bytes().split(b"\0"):
                    found.append(int(path.parent.name))
            except OSError:
                pass
        return found


def start(*words, **options):
    """Start oshrun."""
    return Job(OSHRUN, *words, **options)


def start_ready(pes, *command, **options):
    """Start PEs that each say a line first, and wait for all of these."""
    job = start("-n", str(pes), *command, **options)
    for _ in range(pes):
        job.line()
    return job


def run(*words, **options):
    """Run oshrun to its end; return status, output and errors."""
    return start(*words, **options).end()


def version():
    """Return the version of oshrun."""
    return subprocess.run([OSHRUN, "--version"], capture_output=True, text=True,
                          check=True).stdout.split()[-1]


VERSION = version()


def start_fake(pes, code, *options, **more):
    """Start a job of PEs that are Python code with the names of fake_pe.py."""
    return start("-n", str(pes), "-x", f"VERSION={VERSION}", *options, *FAKE_PE, code, **more)


def run_fake(pes, code, *options, **more):
    """Run it to its end; return status and errors."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"MARK_FILE": f"{folder}/mark", **more.pop("environment", {})}
        status, _, err = start_fake(pes, code, *options, environment=environment, **more).end()
    return status, err


def run_limited(limit, *words):
    """Run oshrun with a limit of the shell; None where a sanitizer makes that impossible."""
    limited = ("sh", "-c", f'ulimit {limit}; exec "$@"', "-", OSHRUN)
    return Job(*limited, *words).end() if Job(*limited, "--version").end()[0] == 0 else None


def wait_for(condition):
    """Wait until the condition holds, a while at most; return what it gave."""
    deadline = time.monotonic() + 20
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError("waited in vain")
        time.sleep(0.002)
    return value


def children_of(pid):
    """Return the children of a process."""
    return [int(child) for child in
            pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def fields(pid):
    """Return what /proc says of a process."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


def is_stopped(pid):
    """Tell whether the process is stopped."""
    return fields(pid)["State"].startswith("T")


def named(job, name, count):
    """Return the processes of a job with this name, if there are so many."""
    found = []
    for pid in job.processes():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if fields(pid)["Name"] == name:
                found.append(pid)
    return found if len(found) == count else []


def lines(text):
    """Return the lines, in a fixed order."""
    return sorted(text.splitlines())


@contextlib.contextmanager
def folder_of(**texts):
    """Give a folder with executable files."""
    with tempfile.TemporaryDirectory() as name:
        for file, text in texts.items():
            path = pathlib.Path(name, file)
            path.write_text(text)
            path.chmod(0o755)
        yield pathlib.Path(name)
