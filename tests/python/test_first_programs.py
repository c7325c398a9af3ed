# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The first programs that people write, as they stand in the documents."""

import asyncio

import numpy as np
import pytest

import ucxx


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


def test_asynchronous():
    send_msg = np.arange(10, dtype="u4")
    recv_msg = np.zeros_like(send_msg)

    async def main():
        ep1 = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        ep2 = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        await asyncio.gather(
            ep1.send(send_msg, tag=0, force_tag=True), ep2.recv(recv_msg, tag=0, force_tag=True)
        )

    asyncio.run(main())
    np.testing.assert_array_equal(recv_msg, send_msg)


def test_multi_buffer():
    frames = [np.arange(100), np.arange(7, dtype="u1"), np.empty(0)]

    async def main():
        ep1 = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        ep2 = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        return await asyncio.gather(
            ep1.send_multi(frames, tag=0, force_tag=True), ep2.recv_multi(tag=0, force_tag=True)
        )

    _, received = asyncio.run(main())
    assert len(received) == len(frames)
    for sent, came in zip(frames, received, strict=True):
        np.testing.assert_array_equal(came.view(sent.dtype), sent)


@pytest.mark.parametrize("has_thread", [False, True])
def test_synchronous(has_thread):
    from ucxx import core as ucx_api
    from ucxx.core import wait_requests

    send_msg = np.arange(10)
    recv_msg = np.zeros_like(send_msg)
    ctx = ucx_api.UCXContext()
    worker = ucx_api.UCXWorker(ctx)
    if has_thread:
        worker.start_progress_thread()
    ep1 = ucx_api.UCXEndpoint.create_endpoint_from_worker_address(
        worker, ucx_api.UCXAddress.from_worker(worker)
    )
    ep2 = ucx_api.UCXEndpoint.create_endpoint_from_worker_address(
        worker, ucx_api.UCXAddress.from_worker(worker)
    )
    requests = [ep1.tag_send(send_msg, tag=0), ep2.tag_recv(recv_msg, tag=0)]
    wait_requests(worker, requests)
    np.testing.assert_array_equal(recv_msg, send_msg)
