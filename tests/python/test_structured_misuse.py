# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What ucxx.trio and ucxx.anyio say where they cannot be used, and what they import."""

import asyncio

import anyio
import pytest
import trio

import ucxx
import ucxx.anyio
import ucxx.trio


async def opening(module):
    async with module.open_worker():
        pass


@pytest.mark.parametrize("library", ["trio", "anyio"])
def test_a_library_that_is_not_installed(run_python, library):
    status, said = run_python(f"import sys; sys.modules[{library!r}] = None; import ucxx.{library}")
    assert status == 1
    assert f"ucxx.{library} needs {library}, which is not installed: pip install 'ucxx[{library}]'" in said
    assert "During handling" not in said


def test_trio_needs_no_anyio(run_python):
    status, said = run_python("import sys; sys.modules['anyio'] = None; import ucxx.trio; from ucxx import trio")
    assert (status, said) == (0, "")


def test_anyio_on_asyncio_needs_no_trio(run_python):
    status, said = run_python("""
import sys
sys.modules["trio"] = None
import anyio, ucxx.anyio

async def main():
    async with ucxx.anyio.open_worker() as worker:
        endpoint = await worker.create_endpoint_from_worker_address(worker.address)
        await endpoint.send(b"x", 1, True)
        await worker.recv(bytearray(1), 1)

anyio.run(main)
""")
    assert (status, said) == (0, "")


def test_importing_them_does_not_import_the_asyncio_api(run_python):
    code = "import sys, ucxx.{0}; print('ucxx._asyncio.runtime' in sys.modules, 'ucxx._asyncio.listener' in sys.modules)"
    for library in ("trio", "anyio"):
        assert run_python(code.format(library)) == (0, "False False\n")


def test_in_the_loop_of_another_library():
    with pytest.raises(RuntimeError, match=r"no task of trio runs here.*ucxx\.anyio"):
        asyncio.run(opening(ucxx.trio))
    with pytest.raises(RuntimeError, match="no task of trio runs here"):
        opening(ucxx.trio).send(None)
    with pytest.raises(RuntimeError, match="no event loop runs here"):
        opening(ucxx.anyio).send(None)
    asyncio.run(opening(ucxx.anyio))
    trio.run(opening, ucxx.anyio)


def test_the_asyncio_api_in_trio():
    async def connect():
        await ucxx.create_endpoint("127.0.0.1", 1)

    async def meet():
        await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())

    for program in (connect, meet):
        with pytest.raises(RuntimeError, match=r"with trio use ucxx\.trio, with anyio ucxx\.anyio"):
            trio.run(program)
    ucxx.reset()


def test_uvloop():
    async def main():
        async with ucxx.anyio.open_worker() as worker, anyio.create_task_group() as group:
            endpoint = await worker.create_endpoint_from_worker_address(worker.address)
            group.start_soon(worker.recv, bytearray(1), 1)
            await anyio.sleep(0.01)
            await endpoint.send(b"x", 1, True)
            with anyio.move_on_after(0.01):
                await worker.recv(bytearray(1), 1)

    anyio.run(main, backend_options={"use_uvloop": True})


def test_a_run_of_trio_that_makes_no_groups():
    async def main():
        async with ucxx.trio.open_worker():
            raise ExceptionGroup("mine", [KeyError()])

    with pytest.warns(trio.TrioDeprecationWarning), pytest.raises(ExceptionGroup, match="mine"):
        trio.run(main, strict_exception_groups=False)


def test_a_worker_beside_the_asyncio_api():
    async def main():
        async with ucxx.anyio.open_worker() as worker:
            endpoint = await ucxx.create_endpoint_from_worker_address(worker.address)
            await asyncio.gather(endpoint.send(b"hello", 1, True), worker.recv(bytearray(5), 1))
            await endpoint.close()
            with pytest.raises(RuntimeError, match="belongs to another event loop"):
                await worker._core.tag_recv(bytearray(1), 2)  # by asyncio itself

    asyncio.run(asyncio.wait_for(main(), 20))
    ucxx.reset()
