# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The options of workers: the same names for `ucxx.init` and `core.UCXWorker`, and what they do."""

import asyncio
import re
import time

import numpy as np
import pytest

import ucxx
from ucxx import core
from ucxx.types import WorkerOptions

NAMES = list(WorkerOptions.__annotations__)
SECONDS = [name for name in NAMES if WorkerOptions.__annotations__[name].__forward_arg__.startswith("float")]
INTS = [name for name in NAMES if name not in SECONDS]


def make(**options):
    return core.UCXWorker(core.UCXContext(), **options)


@pytest.fixture(params=["init", "worker"])
def give(request):
    """Return what takes options."""
    yield ucxx.init if request.param == "init" else make
    ucxx.reset()


def test_an_unknown_option_is_told_with_those_there_are(give):
    with pytest.raises(TypeError) as told:
        give(connect_timeuot=1)
    listed = str(told.value).partition("the options are ")[2].split(", ")
    assert listed == NAMES, "python/bindings/worker_options.cpp and ucxx.types.WorkerOptions differ"
    assert "'connect_timeuot'" in str(told.value)


def test_none_is_the_default(give):
    give(**dict.fromkeys(NAMES))


@pytest.mark.parametrize("name", INTS)
def test_ints_that_are_none_are_named(give, name):
    least = 0 if name == "fetch_ahead_bytes" else 1
    for bad in (least - 1, -1, 2**64, -(2**70)):
        with pytest.raises(ValueError, match=rf"^{name} must be an int from {least} to \d+, or None, not {bad}$"):
            give(**{name: bad})
    for bad in ("1", 1.5, b"1"):
        with pytest.raises(TypeError, match=f"^{name} must be an int from .*, or None, not {re.escape(repr(bad))}$"):
            give(**{name: bad})
    give(**{name: np.int16(100)})


@pytest.mark.parametrize("name", SECONDS)
def test_seconds_that_are_none_are_named(give, name):
    zero = [0] if name == "connect_timeout" else []
    for bad in (-1, float("nan"), float("inf"), 1e10, "1", b"1", *zero):
        said = f"^{name} must be a number of seconds .* 1e9, or None, not {re.escape(repr(bad))}$"
        with pytest.raises((ValueError, TypeError), match=said):
            give(**{name: bad})
    give(**{name: np.float32(1e-6)})


def test_those_of_init_reach_the_workers():
    async def main():
        ep = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        frames = [b"x", b"y", b"z"]
        with pytest.raises(ucxx.UCXError, match="at most 2 frames"):
            await asyncio.gather(ep.send_multi(frames, tag=0, force_tag=True), ep.recv_multi(tag=0, force_tag=True))

    ucxx.init(multi_frames=2)
    asyncio.run(main())
    ucxx.reset()


def test_a_worker_s_own_limit_of_what_is_unexpected():
    context = core.UCXContext({"UCXX_LOCAL": "off"})
    receiver = core.UCXWorker(context, unexpected_bytes=4096, fetch_ahead_bytes=0)
    sender = core.UCXWorker(context)
    endpoint = core.UCXEndpoint.create_from_worker_address(sender, receiver.address)
    requests = [endpoint.tag_send(bytes(1000), tag=1) for _ in range(20)]

    def move_until(done):
        until = time.monotonic() + 30
        while not done():
            sender.progress(), receiver.progress()
            assert time.monotonic() < until, sender.describe()

    move_until(lambda: sum(request.completed for request in requests) == 3)  # each counts 256 more
    for _ in range(1000):
        sender.progress(), receiver.progress()
    assert sum(request.completed for request in requests) == 3  # the others wait
    received = [receiver.tag_recv(bytearray(1000), tag=1) for _ in requests]
    move_until(lambda: all(request.completed for request in [*requests, *received]))
