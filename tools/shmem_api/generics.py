# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Writes generics.h: the type-generic macros of C11."""

from headers import argument, beginning, macro
from table import C_TYPES, COMPLEX, base_types, generic_name, generics, with_context

BEGINNING = """\
#include <ucxx_shmem/functions.h>

// One argument behind the others: what follows decides by their number. 0 is what cannot be called.
#define UCXX_SHMEM_PICK_3(a, b, c, name, ...) name
#define UCXX_SHMEM_PICK_4(a, b, c, d, name, ...) name
#define UCXX_SHMEM_PICK_5(a, b, c, d, e, name, ...) name
#define UCXX_SHMEM_PICK_6(a, b, c, d, e, f, name, ...) name
#define UCXX_SHMEM_PICK_7(a, b, c, d, e, f, g, name, ...) name
#define UCXX_SHMEM_PICK_8(a, b, c, d, e, f, g, h, name, ...) name

// Over C functions of the same names
#define shmem_signal_add(...) \\
    UCXX_SHMEM_PICK_4(__VA_ARGS__, shmem_ctx_signal_add, shmem_signal_add, 0, 0)(__VA_ARGS__)
#define shmem_signal_set(...) \\
    UCXX_SHMEM_PICK_4(__VA_ARGS__, shmem_ctx_signal_set, shmem_signal_set, 0, 0)(__VA_ARGS__)
#define shmem_sync(...) \\
    UCXX_SHMEM_PICK_4(__VA_ARGS__, shmem_sync, 0, 0, shmem_team_sync, 0)(__VA_ARGS__)
"""
# Until version 1.3 waits took volatile variables: such programs compile, with a warning.
ALSO = {"P2P": "volatile "}


def chooser(pattern):
    """The parameter whose type decides, and whether it is const."""
    named = {argument(parameter): parameter for parameter in pattern.parameters}
    name = next(name for name in ("dest", "source", "ivar", "ivars") if name in named)
    return name, named[name].startswith("const ")


def selection(table, is_const):
    """A macro that selects the function by the type of a pointer."""
    also = "const " if is_const else ALSO.get(table)
    cases = [f"{qualifier}{c_type}*: start##{name}##end" for c_type, name in base_types(table)
             if name not in COMPLEX for qualifier in ("", also) if qualifier is not None]
    if table == "RED_NUM":
        cases[-1] += " UCXX_SHMEM_COMPLEX_CASES(start, end)"
    name = selection_name(table, is_const)
    return macro([f"#define {name}(pointer, start, end) _Generic((pointer),",
                  *(f"{case}," for case in cases[:-1]), f"{cases[-1]})"]) + "\n"


def selection_name(table, is_const):
    """The name of the macro that selects."""
    return f"UCXX_SHMEM_{'CONST_' if is_const else ''}{table}"


def complex_cases():
    """What a selection has where C has complex numbers."""
    cases = [f", {C_TYPES[name]}*: start##{name}##end" for name in COMPLEX]
    return "\n".join(["#ifdef UCXX_SHMEM_COMPLEX",
                      macro(["#define UCXX_SHMEM_COMPLEX_CASES(start, end)", *cases]),
                      "#else", "#define UCXX_SHMEM_COMPLEX_CASES(start, end)", "#endif", ""])


def applied(name, row, pattern, start):
    """A macro of the name that selects a function and applies the arguments to it."""
    arguments = ", ".join(argument(parameter) for parameter in pattern.parameters)
    by, is_const = chooser(pattern)
    end = pattern.name.split("<TN>")[1]
    return macro([f"#define {name}({arguments})",
                  f"{selection_name(row.generic_types, is_const)}({by}, {start}, {end})({arguments})"])


def macros(row, pattern):
    """Yield the macros of one generic."""
    name = generic_name(pattern)
    if "ctx" not in row.forms:
        yield applied(name, row, pattern, "shmem_")
        return
    plain, with_ctx = (name.replace("shmem_", f"UCXX_SHMEM_{form}") for form in ("", "ctx_"))
    count = len(pattern.parameters) + 1
    yield macro([f"#define {name}(...)",
                 f"UCXX_SHMEM_PICK_{count}(__VA_ARGS__, {with_ctx}, {plain}, 0, 0)(__VA_ARGS__)"])
    yield applied(plain, row, pattern, "shmem_")
    yield applied(with_ctx, row, with_context(pattern), "shmem_ctx_")


def write_generics():
    """The macros for C11."""
    used = dict.fromkeys((row.generic_types, chooser(pattern)[1]) for _, row, pattern in generics())
    lines = [BEGINNING, complex_cases(), *(selection(*one) for one in used)]
    lines[-1] = lines[-1].rstrip("\n")
    title = ""
    for group, row, pattern in generics():
        if group.title != title:
            title = group.title
            lines += ["", f"// {title}"]
        lines += macros(row, pattern)
    return beginning("The type-generic macros of OpenSHMEM 1.6, for C11 and later.") + "\n".join([*lines, ""])
