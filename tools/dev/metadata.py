#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Write the metadata of the package into a folder of PYTHONPATH, as if it were installed there.

usage: tools/dev/metadata.py FOLDER

Dask finds ucx:// by entry points, which are read from a `ucxx-VERSION.dist-info` beside the package. All
groups of pyproject.toml but pytest's: tests/python/conftest.py names that plug-in.
"""

import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main(folder):
    """Write it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    numbers = re.findall(r"_(?:MAJOR|MINOR|PATCH) (\d+)", (ROOT / "include/ucxx/version.h").read_text())
    version = ".".join(numbers)
    for old in folder.glob("ucxx-*.dist-info/*"):
        old.unlink()
    info = folder / f"ucxx-{version}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: ucxx\nVersion: {version}\n")
    lines = []
    for group, entries in project["entry-points"].items():
        if group != "pytest11":
            lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
