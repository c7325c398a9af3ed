# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The configuration: every name that programs use, what it becomes, and what is refused."""

import asyncio
import dataclasses
import errno
import socket

import comms
import dask
import pytest
from distributed.comm.core import listen

import ucxx
from ucxx.dask import config, devices, options
from ucxx.dask.options import ROOTS, Options


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    """Leave UCX's settings to the configuration."""
    monkeypatch.delenv("UCX_TLS", raising=False)
    monkeypatch.delenv("UCX_NET_DEVICES", raising=False)


@pytest.mark.parametrize("root", [root for root in ROOTS if root != "ucx"])
@pytest.mark.parametrize("style", ["-", "_"])
def test_every_root_and_spelling_is_read(root, style):
    key = "create-cuda-context".replace("-", style)
    with dask.config.set({root: {key: True}}):
        assert Options.read().create_cuda_context is True


@pytest.mark.parametrize("variable", [
    "DASK_DISTRIBUTED_UCXX__TCP", "DASK_DISTRIBUTED__COMM__UCX__TCP", "DASK_UCX__TCP", "DASK_UCXX__TCP",
])  # fmt: skip
@pytest.mark.parametrize("value", ["True", "1", "true", "on"])
def test_the_environment_of_dask_is_read(run_python, variable, value):
    code = ("import warnings; warnings.simplefilter('ignore', FutureWarning)\n"
            "from ucxx.dask.options import Options; print(Options.read().settings()['TLS'])")
    status, said = run_python(code, **{variable: value, "UCX_TLS": ""})
    assert status == 1
    assert "KeyError" in said  # UCX_TLS of the environment goes first
    status, said = run_python(code, **{variable: value})
    assert (status, said.strip()) == (0, "tcp"), said


def test_none_is_the_same_as_absent():
    flags = dict.fromkeys(("tcp", "nvlink", "infiniband", "rdmacm", "cuda-copy", "create-cuda-context"))
    with dask.config.set({"distributed.comm.ucx": flags, "distributed-ucxx": None}):
        assert Options.read() == Options()
        assert Options.read().settings() == {}


def test_the_first_root_goes_first():
    with dask.config.set({"ucxx.tcp": False, "distributed-ucxx.tcp": True}):
        assert Options.read().tcp is False


def test_environment_mapping_is_settings():
    mapping = {"rndv-thresh": 8192, "UCX_MAX_RNDV_RAILS": 1, "ucxx-local": "off", "nothing": None}
    with dask.config.set({"distributed-ucxx.environment": mapping}):
        expected = {"RNDV_THRESH": "8192", "MAX_RNDV_RAILS": "1", "UCXX_LOCAL": "off"}
        assert Options.read().settings() == expected


def test_environment_then_flags_then_mapping(monkeypatch, caplog):
    with dask.config.set({"ucxx.tcp": True, "ucxx.environment": {"tls": "sm", "net-devices": "lo"}}):
        assert Options.read().settings()["TLS"] == "tcp"
        assert Options.read().settings()["NET_DEVICES"] == "lo"
        monkeypatch.setenv("UCX_TLS", "self")
        assert "TLS" not in Options.read().settings()
        assert "UCX_TLS=self of the environment is used, not tcp" in caplog.text


def test_one_false_turns_the_others_on(monkeypatch):
    monkeypatch.setattr(devices, "of_rdma", lambda: ["mlx5_0:1"])
    monkeypatch.setattr(devices, "has_cuda", lambda: True)
    assert Options(tcp=False).transports() == ["rc", "cuda_copy", "cuda_ipc"]
    assert Options(nvlink=False).transports() == ["rc", "tcp", "cuda_copy"]
    assert Options(infiniband=False).transports() == ["tcp", "cuda_copy", "cuda_ipc"]
    assert Options(infiniband=True).transports() == ["rc", "tcp", "cuda_copy"]
    assert Options(tcp=False, nvlink=True).transports() == ["cuda_copy", "cuda_ipc"]
    assert Options().transports() == []


@pytest.mark.parametrize(("setting", "what"), [
    ({"ucxx.tpc": True}, r"ucxx\.tpc is unknown; there are: tcp, infiniband"),
    ({"distributed-ucxx.tcp": "maybe"}, r"distributed-ucxx\.tcp must be true, false or null, not 'maybe'"),
    ({"distributed.comm.ucx.environment": "TLS=tcp"}, "must be a mapping"),
    ({"ucxx": 5}, "ucxx must be a mapping"),
    ({"ucxx.secret-file": 5}, "must be a text"),
    ({"ucxx.net-devices": "eth77,lo"}, r"no network device 'eth77' .*there are: .*lo"),
    ({"ucxx.environment": {"net-devices": "mlx5_9:1"}}, r"no network device 'mlx5_9:1'"),
    ({"ucxx.environment": {"no-such-setting": "1"}}, "NO_SUCH_SETTING"),
    ({"ucxx.infiniband": True}, r"infiniband.*no such device.*there are: .*lo"),
])  # fmt: skip
def test_what_is_unknown_or_not_there_is_an_error_at_start(setting, what):
    if "ucxx.infiniband" in setting and devices.of_rdma():
        return  # there is such a device

    async def main():
        with dask.config.set(setting), pytest.raises(ValueError, match=what):
            await listen("ucx://127.0.0.1", comms.echo)

    asyncio.run(main())


def test_a_device_of_the_environment_is_looked_at_too(monkeypatch):
    monkeypatch.setenv("UCX_NET_DEVICES", "nowhere0")
    with pytest.raises(ValueError, match="nowhere0"):
        config.start()


def test_settings_reach_ucx():
    with dask.config.set({"distributed-ucxx": {"tcp": True, "environment": {"max-rndv-rails": "1"}}}):
        config.start()
    assert ucxx.get_config()["TLS"] == "tcp"
    assert ucxx.get_config()["MAX_RNDV_RAILS"] == "1"


def test_a_program_that_has_started_ucxx_itself_decides():
    ucxx.init({"TLS": "tcp,self"})
    with dask.config.set({"ucxx.tcp": True}):
        config.start()
    assert ucxx.get_config()["TLS"] == "tcp,self"


def test_ports_of_ucx_are_where_the_server_is():
    assert devices.at("", None) == []
    assert devices.at("0.0.0.0", "off") == []
    assert devices.at("127.0.0.1", None) == []  # UCX opens none
    assert devices.at("127.0.0.1", "off") == ["lo"]
    assert devices.at("::1", "off") == ["lo"]
    assert devices.at("192.0.2.1", "off") == []


def test_a_server_of_an_interface_opens_ports_of_ucx_only_there():
    for _, name in socket.if_nameindex():
        try:
            address = ucxx.get_address(name)
        except OSError:
            continue
        if not address.startswith("127."):
            config.start(address)
            assert ucxx.get_config()["NET_DEVICES"].split(",")[0] == name
            return


# What dask-cuda makes of `enable_nvlink=False`.
DERIVED = {"tcp": True, "infiniband": True, "nvlink": False, "rdmacm": None, "cuda-copy": True}


def test_infiniband_that_dask_cuda_derived_is_a_wish(monkeypatch):
    monkeypatch.setattr(devices, "of_rdma", list)
    for root in ("distributed-ucxx", "distributed.comm.ucx"):
        with dask.config.set({root: DERIVED}):
            assert "rc" not in Options.read().transports()
        with dask.config.set({root: {**DERIVED, "tcp": False, "nvlink": True}}):
            assert "rc" not in Options.read().transports()
        inherited = dask.config.serialize({root: DERIVED})  # as clusters give it to their processes
        monkeypatch.setenv("DASK_INTERNAL_INHERIT_CONFIG", inherited)
        with dask.config.set({root: DERIVED}):
            assert "rc" not in Options.read().transports()
    monkeypatch.setattr(devices, "of_rdma", lambda: ["mlx5_0:1"])
    with dask.config.set({"distributed-ucxx": DERIVED}):
        assert "rc" in Options.read().transports()


def test_a_wish_that_is_not_fulfilled_is_logged(monkeypatch, caplog):
    monkeypatch.setattr(devices, "of_rdma", list)
    with caplog.at_level("INFO", "distributed.comm.ucxx"), dask.config.set({"distributed-ucxx": DERIVED}):
        Options.read()
    assert "distributed-ucxx.infiniband: not used, since this machine has no such device" in caplog.text


def test_infiniband_that_a_user_wrote_is_an_order(monkeypatch):
    monkeypatch.setattr(devices, "of_rdma", list)
    for setting in (
        {"ucxx": DERIVED}, {"distributed-ucxx": DERIVED, "ucxx.infiniband": True},
        {"distributed-ucxx": {"tcp": True, "infiniband": True}},
        {"distributed-ucxx": {**DERIVED, "nvlink": True}},
        {"distributed-ucxx": {**DERIVED, "tcp": False}},
    ):  # fmt: skip
        with dask.config.set(setting), pytest.raises(ValueError, match="asks for infiniband"):
            Options.read().transports()
    monkeypatch.setenv("DASK_DISTRIBUTED_UCXX__INFINIBAND", "True")
    with dask.config.set({"distributed-ucxx": DERIVED}), pytest.raises(ValueError, match="infiniband"):
        Options.read().transports()


def test_keys_of_the_established_file_are_known():
    file = {"tcp": None, "nvlink": None, "infiniband": None, "rdmacm": None, "cuda-copy": None,
            "create-cuda-context": None, "net-devices": None, "environment": {}, "multi-buffer": False,
            "reuse-endpoints": None, "rmm": {"pool-size": None}, "version": "0.46"}  # fmt: skip
    with dask.config.set({"distributed-ucxx": file}):
        assert Options.read().settings() == {}


LISTEN = '''
import asyncio, logging
logging.basicConfig()
{first}
import dask
from distributed.comm.core import listen

async def main():
    with dask.config.set({{"ucxx.environment": {{"log-level": "info", "log-file": {file!r}}}}}):
        async with listen("ucx://127.0.0.1", print):
            print("listens")

asyncio.run(main())
'''


def test_settings_of_the_core_are_there_before_ucx(run_python, tmp_path):
    file = tmp_path / "ucx.log"
    status, said = run_python(LISTEN.format(first="", file=str(file)), UCXX_LOCAL="off")
    assert status == 0 and "listens" in said, said
    assert "effect" not in said
    assert file.exists()  # UCX opens it while it is loaded


def test_settings_of_the_core_that_come_too_late_are_named(run_python, tmp_path):
    file = tmp_path / "ucx.log"
    status, said = run_python(LISTEN.format(first="import ucxx.core", file=str(file)))
    assert status == 0 and "listens" in said, said
    assert f"UCX_LOG_FILE={file} of Dask's configuration has no effect: UCX was loaded before" in said
    assert not file.exists()


def test_every_option_is_in_the_documentation(root):
    assert options.table() in (root / "docs/how-to/dask.md").read_text()
    assert all(field.metadata["text"] for field in dataclasses.fields(Options))


@pytest.mark.parametrize(("tcp", "patience"), [("30s", "30"), ("90 ms", "1"), (45, "45"), ("1h", "600")])
def test_a_network_may_be_silent_as_long_as_with_tcp(caplog, tcp, patience):
    async def main():
        with caplog.at_level("DEBUG", "distributed.comm.ucxx"):
            config.start()
        assert f"'UCXX_PATIENCE': '{patience}'" in caplog.text

    with dask.config.set({"distributed.comm.timeouts.tcp": tcp}):
        asyncio.run(main())
    ucxx.reset()


def test_a_patience_that_is_given_stays(run_python):
    code = ("import logging; logging.basicConfig(level='DEBUG')\n"
            "import distributed; logging.getLogger('distributed').setLevel('DEBUG')\n"
            "from ucxx.dask import config; config.start()")
    status, said = run_python(code, UCXX_PATIENCE="7")
    assert status == 0, said
    assert "ucxx starts with" in said and "PATIENCE" not in said
    status, said = run_python(code, DASK_UCXX__ENVIRONMENT="{'ucxx-patience': 8}")
    assert "'UCXX_PATIENCE': '8'" in said


@pytest.mark.parametrize(("ports", "expected"), [
    ("9000:9100", "9050-9100"), ("9000:9003", "9002-9003"),
    ([9001, 9003, 9005, 9007], "9005-9007"),  # of the second worker of two
    (range(9000, 9010), "9005-9009"), ({9003, 9002, 9001, 9000}, "9002-9003"),
    (None, ""), (0, ""), (9000, ""), ("9000", ""), ("9000:9002", ""), ([9000, 9001, 9002, 9900], ""),
])  # fmt: skip
def test_ucx_takes_ports_of_the_range_of_dask(ports, expected):
    assert config.range_of(ports) == expected


def test_a_range_for_ucx_that_is_given_stays(monkeypatch):
    with dask.config.set({"ucxx.environment": {"tcp-port-range": "9500-9600"}}):
        config.start("127.0.0.1", "9000:9100")
    assert ucxx.get_config()["TCP_PORT_RANGE"] == "9500-9600"
    ucxx.reset()
    monkeypatch.setenv("UCX_TCP_PORT_RANGE", "9700-9800")
    config.start("127.0.0.1", "9000:9100")
    assert "TCP_PORT_RANGE" not in ucxx.get_config()


def test_a_range_without_a_free_port_is_named():
    async def main():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            mapping = {"ucxx-local": "off", "tls": "tcp", "net-devices": "lo", "tcp-port-range": f"{port}-{port}"}
            with dask.config.set({"ucxx.environment": mapping}):
                with pytest.raises(OSError, match=f"UCX_TCP_PORT_RANGE.*{port}") as caught:
                    await listen("ucx://127.0.0.1", comms.echo)
            assert caught.value.errno == errno.EADDRNOTAVAIL

    asyncio.run(main())
