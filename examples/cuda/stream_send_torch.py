# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Sends and receives at their places in streams of PyTorch; Python waits for nothing until the end."""

import asyncio

import torch

import ucxx

STEPS, COUNT, TAG = 16, 4096, 7


async def main() -> None:
    ucxx.init(progress_mode="thread")  # somebody moves messages while Python waits for a stream
    accepted: asyncio.Future[ucxx.Endpoint] = asyncio.get_running_loop().create_future()
    listener = ucxx.create_listener(accepted.set_result)
    left, right = await ucxx.create_endpoint("127.0.0.1", listener.port), await accepted

    sending, receiving = torch.cuda.Stream(), torch.cuda.Stream()
    sent, received = (torch.zeros(COUNT, dtype=torch.float64, pin_memory=True) for _ in range(2))
    indices = torch.arange(COUNT, dtype=torch.float64, device="cuda")
    products, arrived, sums = (torch.zeros_like(indices) for _ in range(3))

    def fill(step: int) -> None:
        with torch.cuda.stream(sending):
            torch.mul(indices, step, out=products)
            sent.copy_(products, non_blocking=True)

    def use() -> None:
        with torch.cuda.stream(receiving):
            arrived.copy_(received, non_blocking=True)
            sums.add_(arrived)

    torch.cuda.synchronize()
    fill(0)  # the first launch of a kernel waits for every stream that waits: so each runs once before
    use()
    torch.cuda.synchronize()

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

    assert torch.equal(sums, indices * (STEPS * (STEPS + 1) // 2))
    print(COUNT, "numbers were sent", STEPS, "times and added up; all sums are right")
    listener.close()
    await asyncio.gather(left.close(), right.close())


asyncio.run(main())
