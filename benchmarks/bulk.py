# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Figures of large payloads inside a machine, beside the better of all that UCX can do there.

The host of a virtual machine may move its processors near to each other or far from each other between
two figures, and which way of copying is fast depends on that. So the state is measured before and after
each figure, which is measured again if it has changed meanwhile.
"""

from measured import LOCAL, Figure, Middle, compared, inverse, size_text

SIZES = ("16K", "64K", "256K", "1M", "16M", "64M")
# Of ping-pongs, by state: UCXX times the better of UCX's ways.
TARGETS = {"near": (1.1, 1.15, 1.2, 1.15, 1.2, 1.3), "far": (1.5, 1.5, 1.4, 1.6, 2.5, 2.2)}
TARGETS_HUGE = {"near": (1.1, 1.15, 1.2, 1.5, 1.4, 1.5), "far": (None,) * len(SIZES)}
# What ucx_perftest is told to use; it handles no errors, which is faster.
WAYS = {"shared memory": {"UCX_TLS": "posix"}, "CMA": {"UCX_TLS": "posix,cma", "UCX_RNDV_THRESH": "8K"},
        "default": {}}
# All buffers up to 32 MiB lie in one large area then, larger ones in areas of their own.
HUGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:"
                                "glibc.malloc.top_pad=67108864"}
MOST_NEAR_NS = 110
ATTEMPTS = 4


def state(programs):
    """Return 'near' or 'far', and how long a cache line takes in nanoseconds."""
    line = programs.figure("line")["line_ns"]["median"]
    return ("near" if line < MOST_NEAR_NS else "far"), line


def better_of_all(programs, size):
    """Measure beside each way of UCX in turn; return the row beside the fastest, with its name."""
    rows = {}
    for way, environment in WAYS.items():
        rows[way], = compared(programs.having(environment), "--no-error-handling", "--sizes", size)
    return min(rows.items(), key=lambda row: row[1]["ucx_perftest"]["p50_us"]["median"])


def ping_pong(programs, size, targets, what):
    """Return the figure of one size, of one state of the processors."""
    for _ in range(ATTEMPTS):
        before, line = state(programs)
        way, row = better_of_all(programs, size)
        after, _ = state(programs)
        if before == after:
            break
    name = f"bulk: ping-pong {size_text(row['size'])}{what}, {before} ({line:.0f} ns), p50"
    if before != after:
        name += ", state changed meanwhile"
    ours, peer = (inverse(row[who]["p50_us"]).scaled(row["bytes"] / 1e3) for who in ("ucxx", "ucx_perftest"))
    return Figure(name, ours, "GB/s", targets[before][SIZES.index(size)], peer=peer,
                  ratio=inverse(row["ratio"]["p50"]), at_least=True, note=f"ucx_perftest: {way}")


def bulk_ping_pong(programs):
    """Pages of 4 KiB."""
    for size in SIZES:
        yield ping_pong(programs.having(LOCAL), size, TARGETS, "")


def bulk_huge_pages(programs):
    """Buffers of huge pages on both sides."""
    for size in SIZES:
        yield ping_pong(programs.having(LOCAL).having(HUGE_PAGES), size, TARGETS_HUGE, ", huge pages")


def bulk_blocking(programs):
    """Both sides sleep when nothing comes: 64 KiB with 20 under way move no less than 1 MiB."""
    local = programs.having(LOCAL)
    small, large = (local.perftest("--test", "tag_bw", "--window", 20, "--sizes", size, "--progress", "blocking",
                                   "--repeat", programs.repeat)[0] for size in ("64K", "1M"))
    rates = [Middle.read(row["ucxx"]["gb_per_s"]) for row in (small, large)]
    ratio = rates[0].median / rates[1].median
    yield Figure("bulk: 64 KiB, 20 under way, blocking", rates[0], "GB/s", 1, peer=rates[1],
                 ratio=Middle(ratio, ratio, ratio), at_least=True, note="peer: UCXX with 1 MiB")


def bulk_memory(programs):
    """16 workers, all connected, that have exchanged payloads of up to 1 MiB."""
    shared = programs.figure("bulk_memory")["shared_mib"]
    for when, target in (("connected", 15 * 160 / 1024), ("busy", None), ("silent", 4)):
        yield Figure(f"bulk: shared memory of each of 16 workers, {when}", Middle.read(shared[when]), "MiB", target)


FIGURES = [bulk_ping_pong, bulk_huge_pages, bulk_blocking, bulk_memory]
