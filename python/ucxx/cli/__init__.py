# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The commands of `python -m ucxx`, a file for each.

They need click and rich, which are installed along; nothing else of the package imports them.
"""

import importlib
import sys
from typing import Any

#: Of every command: click keeps what the first use of one says, be it by the root or not.
SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


def run(module: str, name: str) -> None:
    """Run the click command `command` of a module under a name, and exit.

    Exits with status 2 and one line when click or rich is not installed.
    """
    try:
        import click  # noqa: F401
        import rich  # noqa: F401
    except ImportError as error:
        print(f"{name} needs click and rich ({error}): pip install click rich", file=sys.stderr)
        sys.exit(2)
    importlib.import_module(module).command(prog_name=name)
