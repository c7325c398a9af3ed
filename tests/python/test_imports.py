# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Which part of the package imports which: always in one direction."""

import ast
import graphlib
import pathlib

import pytest

import ucxx

PACKAGE = pathlib.Path(ucxx.__file__).resolve().parent  # build folders hold links
ONLY_RUN_A_COMMAND = {"ucxx.benchmarks.send_recv"}  # a name of the established package


def name_of(path):
    return ".".join(("ucxx", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


SOURCES = {name_of(path): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
MODULES = {name for name in SOURCES if name not in ("ucxx", *ONLY_RUN_A_COMMAND)}


def is_for_types(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imports(node, types_too):
    """Yield the names that a module imports, also those within functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            for alias in child.names:
                yield f"{child.module}.{alias.name}"
        elif types_too or not is_for_types(child):
            yield from imports(child, types_too)


def module_of(name):
    """Return the module of the package where a name is at home, or None."""
    if name.startswith("ucxx.") and (home := ucxx._HOMES.get(name.removeprefix("ucxx."), "ucxx")) != "ucxx":
        return home
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or None


def graph(types_too):
    found = {}
    for module in MODULES:
        names = map(module_of, imports(ast.parse(SOURCES[module]), types_too))
        found[module] = {name for name in names if name not in (None, module)}
    return found


def require_one_direction(found):
    try:
        graphlib.TopologicalSorter(found).prepare()
    except graphlib.CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def part_of(module):
    """Return the folder of a module, or the module where it is in none."""
    return ".".join(module.split(".")[:2])


def test_modules_import_in_one_direction():
    require_one_direction(graph(types_too=False))


def test_folders_know_each_other_in_one_direction_by_their_types_too():
    parts = {}
    for module, names in graph(types_too=True).items():
        known = parts.setdefault(part_of(module), set())
        known |= {part_of(name) for name in names} - {part_of(module)}
    assert {"ucxx._process", "ucxx._arguments", "ucxx._shared", "ucxx._asyncio"} <= set(parts)
    require_one_direction(parts)


def test_a_circle_is_found():
    with pytest.raises(pytest.fail.Exception, match="a <- b <- a|b <- a <- b"):
        require_one_direction({"a": {"b"}, "b": {"a"}})


def test_no_private_module_lies_flat():
    entries = {"_lib"}  # a name that programs for RAPIDS UCXX import
    flat = {path.stem for path in PACKAGE.glob("_*.py")} - {"__init__", "__main__"}
    assert flat == entries
