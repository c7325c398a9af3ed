# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Where a worker is, as far as that decides how fast others reach it.

The plan of a cluster puts it into the environment of the worker's process (`environment`), the worker adds its machine and
tells it to the scheduler (`here`), which believes nothing of it that it has not checked (`read`).
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import os
import reprlib
from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

from ucxx.dask.learning.kinds import DEVICE

if TYPE_CHECKING:
    from ucxx.dask.clusters.plan import Plan, PlannedWorker
    from ucxx.topology.priors import Prior

VARIABLE = "UCXX_DASK_PLACE"

_MOST_GPUS = 64
_MOST_LETTERS = 80
_MOST_GB_PER_S, _MOST_US = 1e5, 1e7


#: A machine, the index of a GPU, and the name of a card.
Group = tuple[str, "int | None", "str | None"]


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a worker is.

    Args:
        machine: what processes have in common that reach each other by shared memory: the start of the system and its network
            namespace, so two containers of a machine may be two. Empty: it is not known, and `host` decides.
        host: of the worker's address.
        gpu: the index of its GPU.
        links: what is believed of the way to each GPU of the machine: its name, 1e9 bytes a second, microseconds.
        card: name, kind and 1e9 bytes a second of its network card.
    """

    machine: str
    host: str
    gpu: int | None = None
    links: tuple[tuple[int, tuple[str, float, float]], ...] = ()
    card: tuple[str, str, float | None] | None = None

    @functools.cached_property
    def group(self) -> Group:
        """What all workers share of which the same is believed."""
        return (self.machine or f"host {self.host}", self.gpu, self.card and self.card[0])


def environment(planned: Plan, worker: PlannedWorker) -> dict[str, str]:
    """Return what the process of a planned worker needs in its environment; an empty text where there is nothing to tell."""
    place = worker.place
    told: dict[str, Any] = {}
    if place.gpu is not None:
        told["gpu"] = place.gpu.index
        told["links"] = {
            other.place.gpu.index: _told(planned.prior(worker.name, other.name, on_gpus=True))
            for other in planned.workers
            if other.place.gpu is not None
        }
    if place.card is not None:
        told["card"] = [place.card.ucx_name, place.card.kind, place.card.gb_per_s]
    return {VARIABLE: json.dumps(told, separators=(",", ":")) if told else ""}


def _told(prior: Prior) -> list[Any]:
    return [prior.link, prior.gb_per_s, prior.latency_us]


_planned: dict[str, Any] = {}


def keep(environ: MutableMapping[str, str] = os.environ) -> None:
    """Keep what the plan says of this process, and take it out of the environment: it is of this process alone.

    Raises:
        ValueError: somebody else has written it.
    """
    if text := environ.pop(VARIABLE, ""):
        try:
            _planned.update(json.loads(text).items())
        except (AttributeError, ValueError) as error:
            raise ValueError(f"{VARIABLE} must be a mapping in JSON, not {text!r:.100}") from error


def here() -> dict[str, Any]:
    """Return the place of this process as the heartbeat tells it."""
    return {**_planned, "machine": _machine()}


def _machine() -> str:
    """Return what two processes have in common that reach each other by shared memory, empty where it cannot be told."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return f"{file.read().strip()}-{os.stat('/proc/self/ns/net').st_ino}"
    except OSError:
        return ""


def read(told: object, host: str) -> Place:
    """Return the place that a worker tells.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(told, Mapping):
        raise ValueError(f"a place is a mapping, not {type(told).__name__}")
    links = told.get("links", {})
    if not isinstance(links, Mapping) or len(links) > _MOST_GPUS:
        raise ValueError("the links of a place are a mapping of at most 64 GPUs")
    return Place(
        _text(told.get("machine", "")), host, _gpu(told.get("gpu")),
        tuple((_index(gpu), _link(link)) for gpu, link in links.items()), _card(told.get("card")),
    )  # fmt: skip


def shown(value: object) -> str:
    """Return what an error shows of a value that may be anything, however large or deep."""
    return reprlib.repr(value)[:100]


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _MOST_LETTERS or not value.isprintable():
        raise ValueError(f"no name of at most {_MOST_LETTERS} letters: {shown(value)}")
    return value


def _number(value: object, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most or not math.isfinite(value):
        raise ValueError(f"no number above 0 and up to {most:g}: {shown(value)}")
    return float(value)


def _gpu(value: object) -> int | None:
    return None if value is None else _index(value)


def _index(value: object) -> int:
    text = str(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise ValueError(f"no index of a GPU: {shown(value)}")
    return int(text)


def _link(value: object) -> tuple[str, float, float]:
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise ValueError(f"a link has a name, a bandwidth and a latency, not {shown(value)}")
    return (_text(value[0]), _number(value[1], _MOST_GB_PER_S), _number(value[2], _MOST_US))


def _card(value: object) -> tuple[str, str, float | None] | None:
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise ValueError(f"a card has a name, a kind and a bandwidth, not {shown(value)}")
    return (_text(value[0]), _text(value[1]), None if value[2] is None else _number(value[2], _MOST_GB_PER_S))


def is_one_machine(one: Place, other: Place) -> bool:
    """Tell whether two places are on one machine; of those that have not told yet the host decides."""
    if one.machine and other.machine:
        return one.machine == other.machine
    return one.host == other.host


def prior(one: Place, other: Place, kind: str) -> Prior:
    """Return what is believed of the way between two places until something is measured."""
    from ucxx.topology import priors

    if not is_one_machine(one, other):
        return priors.between_machines(_as_card(one.card), _as_card(other.card))
    if kind != DEVICE or (one.gpu is None and other.gpu is None):
        return priors.inside()
    if one.gpu is None or other.gpu is None:
        return priors.staged()
    link = dict(one.links).get(other.gpu) or dict(other.links).get(one.gpu)
    if link is None:
        return priors.staged()
    return priors.Prior(link[1], link[2], link[0], link[0])


def _as_card(card: tuple[str, str, float | None] | None) -> Any:
    from ucxx.topology.machine import Card

    return None if card is None else Card(card[0], kind=card[1], gb_per_s=card[2])
