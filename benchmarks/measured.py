# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How the figures of `compare` are measured and told."""

import json
import os
import shlex
import statistics
import subprocess

LIMIT_S = 300
REPEAT = 7
SECONDS = 0.3
# UCX's hooks in the way that starts quickly, without its malloc; loopback TCP.
ENVIRONMENT = {"UCX_TLS": "tcp", "UCX_NET_DEVICES": "lo", "UCXX_LOCAL": "off",
               "UCX_MEM_MMAP_HOOK_MODE": "reloc", "UCX_MEM_MALLOC_RELOC": "n"}
# Shared memory: ours, and UCX's, which has to be told to stay with it when ucx_perftest handles errors.
LOCAL = {"UCXX_LOCAL": "auto", "UCX_TLS": "all", "UCX_POSIX_ERROR_HANDLING": "y",
         "UCX_WARN_UNUSED_ENV_VARS": "n"}


class Middle:
    """A median between the least and the most."""

    def __init__(self, median, least, most):
        self.median, self.least, self.most = median, least, most

    @classmethod
    def of(cls, values):
        """Return the middle of a list."""
        return cls(statistics.median(values), min(values), max(values))

    @classmethod
    def read(cls, value):
        """Return what a program wrote: a number, or its median, min and max."""
        if isinstance(value, dict):
            return cls(value["median"], value["min"], value["max"])
        return cls(value, value, value)

    def text(self, unit=""):
        """Return '3.81 us (3.75 .. 3.90)'."""
        text = f"{short(self.median)}{' ' * bool(unit)}{unit}"
        if self.least == self.most:
            return text
        return f"{text} ({short(self.least)} .. {short(self.most)})"

    def scaled(self, factor):
        """Return it in another unit."""
        return Middle(self.median * factor, self.least * factor, self.most * factor)

    def json(self):
        """Return it for the report."""
        return {"median": self.median, "min": self.least, "max": self.most}


def short(value):
    """Return three digits that matter."""
    return f"{value:.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


class Figure:
    """A line of the table. What is judged is the ratio if there is one, else our own value."""

    def __init__(self, name, ours, unit, target, *, peer=None, ratio=None, at_least=False, note=""):
        self.name, self.ours, self.unit, self.target = name, ours, unit, target
        self.peer, self.ratio, self.at_least, self.note = peer, ratio, at_least, note

    def met(self):
        """Tell whether the target is met; None without one."""
        if self.target is None:
            return None
        judged = (self.ratio or self.ours).median
        return judged >= self.target if self.at_least else judged <= self.target

    def cells(self):
        """Return the columns of the table."""
        target = "-"
        if self.target is not None:
            sign = ">=" if self.at_least else "<="
            target = f"{sign} {self.target:g}{'x' if self.ratio else ' ' * bool(self.unit) + self.unit}"
        return [self.name, self.ours.text(self.unit), self.peer.text(self.unit) if self.peer else "-",
                self.ratio.text() if self.ratio else "-", target,
                {True: "yes", False: "NO", None: "-"}[self.met()]]

    def json(self):
        """Return it for the report."""
        return {"figure": self.name, "unit": self.unit, "ucxx": self.ours.json(),
                "peer": self.peer and self.peer.json(), "ratio": self.ratio and self.ratio.json(),
                "target": self.target, "at_least": self.at_least, "met": self.met(), "note": self.note}


class Programs:
    """What was built, and how it is run."""

    def __init__(self, build, *, quick=False, environment=None):
        self.build, self.quick = build, quick
        self.repeat, self.seconds = (1, 0.02) if quick else (REPEAT, SECONDS)
        self.environment = environment or ENVIRONMENT
        self.figures = build / "benchmarks/figures"

    def having(self, environment):
        """Return the same programs in an environment that differs."""
        return Programs(self.build, quick=self.quick, environment={**self.environment, **environment})

    def run(self, *command):
        """Run to the end; return standard output."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              timeout=LIMIT_S, check=False, env={**os.environ, **self.environment})
        if done.returncode != 0:
            raise RuntimeError(f"{shlex.join(map(str, command))}: {done.stderr.strip()[-2000:]}")
        return done.stdout

    def benchmark(self, name):
        """Run a program of Google Benchmark; return processor times by the names of its runs."""
        said = json.loads(self.run(
            self.build / "benchmarks" / name, "--benchmark_format=json",
            f"--benchmark_repetitions={self.repeat}", "--benchmark_min_time=0.1"))
        times = {}
        for line in said["benchmarks"]:
            if line["run_type"] == "iteration":
                times.setdefault(line["run_name"], []).append(line["cpu_time"])
        return times

    def figure(self, name):
        """Run one of benchmarks/figures."""
        return json.loads(self.run(self.figures / f"figure_{name}"))

    def perftest(self, *arguments, under=()):
        """Run ucxx-perftest, perhaps under another program; return its results."""
        return json.loads(self.run(*under, self.build / "src/tools/ucxx-perftest", "--json", "-",
                                   *arguments))["results"]


def compared(programs, *arguments, under=()):
    """Run ucxx-perftest beside ucx_perftest."""
    return programs.perftest("--compare", "ucx_perftest", "--repeat", programs.repeat,
                             "--seconds", programs.seconds, *arguments, under=under)


def inverse(middle):
    """Return a ratio of times, or a time, as one of rates."""
    return Middle(*(1 / middle[which] for which in ("median", "max", "min")))


def size_text(size):
    """Return '64 KiB'."""
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor:
            return f"{size // factor} {unit}"
    return f"{size} B"


def bandwidth(name, row, target):
    """Ping-pong of a large message beside ucx_perftest: the typical one and the average."""
    for what, key, limit in (("p50", "p50_us", target), ("average", "average_us", None)):
        ours, peer = (inverse(row[who][key]).scaled(row["bytes"] / 1e3) for who in ("ucxx", "ucx_perftest"))
        yield Figure(f"{name} {size_text(row['size'])}, {what}", ours, "GB/s", limit, peer=peer,
                     ratio=inverse(row["ratio"]["p50" if what == "p50" else "time"]), at_least=True,
                     note=row.get("note", ""))


def latency(programs, name, target, *arguments):
    """Half a round trip of 8 B beside ucx_perftest: the typical one and the average."""
    row, = compared(programs, "--sizes", "8", *arguments)
    for what, key, limit in (("p50", "p50_us", target), ("average", "average_us", None)):
        ratio = Middle.read(row["ratio"]["p50" if what == "p50" else "time"])
        yield Figure(f"{name}, {what}", Middle.read(row["ucxx"][key]), "us", limit,
                     peer=Middle.read(row["ucx_perftest"][key]), ratio=ratio)
