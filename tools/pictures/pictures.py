# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws the pictures of the documents, and writes their tables, from docs/data: `./dev pictures [NAME...]`.

The pictures are docs/pictures/NAME.svg, and NAME.png for the README. All tables are written.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import data
import sequence
import plots
import tables

from ucxx import topology
from ucxx.topology import picture

MACHINES = data.ROOT / "tests/python/topology/machines"


def dgx1(path: pathlib.Path) -> None:
    """Draw the machine of the page about clusters, as `python -m ucxx topology --plot` does."""
    picture.save(topology.read(MACHINES / "dgx1.txt"), path)


PICTURES = {
    "messages": plots.messages,
    "all_messages": plots.all_messages,
    "tcp": plots.tcp,
    "python": plots.python,
    "memory": plots.memory,
    "dask": plots.dask,
    "dask_tasks": plots.dask_tasks,
    "dask_transports": plots.dask_transports,
    "shmem": plots.shmem,
    "shmem_collectives": plots.shmem_collectives,
    "shmem_python": plots.shmem_python,
    "shmem_ping_pong": plots.shmem_ping_pong,
    "prk": plots.prk,
    "prk_scaling": plots.prk_scaling,
    "prepared": plots.prepared,
    "faults": plots.faults,
    "gpu": plots.gpu,
    "condition": sequence.draw,
    "dgx1": dgx1,
}
FOR_README = {"messages"}


def main() -> None:
    """Draw what is named, or all."""
    parser = argparse.ArgumentParser(prog="./dev pictures", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}; without one: all")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in PICTURES]:
        parser.error(f"there is no picture {unknown[0]!r}: use {', '.join(PICTURES)}")
    folder = data.ROOT / "docs/pictures"
    for name in arguments.names or PICTURES:
        for suffix in (".svg", ".png") if name in FOR_README else (".svg",):
            PICTURES[name]((folder / name).with_suffix(suffix))
            print((folder / name).with_suffix(suffix))
    for page in tables.write():
        print(page)


if __name__ == "__main__":
    try:
        main()
    except data.Missing as missing:
        sys.exit(f"pictures: {missing}")
