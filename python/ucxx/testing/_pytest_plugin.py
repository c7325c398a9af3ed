# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What pytest finds of this package: the fixtures `peers` and `pes`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ucxx.testing import Peer, running_peers
from ucxx.testing._pes import PesPool


@pytest.fixture
def peers() -> Iterator[Callable[..., list[Peer]]]:
    """Return `peers(count, function, *args)`: it starts real processes, and the test's end ends them."""
    with contextlib.ExitStack() as stack:
        yield lambda count, function, *args: stack.enter_context(
            running_peers(count, function, *args)
        )


@pytest.fixture(scope="session")
def _pes_of_session() -> Iterator[PesPool]:
    """Keep PEs from test to test."""
    pool = PesPool()
    yield pool
    pool.end()


@pytest.fixture
def pes(_pes_of_session: PesPool) -> Callable[..., list[Any]]:
    """Return `pes(count, function, *args)`: it calls a function on PEs, and returns what each returns."""
    return _pes_of_session.run
