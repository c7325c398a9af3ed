# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Figures of the local channel, beside UCX's shared memory."""

from measured import LOCAL, Figure, Middle, bandwidth, compared, inverse, size_text


def better(programs, *arguments, under=()):
    """Run ucxx-perftest beside ucx_perftest with -e and without; return the rows where that is better."""
    handling = compared(programs, *arguments, under=under)
    plain = compared(programs, "--no-error-handling", *arguments, under=under)
    for one, note in ((handling, "ucx_perftest -e"), (plain, "ucx_perftest without -e")):
        for row in one:
            row["note"] = note
    return [min(rows, key=lambda row: row["ucx_perftest"]["p50_us"]["median"])
            for rows in zip(handling, plain)]


def local_latency(programs):
    """Small messages between two processes that poll."""
    local = programs.having(LOCAL)
    rows = compared(local, "--no-error-handling", "--sizes", "8,64,1K,8K")
    for row, target in zip(rows, (0.90, 0.95, 0.95, 0.95)):
        yield Figure(f"local: tag {size_text(row['size'])} half round trip, p50",
                     Middle.read(row["ucxx"]["p50_us"]), "us", target,
                     peer=Middle.read(row["ucx_perftest"]["p50_us"]), ratio=Middle.read(row["ratio"]["p50"]),
                     note="ucx_perftest without -e")


def local_rate(programs):
    """Small messages in one direction, 32 under way."""
    row, = compared(programs.having(LOCAL), "--no-error-handling", "--test", "tag_bw", "--window", 32,
                    "--sizes", "8")
    yield Figure("local: tag 8 B, 32 under way", inverse(row["ucxx"]["average_us"]), "M/s", 2.5,
                 peer=inverse(row["ucx_perftest"]["average_us"]), ratio=Middle.read(row["ratio"]["rate"]),
                 at_least=True, note="ucx_perftest without -e")


def local_bandwidth(programs):
    """Ping-pong of large messages, beside the better of ucx_perftest with and without -e."""
    for row, target in zip(better(programs.having(LOCAL), "--sizes", "64K,1M,16M,64M"), (1.3, 2.0, 1.6, 1.6)):
        yield from bandwidth("local: ping-pong", row, target)


def local_without_cma(programs):
    """The same where the kernel refuses to copy between processes."""
    local = programs.having({**LOCAL, "UCX_TLS": "^cma"})
    for row in better(local, "--sizes", "64K,1M,64M", under=[programs.figures / "figure_without_cma"]):
        yield from bandwidth("local without CMA: ping-pong", row, 1.0)


def local_library_memory(programs):
    """The same from HostBuffers into HostBuffers, which the peers map."""
    local = programs.having({**LOCAL, "UCX_TLS": "^cma"})
    for row in better(local, "--library-memory", "--sizes", "64K,1M,16M,64M",
                      under=[programs.figures / "figure_without_cma"]):
        yield from bandwidth("local without CMA, library memory: ping-pong", row, 1.3)


def local_company(programs):
    """A worker that also has a peer over TCP."""
    said = programs.having(LOCAL).having({"UCX_TLS": "tcp"}).figure("company")
    yield Figure("local: 8 B half round trip beside an idle TCP peer, p50",
                 Middle.read(said["in_company_ns"]).scaled(1e-3), "us", 1.15,
                 peer=Middle.read(said["alone_ns"]).scaled(1e-3), ratio=Middle.read(said["ratio"]),
                 note="peer: UCXX without that peer")


def local_asleep(programs):
    """Both sides sleep in the kernel. Over shared memory ucx_perftest -E sleep does not."""
    local = programs.having(LOCAL)
    for mode, target in (("blocking", 9), ("thread-blocking", None), ("thread-adaptive", None)):
        row, = local.perftest("--sizes", "8", "--progress", mode, "--repeat", programs.repeat)
        yield Figure(f"local: both asleep ({mode}), 8 B half round trip, p50",
                     Middle.read(row["ucxx"]["p50_us"]), "us", target)


def local_connect(programs):
    """To a listener in another process: found over TCP, or by UCXX_LOCAL=only at once."""
    for use, way in (("auto", "by name"), ("only", "by name, UCXX_LOCAL=only")):
        said = programs.having({"UCXX_LOCAL": use}).figure("connect")
        for name, key, target in (("call to connected endpoint", "connected_again_ms", 150),
                                  ("the first of a worker", "connected_ms", 150),
                                  ("call to 8 B echoed", "echo_again_ms", None)):
            yield Figure(f"local: connect {way}, {name}", Middle.read(said[key]).scaled(1e3), "us", target)


def local_peers(programs):
    """A worker with nothing to do and many local peers."""
    said = programs.having(LOCAL).figure("local_peers")
    for count, target in (("1", 10), ("100", 60), ("1000", 300)):
        yield Figure(f"local: idle progress() with {count} local peers",
                     Middle.read(said["progress_ns"][count]), "ns", target)
    one_side = said["shared_kib_per_pair"] / 2 + said["private_kib_per_pair"]
    yield Figure("local: memory of an idle pair, one side", Middle.read(one_side), "KiB", 256,
                 note="half of what the two share, and its own")
    yield Figure("local: memory of an idle pair, shared by both", Middle.read(said["shared_kib_per_pair"]),
                 "KiB", None)


def local_shared_cores(programs):
    """8 MiB through the ring where both ends, and busy programs, share one core; threads where all are busy."""
    said = programs.having(LOCAL).figure("shared_cores")
    for company, target in (("alone", 0.02), ("busy", 0.06)):
        for way, times in said["payload_s"].items():
            note = "beside 16 busy processes" if company == "busy" else ""
            yield Figure(f"local: 8 MiB on one core, {company}, {way}", Middle.read(times[company]), "s", target,
                         note=note)
    threads = said["threads"]
    yield Figure("local: 8 B half round trip, adaptive threads, all cores busy", Middle.read(threads["adaptive_us"]),
                 "us", 1.2, peer=Middle.read(threads["blocking_us"]), ratio=Middle.read(threads["ratio"]),
                 note="peer: blocking threads")


FIGURES = [local_latency, local_rate, local_bandwidth, local_without_cma, local_library_memory,
           local_company, local_asleep, local_connect, local_peers,
           local_shared_cores]
