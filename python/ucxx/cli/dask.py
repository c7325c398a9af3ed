# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark dask`: Dask over ucx:// and over tcp://, in turn."""

from __future__ import annotations

from typing import Any

import click

from ucxx.benchmarks.dask import payload
from ucxx.cli import SETTINGS, dask_many
from ucxx.cli.dask_options import backend_option, options, size_option
from ucxx.cli.dask_running import ARRAYS, FRAMES, run


@click.group(
    name="dask",
    short_help="Measure Dask over ucx:// beside tcp://.",
    context_settings=SETTINGS,
)
def command() -> None:
    """Measure Dask over ucx:// beside tcp://, in turn, on this machine.

    All payloads are random. Figures are medians of all runs; "times faster" says how many times faster a
    protocol is than the one that it is compared with. ucx-local and ucx-tcp are ucx:// by UCXX's local
    channel alone and by UCX's TCP alone.
    """


@command.command(short_help="Connections alone, without a cluster.", context_settings=SETTINGS)
@size_option("--up-to", "256M", "The largest message.")
@backend_option(*payload.NAMES)
@options
def comm(**values: Any) -> None:
    """Measure connections between two processes: connects, round trips, and arrays one way."""
    run("comm", values, size_name="up_to")


@command.command(short_help="One large array, and the smallest works.", context_settings=SETTINGS)
@size_option("--size", "256M", "Bytes of the array.")
@backend_option(*payload.NAMES)
@options
def transfer(**values: Any) -> None:
    """Measure clusters: an array from worker to worker, client.run, start and restart."""
    run("transfer", values)


@command.command(short_help="From the client to workers.", context_settings=SETTINGS)
@size_option("--size", "256M", "Bytes of the array.")
@backend_option(*payload.NAMES)
@options
def scatter(**values: Any) -> None:
    """Scatter an array: through the scheduler, directly to a worker, and to all workers.

    The scheduler is in the client's process, as in every LocalCluster.
    """
    run("scatter", values)


@command.command(short_help="From workers to the client.", context_settings=SETTINGS)
@size_option("--size", "256M", "Bytes of the array of each worker.")
@backend_option(*payload.NAMES)
@options
def gather(**values: Any) -> None:
    """Gather an array of each worker: through the scheduler, and directly.

    The scheduler is in the client's process, as in every LocalCluster.
    """
    run("gather", values)


@command.command(short_help="An array and its transpose.", context_settings=SETTINGS)
@size_option("--size", "512M", "Bytes of the array.")
@backend_option("numpy", "cupy")
@options
def transpose(**values: Any) -> None:
    """Compute (x + x.T).sum() on two workers: every block is needed where its mirror image is.

    Wall time, when workers compute and receive, and the bandwidth of transfers above 1 MB, by quartiles, of all
    and of each pair of workers. --plot draws the tasks and transfers of each worker, before and after.
    """
    run("transpose", values, ARRAYS)


@command.command(short_help="The singular values of a tall array.", context_settings=SETTINGS)
@size_option("--size", "256M", "Bytes of the array.")
@backend_option("numpy", "cupy")
@options
def svd(**values: Any) -> None:
    """Compute da.linalg.svd of an array of 128 columns on two workers.

    Most work is inside the blocks. What is shown and drawn is as of transpose.
    """
    run("svd", values, ARRAYS)


@command.command(short_help="Two data frames.", context_settings=SETTINGS)
@size_option("--size", "96M", "Bytes of each frame.")
@backend_option("pandas", "cudf")
@options
def merge(**values: Any) -> None:
    """Merge two frames on two workers, by tasks and by P2P.

    What is shown and drawn is as of transpose. Of P2P Dask tells no single transfer, but bytes and seconds of
    all sends.
    """
    run("merge", values, FRAMES)


@command.command(short_help="A data frame by P2P.", context_settings=SETTINGS)
@size_option("--size", "128M", "Bytes of the frame.")
@backend_option("pandas", "cudf")
@options
def shuffle(**values: Any) -> None:
    """Shuffle a frame on two workers by P2P: rows of equal keys go into one part.

    What is shown and drawn is as of merge by P2P.
    """
    run("shuffle", values, FRAMES)


command.add_command(dask_many.command)
