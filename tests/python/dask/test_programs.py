# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs of Dask with the settings that dask-cuda makes of its flags."""

import asyncio

import dask
import pytest
from distributed import Client, Event, Lock, LocalCluster, Queue, Semaphore, Variable, wait

import ucxx

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

SECONDS = 30


def settings_of_dask_cuda(tcp=None, infiniband=None, nvlink=None, rdmacm=None):
    """Return what dask-cuda puts into `distributed-ucxx` for its flags `enable_...`."""
    flags = {"tcp": tcp, "infiniband": infiniband, "nvlink": nvlink}
    if False in flags.values() and True not in flags.values():
        flags = {name: True if value is None else value for name, value in flags.items()}
    copies = True if True in flags.values() else None
    return {
        **flags, "rdmacm": rdmacm, "cuda-copy": copies, "create-cuda-context": True, "reuse-endpoints": None,
        "net-devices": None, "environment": {}, "rmm": {"pool-size": None}, "version": "0.46",
    }  # fmt: skip


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


def run(program, **flags):
    """Run `program(client)` with a cluster of two workers in this process, all in one loop."""

    async def main():
        async with (
            LocalCluster(
                protocol="ucx", n_workers=2, threads_per_worker=1, processes=False, asynchronous=True,
                dashboard_address=None,
            ) as cluster,
            Client(cluster, asynchronous=True) as client,
        ):  # fmt: skip
            assert client.scheduler.address.startswith("ucx://")
            return await asyncio.wait_for(program(client), SECONDS)

    settings = settings_of_dask_cuda(**flags)
    settings["create-cuda-context"] = None  # there is no GPU
    with dask.config.set({"distributed-ucxx": settings}):
        return asyncio.run(main())


def increment(number):
    return number + 1


async def add(client):
    assert sum(await client.gather(client.map(increment, range(100)))) == 5050


@pytest.mark.parametrize("flags", [
    {}, {"nvlink": False}, {"tcp": False}, {"infiniband": False}, {"nvlink": False, "infiniband": False},
    {"tcp": True}, {"tcp": True, "nvlink": True}, {"nvlink": False, "rdmacm": True},
], ids=str)  # fmt: skip
def test_flags_of_dask_cuda(flags):
    run(add, **flags)


def test_shuffle_of_a_frame():
    pandas = pytest.importorskip("pandas")
    dd = pytest.importorskip("dask.dataframe")

    async def program(client):
        frame = dd.from_pandas(pandas.DataFrame({"key": range(1000), "value": range(1000)}), npartitions=8)
        frame["key"] %= 10
        sums = await client.compute(frame.groupby("key").value.sum())
        assert int(sums.sum()) == 499500

    run(program, nvlink=False)


def test_arrays_that_depend_on_each_other():
    da = pytest.importorskip("dask.array")

    async def program(client):
        x = da.ones((1000, 1000), chunks=(100, 100))
        assert float(await client.compute((x @ x.T).sum())) == 1e9

    run(program, tcp=True)


def test_a_semaphore_of_tasks():
    """Two leases for twenty tasks, of which each waits for one."""

    async def program(client):
        semaphore = await Semaphore(max_leases=2, name="two")

        def work(number, semaphore):
            with semaphore:
                return number

        futures = client.map(work, range(20), semaphore=semaphore, pure=False)
        assert sorted(await client.gather(futures)) == list(range(20))
        assert await semaphore.get_value() == 0

    run(program, nvlink=False)


def test_futures_that_are_dropped_are_forgotten():
    async def program(client):
        future = client.submit(increment, 1)
        await wait(future)
        key = future.key
        del future
        async with asyncio.timeout(SECONDS):
            while key in client.futures or key in client.cluster.scheduler.tasks:
                await asyncio.sleep(0.001)

    run(program, nvlink=False)


def test_scattered_data_and_what_is_computed_of_it():
    async def program(client):
        data = await client.scatter(list(range(50)), broadcast=False)
        assert await client.submit(sum, data) == 1225
        replicated = await client.scatter({"a": b"x" * 100_000}, broadcast=True)
        assert len((await client.gather(replicated))["a"]) == 100_000

    run(program, nvlink=False)


def test_locks_events_queues_and_variables():
    async def program(client):
        async with Lock("lock"):
            event, queue, variable = Event("event"), await Queue("queue"), Variable("variable")
            await queue.put(5)
            await variable.set("text")
            await event.set()
            assert (await queue.get(), await variable.get(), await event.is_set()) == (5, "text", True)

    run(program, infiniband=False)


def test_errors_of_tasks_come_back():
    async def program(client):
        future = client.submit(lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await future
        assert await client.submit(increment, 1) == 2

    run(program, nvlink=False)


def test_environment_of_the_configuration_is_that_of_ucx(run_python):
    code = (
        "import asyncio, dask\n"
        "from distributed.comm.core import listen\n"
        "async def main():\n"
        "    async with listen('ucx://127.0.0.1', print):\n"
        "        import ucxx; print(ucxx.get_config()['MAX_RNDV_RAILS'])\n"
        "dask.config.set({'distributed-ucxx': {'tcp': True, 'environment': {'max-rndv-rails': 1, 'vfs-enable': 'n'}}})\n"
        "asyncio.run(main())\n"
        "import os; print(os.environ['UCX_VFS_ENABLE'])\n"
    )
    assert run_python(code) == (0, "1\nn\n")
