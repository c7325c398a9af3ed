# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Figures over loopback TCP, and of a worker by itself."""

import json
import pathlib
import re
import shlex
import tempfile
import time

from measured import Figure, Middle, bandwidth, compared, latency


def tag_latency(programs):
    """Two processes that poll."""
    yield from latency(programs, "tag 8 B half round trip, polling", 1.10)
    yield from latency(programs, "tag 8 B, WorkerOptions::single_thread", None, "--single-thread")


def tag_bandwidth(programs):
    """Ping-pong of large messages."""
    for row in compared(programs, "--sizes", "64K,1M,64M"):
        yield from bandwidth("ping-pong bandwidth", row, 0.95)


def self_channel(programs):
    """A worker that talks to itself, and one that has nothing to do."""
    times = programs.benchmark("self_bench")
    for name, target, run in (("self channel 8 B send + receive", 60, "expectedPair/any_thread"),
                              ("self channel, single_thread", 60, "expectedPair/single_thread"),
                              ("self channel, unexpected", None, "unexpectedPair/any_thread"),
                              ("idle progress()", None, "idleProgress/any_thread")):
        yield Figure(name, Middle.of(times[run]), "ns", target)


def allocations(programs):
    """Heap and mutexes on the hot path."""
    said = programs.figure("allocations")
    for name, key, target in (("per self-channel pair", "self_pair", 0),
                              ("per TCP pair of 8 B", "tcp_pair_8", None),
                              ("per TCP pair of 64 KiB", "tcp_pair_64K", None),
                              ("per idle progress()", "idle_progress", 0),
                              ("per idle progress() with a peer", "idle_progress_with_a_peer", 0)):
        for what in ("allocations", "locks"):
            yield Figure(f"{what} {name}", Middle.read(said[key][what]), "", target)


def post(programs):
    """Another thread posts to a loop that polls."""
    said = programs.figure("post")
    difference = Middle.read(said["difference_ns"]).scaled(1e-3)
    yield Figure("post from another thread, until completed: more than direct", difference, "us", 0.5)
    yield Figure("post from another thread, the call alone", Middle.read(said["post_call_ns"]), "ns",
                 None, peer=Middle.read(said["direct_call_ns"]), note="peer: a direct call")


def asleep(programs):
    """Both sides sleep in the kernel."""
    yield from latency(programs, "both asleep, 8 B half round trip", 1.3, "--progress", "blocking")
    for mode in ("thread-blocking", "thread-adaptive"):
        row, = programs.perftest("--sizes", "8", "--progress", mode, "--repeat", programs.repeat)
        yield Figure(f"{mode}, 8 B half round trip, p50", Middle.read(row["ucxx"]["p50_us"]), "us", None)


def connect(programs):
    """To a listener in another process, beside UCX's own."""
    said, peer = programs.figure("connect"), programs.figure("ucx_connect")
    for name, key, target in (("call to connected endpoint", "connected_again_ms", 1.0),
                              ("the first of a worker", "connected_ms", 1.0),
                              ("call to 8 B echoed", "echo_again_ms", 1.0),
                              ("call to 8 B echoed, the first of a worker", "first_echo_ms", None),
                              ("call to 8 B echoed, on a link that is there", "echo_on_shared_link_ms", None)):
        yield Figure(f"connect: {name}", Middle.read(said[key]), "ms", target,
                     peer=Middle.read(peer[key]) if key in peer else None,
                     note="peer: UCX alone, client and server")


def secret(programs):
    """What a shared secret adds to a connect."""
    said = programs.figure("secret")
    yield Figure("connect with a shared secret: more than without", Middle.read(said["difference_ms"]), "ms",
                 0.5)
    yield Figure("connect with a shared secret", Middle.read(said["with_ms"]), "ms", None,
                 peer=Middle.read(said["without_ms"]), note="peer: without one")


def multi(programs):
    """A multi-buffer message beside one tag message of a frame's size."""
    for frames, size, target in ((2, "64", 2), (100, "1K", 12)):
        ours, peer = [], []
        for _ in range(programs.repeat):
            tag, several = programs.perftest("--test", "tag_lat,multi_lat", "--frames", frames, "--sizes",
                                             size, "--seconds", "0.1")
            peer.append(tag["ucxx"]["p50_us"]["median"])
            ours.append(several["ucxx"]["p50_us"]["median"])
        ratio = Middle.of([a / b for a, b in zip(ours, peer)])
        yield Figure(f"multi-buffer {frames} x {size} B, half round trip", Middle.of(ours), "us", target,
                     peer=Middle.of(peer), ratio=ratio, note="peer: one tag message of a frame")


def idle(programs):
    """Processor time of two connected workers with nothing to do."""
    for key, value in programs.figure("idle").items():
        yield Figure(f"two idle workers, {key.removesuffix('_percent').replace('_', '-')}",
                     Middle.read(value), "% of a core", 0.5)


def endpoints(programs):
    """1000 of them between one pair of workers, with 1024 descriptors."""
    said = programs.figure("endpoints")
    yield Figure("1000 endpoints: connect, message, close", Middle.read(said["seconds"]), "s", 3)
    yield Figure("descriptors open meanwhile", Middle.read(said["most_descriptors"]), "", 1024)
    for side in ("here", "there"):
        left = said[f"left_{side}"]
        for what in ("descriptors", "threads"):
            yield Figure(f"{what} left behind, {side}", Middle.read(left[what]), "", 0)
        yield Figure(f"bytes left per endpoint, {side}", Middle.read(left["bytes"] / said["of_endpoints"]),
                     "B", 1)


def compile_time(programs):
    """#include <ucxx/api.h>, nothing optimised."""
    cache = (programs.build / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE)[1]
    commands = json.loads((programs.build / "compile_commands.json").read_text())
    words = shlex.split(next(entry["command"] for entry in commands
                             if entry["file"].endswith("/core/worker.cpp")))
    folders = [word for word in words if word.startswith("-I")]
    folders += [f"-I{words[i + 1]}" for i, word in enumerate(words) if word == "-isystem"]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "api.cpp"
        source.write_text("#include <ucxx/api.h>\n")
        for standard in ("17", "20"):
            seconds = []
            for _ in range(programs.repeat):
                start = time.perf_counter()
                programs.run(compiler, f"-std=c++{standard}", "-O0", *folders, "-c", source, "-o",
                             source.with_suffix(".o"))
                seconds.append(time.perf_counter() - start)
            yield Figure(f"#include <ucxx/api.h>, -O0, C++{standard}", Middle.of(seconds), "s", 1.5)


FIGURES = [tag_latency, tag_bandwidth, self_channel, allocations, post, asleep, connect, secret, multi, idle,
           endpoints, compile_time]
