# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Writes the tables of the README and the pages, from docs/data.

A table stands between `<!-- table NAME -->` and `<!-- end -->`; what was there is replaced. Below each table of a page
stand the day, the machine, its state and the command.
"""

from __future__ import annotations

import pathlib
import re
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import data
import plots

from ucxx.benchmarks import drawing
from ucxx.benchmarks import prk
from ucxx.benchmarks.dask import figures as figures_of_dask
from ucxx.benchmarks.prk import plot as prk_plot
from ucxx.benchmarks.prk.compare import title_of
from ucxx.benchmarks.shmem import ping_pong
from ucxx.benchmarks.units import size_name

TABLE = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
PAGES = [data.ROOT / "README.md", *sorted(data.ROOT.glob("docs/**/*.md"))]

Lines = Iterator[str]


def write() -> Iterator[pathlib.Path]:
    """Write all tables of all pages; yield the pages that have changed."""
    for page in PAGES:
        old = page.read_text(encoding="utf-8")
        new = filled(old)
        if new != old:
            page.write_text(new, encoding="utf-8")
            yield page


def filled(text: str) -> str:
    """Return a page with its tables as docs/data has them."""
    return TABLE.sub(lambda found: found[1] + "\n".join(TABLES[found[2]]()) + "\n" + found[3], text)


def short(value: float) -> str:
    """Return three digits that matter."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def time(us: float) -> str:
    """Return '0.21 us', or with another unit."""
    for unit, name in ((1e6, "s"), (1e3, "ms"), (1, "us")):
        if us >= unit * 0.9995:
            return f"{short(us / unit)} {name}"
    return f"{us:.2f} us" if us >= 0.0995 else f"{short(us * 1e3)} ns"


def rate(size: int, us: float) -> str:
    """Return '25.3 GB/s'."""
    return f"{short(size / us / 1e3)} GB/s"


def row(cells: Iterable[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |")


def head(*cells: str) -> Lines:
    """Yield the first two lines."""
    yield row(cells)
    yield "|" + "---|" * len(cells)


def origin(name: str, *titles: str) -> Lines:
    """Yield what stands below a table: when and where it was measured, and by what."""
    found = data.load(name)
    about = found["about"]
    low, high = sorted(about["line_ns"])
    line = f"{low:.0f} ns" if low == high else f"{low:.0f} to {high:.0f} ns"
    commands = dict.fromkeys(found["reports"][title]["command"] for title in titles)
    yield ""
    yield (f"Measured {about['date'][:10]} at commit {about['commit'].rstrip('+')} on {about['machine']}, {about['system']}; "
           f"a cache line took {line}. Again: `./dev figures {name}`, which runs")
    yield ",\n".join(f"`{command}`" for command in commands) + "."


LEAST_RATE = 64 << 10


def _cell(size: int, us: list[float]) -> str:
    middle = statistics.median(us)
    return time(middle) if size < LEAST_RATE else rate(size, middle)


def _messages(programs: Iterable[str]) -> Lines:
    measured = data.report("messages", "messages")["half_round_trip_us"]
    sizes = [int(size) for size in measured["UCXX, C++"]]
    yield from head("", *map(size_name, sizes))
    for program in programs:
        if program in measured:
            times = measured[program]
            yield row([f"`{program}`" if program.startswith("ucx_") else program,
                       *(_cell(size, times[str(size)]) if str(size) in times else "" for size in sizes)])


def messages() -> Lines:
    """Messages inside a machine by all programs."""
    yield from _messages(drawing.LOOKS)
    yield from origin("messages", "messages")


def _time_of(name: str, title: str, what: str, key: str) -> str:
    """Return the time of a call, from a report whose rows have titles."""
    (found,) = (one for one in data.report(name, title)["results"] if one["figure"] == what and one["way"] == key)
    return time(found["ns"] / 1e3)


def _first() -> Lines:
    """What a reader of the README has, writes, gets, and reads first."""
    messages_us = data.report("messages", "messages")["half_round_trip_us"]
    small, streams = (_cell(8, messages_us[name]["8"]) for name in ("UCXX, asyncio", "asyncio streams"))
    large, ucx = (_cell(1 << 20, messages_us[name][str(1 << 20)]) for name in ("UCXX, C++", "ucx_perftest"))
    dask = {one["protocol"]: f"{short(one['median'])} {one['unit']}" for one in data.report("dask", "connections")["results"]
            if one["what"] == "one way, an array of 16MiB"}
    put = next(one["values"] for one in data.report("shmem", "calls")["figures"] if one["figure"] == "put:8")
    python_put, mpi_put = (_time_of("shmem_python", "calls", "put", way) for way in ("ucxx", "mpi4py"))
    gpu = next(fact["value"] for fact in plots.facts_of("bench.ping_pong") if fact["fact"] == "ping_pong of 8 B")
    yield from head("you have", "you write", "you get", "begin with")
    for have, line, gain, page in (
        ("an asyncio program", "await endpoint.send(array)", f"8 bytes in {small} (asyncio streams: {streams})",
         "[a tour of Python](docs/start/python.md)"),
        ("Dask", 'LocalCluster(protocol="ucx")', f"arrays of 16 MiB at {dask['ucx']} (`tcp://`: {dask['tcp']})",
         "[Dask over UCXX](docs/how-to/dask.md)"),
        ("OpenSHMEM in C or C++", "oshcc ring.c -o ring && oshrun -n 4 ./ring",
         f"a put of 8 bytes in {put['UCXX']['text']} (Open MPI: {put['OSHMEM']['text']})",
         "[a first OpenSHMEM program](docs/start/shmem.md)"),
        ("NumPy arrays in several processes", "shmem.put(inbox, values, pe)",
         f"a put of 8 bytes in {python_put} (mpi4py: {mpi_put})",
         "[a first symmetric array](docs/start/shmem_python.md)"),
        ("CUDA streams, graphs, kernels", "endpoint.send(array, condition=ucxx.cuda.stream(stream))",
         f"kernel, 8 bytes, kernel and back in {time(gpu['stream']['median'])} on an H200 (with `cuStreamSynchronize`: "
         f"{time(gpu['synchronous']['median'])})", "[sends beside kernels](docs/how-to/overlap_sends_with_kernels.md)"),
        ("a program in C++", "endpoint->tagSend(data, bytes, tag)", f"1 MiB at {large} (`ucx_perftest`: {ucx})",
         "[a first transfer](docs/start/first_transfer.md)"),
    ):
        yield row([have, f"`{line}`", gain, page])


def _value(value: dict[str, Any] | None, unit: str) -> str:
    if value is None:
        return ""
    return time(value["median"]) if unit == "us" else f"{short(value['median'])} {unit}".rstrip()


def _ratio(ratio: dict[str, Any] | None) -> str:
    if not ratio:
        return ""
    if ratio["min"] == ratio["max"]:
        return f"{ratio['median']:.2f}"
    return f"{ratio['median']:.2f} ({ratio['min']:.2f} to {ratio['max']:.2f})"


def _aim(one: dict[str, Any]) -> str:
    """Return the aim of a figure, bold where it is missed: of the ratio, if there is one."""
    if one["target"] is None:
        return ""
    text = f"{'at least' if one['at_least'] else 'at most'} {one['target']:.4g} {'' if one['ratio'] else one['unit']}".rstrip()
    return f"**{text}**" if one["met"] is False else text


def _peer(one: dict[str, Any]) -> str:
    """Return the value that a figure is compared with, and of what it is."""
    if one["peer"] is None:
        return ""
    note = re.sub(r"^(peer: |ucx_perftest(: | -e$| without -e$)?)", "", one["note"])
    return _value(one["peer"], one["unit"]) + (f" ({note})" if note else "")


# What rows are called in the pages, where their names are short for the screen.
WORDS = {
    r"put_bw of (.*)": r"put of \1, 32 in flight, each",
    r"(put|get|add)_lat of (.*)": r"\1 of \2",
    r"fadd_lat of (.*)": r"fetch-and-add of \1",
    r"cswap_lat of (.*)": r"compare-and-swap of \1",
    r"swap_lat of (.*)": r"swap of \1",
    r"multi-buffer 100 x 1K B(.*)": r"message of 100 buffers of 1 KiB over TCP\1",
    r"multi-buffer 2 x 64 B(.*)": r"message of 2 buffers of 64 B over TCP\1",
    r"#include <ucxx/api.h>, -O0, (.*)": r"to compile a file that includes `ucxx/api.h`, g++ -O0, \1",
    r"(.*) left behind, here": r"\1 left behind in this process",
    r"(.*) left behind, there": r"\1 left behind in the peer",
    r"bytes left per endpoint, here": r"bytes left per endpoint in this process",
    r"bytes left per endpoint, there": r"bytes left per endpoint in the peer",
    r"(shared memory of each of 16 workers), connected": r"\1, before any payload",
    r"(shared memory of each of 16 workers), busy": r"\1, just after payloads of up to 1 MiB",
    r"(shared memory of each of 16 workers), silent": r"\1, 5 s after them",
    r"idle progress\(\), 8 words that a device may write, more than none":
        r"idle progress() with 8 words that a device may write, more than without",
}


def words_of(figure: str) -> str:
    """Return what a row is called in the pages."""
    for pattern, words in WORDS.items():
        if re.fullmatch(pattern, figure):
            return re.sub(pattern, words, figure)
    return figure


def figures(name: str, titles: Iterable[str], strip: str, peer: str, leave_out: str = "$^") -> Lines:
    """Rows of benchmarks/compare: what, UCXX, what it is compared with, the ratio, the aim."""
    rows = [one for title in titles for one in data.report(name, title)["figures"]]
    rows = [one for one in rows if not re.search(leave_out, one["figure"])]
    columns = {"": lambda one: words_of(re.sub(strip, "", one["figure"])), "UCXX": lambda one: _value(one["ucxx"], one["unit"]),
               peer: _peer, "ratio": lambda one: _ratio(one["ratio"]), "aim": _aim}
    used = {title: cell for title, cell in columns.items() if any(cell(one) for one in rows)}
    yield from head(*used)
    for one in rows:
        yield row([cell(one) for cell in used.values()])
    yield from origin(name, *titles)


def _faster(times: float | None) -> str:
    """Return how many times faster, bold where it is slower."""
    if not times:
        return ""
    return short(times) if times >= 0.995 else f"**{short(times)}**"


def _compared(titles: Iterable[str], leave_out: str = "$^", keep: str = "") -> Lines:
    """Rows of Dask over ucx:// and tcp://; of their names those that match `keep`, without those that match `leave_out`."""
    yield from head("", "`ucx://`", "`tcp://`", "times faster")
    for title in titles:
        found = data.report("dask", title)["results"]
        others = {one["what"]: one for one in found if one["protocol"] == "tcp"}
        for one in found:
            if one["protocol"] == "ucx" and re.search(keep, one["what"]) and not re.search(leave_out, one["what"]):
                pair = (one, others.get(one["what"]))
                yield row([one["what"], *("" if which is None else f"{short(which['median'])} {which['unit']}".removesuffix(" count") for which in pair),
                           _faster(one["times_faster"])])
    yield from origin("dask", *titles)


def _dask_transports() -> Lines:
    """The merge over sets of transports: of each the value, and how many times faster than the last it is."""
    found = data.report("dask", "transports")["results"]
    names = figures_of_dask.names_of(found)
    yield from head("", *(f"`{name}`" for name in names))
    for what in dict.fromkeys(one["what"] for one in found if " gets from " not in one["what"]):
        by_name = {one["protocol"]: one for one in found if one["what"] == what}
        cells = ["" if one is None else f"{short(one['median'])} {one['unit']}"
                 + (f" ({_faster(one['times_faster'])})" if name != names[-1] and one["times_faster"] else "")
                 for name, one in ((name, by_name.get(name)) for name in names)]
        yield row([what, *cells])
    yield from origin("dask", "transports")


def _kernels() -> Lines:
    report = data.report("kernels", "rates")
    names = prk_plot.names_of(report)
    found = [one for kernel in prk.KERNELS
             for one in prk_plot.scaled([one for one in report["results"] if one["kernel"] == kernel])]
    rates = {(one["kernel"], one["language"], one["model"]): one for one in found}
    models = list(dict.fromkeys(one["model"] for one in found))
    yield from head("kernel, rate", "language", *(names[model] for model in models), "OpenSHMEM / MPI")
    for kernel, language in dict.fromkeys((one["kernel"], one["language"]) for one in found):
        row_of = {model: rates[kernel, language, model] for model in models if (kernel, language, model) in rates}
        unit = next(iter(row_of.values()))["unit"]
        cells = ("{} ({} to {})".format(*map(short, (one["rate"], min(one["rates"]), max(one["rates"])))) if one else ""
                 for one in map(row_of.get, models))
        yield row([f"{title_of(next(iter(row_of.values())))}, {unit}", names[language], *cells,
                   _range_of(_ratios(row_of["shmem"], row_of["mpi"])) if {"shmem", "mpi"} <= set(row_of) else ""])
    yield from origin("kernels", "rates")


def _ratios(one: dict[str, Any], other: dict[str, Any]) -> list[float]:
    """Return the ratio of the rates of each run."""
    return [ours / theirs for ours, theirs in zip(one["rates"], other["rates"], strict=True)]


def _range_of(ratios: list[float]) -> str:
    """Return '1.10 (1.02 to 1.15)': the median, the least and the largest."""
    return "{:.2f} ({:.2f} to {:.2f})".format(statistics.median(ratios), min(ratios), max(ratios))


# Kernels that run over both models in C, and the headers of their exchanges.
EXCHANGES = {"synch_p2p": "wave", "stencil": "halo_exchange", "transpose": "blocks_exchange", "synch_global": "string_gather",
             "reduce": "vector_sum", "refcount": "counters", "random": "shared_table"}
# What they call, over OpenSHMEM and over MPI.
CALLS = {"synch_p2p": ("`p`, `fence`, `p`; `wait_until`", "`Send`; `Recv`"),
         "stencil": ("`put`, `fence`, `atomic_inc`; `wait_until`", "`Isend`, `Irecv`, `Waitall`"),
         "transpose": ("`alltoall`, or a barrier and `get`", "`Alltoall`, or a window and `Get`"),
         "synch_global": ("`fcollect`", "`Allgather`"), "reduce": ("`sum_reduce`", "`Reduce`"),
         "refcount": ("`set_lock`, `get_nbi`, `quiet`, `p`, or `atomic_inc`", "a window, `Get`, `Put`, or `Accumulate`"),
         "random": ("`atomic_xor`", "a window, `Accumulate`")}


def _models() -> Lines:
    rows = {(one["kernel"], one["model"]): one for one in data.report("kernels", "rates")["results"] if one["language"] == "c"}
    yield from head("kernel", "OpenSHMEM", "lines", "MPI", "lines", "rate in C, OpenSHMEM / MPI")
    for kernel, header in EXCHANGES.items():
        calls = CALLS[kernel]
        lines = [_lines_of(f"python/ucxx/benchmarks/prk/c/{model}/{header}.h") for model in ("shmem", "mpi")]
        ratios = _ratios(rows[kernel, "shmem"], rows[kernel, "mpi"])
        variant = title_of(rows[kernel, "shmem"]).removeprefix(kernel)
        yield row([f"`{kernel}`{variant}", calls[0], str(lines[0]), calls[1], str(lines[1]), _range_of(ratios)])
    yield from origin("kernels", "rates")


def _lines_of(path: str) -> int:
    """Return the lines of a header that are code."""
    lines = (line.strip() for line in (data.ROOT / path).read_text(encoding="utf-8").splitlines())
    return sum(1 for line in lines if line and not line.startswith(("//", "#")))


def _shmem() -> Lines:
    found = data.report("shmem", "calls")
    libraries = ("UCXX", "OSHMEM", "limit")
    yield from head("", "UCXX", "Open MPI's OSHMEM", "limit", "times better than OSHMEM", "aim")
    for one in found["figures"]:
        ratio = one["ratios"].get("OSHMEM")
        cells = ["failed" if one["figure"] in found["failed"].get(name, {}) else
                 one["values"][name]["text"] if name in one["values"] else "" for name in libraries]
        aim = one["target"] or ""
        yield row([one["title"].replace("-fsyntax-only of <shmem.h>", "time to parse `shmem.h`"), *cells,
                   _faster(1 / ratio["median"]) if ratio else "", f"**{aim}**" if one["met"] is False else aim])
    yield from origin("shmem", "calls")


def _shmem_python() -> Lines:
    found = data.report("shmem_python", "calls")["results"]
    ways = {"ucxx": "`ucxx.shmem`", "c": "C", "shmem4py": "shmem4py", "mpi4py": "mpi4py"}
    ways = {way: title for way, title in ways.items() if any(one["way"] == way for one in found)}
    yield from head("", *ways.values())
    rows: dict[str, dict[str, Any]] = {}
    for one in found:
        if one["figure"] != "memcpy":
            title = f"put of {size_name(one['bytes'])}" if one["figure"] == "bandwidth" else one["title"]
            rows.setdefault(title, {})[one["way"]] = one
    for title, by_way in rows.items():
        yield row([title, *(_call(by_way[way]) if way in by_way else "" for way in ways)])
    yield from origin("shmem_python", "calls")


PING_PONG_SIZES = (8, 256, 4 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20)


def _shmem_ping_pong() -> Lines:
    """Half a round trip of some sizes."""
    lines = ping_pong.lines_of(data.report("shmem_ping_pong", "sizes")["results"])
    sizes = [size for size in PING_PONG_SIZES if any(size in rows for rows in lines.values())]
    yield from head("median (best)", *map(size_name, sizes))
    for line, rows in lines.items():
        cells = (rows.get(size) for size in sizes)
        yield row([line.title, *(f"{time(one['ns'] / 1e3)} ({time(one['least_ns'] / 1e3)})" if one else "" for one in cells)])
    yield from origin("shmem_ping_pong", "sizes")


def _call(one: dict[str, Any]) -> str:
    return rate(one["bytes"], one["ns"] / 1e3) if one["figure"] == "bandwidth" else time(one["ns"] / 1e3)


def _prepared() -> Lines:
    times = plots.prepared_times()
    known = [name for name in plots.PREPARED_TITLES if name in times]
    yield from head("", *(plots.PREPARED_TITLES[name] for name in known))
    for size in times["prepared"]:
        yield row([size_name(size),
                   *(time(times[name][size][1]) if size in times[name] else "" for name in known)])
    yield from origin("prepared", "prepared")


def _faults() -> Lines:
    yield from head("channel, how the survivor waits", "deaths with requests under way", "half of them within", "90 % within",
                    "99 % within")
    for title, words in (("local", "local channel"), ("tcp", "UCX over TCP")):
        found = data.report("faults", title)
        for mode, values in found["percentiles_ms"].items():
            yield row([f"{words}, {plots.MODES.get(mode, mode)}", f"{found['detected'][mode]:,}",
                       *(time(values[percent - 1] * 1e3) for percent in (50, 90, 99))])
    yield from origin("faults", "local", "tcp")


def _middle(value: float | list[float]) -> float:
    """Return a number, or the median of what was measured in several runs."""
    return statistics.median(value) if isinstance(value, list) else value


BACKENDS = {"ucxx-async": "`ucxx` (asyncio)", "ucxx-core": "`ucxx.core`", "ucxx-c++": "UCXX in C++", "mpi4py": "mpi4py",
            "sockets": "sockets", "asyncio": "asyncio streams", "uvloop": "uvloop streams", "tornado": "Tornado streams"}
PYTHON_ROWS = {"dict": "a small dict as an object", "eight buffers": "8 buffers of 32 B in one message",
               "library memory": "64 MiB into memory of the library",
               "new memory": "64 MiB into new memory"}


def _python() -> Lines:
    rows = {title: {one["backend"]: one for one in data.report("python", title)["results"]} for title in PYTHON_ROWS}
    known = [name for name in BACKENDS if any(name in row_ for row_ in rows.values())]
    yield from head("half a round trip, or bandwidth", *(BACKENDS[name] for name in known))
    for title, found in rows.items():
        cells = [found[name] if name in found else None for name in known]
        yield row([PYTHON_ROWS[title], *("" if one is None else _cell(one["size"], [_middle(one["half_round_trip_us"]["p50"])])
                                         for one in cells)])
    yield from origin("python", *PYTHON_ROWS)


def _python_loops() -> Lines:
    yield from head("", "measured")
    for one in data.report("python", "echo")["results"]:
        yield row([f"echo for 100 clients by {one['server']}", f"{_middle(one['messages_per_s']):,.0f} messages/s"])
    for one in data.report("python", "outstanding")["results"]:
        yield row([f"the end of one of {one['outstanding']:,} receives that wait", time(_middle(one["us_per_completion"]))])
    for one in data.report("python", "idle")["results"]:
        what = "a program that waits, " + ("asyncio alone, without UCXX" if one["mode"] == "asyncio" else f"mode `{one['mode']}`")
        yield row([what, f"{short(_middle(one['cpu_percent']))} % of a processor"])
    yield from origin("python", "echo", "outstanding", "idle")


STEPS = {"coroutine": "a coroutine that returns at once is awaited", "task": "a task that returns at once is made and awaited",
         "thread": "another thread ends what a task waits for", "ended": "a transfer that has ended when it is awaited",
         "later": "a transfer that suspends its task: two wake each other by turns"}


def _tasks() -> Lines:
    found = {tuple(one["step"].split(": ")): _middle(one["us"]) for one in data.report("python", "tasks")["results"]}
    loops = list(dict.fromkeys(loop for loop, _ in found))
    yield from head("a step", *loops)
    for step, words in STEPS.items():
        yield row([words, *(time(found[loop, step]) if (loop, step) in found else "" for loop in loops)])
    yield from origin("python", "tasks")


def _rooms() -> Lines:
    """The rooms of the core, from the table that tools/check_layers reads."""
    sys.path.insert(0, str(data.ROOT / "tools"))
    import layers

    yield "| room, lowest first | what lives there |"
    yield "|---|---|"
    for room, what in layers.ROOMS.items():
        yield f"| `src/core/{room}` | {what} |"


TABLES: dict[str, Callable[[], Lines]] = {
    "rooms": _rooms,
    "first": _first,
    "messages": messages,
    "small": lambda: figures("inside", ["small"], "^local: |, p50$", "`ucx_perftest`"),
    "large": lambda: figures("inside", ["large"], "^bulk: |, p50$", "the best of UCX's ways"),
    "forbidden": lambda: figures("inside", ["copies forbidden"], "^local |, p50$", "`ucx_perftest`", "average$"),
    "tcp": lambda: figures("tcp", ["figures"], "^one-sided over TCP: |, p50$", "UCX", "average$"),
    "python": _python,
    "python_loops": _python_loops,
    "tasks": _tasks,
    "dask": lambda: _compared(plots.DASK),
    "dask_programs": lambda: _compared(plots.DASK_PROGRAMS, leave_out=" gets from |throughput|svd: transfers"),
    "dask_pairs": lambda: _compared(["transpose"], keep=" gets from "),
    "dask_transports": _dask_transports,
    "dask_many": lambda: _compared(["many"], leave_out=" before: |page tables|mappings"),
    "shmem": _shmem,
    "shmem_python": _shmem_python,
    "shmem_ping_pong": _shmem_ping_pong,
    "kernels": _kernels,
    "models": _models,
    "prepared": _prepared,
    "partitions": lambda: figures("prepared", ["prepared"], "^prepared: ", "beside", "^(?!.*16 partitions)"),
    "condition": lambda: figures("prepared", ["condition"], "^condition: ", "beside"),
    "process": lambda: figures("memory", ["one process"], "^$", "beside"),
    "peers": lambda: figures("memory", ["peers"], "^local: |^bulk: ", "beside"),
    "pool": lambda: figures("memory", ["pool"], "^pool, ", "beside"),
    "mapped": lambda: figures("memory", ["mapped"], "^one-sided: ", "beside"),
    "instructions": lambda: figures("memory", ["instructions"], "^instructions: ", "beside"),
    "faults": _faults,
}
