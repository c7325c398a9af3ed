# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Self-tests: two processes exchange messages, each by one channel, and look at every byte."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterator
from multiprocessing.connection import Connection
from typing import Any

import ucxx
from ucxx import _core
from ucxx._shared.transports import transports_in
from ucxx.cli import facts
from ucxx.cli.checks import NOTE, OK, PROBLEM, Finding, copies
from ucxx.testing import Peer, running_peers

_SECONDS = 20
_SIZES = (1, 4096, 1 << 20)
_ROUND_TRIPS = 200
CHANNELS = {
    "local channel": {"UCXX_LOCAL": "only"},
    "TCP": {"UCXX_LOCAL": "off", "TLS": "tcp"},
}
_REMEDIES = {
    "local channel": "docs/how-to/containers.md tells what it needs; UCXX_LOG_LEVEL=info tells the step",
    "TCP": "UCX_NET_DEVICES=lo,... names the devices; UCX_LOG_LEVEL=info tells what UCX tries",
}


def ucx() -> Finding:
    """Tell which UCX there is, and that it finds devices."""
    used = facts.ucx()
    found = f"{used['version']}, {used['reason']}\n{used['path']}"
    try:
        transports = transports_in(ucxx.core.UCXContext().info)
    except ucxx.UCXError as error:
        return Finding(
            "UCX",
            PROBLEM,
            f"{found}\ndoes not start: {error}",
            "everything",
            "the UCX_* of the environment: python -m ucxx info",
        )
    if "tcp" in transports:
        return Finding("UCX", OK, found)
    return Finding(
        "UCX",
        NOTE,
        f"{found}\nwithout TCP: {', '.join(transports) or 'no transport'}",
        "peers that the local channel does not reach may be out of reach",
        "UCX_TLS and UCX_NET_DEVICES of the environment: python -m ucxx info",
    )


def cuda_support() -> bool:
    """Tell whether this UCX reaches memory of CUDA devices."""
    return bool(ucxx.core.UCXContext().cuda_support)


def driver(offer: dict[str, Any] | None = None) -> Finding:
    """Tell what CUDA's driver offers, which this asks unless it is given."""
    name, offer = "CUDA driver", offer or _core._cuda_driver()
    version = [f"CUDA {offer['version']}"] if offer["version"] else []
    if not offer["missing"]:
        return Finding(name, OK, "\n".join([*version, *offer["devices"]]))
    if not offer["is_there"]:
        return Finding(name, OK, f"no driver: {offer['missing']}")
    return Finding(
        name,
        NOTE,
        "\n".join([*version, offer["missing"]]),
        "device memory is neither sent nor received",
        "`nvidia-smi` tells of the driver; it has to be of CUDA 11.3 or later",
    )


def self_tests() -> Iterator[Finding]:
    """Give the findings of both channels, and of copies by the kernel."""
    for name in CHANNELS:
        yield channel(name)
    yield copies.check()


def channel(name: str, options: dict[str, str] | None = None) -> Finding:
    """Tell whether messages go between two processes by one channel, with all their bytes."""
    options = options or CHANNELS[name]
    with (
        running_peers(1, _serve, options) as (server,),
        running_peers(1, _call, options) as (client,),
    ):
        try:
            client.send(_good(server))
            transports, time_us = _good(client)
        except (EOFError, OSError, RuntimeError) as error:
            why = str(error) or "a process of the test has ended"
            return Finding(name, PROBLEM, why, "peers are not reached this way", _REMEDIES[name])
    words = f"{len(_SIZES) + _ROUND_TRIPS} messages each way by {', '.join(transports)}, all right"
    return Finding(name, OK, f"{words}; 8 bytes: half a round trip is {time_us:.3g} us")


def _good(peer: Peer) -> Any:
    """Return what a peer says; raises RuntimeError for a peer that failed."""
    is_good, word = peer.receive(_SECONDS)
    if not is_good:
        raise RuntimeError(word)
    return word


def _say(words: Connection, program: Coroutine[Any, Any, object]) -> None:
    """Run a coroutine, and send what it returns or raises."""
    try:
        word: tuple[bool, object] = True, asyncio.run(asyncio.wait_for(program, _SECONDS))
    except Exception as error:
        word = False, f"{type(error).__name__}: {error}"
    words.send(word)


def _serve(words: Connection, options: dict[str, str]) -> None:
    async def program() -> None:
        ended = asyncio.get_running_loop().create_future()

        async def echo(endpoint: ucxx.Endpoint) -> None:
            for size in _all_sizes():
                message = bytearray(size)
                await endpoint.recv(message)
                await endpoint.send(message)
            await endpoint.close()
            ended.set_result(None)

        ucxx.init(options)
        with ucxx.create_listener(echo, ip="127.0.0.1") as listener:
            words.send((True, listener.port))
            await ended

    _say(words, program())


def _call(words: Connection, options: dict[str, str]) -> None:
    try:
        port = words.recv()
    except EOFError:  # there is no server
        return

    async def program() -> tuple[list[str], float]:
        ucxx.init(options)
        async with await ucxx.create_endpoint("127.0.0.1", port) as endpoint:
            times = sorted(
                [await _round_trip(endpoint, size) for size in _all_sizes()][len(_SIZES) :]
            )
            return endpoint.transports, times[len(times) // 2] / 2 * 1e6

    _say(words, program())


def _all_sizes() -> tuple[int, ...]:
    return (*_SIZES, *(8,) * _ROUND_TRIPS)


async def _round_trip(endpoint: ucxx.Endpoint, size: int) -> float:
    sent, received = bytes(i * 7 % 251 for i in range(size)), bytearray(size)
    begin = time.perf_counter()
    await endpoint.send(sent)
    await endpoint.recv(received)
    end = time.perf_counter()
    if received != sent:
        raise RuntimeError(f"a message of {size} bytes came back as another one")
    return end - begin
