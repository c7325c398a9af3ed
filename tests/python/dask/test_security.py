# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What of Dask's security these schemes keep, and what they refuse."""

import asyncio
import os
import ssl

import comms
import dask
import pytest
from comms import within
from distributed.comm.core import connect, listen

import ucxx
from ucxx.dask import security
from ucxx.testing import running_peers


@pytest.mark.parametrize("scheme", ["ucx", "ucxx"])
def test_required_encryption_is_refused_at_both_ends(scheme):
    async def main():
        with pytest.raises(RuntimeError, match=f"listen at {scheme}://.*require_encryption.*tls://"):
            await listen(f"{scheme}://127.0.0.1", comms.echo, require_encryption=True)
        async with listen(f"{scheme}://127.0.0.1", comms.echo) as listener:
            with pytest.raises(RuntimeError, match=f"connect to {scheme}://.*tls://"):
                await connect(listener.contact_address, require_encryption=True)

    asyncio.run(main())


def test_certificates_are_one_warning(caplog, monkeypatch):
    monkeypatch.setattr(security, "_warned", False)
    context = ssl.create_default_context()

    async def main():
        for _ in range(2):
            async with listen("ucx://127.0.0.1", comms.echo, ssl_context=context) as listener:
                comm = await within(connect(listener.contact_address, ssl_context=context))
                comm.abort()

    asyncio.run(main())
    assert [record.levelname for record in caplog.records if "not encrypted" in record.message] == ["WARNING"]


def _secret(path, content):
    path.write_bytes(content)
    os.chmod(path, 0o600)
    return str(path)


@pytest.mark.parametrize("known", [True, False])
def test_the_secret_of_the_configuration_keeps_strangers_out(tmp_path, known):
    ours = _secret(tmp_path / "ours", b"x" * 32)
    theirs = ours if known else _secret(tmp_path / "theirs", b"y" * 32)

    async def main(address):
        with dask.config.set({"ucxx.secret-file": ours}):
            comm = await within(connect(address, timeout=1))
            await within(comm.write("hello"))
            assert await within(comm.read()) == "hello"
            comm.abort()

    with running_peers(1, comms._serve, comms.echo, {"UCXX_SECRET_FILE": theirs}, "ucx://127.0.0.1", {}) as (server,):
        if known:
            asyncio.run(main(server.receive()))
        else:
            with pytest.raises(OSError, match="authentication failed") as caught:
                asyncio.run(main(server.receive()))
            assert "ucx://" in str(caught.value)


def test_a_secret_that_is_not_there_is_an_error_at_start(tmp_path):
    async def main():
        with dask.config.set({"ucxx.secret-file": str(tmp_path / "nowhere")}):
            with pytest.raises(ucxx.exceptions.UCXInvalidParamError, match="nowhere"):
                await listen("ucx://127.0.0.1", comms.echo)

    asyncio.run(main())
