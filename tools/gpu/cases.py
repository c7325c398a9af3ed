# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The tests, in the order in which they run."""

import json
import pathlib
import re
import sys
from typing import Any, NamedTuple

from run import Ended

HERE = pathlib.Path(__file__).resolve().parent
RUNNER = f"{HERE}/conditions.py"
PACK = "@PACK@"  # the folder that `./dev gpu pack` has made
MOST_NOTE = 600
# Of the standard output: each line JSON, or all of it; or lines of which each is the end of a test.
LINES, WHOLE, TESTS = "lines", "whole", "tests"


class Case(NamedTuple):
    """A test: its words, seconds, what of its output is JSON, and what the output must hold.

    Without the file `needs` in the pack it is left out.
    """

    name: str
    words: tuple[str, ...]
    limit_s: float = 30
    data: str | None = None
    says: str = ""
    environment: dict[str, str] = {}
    needs: str = ""

    def command(self, pack: pathlib.Path | str) -> list[str]:
        """Return the words for a pack."""
        return [word.replace(PACK, str(pack)) for word in self.words]

    def imports_ucxx(self) -> bool:
        """Tell whether it is a program of Python, which needs the extension."""
        return sys.executable in self.words and RUNNER not in self.words

    def shown(self) -> str:
        """Return the words as a line of the log."""
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        return " ".join([*settings, *self.command("build/gpu")])

    def judge(self, ended: Ended) -> tuple[Any, str, str]:
        """Return the data of what it printed, `ok` or why not, and a note for the table."""
        data, unreadable = _read(self.data, ended.out)
        how = ended.how
        if how == "ok" and unreadable:
            how = f"cannot read its output: {unreadable}"
        if how == "ok" and not re.search(self.says, ended.out):
            how = f"its output lacks {self.says!r}"
        return data, how, _note(self.data, data, ended)


def _read(kind: str | None, text: str) -> tuple[Any, str]:
    """Return the JSON of an output, and what is wrong with it. Lines that are none are the log's."""
    if kind is None:
        return None, ""
    if kind in (LINES, TESTS):
        lines = [line for line in text.splitlines() if line.startswith("{")]
        try:
            data = [json.loads(line) for line in lines if line.endswith("}")]
        except ValueError as error:
            return lines, str(error)
        return data, "" if data else "no line of JSON"
    try:
        return json.loads(text), ""
    except ValueError as error:
        return None, str(error)


def _note(kind: str | None, data: Any, ended: Ended) -> str:
    """Return what the row says beside its result."""
    if kind == TESTS and data:
        return _tests(data)[:MOST_NOTE]
    words = []
    errors = [line for line in data if "error" in line] if kind == LINES else []
    if kind == LINES:
        words.append(f"{len(data) - len(errors)} facts, {len(errors)} errors")
        words += _beside_models(data)
    if errors:
        words.append(f"{errors[0]['fact']}: {errors[0]['error']}")
    elif ended.how != "ok":
        words += ended.err.strip().splitlines()[-1:]
    elif isinstance(data, dict) and "results" in data:
        words.append(_figures(data["results"]))
    return "; ".join(words)[:MOST_NOTE]


def _beside_models(rows: list[dict[str, Any]]) -> list[str]:
    """Return what was measured of what a model foretells."""
    said = []
    for row in rows:
        value = row.get("value")
        if not isinstance(value, dict) or "model" not in value:
            continue
        ways = [f"{way} {value[way]['median']:.1f} (model {foretold:.1f})"
                for way, foretold in value["model"].items() if "median" in value.get(way, {})]  # fmt: skip
        said += [f"{row['fact']}: {', '.join(ways)}"] if ways else []
    return said


def _tests(rows: list[dict[str, Any]]) -> str:
    """Return how many have passed, and the names of the others. A second end is that of a test alone."""
    last = {row["test"]: row for row in rows}
    failed = [f"{name} ({row['result']})" for name, row in last.items() if row["result"] != "ok"]
    alone = [name for name, row in last.items() if row["result"] == "ok" and row.get("alone")]
    words = [f"{len(last) - len(failed)} passed, {len(failed)} failed", *failed]
    return "; ".join([*words, *(f"{name} (passed only alone)" for name in alone)])


def _figures(rows: list[dict[str, Any]]) -> str:
    """Return the medians of ucxx-perftest in short: microseconds, or GB/s, and how often the peer's."""
    said = []
    for row in rows:
        ours, is_rate = row["ucxx"], row["test"].endswith("_bw")
        figure = f"{ours['gb_per_s']:.2f} GB/s" if is_rate else f"{ours['average_us']['median']:.2f} us"
        ratio = row.get("ratio", {}).get("rate" if is_rate else "time")
        beside = f" ({ratio['median']:.2f} x)" if ratio else ""
        said.append(f"{row['test']} {row['size']} {figure}{beside}")
    return ", ".join(said)


def _facts(group: str, limit_s: float = 20) -> Case:
    return Case(f"facts.{group}", (f"{PACK}/bin/gpu_facts", group), limit_s, LINES)


# What ctest sets for these tests; 31 streams may wait.
FOR_CONDITIONS = {"UCX_MODULES": "^cuda", "UCX_TLS": "tcp", "UCX_NET_DEVICES": "lo",
                  "UCX_MEM_MMAP_HOOK_MODE": "reloc", "UCX_MEM_MALLOC_RELOC": "n",
                  "CUDA_DEVICE_MAX_CONNECTIONS": "32", "CUDA_MODULE_LOADING": "EAGER"}  # fmt: skip


def _conditions(name: str, names: str, options: str = "", **more: Any) -> Case:
    """Some of gpu_stream_tests: all that CONDITIONS names are each test once."""
    words = (sys.executable, "-B", RUNNER, f"{PACK}/bin/gpu_stream_tests", names, *options.split())
    environment = {**FOR_CONDITIONS, **more.pop("environment", {})}
    return Case(f"conditions.{name}", words, 35, TESTS, environment=environment, **more)


def _bench(name: str, limit_s: float = 30, **environment: str) -> Case:
    """One that measures: a target that is missed is no failure."""
    return Case(f"bench.{name}", (f"{PACK}/bin/gpu_bench", name), limit_s, LINES, environment=environment)


def _bench_by(bulk: str, name: str) -> Case:
    """The same, where payloads above 3 KiB go in one way."""
    return Case(f"bench.{name}_by_{bulk}", (f"{PACK}/bin/gpu_bench", name), 60, LINES,
                environment={"UCXX_LOCAL_BULK": bulk})  # fmt: skip


def _program(name: str) -> Case:
    """One that a page of the documents shows."""
    return Case(f"programs.{name}", (sys.executable, "-B", f"{PACK}/programs/{name}.py"), 40)


def _example(library: str) -> Case:
    """One of examples/cuda."""
    program = f"{PACK}/programs/stream_send_{library}.py"
    return Case(f"examples.{library}", (sys.executable, "-B", program), 40, says="all sums are right")


def _example_in_c(name: str) -> Case:
    """One of examples/cuda, as UCP with conditions was proposed."""
    program = f"bin/gpu_ucp_{name}"
    return Case(f"examples.ucp_{name}", (f"{PACK}/{program}",), 40, says=" 0 wrong words", needs=program,
                environment=FOR_CONDITIONS)  # fmt: skip


def _transfers(name: str, library: str) -> Case:
    program = f"{HERE}/programs/{name}_transfers.py"
    return Case(f"python.{name}_{library}", (sys.executable, "-B", program, library), 40, LINES)


def _streams_of(library: str) -> Case:
    program = f"{HERE}/programs/stream_transfers.py"
    return Case(f"python.streams_{library}", (sys.executable, "-B", program, library), 60, LINES)


def _perftest(name: str, options: str, limit_s: float = 60) -> Case:
    words = (f"{PACK}/bin/ucxx-perftest", "--json", "-", "--timeout", "20", *options.split())
    return Case(f"perftest.{name}", words, limit_s, WHOLE)


def _protocols(name: str, options: str) -> Case:
    words = (f"{PACK}/bin/ucxx-perftest", "-m", "cuda,host", "--test", "tag_lat,am_lat", "--timeout", "20",
             "--sizes", "8,64K,1M,16M", "--seconds", "0.01", "--repeat", "1", *options.split())  # fmt: skip
    return Case(f"protocols.{name}", words, says="active message by ucp_am_send",
                environment={"UCX_PROTO_INFO": "y"})  # fmt: skip


# Sizes and repetitions that eight minutes have room for.
LATENCY = "--sizes 8,32K,64K,128K,1M --seconds 0.1 --repeat 3"
BANDWIDTH = "--sizes 32K,64K,128K,1M --seconds 0.2 --repeat 3"
LARGE = "--sizes 64K,1M,16M --seconds 0.2 --repeat 3"
BESIDE = "--compare ucx_perftest"
ALL = "-o TLS=all -o NET_DEVICES=all"

# Before what runs Python, where the pack has the sources of its extension only.
EXTENSION = Case("extension", (sys.executable, "-B", f"{HERE}/extension.py", PACK), 240)

# 90 seconds at most, if all goes wrong. Kernels that wait share the device in turns, so they are fewer.
CONDITIONS = (
    _conditions("streams", "*-*Graph*:*Kernel*", "--seconds 25"),
    _conditions("graphs", "*Graph*-*Kernel*:GraphReplayTest*", "--seconds 20"),
    _conditions("kernels", "*Kernel*", "--seconds 20 --processes 4", needs="bin/condition_kernels.fatbin"),
    _conditions("replays", "GraphReplayTest*", "--seconds 27 --limit 25",
                environment={"UCXX_REPLAY_SECONDS": "15"}),
)

CASES = (
    _facts("held_up", 40),
    _facts("device"),
    _facts("pointers"),
    _facts("pages", 30),
    _facts("stream"),
    _facts("batch"),
    _facts("capture"),
    _facts("graph", 30),
    _facts("round_trip", 60),
    _facts("costs", 60),
    _facts("queue", 40),
    _facts("streams", 40),
    # More connections than the 8 of the driver.
    Case("facts.streams_32", (f"{PACK}/bin/gpu_facts", "streams"), 40, LINES,
         environment={"CUDA_DEVICE_MAX_CONNECTIONS": "32"}),
    _facts("lifetime"),
    _facts("sticky"),
    _facts("blocking", 60),
    _facts("copies", 30),
    _facts("ipc"),
    *CONDITIONS,
    _bench("ping_pong", 60),
    _bench("enqueue", 45),
    _bench("graph"),
    _bench("halo", 60),
    _bench("host_tag", CUDA_DEVICE_MAX_CONNECTIONS="32"),  # 8 streams wait
    _bench("idle", 45),
    *(_bench_by(bulk, name) for name in ("graph", "enqueue") for bulk in ("ring", "copy")),
    Case("info.ucx", (f"{PACK}/libucx/bin/ucx_info", "-d"), says="cuda_copy",
         environment={"UCX_MODULE_LOG_LEVEL": "warn"}),  # why one does not load
    Case("info.ucxx", (f"{PACK}/bin/ucxx-info",), says=r"CUDA +yes"),
    Case("doctor", (sys.executable, "-B", "-m", "ucxx", "doctor", "--json"), 60, WHOLE,
         says=r'\d NVIDIA, driver [\w.]+"'),
    *map(_program, ("gpu_buffers_1", "gpu_buffers_2", "cuda_graphs_1", "cuda_1", "cuda_2", "cuda_3", "cuda_4")),
    *map(_example, ("cupy", "torch")),
    *map(_example_in_c, ("stream_send", "graph_broadcast", "prepared_loop", "put")),
    *(_transfers(name, library) for name in ("asyncio", "core") for library in ("cupy", "torch")),
    Case("topology", (sys.executable, "-B", "-m", "ucxx", "topology"), 30, says="GPU0"),
    Case("python.dask_cluster", (sys.executable, "-B", f"{HERE}/programs/dask_cluster.py"), 90, LINES),
    *(_streams_of(library) for library in ("driver", "cupy", "torch", "numba", "cuda_core")),
    _perftest("host", "--test tag_lat --sizes 8,64K --repeat 3"),
    _perftest("tag_lat", f"-m cuda,host --test tag_lat {LATENCY} {BESIDE}", 90),
    _perftest("tag_bw", f"-m cuda,host --test tag_bw {BANDWIDTH} {BESIDE}", 90),
    # From device to device, alone and 32 under way: by UCX from 256 KiB on, staged below.
    _perftest("device_lat", f"-m cuda --test tag_lat --sizes 8,64K,1M,16M,64M --seconds 0.1 --repeat 3 {BESIDE}", 90),
    _perftest("device_bw", f"-m cuda --test tag_bw --sizes 64K,1M,16M --seconds 0.2 --repeat 3 {BESIDE}", 90),
    # Into the host of a program: 16 MiB in 2 ms at most; and into what is page-locked.
    _perftest("into_host", "-m cuda,host --test tag_lat,stream_lat --sizes 64K,1M,16M --seconds 0.2 --repeat 3"),
    _perftest("into_device", "-m host,cuda --test tag_lat,stream_lat --sizes 8,64K,1M,16M --seconds 0.2 --repeat 3"),
    # Staged at every size, since UCX is left out.
    _perftest("staged", "-m cuda --test tag_lat,tag_bw --sizes 64K,1M,16M --seconds 0.2 --repeat 3 -o UCXX_LOCAL=only"),
    _perftest("am", f"-m cuda --test am_lat,am_bw --sizes 128K,1M --seconds 0.2 --repeat 3 {BESIDE}", 90),
    _perftest("others", f"-m cuda,host --test stream_lat,am_lat,multi_lat,stream_bw,am_bw,multi_bw {LARGE}"),
    _perftest("all_tls", f"-m cuda,host --test tag_lat,tag_bw {LARGE} {ALL}"),
    _perftest("all_tls_am", f"-m cuda --test am_lat,am_bw {LARGE} {ALL}"),
    # UCX says which of its protocols it takes for which sizes, and two others are tried.
    _protocols("tcp", ""),
    _protocols("all", ALL),
    *(_perftest(scheme, f"-m cuda,host --test tag_lat --sizes 1M,16M --seconds 0.2 --repeat 3 "
                        f"-o RNDV_SCHEME={scheme}") for scheme in ("get_ppln", "put_ppln")),
)


def names() -> str:
    """Return all names in one line."""
    return ", ".join(case.name for case in CASES)


def choose(asked: list[str]) -> tuple[list[Case], list[str]]:
    """Return the tests that are named, alone or by their group, and the names that are none."""
    known = {name: [case for case in CASES if case.name == name or case.name.startswith(f"{name}.")]
             for name in asked}  # fmt: skip
    unknown = [name for name, found in known.items() if not found]
    if not asked:
        return list(CASES), unknown
    return [case for case in CASES if any(case in found for found in known.values())], unknown
