# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A scheduler's part that matters for learning, without a loop and a network; and what workers tell it."""

import types

from ucxx.dask.learning.transfers import NAME

FIRST, SECOND, THIRD = (f"ucx://10.0.0.{number}:5000" for number in (1, 2, 3))


class Scheduler:
    """What a plugin sees of a scheduler."""

    address = "ucx://10.0.0.9:8786"
    bandwidth = 1e8

    def __init__(self, *addresses):
        """Have workers at these addresses, which are called by their order."""
        self.workers = {address: worker(address, number) for number, address in enumerate(addresses)}
        self.listeners = [types.SimpleNamespace(contact_address=self.address)]
        self.plugins, self.extensions, self.worker_plugins = {}, {}, {}
        self.transition_counter = 0

    def get_comm_cost(self, ts, ws):
        """Return what Dask's own method might."""
        return sum(one.nbytes for one in ts.dependencies) / self.bandwidth

    async def register_worker_plugin(self, comm, plugin, name, *, idempotent):
        """Keep it."""
        self.worker_plugins[name] = plugin

    def learns_with(self, plugin):
        """Have a plugin start, as Dask does, and return it."""
        plugin.begin(self)
        self.plugins[NAME] = plugin
        return plugin


def worker(address, name=0):
    """Return what a scheduler knows of a worker."""
    return types.SimpleNamespace(address=address, name=name)


def told(*transfers, **place):
    """Return what a worker adds to its heartbeat."""
    return {"place": {"machine": "m", **place}, "transfers": list(transfers)}
