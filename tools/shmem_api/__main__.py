# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Write what lists OpenSHMEM's functions, headers, page and Python's table, from one table.

usage: python3 tools/shmem_api --write | --check | --symbols
"""

import argparse
import pathlib
import sys

from generics import write_generics
from headers import write_functions
from overloads import write_overloads
from page import write_page
from pointers import write_pointers
from table import all_functions

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = {
    "include/ucxx_shmem/functions.h": write_functions,
    "include/ucxx_shmem/pfunctions.h": lambda: write_functions("p"),
    "include/ucxx_shmem/generics.h": write_generics,
    "include/ucxx_shmem/overloads.h": write_overloads,
    "docs/reference/shmem_functions.md": write_page,
    "python/ucxx/_shmem_adapters/c_table.py": write_pointers,
}


def write():
    """Write all files."""
    for name, text in FILES.items():
        (ROOT / name).write_text(text())
    return 0


def check():
    """Name the files that differ from what would be written; return the exit status."""
    wrong = [name for name, text in FILES.items()
             if not (ROOT / name).is_file() or (ROOT / name).read_text() != text()]
    for name in wrong:
        print(f"{name}: not as tools/shmem_api would write it: run python3 tools/shmem_api --write")
    return 1 if wrong else 0


def symbols():
    """Print the names of all C functions."""
    names = [function.name for function in all_functions()]
    print("\n".join([*names, *(f"p{name}" for name in names)]))
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="shmem_api", description=__doc__.split("\n", maxsplit=1)[0])
    action = parser.add_mutually_exclusive_group(required=True)
    for do in (write, check, symbols):
        action.add_argument(f"--{do.__name__}", action="store_const", dest="do", const=do,
                            help=do.__doc__)
    sys.exit(parser.parse_args().do())
