# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The measured figures of docs/data."""

from __future__ import annotations

import functools
import json
import pathlib
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/data"


class Missing(Exception):
    """Figures that were not measured."""


@functools.cache
def load(name: str) -> dict[str, Any]:
    """Return what a file holds. Raises Missing."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        raise Missing(f"there is no docs/data/{name}.json: ./dev figures {name} measures it")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def report(name: str, title: str) -> dict[str, Any]:
    """Return one report of a set, by its title."""
    found: dict[str, Any] = load(name)["reports"][title]["report"]
    return found
