# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Choices by arithmetic of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int32]
    Sweep = Callable[[Integers], None]

_WAYS = 32


def sweep_of(variant: str, length: int, period: int, turn: int) -> Sweep:
    """Return a function that changes the signs of so many elements."""
    index = np.arange(length)
    sweeps: dict[str, Sweep] = {
        "go": _by(index % period < turn),
        "stop": _by_sign,
        "never": _by_index(index, index % period < turn),
        "many": _by_ways(index % _WAYS),
        "never-straight": _straight_by_index(index),
    }
    return sweeps.get(variant, _straight)


def _straight(values: Integers) -> None:
    values -= 2 * values


def _by(is_chosen: NDArray[np.bool_]) -> Sweep:
    def sweep(values: Integers) -> None:
        values[:] = np.where(is_chosen, values - 2 * values, -values)

    return sweep


def _by_sign(values: Integers) -> None:
    values[:] = np.where(values > 0, values - 2 * values, -values)


def _straight_by_index(index: NDArray[Any]) -> Sweep:
    def sweep(values: Integers) -> None:
        values -= 2 * values[index]

    return sweep


def _by_index(index: NDArray[Any], is_chosen: NDArray[np.bool_]) -> Sweep:
    def sweep(values: Integers) -> None:
        values[:] = np.where(is_chosen, values - 2 * values[index], -values[index])

    return sweep


def _by_ways(way: NDArray[Any]) -> Sweep:
    places = [np.flatnonzero(way == one) for one in range(_WAYS)]

    def sweep(values: Integers) -> None:
        for one, some in enumerate(places):
            mixed = values[some] ^ np.int32(one)
            values[some] = -(mixed ^ np.int32(one))

    return sweep
