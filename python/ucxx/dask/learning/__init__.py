# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Dask's scheduler learns how fast the links between its workers are.

Dask believes that all pairs of workers are equally fast. Here the comm of each worker measures what it fetches from others
(`transfers`), the heartbeat brings the sums to the scheduler (`workers`), and a plugin there (`plugin`) keeps a latency and
a bandwidth for each class of links and kind of object (`knowledge`, `estimate`). They begin with what the plan of the cluster
says (`places`), and decide where tasks go: the plugin replaces `Scheduler.get_comm_cost`.

    ucxx.dask.learn_bandwidths(cluster)     # or a client; LocalUCXCluster does so by itself
    print(ucxx.dask.bandwidths(client))

A scheduler that starts by itself learns with `dask scheduler --preload ucxx.dask.learning`, or the key
`distributed.scheduler.preload` of Dask's configuration.
"""

from __future__ import annotations

from typing import Any


async def dask_setup(scheduler: Any) -> None:
    """Have a scheduler learn that has this module as a preload."""
    from ucxx.dask.learning.plugin import LearnBandwidths
    from ucxx.dask.learning.transfers import NAME

    await scheduler.register_scheduler_plugin(LearnBandwidths(), name=NAME, idempotent=True)
