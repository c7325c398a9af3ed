#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Measure the shape of the core, beside the most that each figure may be (ceilings.py).

usage: tools/ruler BUILD [--list]

BUILD is a folder where the library was configured: it says with which options. --list names all that is
counted, and not only what is too much. Exits with 1 if a figure is above its ceiling.
"""

import argparse
import dataclasses
import pathlib
import re
import sys

import ceilings
import comments
import syntax

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import layers  # noqa: E402

FOLDERS = ["src/core", "src/api", "src/compat"]
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


@dataclasses.dataclass
class Row:
    """One figure, and what it counts."""

    what: str
    now: int
    most: int
    items: list

    @property
    def is_too_much(self):
        """Whether it is above its ceiling."""
        return self.now > self.most


def class_rows(classes):
    """The rows of the classes that are too large, or were."""
    for found in sorted(classes, key=lambda c: (-c.functions - c.fields, c.name)):
        for what, now, most, more in (("functions", found.functions, ceilings.FUNCTIONS, ceilings.FUNCTIONS_OF),
                                      ("fields", found.fields, ceilings.FIELDS, ceilings.FIELDS_OF)):
            if found.name in more or now > most:
                yield Row(f"{found.name}: {what}", now, more.get(found.name, most), [found.file])


def missing_includes(root, tree):
    """Yield (file, header, names) where a file uses what a header declares, and does not include it."""
    included = {}

    def includes(name):
        if name not in included:
            path = root / name
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            included[name] = {f"src/{header}" for header in INCLUDE.findall(text)}
        return included[name]

    for file in sorted({*tree.uses, *tree.named}):
        own = file.removesuffix(".cpp") + ".h"  # a source has what its own header has
        has = includes(file) | includes(own)
        declared = tree.declared[file] | tree.declared[own]
        needed = {header: set(names) for header, names in tree.uses[file].items()}
        for header, names in tree.named[file].items():
            needed.setdefault(header, set()).update(names - declared)
        for header, names in sorted(needed.items()):
            if names and header not in has:
                yield file, header, names


def is_below_links(file):
    """Whether the file is in a room below that of links, or in none."""
    rooms = list(layers.ROOMS)
    room = layers.folder_of(file.removeprefix("src/")).removeprefix("core/")
    return room not in rooms or rooms.index(room) < rooms.index("link")


def measure(root, build):
    """Return all rows."""
    tree = syntax.Reader(root, FOLDERS, syntax.options_of(build)).read()
    paths = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.*"))]
    texts = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    core = {name: text for name, text in texts.items() if name.startswith("src/core/")}
    functions = sorted((f for f in tree.functions if f.file in texts), key=lambda f: f.lines)
    p90 = functions[len(functions) * 9 // 10].lines
    long = [name for name, text in core.items() if text.count("\n") > ceilings.LINES_OF_FILE]
    upward = (root / layers.UPWARD).read_text(encoding="utf-8").splitlines()
    missing = [f"{file}: {header} ({', '.join(sorted(names)[:4])})"
               for file, header, names in missing_includes(root, tree) if file in texts]
    links = [f"{c.file}: {c.name}::{field}" for c in tree.classes for target, field in c.pointers
             if target == "Link" and c.file in core and is_below_links(c.file)]
    leaning = [f"{name}:{c.line}: {c.text}" for name, text in core.items()
               for c in comments.comments(text) if c.goes_on]
    return [
        *class_rows([c for c in tree.classes if c.file in core or c.name in ceilings.FUNCTIONS_OF]),
        Row("lines of a function, 9 of 10", p90, ceilings.P90_OF_FUNCTIONS,
            [f"{f.file}:{f.line}: {f.name} has {f.lines} lines" for f in functions[-10:]]),
        Row(f"files over {ceilings.LINES_OF_FILE} lines", len(long), ceilings.FILES_OVER_IT, long),
        Row("pairs of a file and a room above it", len(upward), ceilings.UPWARD, upward),
        Row("includes that are missing", len(missing), 0, missing),
        Row("addresses of links in lower rooms", len(links), ceilings.ADDRESSES_OF_LINKS, links),
        Row("comments that do not stand alone", len(leaning), ceilings.LEANING_COMMENTS, leaning),
    ]


def main(root):
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(prog="tools/ruler", description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("build", type=pathlib.Path, help="a folder where the library was configured")
    parser.add_argument("--list", action="store_true", help="name all that is counted")
    options = parser.parse_args()
    rows = measure(root, options.build)
    width = max(len(row.what) for row in rows)
    print(f"{'':{width}}    now  at most")
    for row in rows:
        print(f"{row.what:{width}} {row.now:6} {row.most:8}{'  TOO MUCH' if row.is_too_much else ''}")
        for item in row.items if options.list or row.is_too_much else ():
            print(f"    {item}")
    return 1 if any(row.is_too_much for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(ROOT))
