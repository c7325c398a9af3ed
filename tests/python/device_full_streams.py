# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs that post to a stream that is full, which test_device_conditions.py runs."""

import asyncio
import gc

from ctrl_c import interrupted
from cuda_driver import Stream, pinned, use_device
from device_ends import Ends, ends_of_loop, raises

import ucxx
from ucxx import cuda

MOST = 256  # posts of a stream that are on their way


def ctrl_c_while_a_post_waits_for_room():
    ends, stream, last = Ends(), Stream(), bytearray(8)
    stream.shut()
    received = [
        ends.left.tag_recv(bytearray(8), 1, condition=cuda.stream(stream.handle)) for _ in range(MOST)
    ]
    took = interrupted(lambda: ends.left.tag_recv(last, 1, condition=cuda.stream(stream.handle)))
    assert took < 5, took  # 0.1 at most; the machine may be busy
    last.clear()  # nobody has it
    stream.open()
    ends.finish(*received, *(ends.right.tag_send(b"12345678", 1) for _ in range(MOST)))
    later = bytearray(8)  # would come after what had been posted all the same
    ends.finish(ends.left.tag_recv(later, 1), ends.right.tag_send(b"87654321", 1))
    assert later == b"87654321"


def ctrl_c_while_a_start_waits_for_room():
    ends, stream = Ends(), Stream()
    send, receive = ends.left.prepare_send(pinned(8), 1), ends.right.prepare_recv(pinned(8), 1)
    stream.shut()
    flushed = [ends.left.flush(condition=cuda.stream(stream.handle)) for _ in range(MOST)]
    assert interrupted(lambda: send.start(stream=stream.handle)) < 5
    stream.open()
    ends.finish(*flushed)
    receive.start()
    ends.finish(send.start(stream=stream.handle), receive.request())
    assert (send.iterations, receive.iterations) == (1, 1)
    ends.finish(send.close(), receive.close())


def a_full_stream_in_an_event_loop():
    use_device()
    stream = Stream()

    async def main():
        async with ends_of_loop("thread") as (here, there):

            def post():
                return there.recv(bytearray(8), 1, True, condition=cuda.stream(stream.handle))

            stream.shut()
            received = [post() for _ in range(MOST)]
            with raises(ucxx.exceptions.UCXNoResourceError, f"{MOST} transfers", "event loop"):
                post()
            stream.open()
            sent = [here.send(b"12345678", 1, True) for _ in range(MOST)]
            await asyncio.gather(*received, *sent)
            stream.drain()
            await asyncio.gather(post(), here.send(b"12345678", 1, True))  # there is room again

    asyncio.run(asyncio.wait_for(main(), 20))
    gc.collect()
    ucxx.reset()
