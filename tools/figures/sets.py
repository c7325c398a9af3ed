# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What `./dev figures` measures: one set for each file of docs/data, each of some commands.

Each command writes JSON. In its words `{folder}` is an empty folder, `{bench}` the build for measuring, `{dev}` the
build with the Python package.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Mapping
from typing import Any

TCP = {"UCXX_LOCAL": "off", "UCX_TLS": "tcp", "UCX_NET_DEVICES": "lo"}


@dataclasses.dataclass(frozen=True)
class Step:
    """One command.

    Attributes:
        words: the command.
        file: what it writes in `{folder}`.
        environment: what it is given more.
        kept: what of its report is kept.
    """

    words: tuple[str, ...]
    file: str = "out.json"
    environment: Mapping[str, str] = dataclasses.field(default_factory=dict)
    kept: Callable[[dict[str, Any]], dict[str, Any]] = dict


def compare(names: str) -> Step:
    """Return figures of benchmarks/compare, by the names of their functions."""
    words = "python benchmarks/compare --build {bench} --out {folder}".split()
    return Step((*words, f"^({names})$"), "figures.json")


def python(words: str) -> Step:
    """Return a benchmark of the Python package."""
    return Step(("python", "-m", "ucxx", "benchmark", *words.split(), "--json", "{folder}/out.json"))


def perftest(words: str, environment: Mapping[str, str]) -> Step:
    """Return a run of ucxx-perftest."""
    return Step(("{bench}/src/tools/ucxx-perftest", *words.split(), "--json", "{folder}/out.json"),
                environment=environment)


def kills(words: str) -> Step:
    """Return a run that kills processes; of each is kept when a survivor saw it."""
    return Step(("{dev}/tests/ucxx_kills", *words.split(), "--json", "{folder}/out.json"), kept=detections)


def detections(report: dict[str, Any]) -> dict[str, Any]:
    """Return how soon a dead process is seen, in milliseconds by how the survivor waits, and the summary."""
    times: dict[str, list[float]] = {}
    for run in report["runs"]:
        if run["fault"] == "kill" and run["t_detect"] is not None and run["t_dead"] is not None:
            # The survivor may see it before the process that waits for the dead one does.
            times.setdefault(run["mode"], []).append(max(0.0, run["t_detect"] - run["t_dead"]) * 1e3)
    percentiles = {
        mode: [round(value, 4) for value in statistics.quantiles(found, n=100, method="inclusive")]
        for mode, found in sorted(times.items()) if len(found) > 1
    }
    return {"summary": report["summary"]["all"], "detected": {mode: len(found) for mode, found in times.items()},
            "percentiles_ms": percentiles}


SETS: dict[str, dict[str, Step]] = {
    "messages": {"messages": Step(("python", "tools/figures/messages.py", "{folder}/out.json"))},
    "inside": {
        "small": compare("local_latency|local_rate|local_asleep|local_company"),
        "large": compare("bulk_ping_pong|bulk_huge_pages|bulk_blocking"),
        "copies forbidden": compare("local_without_cma|local_library_memory"),
    },
    "tcp": {
        "sweep": perftest("--compare ucx_perftest --test tag_lat --sizes 8:64M:4 --repeat 5 --cpus 0,1", TCP),
        "figures": compare("tag_latency|tag_bandwidth|asleep|connect|one_sided_tcp"),
    },
    "python": {
        "dict": python("send_recv --content dict --sizes 8 --pin 0,1"),
        "eight buffers": python("send_recv --sizes 32 --multi-buffers 8 --pin 0,1"),
        "asleep": python("send_recv --sizes 8 --progress-mode blocking --pin 0,1"),
        "library memory": python("send_recv --sizes 64M --receive-into library --pin 0,1"),
        "new memory": python("send_recv --sizes 64M --receive-into new --pin 0,1"),
        "echo": python("echo --pin 0,1"),
        "idle": python("idle"),
        "outstanding": python("outstanding --counts 10,10000"),
        "tasks": python("tasks"),
    },
    "dask": {
        "connections": python("dask comm --runs 3"),
        "transfer": python("dask transfer --runs 3"),
        "scatter": python("dask scatter --runs 3"),
        "gather": python("dask gather --runs 3"),
        "transpose": python("dask transpose --runs 3"),
        "svd": python("dask svd --runs 3"),
        "merge": python("dask merge --runs 3"),
        "shuffle": python("dask shuffle --runs 3"),
        "transports": python("dask merge --runs 3 --protocols tcp,ucx-tcp,ucx-local"),
        "many": python("dask many --runs 1"),
    },
    "shmem": {"calls": Step(("python", "benchmarks/shmem", "--build", "{bench}", "--out", "{folder}"), "shmem.json")},
    "shmem_python": {"calls": python("shmem --runs 5")},
    "kernels": {
        "rates": python("prk --oshmem /usr/bin --runs 5"),
        "scaling": python("prk --oshmem /usr/bin --language c --pes 1,2,4 --runs 5"),
    },
    "shmem_ping_pong": {"sizes": python("shmem --figure ping_pong --runs 5")},
    "prepared": {"prepared": compare("prepared"), "condition": compare("condition")},
    "memory": {
        "one process": compare("self_channel|allocations|post|multi|idle|endpoints|compile_time|secret"),
        "peers": compare("local_peers|local_connect|bulk_memory"),
        "pool": compare("pool"),
        "mapped": compare("one_sided_mapped"),
        "instructions": compare("instructions"),
    },
    "faults": {
        "local": kills("--runs 10000"),
        "tcp": kills("--runs 1000 --channel tcp"),
    },
}
