# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Writes docs/reference/shmem_functions.md: every function, its section of the specification, its test."""

import re

from table import (BEYOND, C_TYPES, COMPLEX, CURRENT, DEPRECATED, GROUPS, SIZES, TABLES, all_functions,
                   functions, generics)

BEGINNING = """\
# Functions of OpenSHMEM 1.6

<!-- Written by tools/shmem_api: change its table and run `python3 tools/shmem_api --write`. -->

All {current} functions of the standard, the {deprecated} that it calls deprecated and still requires, and {beyond} that programs of its
earlier versions, or for other libraries, call besides. Each is in
`libucxx_shmem` a second time with a `p` in front (`pshmem_put64`), for tools that replace the first. What they do says the
specification; the section is the one of its chapter on the library's interface.

| written | means |
|---|---|
| `TYPE` | a name from the table of types that the row names: `shmem_TYPE_put` is `shmem_longdouble_put` for `long double` |
| `SIZE` | {sizes}: bits of an element |
| `{{a,b}}` | both |
| ctx | each name also with a context, its first argument: `shmem_ctx_TYPE_put` |
| generic | from C11 on and in C++ also without `TYPE`, and with the context if there is one: `shmem_put`. Besides, `shmem_signal_add` and `shmem_signal_set` take a context, and `shmem_sync` a team |
| test | the file in `tests/shmem`; what concerns the headers alone is in `tests/shmem/headers_check.py` |
"""

BEYOND_TEXT = """\
Deprecated names, for programs that exist. The generics of the sections above take these types as well: `shmem_fadd` an
`unsigned long*`, `shmem_test_any` a `short*`. The functions of caches do nothing. A `long double` is longer than what a processor
exchanges at once: its `fetch`, `set` and `swap` exclude each other by a lock of the PE that has the variable. Against other calls,
such as a put, they are not atomic.
"""

TYPES = """
## Types

| table | names |
|---|---|
"""


def name_forms(row):
    """The names of the row as patterns."""
    name = re.search(r"(\S+)\(", row.prototype)[1]
    endings = [*(["SIZE"] if "sizes" in row.forms else ()), *(["mem"] if "mem" in row.forms else ())]
    return ", ".join(f"`{one}`" for one in [
        name.replace("<TN>", "TYPE"),
        *(re.sub(r"<TN>_(\{[^}]*\}|[a-z]+)", rf"\g<1>{ending}", name) for ending in endings)])


def line(*cells):
    """One line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def table(groups, with_generic, since):
    """One table of functions."""
    yield line("functions", "number", "types", "also", since, "section", "test")
    yield line(*["---"] * 7)
    for group in groups:
        for row in group.rows:
            also = ", ".join([*(["ctx"] if "ctx" in row.forms else ()),
                              *(["generic"] if row in with_generic else ())])
            version = row.known_from or row.deprecated or row.since or "before 1.4"
            yield line(name_forms(row), len(functions(row)), row.types, also, version, group.section,
                       f"`{group.test}`")
    yield ""


def type_name(name):
    """The name of a type in functions, and the type where the name does not say it."""
    c_type = C_TYPES[name]
    if name in COMPLEX:
        c_type = {"d": "double", "f": "float"}[name[-1]] + " _Complex"
    return f"`{name}`" if c_type in (name, f"{name}_t") else f"`{name}` ({c_type})"


def write_page():
    """The page."""
    with_generic = [row for _, row, _ in generics()]
    used = dict.fromkeys(row.types for group in GROUPS for row in group.rows if row.types)
    lines = [BEGINNING.format(current=len(all_functions(CURRENT)), deprecated=len(all_functions(DEPRECATED)),
                              beyond=len(all_functions(BEYOND)),
                              sizes=", ".join(SIZES)),
             "## Functions\n", *table(CURRENT, with_generic, "since"),
             "## Deprecated\n", *table(DEPRECATED, with_generic, "deprecated since"),
             "## Beyond the standard\n", BEYOND_TEXT, *table(BEYOND, with_generic, "known from"),
             TYPES.strip("\n"), *(line(name, ", ".join(map(type_name, TABLES[name]))) for name in used), ""]
    return "\n".join(lines)
