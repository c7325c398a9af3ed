# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Listeners and connectors: ports, addresses, refusals, storms."""

import asyncio
import errno
import gc
import logging
import socket
import time

import comms
import dask
import pytest
from comms import connected, served, until, within
from distributed import Nanny, Scheduler, Worker
from distributed.comm import get_address_host, get_address_host_port, get_local_address_for, resolve_address
from distributed.comm.core import CommClosedError, connect, listen
from distributed.comm.registry import get_backend
from distributed.core import rpc

import ucxx
from ucxx.dask.comm import UCXX


@pytest.mark.parametrize("scheme", ["ucx", "ucxx"])
def test_addresses_name_host_and_port(scheme):
    async def main():
        async with listen(f"{scheme}://127.0.0.1", comms.echo) as listener:
            assert listener.listen_address == listener.contact_address
            host, port = get_address_host_port(listener.contact_address)
            assert host == "127.0.0.1"
            assert port > 0
            comm = await within(connect(listener.contact_address))
            await within(comm.write("hello"))
            assert await within(comm.read()) == "hello"
            await comm.close()

    asyncio.run(main())


def test_contact_address_is_never_a_wildcard():
    async def main():
        async with listen("ucx://", comms.echo) as listener:
            assert "0.0.0.0" in listener.listen_address
            assert get_address_host(listener.contact_address) not in ("", "0.0.0.0", "::")
        async with listen("ucx://0.0.0.0:0", comms.echo, default_host="10.1.2.3") as listener:
            assert get_address_host(listener.contact_address) == "10.1.2.3"
        async with listen("ucx://[::]:0", comms.echo, default_host="fe::1") as listener:
            assert listener.contact_address.startswith("ucx://[fe::1]:")

    asyncio.run(main())


def test_a_worker_is_called_at_the_address_that_its_scheduler_is_near():
    async def main():
        async with Scheduler(host="127.0.0.1", protocol="ucx", dashboard_address=":0") as scheduler:
            async with Worker(scheduler.address) as worker:
                assert worker.listen_address.startswith("ucx://0.0.0.0:")
                assert worker.address.startswith("ucx://127.0.0.1:")

    asyncio.run(main())


def test_a_worker_that_closes_does_not_sleep(monkeypatch):
    slept = []
    sleep = asyncio.sleep

    def note(seconds, *result):
        slept.append(seconds)
        return sleep(seconds, *result)

    async def main():
        async with Scheduler(host="127.0.0.1", protocol="ucx", dashboard_address=":0") as scheduler:
            worker = await Worker(scheduler.address)
            monkeypatch.setattr(asyncio, "sleep", note)
            await within(worker.close())

    asyncio.run(main())
    assert 0.2 not in slept  # its comms would be open, and its pool of connections closed


def test_a_worker_whose_scheduler_has_an_unknown_name_listens():
    class Server:
        scheduler = rpc("ucx://no-such-host.invalid:8786")

        async def handle(self, comm):
            comm.abort()

    async def main():
        async with listen("ucx://", Server().handle) as listener:
            assert get_address_host(listener.contact_address) not in ("", "0.0.0.0")

    asyncio.run(main())


def test_backend_answers_for_addresses():
    assert resolve_address("ucx://localhost:8786") == "ucx://127.0.0.1:8786"
    assert resolve_address("ucx://[::1]:8786") == "ucx://[::1]:8786"
    assert get_local_address_for("ucx://127.0.0.1:8786") == "ucx://127.0.0.1"
    assert type(get_backend("ucxx")).__module__ == "ucxx.dask.backend"
    with pytest.raises(ValueError, match="missing port"):
        asyncio.run(get_backend("ucx").get_connector().connect("127.0.0.1"))


def test_a_taken_port_is_an_oserror():
    async def main():
        async with listen("ucx://127.0.0.1", comms.echo) as listener:
            with pytest.raises(OSError, match="in use") as caught:
                await listen(listener.listen_address, comms.echo)
            assert caught.value.errno == errno.EADDRINUSE
        # It can be had again at once.
        async with listen(listener.listen_address, comms.echo) as again:
            assert again.listen_address == listener.listen_address

    asyncio.run(main())


def test_an_address_of_another_machine_is_an_oserror():
    async def main():
        with pytest.raises(OSError, match=r"192\.0\.2\.1"):
            await listen("ucx://192.0.2.1", comms.echo)

    asyncio.run(main())


def test_nobody_there_is_an_oserror_within_the_limit():
    async def main():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # and does not listen
            begun = time.monotonic()
            with pytest.raises(OSError, match=r"ucx://127\.0\.0\.1"):
                await within(connect(f"ucx://127.0.0.1:{taken.getsockname()[1]}", timeout=0.3))
            assert time.monotonic() - begun < 5

    asyncio.run(main())


def test_a_silent_port_is_given_up_in_time():
    async def main():
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            with pytest.raises(OSError, match="Timed out"):
                await within(connect(f"ucx://127.0.0.1:{silent.getsockname()[1]}", timeout=0.5))

    asyncio.run(main())


def test_a_name_that_is_none_is_an_oserror():
    async def main():
        with pytest.raises(OSError, match="Timed out"):
            await within(connect("ucx://no-such-host.invalid:1234", timeout=0.5))

    asyncio.run(main())


def test_a_caller_that_waits_is_answered_by_a_listener_that_comes_late():
    async def main():
        async with listen("ucx://127.0.0.1", comms.echo) as listener:
            address = listener.listen_address
        calling = asyncio.create_task(connect(address, timeout=comms.DEADLINE))
        await asyncio.sleep(0.05)
        async with listen(address, comms.echo):
            comm = await within(calling)
            comm.abort()

    asyncio.run(main())


def test_a_listener_that_has_stopped_takes_nobody():
    async def main():
        async with listen("ucx://127.0.0.1", comms.echo) as listener:
            comm = await within(connect(listener.contact_address))
        with pytest.raises(OSError, match="ucx://"):
            await within(connect(listener.contact_address, timeout=0.3))
        # Who was taken before stays.
        await within(comm.write("still here"))
        assert await within(comm.read()) == "still here"
        comm.abort()

    asyncio.run(main())


def test_comms_in_their_handshake_are_aborted(channel):
    async def main():
        async with listen("ucx://127.0.0.1", comms.echo) as listener:
            host, port = get_address_host_port(listener.contact_address)
            # No handshake: the endpoint alone.
            endpoint = await within(ucxx.create_endpoint(host, port))
            await within(endpoint.recv_multi())
            listener.stop()
            listener.abort_handshaking_comms()
            await until(lambda: not endpoint.alive)
            endpoint.abort()

    asyncio.run(main())


def test_who_speaks_something_else_is_hung_up():
    async def main():
        async with listen("ucx://127.0.0.1", comms.echo) as listener:
            host, port = get_address_host_port(listener.contact_address)
            endpoint = await within(ucxx.create_endpoint(host, port))
            await within(endpoint.send_multi([b"garbage", b"more"]))
            await until(lambda: not endpoint.alive)
            endpoint.abort()
            with socket.create_connection((host, port)) as stranger:
                stranger.sendall(b"GET / HTTP/1.1\r\n\r\n" * 100)
            comm = await within(connect(listener.contact_address))
            await within(comm.write("good"))
            assert await within(comm.read()) == "good"
            comm.abort()

    asyncio.run(main())


@pytest.mark.parametrize("note", [b"\xff\xfe:1", b"a b:1", b"evil\n:1", b"10.0.0.1", b"10.0.0.1:70000", b"a:b:1"])
def test_a_host_that_is_none_ends_the_comm(note):
    async def main():
        async with listen("ucx://127.0.0.1", comms.echo) as listener:
            host, port = get_address_host_port(listener.contact_address)
            endpoint = await within(ucxx.create_endpoint(host, port))
            comm = UCXX(endpoint, "ucx://127.0.0.1:1", listener.contact_address, note=note)
            await within(comm.write({}))
            await within(comm.read())
            with pytest.raises(CommClosedError):
                await within(comm.read())

    asyncio.run(main())


def test_a_handshake_that_says_nothing_is_hung_up(caplog):
    async def main():
        async with listen("ucx://127.0.0.1", comms.echo) as listener:
            host, port = get_address_host_port(listener.contact_address)
            endpoint = await within(ucxx.create_endpoint(host, port))
            comm = UCXX(endpoint, "ucx://127.0.0.1:1", listener.contact_address)
            await within(comm.write({"no": "versions"}))
            await within(comm.read())
            with pytest.raises(CommClosedError):
                await within(comm.read())

    asyncio.run(main())
    assert "handshake" in caplog.text


@pytest.mark.parametrize("error", [CommClosedError("gone"), ValueError("odd")], ids=["closed", "failed"])
def test_an_error_of_a_handler_is_logged_at_once(caplog, error):
    """asyncio would say so of the task, as soon as somebody collects it; an end of the comm is none."""

    async def fail(comm):
        await comm.write("done")
        raise error

    async def main():
        async with listen("ucx://127.0.0.1", fail) as listener:
            comm = await within(connect(listener.contact_address))
            assert await within(comm.read()) == "done"
            await until(lambda: not listener._tasks)
            comm.abort()

    asyncio.run(main())
    gc.collect()
    said = [record.message for record in caplog.records if record.levelno >= logging.ERROR]
    assert [bool("handler" in text) for text in said] == [True] * isinstance(error, ValueError)


def test_handshake_overrides_and_offload_are_honoured():
    served_by = []

    async def keep(comm):
        served_by.append(comm)
        await comm.read()

    async def main():
        overrides = {"pickle-protocol": 4, "compression": None}
        async with listen(
            "ucx://127.0.0.1", keep, deserialize=False, allow_offload=False, handshake_overrides=overrides,
            unknown="ignored",
        ) as listener:  # fmt: skip
            comm = await within(connect(listener.contact_address))
            await until(lambda: served_by)
            assert comm.handshake_options["pickle-protocol"] == 4
            assert served_by[0].handshake_options["pickle-protocol"] == 4
            assert not served_by[0].allow_offload
            assert not served_by[0].deserialize
            comm.abort()
            await until(served_by[0].closed)

    asyncio.run(main())


def test_a_hundred_call_at_once(channel):
    async def main():
        async with served(channel, comms.echo) as address:
            called = await within(asyncio.gather(*(connect(address, timeout=comms.DEADLINE) for _ in range(100))), 30)
            assert len({comm.local_address for comm in called}) == 100
            await within(asyncio.gather(*(comm.write(number) for number, comm in enumerate(called))))
            assert await within(asyncio.gather(*(comm.read() for comm in called))) == list(range(100))
            await within(asyncio.gather(*(comm.close() for comm in called)))

    asyncio.run(main())


def test_a_hundred_listeners():
    async def main():
        listeners = [await listen("ucx://127.0.0.1", comms.echo) for _ in range(100)]
        called = await within(asyncio.gather(*(connect(one.contact_address, timeout=20) for one in listeners)))
        for comm, listener in zip(called, listeners, strict=True):
            comm.abort()
            listener.stop()

    asyncio.run(main())


def test_a_killed_peer_ends_reads_and_writes(peers):
    (server,) = peers(1, comms._serve, comms.read_nothing, {}, "ucx://127.0.0.1", {})

    async def main():
        comm = await within(connect(server.receive()))
        reading = asyncio.create_task(comm.read())
        await asyncio.sleep(0)
        await asyncio.to_thread(server.kill)
        with pytest.raises(CommClosedError):
            await within(reading)
        with pytest.raises(CommClosedError):
            await within(comm.write("too late"))
        assert comm.closed()

    asyncio.run(main())


def test_a_stopped_peer_blocks_no_abort(peers):
    (server,) = peers(1, comms._serve, comms.read_nothing, {}, "ucx://127.0.0.1", {})

    async def main():
        called = [await within(connect(server.receive()))]
        called += [await within(connect(called[0].peer_address)) for _ in range(20)]
        server.stop()
        begun = time.monotonic()
        for comm in called:
            comm.abort()
        assert time.monotonic() - begun < 0.5
        server.go_on()

    asyncio.run(main())


def test_forked_workers_are_refused_where_their_nanny_starts(caplog):
    async def main():
        with dask.config.set({"distributed.worker.multiprocessing-method": "fork"}):
            nanny = Nanny("ucx://127.0.0.1:1", protocol="ucx")
            with pytest.raises(RuntimeError) as caught:
                await nanny
            assert "fork" in str(caught.value.__cause__)
            await nanny.close()

    caplog.set_level(logging.CRITICAL + 1, "distributed")
    asyncio.run(main())


def test_comms_leave_nothing_behind(channel):
    import os

    async def main():
        async with connected(channel, comms.echo) as kept:
            for round_ in range(2):
                for _ in range(100):
                    comm = await within(connect(kept.peer_address))
                    await within(comm.write("x"))
                    await within(comm.read())
                    await within(comm.close())
                if round_ == 0:
                    before = len(os.listdir("/proc/self/fd"))
            assert len(os.listdir("/proc/self/fd")) <= before + 5

    asyncio.run(main())
