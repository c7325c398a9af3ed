# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What each PE runs: `python -m ucxx.benchmarks.shmem.program MODULE MS REPEATS FIGURE:BYTES...`.

PE 0 prints a line of JSON for each figure: the nanoseconds of a call, of each run.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks.shmem.figures import Wanted
from ucxx.benchmarks.shmem.timing import TooFewError, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ucxx.benchmarks.shmem.timing import Model


def _model(module: str, largest: int) -> Model:
    where = {"mpi4py": "over_mpi", "numba": "over_numba"}.get(module, "over_shmem")
    found: Any = importlib.import_module(f"{__package__}.{where}")
    model: Model = found.Model(module, largest)
    return model


def main(module: str, ms: float, repeats: int, wanted: Sequence[Wanted]) -> None:
    """Measure figures; those that the module does not have are left out."""
    try:
        model = _model(module, max(one.size for one in wanted))
    except TooFewError as error:
        sys.exit(f"{module}: {error}")
    for figure in wanted:
        if figure.name not in model.statements:
            continue
        values = measure(model, figure.name, figure.size, ms * 1e6, repeats)
        if model.me == 0:
            line = {"figure": figure.name, "bytes": figure.size, "ns": values}
            print(json.dumps(line), flush=True)
    model.close()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), [*map(Wanted.read, sys.argv[4:])])
