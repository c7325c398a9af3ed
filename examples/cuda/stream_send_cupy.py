# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Sends and receives at their places in streams of CuPy; Python waits for nothing until the end."""

import asyncio

import cupy
import cupyx

import ucxx

STEPS, COUNT, TAG = 16, 4096, 7


async def main() -> None:
    ucxx.init(progress_mode="thread")  # somebody moves messages while Python waits for a stream
    accepted: asyncio.Future[ucxx.Endpoint] = asyncio.get_running_loop().create_future()
    listener = ucxx.create_listener(accepted.set_result)
    left, right = await ucxx.create_endpoint("127.0.0.1", listener.port), await accepted

    sending, receiving = (cupy.cuda.Stream(non_blocking=True) for _ in range(2))
    sent, received = cupyx.zeros_pinned(COUNT), cupyx.zeros_pinned(COUNT)  # of the host
    indices, sums = cupy.arange(COUNT, dtype="f8"), cupy.zeros(COUNT)  # of the device
    products, arrived = cupy.zeros(COUNT), cupy.zeros(COUNT)

    def fill(step: int) -> None:
        with sending:
            cupy.multiply(indices, step, out=products)
        products.get(stream=sending, out=sent, blocking=False)

    def use() -> None:
        arrived.set(received, stream=receiving)
        with receiving:
            cupy.add(sums, arrived, out=sums)

    cupy.cuda.runtime.deviceSynchronize()
    fill(0)  # the first launch of a kernel waits for every stream that waits: so each runs once before
    use()
    cupy.cuda.runtime.deviceSynchronize()

    requests = []
    for step in range(1, STEPS + 1):
        fill(step)
        send = left.send(sent, TAG, force_tag=True, condition=ucxx.cuda.stream(sending))
        send.wait_on(sending)  # what comes next in the stream may fill the buffer again
        receive = right.recv(received, TAG, force_tag=True, condition=ucxx.cuda.stream(receiving))
        receive.wait_on(receiving)  # what comes next in the stream finds the message
        use()
        requests += [send, receive]
    print(STEPS, "steps are in the streams; now Python waits")
    sending.synchronize()
    receiving.synchronize()
    await asyncio.gather(*requests)  # raises what has failed: a stream goes on after a failure

    assert (sums == indices * (STEPS * (STEPS + 1) // 2)).all()
    print(COUNT, "numbers were sent", STEPS, "times and added up; all sums are right")
    listener.close()
    await asyncio.gather(left.close(), right.close())


asyncio.run(main())
