# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Calls of a worker that its event loop loses.

asyncio takes a call from its queue and then runs it. The handler of a signal that raises in between ends
the run of the loop, and the call is lost. What waits in the worker must not be lost with it.
"""

import pytest

# The call of number N raises before it is made.
PROGRAM = """
import asyncio, faulthandler, ucxx

run = asyncio.events.Handle._run
left = None

def lose(handle):
    global left
    if left is not None and getattr(handle._callback, "__qualname__", "").endswith("_arm"):
        left -= 1
        if left == 0:
            raise ERROR("in the handler of a signal")
    return run(handle)

async def main():
    global left
    address = ucxx.get_worker_address()
    sender, receiver = [await ucxx.create_endpoint_from_worker_address(address) for _ in range(2)]
    left = NUMBER

    async def receive():
        await receiver.recv(bytearray(1), 1, force_tag=True)

    while True:
        task = asyncio.create_task(receive())
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(int)
        sender.send(b"x", 1, force_tag=True)
        await task

asyncio.events.Handle._run = lose
faulthandler.dump_traceback_later(5, exit=True)
loop = asyncio.new_event_loop()
try:
    loop.run_until_complete(main())
except ERROR as error:
    print(error)
left = None
tasks = asyncio.all_tasks(loop)
for task in tasks:
    task.cancel()
loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
print("ended")
"""


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "ValueError"])
@pytest.mark.parametrize("number", range(1, 9))
def test_a_program_ends_whose_loop_has_lost_a_call(run_python, number, error):
    status, said = run_python(PROGRAM.replace("ERROR", error).replace("NUMBER", str(number)))
    assert (status, said) == (0, "in the handler of a signal\nended\n")
