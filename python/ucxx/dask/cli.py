# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The command `dask ucx worker`, which is `dask-ucx-worker` and `python -m ucxx.dask.cli worker` as well."""

from __future__ import annotations

import atexit
import os
import pathlib
from typing import Any

import click
import dask

from ucxx.dask.clusters import flags


@click.group(name="ucx", context_settings={"help_option_names": ["-h", "--help"]})
def ucx() -> None:
    """Workers of Dask over ucx:// that know their machine."""


def _worker(scheduler: str | None, preload_argv: tuple[str, ...], dry_run: bool, **given: Any) -> None:
    """Start the workers of this machine for a scheduler.

    They are placed by the machine: a worker for each GPU, or NUMA node, or core, pinned to its CPUs, with the nearest
    network card. --dry-run shows the plan. SCHEDULER is an address as ucx://10.0.0.1:8786; without it,
    --scheduler-file or Dask's configuration has it.
    """
    # Loads distributed, which `dask --help` need not wait for.
    from ucxx.dask.clusters import nannies, plugins
    from ucxx.dask.clusters.planning import plan
    from ucxx.dask.clusters.settings import Settings

    if scheduler is not None and "://" not in scheduler:
        scheduler = f"{given['protocol'] or 'ucx'}://{scheduler}"
    if given["protocol"] is None and scheduler is not None:
        given["protocol"] = scheduler.partition("://")[0]
    settings, options = _checked(Settings.split, {**given, "dry_run": dry_run})
    planned = nannies.named(_checked(plan, settings), options["name"])
    _checked(plugins.require, settings)
    _check_addresses(options, settings.interface, len(planned))
    options = _checked(_converted, {**options, "preload_argv": list(preload_argv)})
    for flag in ("worker_port", "nanny_port"):
        _checked(nannies.ports_of, options[flag], len(planned), f"--{flag.replace('_', '-')}")
    if dry_run:
        click.echo(planned)
        return
    if scheduler is None and options["scheduler_file"] is None and dask.config.get("scheduler-address", None) is None:
        raise click.UsageError("no scheduler: give its address, as ucx://10.0.0.1:8786, or --scheduler-file")
    _checked(_run, scheduler, planned, settings, {**options, "protocol": settings.protocol})


def _checked(call: Any, *arguments: Any) -> Any:
    """Call something; what it refuses is said in one line."""
    try:
        return call(*arguments)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error


def _check_addresses(options: dict[str, Any], interface: str | None, n_workers: int) -> None:
    if not options.pop("nanny"):
        raise click.UsageError("--no-nanny: a worker that is pinned has a nanny; use `dask worker --no-nanny`")
    if options["host"] and interface:
        raise click.UsageError("--host and --interface exclude each other")
    if options["listen_address"] and (options["host"] or interface or options["worker_port"]):
        raise click.UsageError("--listen-address excludes --host, --interface and --worker-port")
    if options["contact_address"] and not options["listen_address"]:
        raise click.UsageError("--contact-address needs --listen-address")
    if options["listen_address"] and n_workers > 1:
        raise click.UsageError(f"--listen-address is of one worker, and there are {n_workers}; use --host and --worker-port")


def _converted(options: dict[str, Any]) -> dict[str, Any]:
    """Return options of the command as `Nanny` takes them."""
    from distributed.security import Security

    from ucxx.dask.clusters import arguments

    tls = {name: options.pop(f"tls_{name}") for name in ("ca_file", "cert", "key")}
    if any(tls.values()):
        options["security"] = Security(tls_ca_file=tls["ca_file"], tls_worker_cert=tls["cert"], tls_worker_key=tls["key"])
    options["worker_class"] = arguments.class_of(options["worker_class"])
    options["resources"] = _resources(options["resources"])
    for name in ("preload", "preload_nanny"):
        options[name] = list(options[name]) or None
    if listen_address := options.pop("listen_address"):
        options["host"], options["worker_port"] = _host_and_port(listen_address)
        options["contact_address"] = options["contact_address"] or listen_address
        _host_and_port(options["contact_address"])  # checks it
    return options


def _run(scheduler: str | None, planned: Any, settings: Any, options: dict[str, Any]) -> None:
    """Start the workers, and stay until they end."""
    from ucxx.dask.clusters import arguments, nannies

    _write_pid(options.pop("pid_file"))
    os.environ.setdefault("RAPIDS_NO_INITIALIZE", "True")  # cuDF's import would take GPU 0 in each worker
    with dask.config.set({"distributed.worker.multiprocessing-method": options.pop("multiprocessing_method")}):
        try:
            nannies.run(scheduler, planned, settings, options)
        except RuntimeError as error:  # Dask has logged where
            texts = dict.fromkeys([str(error), str(arguments.root_of(error))])
            raise click.ClickException(" ".join(texts)) from error


def _host_and_port(address: str) -> tuple[str, str]:
    from distributed.comm.addressing import get_address_host_port

    host, port = get_address_host_port(address, strict=True)
    return f"[{host}]" if ":" in host else host, f"{port}"


def _resources(text: str) -> dict[str, float] | None:
    found = {}
    for pair in text.replace(",", " ").split():
        name, equals, amount = pair.partition("=")
        try:
            found[name] = float(amount)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise ValueError(f"--resources has {pair!r}, which is no name and number, as GPU=2")
    return found or None


def _write_pid(path: pathlib.Path | None) -> None:
    if path is not None:
        path.write_text(f"{os.getpid()}")
        atexit.register(path.unlink, missing_ok=True)


def _argv(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse words that no preload takes, as `dask worker` does."""
    if value:
        from distributed.preloading import validate_preload_argv

        validate_preload_argv(context, parameter, value)
    return value


worker = click.Command(
    "worker",
    callback=_worker,
    params=[
        click.Argument(["scheduler"], required=False),
        click.Argument(["preload_argv"], nargs=-1, type=click.UNPROCESSED, callback=_argv),
        *flags.of_settings(),
        *flags.of_dask(),
        *flags.of_what_is_missing(),
    ],
    help=_worker.__doc__,
    context_settings={"help_option_names": ["-h", "--help"]},
)
ucx.add_command(worker)

if __name__ == "__main__":
    ucx()
