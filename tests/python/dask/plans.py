# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Descriptions of small machines, and the plans of clusters for them."""

import dataclasses

from ucxx.dask.clusters.planning import plan
from ucxx.dask.clusters.settings import Settings
from ucxx.topology.machine import Card, Core, Gpu, Link, Machine, Node

RDMA = Card("mlx5_1", frozenset({2, 3}), 1, kind="infiniband", interface="ib1", port=1, is_up=True)
DOWN = Card("mlx5_0", frozenset({0, 1}), 0, kind="infiniband", interface="ib0", port=1, is_up=False)
ETHERNET = Card("eth1", frozenset({0, 1}), 0, kind="ethernet", interface="eth1", is_up=True)
NODES = (Node(0, 0), Node(1, 1))
CORES = tuple(Core(frozenset({cpu}), cpu // 2, cpu // 2) for cpu in range(4))
GPUS = tuple(Gpu(index, frozenset({2 * index, 2 * index + 1}), index) for index in range(2))
# Two sockets with a GPU each, no link between them, an InfiniBand port that is down, and one on the second socket.
SERVER = Machine("server", "test", CORES, NODES, GPUS, (DOWN, RDMA, ETHERNET))
PLAIN = dataclasses.replace(SERVER, gpus=(), cards=(ETHERNET,))
LINKED = dataclasses.replace(SERVER, links={(0, 1): Link("NVLink", 2)})


def planned(machine, **given):
    """Return the plan for a described machine."""
    return plan(Settings(topology=machine, dry_run=True, **given))


def column(made, name):
    """Return a column of the plan."""
    return [row.get(name, "") for row in made.rows()]
