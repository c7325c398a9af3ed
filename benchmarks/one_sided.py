# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Figures of one-sided operations: in memory that is mapped here, and over loopback TCP."""

from measured import LOCAL, Figure, Middle, compared, size_text


def one_sided_mapped(programs):
    """What an operation of 8 bytes costs its caller, beside the bare one at the same place."""
    times = programs.having(LOCAL).benchmark("one_sided_bench")
    for name, bare, run, target in (("put", "bareStore", "put", 5), ("get", "bareLoad", "get", 5),
                                    ("fetch-and-add", "bareFetchAdd", "fetchAdd", 12)):
        yield Figure(f"one-sided: {name} of 8 B, mapped", Middle.of(times[run]), "ns", target,
                     peer=Middle.of(times[bare]), note="peer: the processor's own, at the same place")


def one_sided_tcp(programs):
    """Beside ucx_perftest, whose atomics over TCP know no error handling; ours always do."""
    for test, *arguments in (("put_lat", "--sizes", "8,1K,64K"), ("put_bw", "--sizes", "8,1K,64K"),
                             ("get", "--sizes", "8,1K,64K"),
                             ("add,fadd,swap,cswap", "--sizes", "8", "--no-error-handling")):
        for row in compared(programs, "--test", test, *arguments):
            yield Figure(f"one-sided over TCP: {row['test']} of {size_text(row['size'])}",
                         Middle.read(row["ucxx"]["average_us"]), "us", 1.2,
                         peer=Middle.read(row["ucx_perftest"]["average_us"]),
                         ratio=Middle.read(row["ratio"]["time"]))


FIGURES = [one_sided_mapped, one_sided_tcp]
