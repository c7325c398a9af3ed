# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A cluster on this machine whose workers are where they belong."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import logging
from collections.abc import Generator, Iterator
from typing import Any

from distributed import LocalCluster, Nanny, Worker
from distributed.core import Status
from distributed.worker_memory import parse_memory_limit

from ucxx.dask.clusters import plugins
from ucxx.dask.clusters.arguments import class_of, level_of, require_known, root_of
from ucxx.dask.clusters.initialize import start_with
from ucxx.dask.clusters.configuration import configuration
from ucxx.dask.clusters.missing import without_what_is_not_here
from ucxx.dask.clusters.plan import Plan, PlannedWorker
from ucxx.dask.clusters.planning import plan
from ucxx.dask.clusters.settings import Settings, described
from ucxx.dask.clusters.spec import options_of
from ucxx.dask.learning.plugin import LearnBandwidths

logger = logging.getLogger("distributed.deploy.ucxx")


class DryRun:
    """What a cluster with `dry_run=True` is: its plan. Nothing was started, so there is nothing to close."""

    status = Status.closed

    def __init__(self, planned: Plan) -> None:
        """Keep the plan."""
        self.plan = planned

    def close(self, timeout: float | None = None) -> DryRun:
        """Do nothing; may be awaited, as that of an asynchronous cluster."""
        del timeout
        return self

    def __await__(self) -> Generator[Any, None, DryRun]:
        """Return at once."""
        return self
        yield  # so this is a generator

    def __enter__(self) -> DryRun:
        """Return it."""
        return self

    def __exit__(self, *error: object) -> None:
        """Do nothing."""

    async def __aenter__(self) -> DryRun:
        """Return it."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Do nothing."""

    def __repr__(self) -> str:
        """Return the plan."""
        return repr(self.plan)


class LocalUCXCluster(LocalCluster):
    """A `LocalCluster` over ucx:// that pins its workers, and gives each the nearest card.

    `print(cluster.plan)` shows which worker has which CPUs, GPU, card and transports, and why.
    """

    def __new__(cls, *arguments: Any, **given: Any) -> Any:
        """Return a `DryRun`, with the plan alone, where `dry_run=True`."""
        settings, _ = cls._split(*arguments, **given)
        return DryRun(plan(settings)) if settings.dry_run else super().__new__(cls)

    def __init__(self, *arguments: Any, **given: Any) -> None:
        """Plan, and start scheduler and workers; with `asynchronous=True` they start when it is awaited."""
        self._settings, options = self._split(*arguments, **given)
        self._configured = configuration(self._settings)
        self._planned = plan(self._settings, self._configured)
        plugins.require(self._settings)
        self._more: dict[Any, PlannedWorker] = {}
        cls = class_of(options.pop("worker_class", None))
        self._nanny = cls if cls is not None and issubclass(cls, Nanny) else Nanny
        self._worker = {"worker_class": cls} if cls not in (None, self._nanny) else {}
        first, n_workers = self._planned.workers[0], len(self._planned)
        options.setdefault("memory_limit", parse_memory_limit("auto", 1, n_workers, logger=logger))
        if self._settings.learn_bandwidths and self._settings.is_ucx:
            scheduler = dict(options.get("scheduler_kwargs") or {})
            options["scheduler_kwargs"] = {**scheduler, "plugins": [*(scheduler.get("plugins") or ()), LearnBandwidths()]}
        super().__init__(
            n_workers=0 if self._settings.n_workers == 0 else n_workers, threads_per_worker=first.nthreads,
            protocol=self._settings.scheme, interface=first.interface, worker_class=self._nanny, **options,
        )  # fmt: skip

    @classmethod
    def _split(cls, *arguments: Any, **given: Any) -> tuple[Settings, dict[str, Any]]:
        """Return the settings among the arguments, and what goes to `LocalCluster`."""
        if arguments:
            raise TypeError(f"{cls.__name__} takes its arguments by name, as n_workers=4, not {arguments[0]!r}")
        if given.get("processes") is False:
            raise ValueError(f"{cls.__name__} pins processes, so there is no processes=False; use LocalCluster")
        if "silence_logs" in given:
            given["silence_logs"] = level_of(given["silence_logs"])
        settings, options = Settings.split(without_what_is_not_here(cls.__name__, given))
        require_known(cls.__name__, options, LocalCluster, Nanny, Worker, class_of(options.get("worker_class")))
        return settings, options

    @property
    def plan(self) -> Plan:
        """Return the workers that the cluster has or is about to have, as a table; it is the set of their names."""
        if self.status == Status.created:  # its specification has no names of workers yet
            return self._planned
        return Plan(self._planned.machine, [self._row(name) for name in self.worker_spec])

    def _row(self, name: Any) -> PlannedWorker:
        return self._planned[name] if name in self._planned else self._more[name]

    def new_worker_spec(self) -> dict[Any, dict[str, Any]]:
        """Return name and specification of the next worker: the first planned one that is not there, or one more."""
        places = [*self._planned, *self._more]
        name = next((name for name in places if name not in self.worker_spec), None)
        if name is None:
            more = self._one_more(len(places))
            name = more.name if more.name not in places else next(n for n in itertools.count(len(places)) if n not in places)
            if any(not more.place.cpus.isdisjoint(self._row(other).place.cpus) for other in self.worker_spec):
                logger.warning("Worker %s shares CPUs with others: the plan was for %s workers", name, len(self._planned))
            self._more[name] = dataclasses.replace(more, name=name)
        given = {**self.new_spec["options"], **self._worker}
        known = Plan(self._planned.machine, [*self._planned.workers, *self._more.values()])
        return {name: {"cls": self._nanny, "options": options_of(known, name, self._settings, self._configured, given)}}

    def _one_more(self, number: int) -> PlannedWorker:
        """Return the place that a larger plan has for one more worker; with lists of places that of another worker."""
        settings = self._settings
        if settings.worker_options is None and not isinstance(settings.cpu_affinity, (list, tuple)):
            larger = plan(dataclasses.replace(settings, n_workers=number + 1), self._configured, self._planned.machine)
            return larger.workers[number]
        like = self._planned.workers[number % len(self._planned)]
        return dataclasses.replace(like, why=f"{like.why}; has the place of worker {like.name}")

    async def _start(self) -> None:
        if self.status == Status.created:
            self._name_workers()
            start_with(self._settings, self._configured, self.scheduler_spec["options"])
        with self._cause_told():
            await super()._start()

    def _name_workers(self) -> None:
        """Give each worker the name and specification of the plan: until now they have numbers, and one for all."""
        wanted: int = len(self.worker_spec)
        self.worker_spec: dict[Any, dict[str, Any]] = {}
        while len(self.worker_spec) < wanted:
            self.worker_spec.update(self.new_worker_spec())

    async def _correct_state_internal(self) -> None:
        with self._cause_told():
            await super()._correct_state_internal()

    @contextlib.contextmanager
    def _cause_told(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as error:
            raise RuntimeError(f"{type(self).__name__} failed to start: {root_of(error)}") from error


LocalUCXCluster.__doc__ = f"""{LocalUCXCluster.__doc__}
    Other arguments are those of `LocalCluster`, `Nanny` and `Worker`.

    Args:
{described()}

    Raises:
        ValueError: the machine has not what is asked for; nothing was started.
        TypeError: an argument has a wrong type, or another protocol has flags of UCX.
"""
