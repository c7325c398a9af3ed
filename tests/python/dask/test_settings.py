# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a user may say of a cluster: one list for Python, the command and the page; what is refused."""

import dataclasses

import click
import dask
import pytest
from distributed import LocalCluster

import ucxx.dask
from ucxx.dask.clusters import flags, plugins, settings
from ucxx.dask.clusters.initialize import initialize
from ucxx.dask.clusters.settings import Settings
from ucxx.dask.options import Options

FIELDS = dataclasses.fields(Settings)


def test_arguments_that_are_no_settings_are_handed_on():
    given, more = Settings.split({"placement": "core", "memory_limit": "1GB", "n_workers": 2, "name": "x"})
    assert (given.placement, given.n_workers) == ("core", 2)
    assert more == {"memory_limit": "1GB", "name": "x"}


@pytest.mark.parametrize(("given", "error", "what"), [
    ({"placement": "socket"}, ValueError, "placement must be auto, gpu, numa, core, not 'socket'"),
    ({"placement": None}, ValueError, "placement must be .*, not None"),
    ({"memory_binding": "interleave"}, ValueError, "memory_binding must be bind, preferred, not 'interleave'"),
    ({"n_workers": -1}, ValueError, "n_workers must be a number, at least 0, not -1"),
    ({"n_workers": 2.0}, ValueError, "n_workers must be a number, at least 0, not 2.0"),
    ({"n_workers": True}, ValueError, "n_workers must be a number, at least 0, not True"),
    ({"threads_per_worker": "2"}, ValueError, "threads_per_worker must be a number, at least 1, not '2'"),
    ({"cpu_affinity": "0-3"}, ValueError, r"a list with the CPUs of each worker, as \['0-3', '4-7'\], not '0-3'"),
    ({"cpu_affinity": 5}, TypeError, "cpu_affinity must be auto, None, a list, a function, not 5"),
    ({"ucx_net_devices": 5}, TypeError, "ucx_net_devices must be auto, names, a function, not 5"),
    ({"protocol": 5}, TypeError, "protocol must be ucx, tcp, .*, not 5"),
    ({"interface": ["ib0"]}, TypeError, r"interface must be auto, a name, a pattern, not \['ib0'\]"),
    ({"interface": ""}, TypeError, "interface must be auto, a name, a pattern, not ''"),
    ({"topology": 5}, TypeError, "topology must be a file, a `Machine`, not 5"),
    ({"CUDA_VISIBLE_DEVICES": 1.5}, TypeError, "CUDA_VISIBLE_DEVICES must be 0,2 or UUIDs, not 1.5"),
    ({"dry_run": "False"}, TypeError, "dry_run must be True, False, not 'False'"),
    ({"rmm_pool_size": "x"}, ValueError, "rmm_pool_size must be bytes, a text as '10GB', .*, not 'x'"),
    ({"rmm_pool_size": -1}, ValueError, "rmm_pool_size must be bytes, .*, not -1"),
    ({"rmm_pool_size": 1.5}, ValueError, "rmm_pool_size must be bytes, .*, not 1.5"),
    ({"worker_options": {}}, TypeError, "worker_options must be a list of mappings, one for each worker, not {}"),
    ({"worker_options": []}, TypeError, r"worker_options must be a list of mappings, one for each worker, not \[\]"),
    ({"worker_options": "ab"}, TypeError, "worker_options must be a list of mappings, .*, not 'ab'"),
    ({"worker_options": [None]}, TypeError, r"worker_options must be a list of mappings, .*, not \[None\]"),
    ({"worker_options": [{"nthreads": 0}]}, ValueError, "nthreads of worker_options must be a number, at least 1, not 0"),
])  # fmt: skip
def test_what_is_no_value_is_refused_with_its_name(given, error, what):
    with pytest.raises(error, match=what):
        Settings(**given)


FLAGS = ("enable_tcp_over_ucx", "enable_infiniband", "enable_nvlink", "enable_rdmacm")


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("value", ["yes", 1, 0])
def test_a_flag_is_true_false_or_none(flag, value):
    with pytest.raises(TypeError, match=f"{flag} must be True, False, None, not {value!r}"):
        Settings(**{flag: value})


def test_flags_that_leave_no_transport():
    with pytest.raises(ValueError, match="are all False, which leaves UCX no transport; protocol='tcp' does without UCX"):
        Settings(enable_tcp_over_ucx=False, enable_infiniband=False, enable_nvlink=False)


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("protocol", ["tcp", "tcp://", "tls", "UCX"])
def test_a_flag_with_another_protocol_is_a_type_error(flag, value, protocol):
    more = {"enable_infiniband": True} if flag == "enable_rdmacm" else {}
    with pytest.raises(TypeError, match=f"is a flag of UCX, so protocol must be 'ucx', not '{protocol}'"):
        Settings(**{**more, flag: value, "protocol": protocol})


@pytest.mark.parametrize("protocol", [None, "ucx", "ucxx", "ucx://", "ucxx://"])
def test_a_flag_implies_ucx(protocol):
    assert Settings(enable_nvlink=True, protocol=protocol).scheme in ("ucx", "ucxx")


def test_without_flags_any_protocol_may_be():
    assert Settings(protocol="tcp://").scheme == "tcp"
    assert Settings().scheme == "ucx"


def test_rdmacm_is_of_infiniband():
    assert Settings(enable_rdmacm=True, enable_infiniband=True).flags == {"rdmacm": True, "infiniband": True}
    assert Settings(enable_rdmacm=False).flags == {"rdmacm": False}
    for infiniband in (None, False):
        with pytest.raises(ValueError, match="enable_rdmacm=True needs enable_infiniband=True"):
            Settings(enable_rdmacm=True, enable_infiniband=infiniband)


def test_flags_are_keys_of_the_configuration():
    every = Settings(**dict.fromkeys(FLAGS, True)).flags
    assert every == {"tcp": True, "infiniband": True, "nvlink": True, "rdmacm": True}
    assert set(every) <= {field.name for field in dataclasses.fields(Options)}
    assert Settings().flags == {}


@pytest.mark.parametrize(("given", "what"), [
    ({"rmm_async": True, "rmm_managed_memory": True}, "rmm_async and rmm_managed_memory exclude each other"),
    ({"rmm_maximum_pool_size": "2GB"}, "rmm_maximum_pool_size needs rmm_pool_size"),
    ({"rmm_release_threshold": "2GB"}, "rmm_release_threshold needs rmm_async=True"),
])  # fmt: skip
def test_settings_of_rmm_that_do_not_fit(given, what):
    with pytest.raises(ValueError, match=what):
        Settings(**given)


def test_rmm_that_is_not_installed_is_named():
    with pytest.raises(ValueError, match="RMM, which is not installed: pip install rmm"):
        plugins.require(Settings(rmm_pool_size="1GB"))


def test_the_table_has_every_setting():
    lines = settings.table().splitlines()
    assert len(lines) == 2 + len(FIELDS)
    for field, line in zip(FIELDS, lines[2:], strict=True):
        assert line.startswith(f"| `{field.name}` |")
        assert all(f"`{flag}`" in line for flag in field.metadata["flags"])
        assert line.count("|") == 5, "a bar in a text would be a column"
        assert field.metadata["values"] and field.metadata["text"]


def test_the_page_has_the_table(root):
    assert settings.table() in (root / "docs/how-to/dask_machines.md").read_text()


def test_the_docstring_has_every_setting():
    text = ucxx.dask.LocalUCXCluster.__doc__
    assert all(f"{field.name}: {field.metadata['text']}" in text for field in FIELDS)


def test_every_flag_of_the_command_is_there_once():
    options = [*flags.of_settings(), *flags.of_dask()]
    names = [name for option in options for name in (*option.opts, *option.secondary_opts)]
    assert sorted(names) == sorted(set(names))
    assert len({option.name for option in options}) == len(options)
    wanted = {name for field in FIELDS for flag in field.metadata["flags"] for name in flag.split("/")}
    assert wanted <= set(names)
    assert all(option.help for option in options)


def test_the_command_has_the_defaults_of_python():
    context = click.Context(click.Command("worker"))
    for option in flags.of_settings():
        assert option.get_default(context) == getattr(Settings(), option.name), option.name


@pytest.mark.parametrize("name", [
    "enable-tcp-over-ucx", "disable-tcp-over-ucx", "enable-infiniband", "disable-infiniband", "enable-nvlink",
    "disable-nvlink", "enable-rdmacm", "disable-rdmacm", "interface", "host", "worker-port", "nanny-port",
    "listen-address", "contact-address", "nthreads", "protocol", "pre-import", "multiprocessing-method", "memory-limit",
    "rmm-pool-size", "rmm-maximum-pool-size", "rmm-managed-memory", "rmm-async", "rmm-release-threshold",
    "rmm-log-directory", "rmm-track-allocations", "net-devices", "ucx-net-devices", "dry-run", "placement",
    "cpu-affinity", "memory-binding", "topology", "scheduler-file", "resources", "name", "death-timeout", "lifetime",
    "preload", "worker-class", "local-directory", "pid-file", "dashboard-address", "tls-ca-file", "tls-cert", "tls-key",
])  # fmt: skip
def test_flags_that_scripts_have(name):
    options = [*flags.of_settings(), *flags.of_dask()]
    assert any(f"--{name}" in (*option.opts, *option.secondary_opts) for option in options)


def test_names_of_the_package_are_found_where_they_are_at_home():
    for name in ucxx.dask.__all__:
        assert name in dir(ucxx.dask)
        assert getattr(ucxx.dask, name).__module__.startswith(("ucxx.dask.clusters.", "ucxx.dask.learning."))
    assert issubclass(ucxx.dask.DGX, ucxx.dask.LocalCUDACluster)
    assert issubclass(ucxx.dask.LocalUCXCluster, LocalCluster)
    with pytest.raises(AttributeError, match="has no attribute 'LocalUCX'"):
        _ = ucxx.dask.LocalUCX


@pytest.fixture
def configuration():
    """Give back Dask's configuration as it was."""
    with dask.config.set({"ucxx": {}}):
        yield


@pytest.mark.usefixtures("configuration")
def test_initialize_sets_what_ucx_starts_with(monkeypatch):
    monkeypatch.delenv("UCX_TLS", raising=False)
    monkeypatch.delenv("UCX_NET_DEVICES", raising=False)
    initialize(create_cuda_context=False, enable_tcp_over_ucx=True, net_devices="lo", cuda_device_index=0)
    assert Options.read() == Options(tcp=True, net_devices="lo")
    initialize(enable_nvlink=False)  # what was said before stays
    assert Options.read() == Options(tcp=True, nvlink=False, net_devices="lo")


@pytest.mark.usefixtures("configuration")
def test_initialize_that_comes_too_late_says_so(caplog):
    initialize()
    assert not caplog.text
    ucxx.init()
    initialize()
    assert "initialize() comes too late: UCX has started" in caplog.text


@pytest.mark.usefixtures("configuration")
def test_initialize_refuses_flags_that_exclude_each_other():
    with pytest.raises(ValueError, match="enable_rdmacm=True needs"):
        initialize(enable_rdmacm=True)
    assert dask.config.get("ucxx") == {}
