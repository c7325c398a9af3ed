# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""An event loop that has nothing to do sleeps, whatever a worker has in its queue."""

BEGIN = """
import asyncio, faulthandler, os, ucxx

faulthandler.dump_traceback_later(20, exit=True)
loop = asyncio.new_event_loop()
turns = 0
run_once = loop._run_once

def count():
    global turns
    turns += 1
    run_once()

def arms():
    return sum(getattr(handle._callback, "__qualname__", "").endswith("_arm") for handle in loop._ready)

async def ends_of_two():
    address = ucxx.get_worker_address()
    return [await ucxx.create_endpoint_from_worker_address(address) for _ in range(2)]

async def until_an_arm_waits(ends):
    while not arms():
        ends[0].send(b"x", 1, force_tag=True)
        await ends[1].recv(bytearray(1), 1, force_tag=True)

def slept(turns):
    return "sleeps" if turns < 1000 else f"has run {turns} times"

loop._run_once = count
"""

# The first run ends while a call of `_arm` is among those that the loop has before it. A task is cancelled between two runs,
# as `asyncio.run` cancels those that are left at its end.
RUNS = """
async def main():
    ends = await ends_of_two()
    task = asyncio.create_task(ends[1].recv(bytearray(1), 2, force_tag=True))
    await asyncio.sleep(0)
    await until_an_arm_waits(ends)
    return task

task = loop.run_until_complete(main())
before, turns = arms(), 0
task.cancel()
loop.run_until_complete(asyncio.sleep(0.5))
print(before, task.cancelled(), slept(turns))
"""

# UCX's eventfd is ready while a task of the loop goes before `_arm`. Only to arm UCX makes it quiet again.
READY = """
def eventfds():
    files = {int(name): f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")}
    return [file for file, name in files.items() if os.path.exists(name) and os.readlink(name) == "anon_inode:[eventfd]"]

async def main():
    global turns
    ends = await ends_of_two()
    for file in eventfds():
        await until_an_arm_waits(ends)
        for turn in range(100):
            await asyncio.sleep(0)
            if turn == 50:
                os.write(file, (1).to_bytes(8, "little"))
        turns = 0
        await asyncio.sleep(0.05)
        if turns >= 1000:
            print(slept(turns))
    print(len(eventfds()) > 1, "ended")

loop.run_until_complete(main())
"""


def test_a_loop_that_runs_again(run_python):
    assert run_python(BEGIN + RUNS) == (0, "1 True sleeps\n")


def test_a_descriptor_of_ucx_that_is_ready(run_python):
    """Each of the process's eventfds, of which one is UCX's."""
    assert run_python(BEGIN + READY, UCXX_LOCAL="off", UCX_TLS="tcp,self") == (0, "True ended\n")
