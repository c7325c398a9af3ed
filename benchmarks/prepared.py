# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Figures of conditions and of prepared transfers, the latter beside tag messages and beside MPI."""

import json
import os
import pathlib
import subprocess
import sys

from measured import LIMIT_S, LOCAL, Figure, Middle, size_text

HERE = pathlib.Path(__file__).parent
# What `./dev bench` installs from tools/requirements/peers.txt, and how each leaves processors alone:
# the program chooses them.
MPI = {"openmpi": ("Open MPI", "mpirun", "--bind-to"), "mpich": ("MPICH", "mpiexec", "-bind-to")}
FOREIGN = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
WAYS = {"prepared": ("MPI_Send_init", "prepared_ns"), "partitioned": ("MPI_Psend_init", "prepared_ns"),
        "partitions": ("MPI_Psend_init, 16 partitions", "partitions_ns")}
TO_TAG = {8: 1.0, 64: 0.7, 256: 0.7, 1024: 0.7, 65536: 1.0}


class Mpi:
    """One MPI of a wheel, with the program compiled."""

    def __init__(self, programs, name):
        self.title, launcher, bind = MPI[name]
        folder = HERE.parent / "build/peers" / name / "bin"
        if not (folder / "mpicc").exists():
            raise FileNotFoundError(f"{folder}/mpicc")
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("UCX")} | FOREIGN
        program = programs.build / f"benchmarks/figures/mpi_prepared_{name}"
        self.run_(folder / "mpicc", "-O3", "-o", program, HERE / "figures/mpi_prepared.c")
        self.command = [folder / launcher, bind, "none", "-n", "2", program]

    def run_(self, *command):
        """Run to the end; return standard output."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              timeout=LIMIT_S, check=False, env=self.environment)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]}: {done.stderr.strip()[-2000:]}")
        return done.stdout

    def measure(self):
        """Return nanoseconds by way and size."""
        lines = (line.split() for line in self.run_(*self.command).splitlines())
        return {(way, int(size)): float(time) for way, size, time in lines}


def installed(programs):
    """Return the MPIs that are there; say which are not."""
    found = []
    for name in MPI:
        try:
            found.append(Mpi(programs, name))
        except FileNotFoundError as error:
            print(f"prepared: without {MPI[name][0]}: no {error}", file=sys.stderr)
    return found


def own_figures(rounds):
    """Beside tag messages, and partitions beside the whole."""
    for size in sorted(map(int, rounds[0])):
        def middle(key, size=size):
            return Middle.of([one[str(size)][key]["median"] for one in rounds])
        yield Figure(f"prepared: {size_text(size)}, half round trip, library memory",
                     middle("prepared_ns").scaled(1e-3), "us", TO_TAG.get(size),
                     peer=middle("tag_ns").scaled(1e-3), ratio=middle("prepared_to_tag"), note="peer: tag message")
        if "partitions_ns" in rounds[0][str(size)]:
            yield Figure(f"prepared: {size_text(size)} in 16 partitions, ready together",
                         middle("partitions_ns").scaled(1e-3), "us", 1.2,
                         peer=middle("prepared_ns").scaled(1e-3), ratio=middle("partitions_to_one"),
                         note="peer: in one")


def beside(mpi, rounds, theirs):
    """One line for each way and size of this MPI."""
    for way, (call, key) in WAYS.items():
        for size in sorted(size for one, size in theirs[0] if one == way):
            own = [one[str(size)][key]["median"] for one in rounds]
            peer = [one[way, size] for one in theirs]
            yield Figure(f"prepared: {size_text(size)} beside {mpi.title}'s {call}",
                         Middle.of(own).scaled(1e-3), "us", 0.7, peer=Middle.of(peer).scaled(1e-3),
                         ratio=Middle.of([mine / its for mine, its in zip(own, peer)]))


def prepared(programs):
    """All in turn, so that each ratio is of one minute."""
    local = programs.having({**LOCAL, "UCX_TLS": "tcp", "REPS": "1"})
    mpis = installed(programs)
    rounds, theirs = [], [[] for _ in mpis]
    for _ in range(programs.repeat):
        rounds.append(local.figure("prepared"))
        for mpi, results in zip(mpis, theirs):
            results.append(mpi.measure())
    yield from own_figures(rounds)
    for mpi, results in zip(mpis, theirs):
        yield from beside(mpi, rounds, results)


def condition(programs):
    """A trigger in one thread, the start in another."""
    said = programs.having(LOCAL).figure("condition")
    store = Middle.read(said["store_to_load_ns"])
    for name, key, target in (("trigger to start, 8 B to the own worker", "trigger_to_start_ns", 1000),
                              ("trigger to start, 8 B to another worker", "trigger_to_start_peer_ns", 1000),
                              ("trigger to the end that the same thread sees", "trigger_to_end_ns", None),
                              ("call of trigger()", "trigger_call_ns", None)):
        yield Figure(f"condition: {name}", Middle.read(said[key]), "ns", target, peer=store,
                     note="peer: a store that the other thread sees")


def instructions(programs):
    """Of a round of the loop, and of small messages of each kind."""
    said = programs.having(LOCAL).figure("instructions")
    for name, key in (("idle progress()", "idle"), ("idle progress(), 8 host conditions armed", "armed"),
                      ("tag 8 B, send and receive", "message"),
                      ("tag 8 B, received later", "message that waits for its receive"),
                      ("tag 8 B, with callbacks", "callback"), ("active message 8 B", "active message"),
                      ("stream 8 B", "stream"), ("two buffers of 4 B", "two buffers")):
        yield Figure(f"instructions: {name}", Middle.read(said[key]["instructions"]), "", None)
        yield Figure(f"instructions: {name}, time", Middle.read(said[key]["ns"]), "ns", None)
    watched = programs.having(LOCAL).figure("watched")
    yield Figure("instructions: idle progress(), 8 words that a device may write, more than none",
                 Middle.read(watched["more_ns"]), "ns", 10, note="time")


def armed_idle(programs):
    """The threads of two workers, one of which has a send that a stream of CUDA is to start."""
    folders = (programs.build / folder for folder in ("benchmarks/gpu/driver", "tests/cuda/driver"))
    driver = next(folder for folder in folders if folder.exists())
    program = programs.build / "benchmarks/gpu/gpu_bench"
    said = programs.having({**LOCAL, "LD_LIBRARY_PATH": str(driver), "UCX_MODULES": "^cuda"}).run(
        program, "idle", *["--quick"] * programs.quick)
    for line in map(json.loads, said.splitlines()):
        spread = line["value"]["threads"]
        yield Figure(f"armed {line['fact']}: two workers, one send of a stream armed",
                     Middle(spread["median"], spread["lowest"], spread["highest"]), "%", line["value"]["at_most"],
                     note="of one processor, over the tests' stand-in for the driver of CUDA")


FIGURES = [prepared, condition, instructions, armed_idle]
