# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Send a NumPy array to a server that adds one, as the first page of ucx-py does."""

import asyncio

import numpy as np

import ucxx as ucp

n_bytes = 2**20


async def main():
    async def send(ep):
        arr = np.empty(n_bytes, dtype="u1")
        await ep.recv(arr)
        assert np.count_nonzero(arr) == 0
        arr += 1
        await ep.send(arr)
        await ep.close()
        lf.close()

    lf = ucp.create_listener(send)
    ep = await ucp.create_endpoint(ucp.get_address(ifname="lo"), lf.port)
    msg = np.zeros(n_bytes, dtype="u1")
    await ep.send(msg)
    resp = np.empty_like(msg)
    await ep.recv(resp)
    print("received", int(resp.sum()))
    await ep.close()
    while not lf.closed:
        await asyncio.sleep(0.1)


asyncio.run(main())
