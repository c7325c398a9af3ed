# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Writes functions.h and pfunctions.h: the prototypes."""

import re
import textwrap

from table import COMPLEX, GROUPS, all_functions, functions

WIDTH = 100
BEGINNING = """\
// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// {}
// Written by tools/shmem_api: change its table and run `python3 tools/shmem_api --write`.
// clang-format off
#pragma once

"""


def beginning(purpose):
    """The first lines of a header that we write."""
    return BEGINNING.format(purpose)


def argument(parameter):
    """The name of a parameter."""
    return parameter.split()[-1]


def wrapped(text, width=WIDTH):
    """Break a line behind commas."""
    glued = re.sub(r"(?<!,) ", "\0", text)
    return textwrap.fill(glued, width, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False).replace("\0", " ")


def macro(lines):
    """A definition of several lines, or of one if they fit."""
    one = " ".join(lines)
    if len(one) <= WIDTH:
        return one
    parts = [part for line in lines for part in wrapped(line, WIDTH - 6).split("\n")]
    return " \\\n    ".join(parts)


def prototypes(row, prefix):
    """Yield the prototypes of one row, those that need complex numbers last."""
    listed = [(function.type in COMPLEX, wrapped(f"{function._replace(name=prefix + function.name)};"))
              for function in functions(row)]
    yield from (line for is_complex, line in listed if not is_complex)
    if any(is_complex for is_complex, _ in listed):
        yield "#ifdef UCXX_SHMEM_COMPLEX"
        yield from (line for is_complex, line in listed if is_complex)
        yield "#endif"


def write_functions(prefix=""):
    """The header with all C functions, each name with the prefix."""
    purpose = "The functions of OpenSHMEM 1.6" + (
        ", by the names that a tool calls when it replaces the others." if prefix else ".")
    lines = ["#include <ucxx_shmem/types.h>", "", "#ifdef __cplusplus", 'extern "C" {', "#endif",
             "#pragma GCC visibility push(default)", ""]
    for group in GROUPS:
        lines += [f"// {group.title} ({len(all_functions([group]))})"]
        lines += [line for row in group.rows for line in prototypes(row, prefix)]
        lines.append("")
    lines += ["#pragma GCC visibility pop", "#ifdef __cplusplus", "}", "#endif", ""]
    return beginning(purpose) + "\n".join(lines)
