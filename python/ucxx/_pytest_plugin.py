# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What pytest finds of this package: the fixture `peers`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest

from ucxx.testing import Peer, running_peers


@pytest.fixture
def peers() -> Iterator[Callable[..., list[Peer]]]:
    """Return `peers(count, function, *args)`: it starts real processes, and the test's end ends them."""
    with contextlib.ExitStack() as stack:
        yield lambda count, function, *args: stack.enter_context(
            running_peers(count, function, *args)
        )
