# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Conditions that streams, graphs and kernels of CUDA trigger, over the driver that stands in for CUDA's."""

import inspect
import re

import device_arguments
import device_batches
import device_full_streams
import device_plans
import device_programs
import device_refusals
import pytest

PROGRAMS = [
    (module.__name__, name)
    for module in (
        device_arguments,
        device_batches,
        device_full_streams,
        device_plans,
        device_programs,
        device_refusals,
    )
    for name, thing in vars(module).items()
    if inspect.isfunction(thing) and thing.__module__ == module.__name__
]


@pytest.mark.parametrize(("module", "name"), PROGRAMS, ids=[name for _, name in PROGRAMS])
def test_program(run_over_stand_in, module, name):
    run_over_stand_in(f"import {module}\n{module}.{name}()")


GPU_PROGRAM = """
import runpy

sys.path.insert(0, {folder!r})
sys.argv = ["stream_transfers.py", "driver"]
runpy.run_path({folder!r} + "/stream_transfers.py", run_name="__main__")
"""


def test_the_program_for_gpus_runs_over_the_driver_alone(run_over_stand_in, root):
    said = run_over_stand_in(GPU_PROGRAM.format(folder=str(root / "tools/gpu/programs")))
    assert '"error"' not in said and said.count('"fact"') >= 4, said


AVAILABLE = "from ucxx import cuda\nprint(cuda.available())"


@pytest.mark.parametrize(("settings", "is_available"), [("", True), ("no-gpu", False), ("devices=0", False)])
def test_it_says_whether_there_is_a_device(run_over_stand_in, settings, is_available):
    assert run_over_stand_in(AVAILABLE, UCXX_CUDA_STAND_IN=settings).startswith(f"{is_available}\n")


WITHOUT = """
import ucxx
from ucxx import core, cuda

assert not cuda.available()
worker = core.UCXWorker(core.UCXContext())
worker.start_progress_thread()
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
request = endpoint.tag_recv(bytearray(5), 1)
batch = cuda.batch(16)
for action in (
    lambda: cuda.stream(16),
    lambda: cuda.graph(16),
    cuda.kernel,
    cuda.attach,
    batch.__enter__,
    lambda: request.wait_on(16),
):
    try:
        action()
    except ucxx.UCXUnsupportedError as error:
        print("refused:", error)
with cuda.host() as condition:  # needs no driver
    sent = endpoint.tag_send(b"hello", 1, condition=condition)
    condition.trigger()
    assert request.wait(10) == 5
    sent.wait(10)
"""


def test_without_a_driver_each_call_says_so(run_over_stand_in, tmp_path):
    (tmp_path / "libcuda.so.1").touch()  # one that does not load
    said = run_over_stand_in(WITHOUT, LD_LIBRARY_PATH=str(tmp_path))
    assert said.count("refused:") == 6 and said.count("libcuda.so.1") >= 6, said


FAILS = """
from device_ends import Ends, raises
from cuda_driver import Stream, pinned

import ucxx
from ucxx import cuda

ends, stream = Ends(), Stream()
buffer = bytearray(8)
with raises(ucxx.UCXError, "cuStreamBatchMemOp"):
    ends.left.tag_recv(buffer, 1, condition=cuda.stream(stream.handle))
buffer.clear()  # nobody has it
received = ends.left.tag_recv(bytearray(8), 1, condition=cuda.stream(stream.handle))
ends.finish(ends.right.tag_send(b"12345678", 1), received)
stream.drain()
"""


def test_a_call_of_the_driver_that_fails_is_an_error(run_over_stand_in):
    run_over_stand_in(FAILS, UCXX_CUDA_STAND_IN="fail=cuStreamBatchMemOp:1=999")


INTERRUPTED = """
from ctrl_c import interrupted
from cuda_driver import Stream, Word
from device_ends import Ends

from ucxx import cuda

ends, stream, word = Ends(), Stream(), Word()
stream.shut()
request = ends.left.tag_recv(bytearray(8), 1, condition=cuda.stream(stream.handle))
request.wait_on(stream.handle)
stream.write(word)
took = interrupted(request.wait)
assert word.value == 0
request.cancel()
stream.open()
stream.drain()
assert word.value == 1
print("interrupted after", took)
"""


def test_interrupt(run_over_stand_in):
    said = run_over_stand_in(INTERRUPTED)
    took = re.search(r"^interrupted after ([\d.e-]+)$", said, re.MULTILINE)
    assert float(took[1]) < 2, said


# Handlers that were registered before the import of ucxx run after its end.
EXIT = """
import atexit


def look():
    stream.drain()
    print("the stream goes on,", word.value)


atexit.register(look)

from cuda_driver import Stream, Word
from device_ends import Ends

from ucxx import cuda

ends, stream, word = Ends(), Stream(), Word()
{post}
stream.write(word)
{then}
"""
WAIT = "\nrequest.wait_on(stream.handle)"
POSTS = {
    "a plan": "request = ends.left.prepare_recv(bytearray(8), 1)\nrequest.start()" + WAIT,
    "plain": "request = ends.left.tag_recv(bytearray(8), 1)" + WAIT,
    "with a condition": "request = ends.left.tag_recv(bytearray(8), 1, condition=cuda.stream(stream.handle))"
    + WAIT,
}
# Nothing else is asked of them.
CAPTURED = {
    "a captured start of a plan": """cuda.attach()
request = ends.left.prepare_recv(bytearray(8), 1)
stream.begin_capture()
request.start(stream=stream.handle)
graph = stream.end_capture()""",
    "a captured post": """cuda.attach()
stream.begin_capture()
request = ends.left.tag_recv(bytearray(8), 1, condition=cuda.stream(stream.handle))
graph = stream.end_capture()""",
}
POSTS |= {name: post + "\ngraph.launch(stream)" for name, post in CAPTURED.items()}


@pytest.mark.parametrize("then", ["", "del request", "raise SystemExit"])
@pytest.mark.parametrize("post", POSTS)
def test_at_the_end_of_the_interpreter_a_stream_goes_on(run_over_stand_in, post, then):
    assert "the stream goes on, 1\n" in run_over_stand_in(EXIT.format(post=POSTS[post], then=then))


@pytest.mark.parametrize("then", ["", "del request"])
@pytest.mark.parametrize("post", CAPTURED)
def test_a_launch_after_the_end_goes_on(run_over_stand_in, post, then):
    code = EXIT.format(post=CAPTURED[post], then=then)
    code = code.replace("def look():\n", "def look():\n    graph.launch(stream)\n")
    assert "the stream goes on, 1\n" in run_over_stand_in(code)


# A kernel that waits sees what `repr` reads.
OF_KERNELS = """
import atexit

atexit.register(lambda: print(repr(condition)))

from device_ends import Ends

from ucxx import cuda

ends, condition = Ends(), cuda.kernel(repeat={repeat})
{then}
"""


@pytest.mark.parametrize("repeat", [False, True])
@pytest.mark.parametrize("then", ["", "sent = ends.left.tag_send(b'1', 1, condition=condition)"])
def test_at_the_end_of_the_interpreter_a_condition_of_kernels_is_over(run_over_stand_in, repeat, then):
    said = run_over_stand_in(OF_KERNELS.format(repeat=repeat, then=then))
    assert "<ucxx.cuda.Condition of kernels, ended 0 times, over>\n" in said


def test_the_process_ends_while_a_stream_has_not_come_to_its_posts(run_over_stand_in):
    code = EXIT.format(post="stream.shut()\n" + POSTS["with a condition"], then="")
    code = code.replace("    stream.drain()\n", "    stream.open()\n    stream.drain()\n")
    assert "the stream goes on, 1\n" in run_over_stand_in(code)
