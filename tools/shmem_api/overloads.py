# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Writes overloads.h: the generics for C++."""

from headers import argument, beginning, macro
from table import (BASE, COMPLEX, GROUPS, TABLES, all_functions, base_types, generic_name, generics,
                   patterns, with_context, with_type)

BEGINNING = """\
#include <ucxx_shmem/functions.h>

// Beside C functions of the same names
inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
    shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
    shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }

// The types that can be told apart, and the names of the functions that take them"""
COMPLEX_TYPES = "UCXX_SHMEM_FOR_COMPLEX"
COMPLEX_TEMPLATE = "template <template <typename> class Complex, typename = decltype(Complex<Number>().imag())>"


# Until version 1.3 waits took volatile variables.
VOLATILE_TYPES = "UCXX_SHMEM_FOR_VOLATILE_WAITS"
VOLATILE_ONE = ["inline void shmem_wait(volatile long* ivar, long cmp_value) {",
                "    shmem_long_wait(const_cast<long*>(ivar), cmp_value);", "}"]


def volatile_wait(name, comparison, called):
    """The lines of a wait for a volatile variable."""
    return [f"inline void {name}(volatile T* ivar, {'int cmp, ' * comparison}T cmp_value) {{",
            f"    {called}(const_cast<T*>(ivar), {'cmp, ' * comparison}cmp_value);", "}"]


def volatile_waits():
    """The overloads for volatile variables."""
    typed = [line for name, comparison in (("shmem_##name##_wait_until", True), ("shmem_##name##_wait", False))
             for line in volatile_wait(name, comparison, name)]
    start = "#define UCXX_SHMEM_OVERLOAD(T, name)"
    return ["", "// Waits for volatile variables, as until version 1.3", *VOLATILE_ONE,
            *defined([start, *volatile_wait("shmem_wait_until", True, "shmem_##name##_wait_until")],
                     "UCXX_SHMEM_FOR_P2P"),
            *defined([start, *typed], VOLATILE_TYPES)]


def inline(function, called, arguments=None):
    """The lines of an inline function that calls another, with its own arguments if none are given."""
    given = ", ".join(arguments or map(argument, function.parameters))
    back = "" if function.result == "void" else "return "
    return [f"inline {function} {{", f"    {back}{called}({given});", "}"]


def for_types(row, pattern):
    """The name of the macro that names the types of a generic, and these: (C type, name).

    A C function that is an overload by itself is left out.
    """
    c_functions = {str(function) for function in all_functions()}
    types = [(c_type, name) for c_type, name in base_types(row.generic_types) if name not in COMPLEX]
    left = [(c_type, name) for c_type, name in types
            if str(with_type(pattern, name)._replace(name=generic_name(pattern))) not in c_functions]
    name = f"UCXX_SHMEM_FOR_{row.generic_types}".replace("RED_NUM", "RMA")
    return name + ("" if left == types else "_BUT_LONG"), left


def overloads(row, pattern):
    """A macro that defines the overloads of one generic for one type."""
    name = generic_name(pattern)
    function = pattern._replace(name=name)
    called = pattern.name.replace("<TN>", "##name##")
    lines = ["#define UCXX_SHMEM_OVERLOAD(T, name)", *inline(function, called)]
    if "ctx" in row.forms:
        lines += inline(with_context(function)._replace(name=name),
                        called.replace("shmem_", "shmem_ctx_", 1))
    return lines


def complex_overloads(row, pattern):
    """A macro that defines templates for arrays of complex numbers of a class."""
    parameters = [parameter.replace("T*", "Complex<Number>*") for parameter in pattern.parameters]
    arguments = [f"reinterpret_cast<{parameter.rpartition(' ')[0].replace('T*', 'ucxx_shmem_##name*')}>"
                 f"({argument(parameter)})" if "T*" in parameter else argument(parameter)
                 for parameter in pattern.parameters]
    called = pattern.name.replace("<TN>", "##name##")
    names = [called, *([generic_name(pattern)] if row.generic else [])]
    lines = ["#define UCXX_SHMEM_OVERLOAD(Number, name)"]
    for name in names:
        lines += [COMPLEX_TEMPLATE, *inline(pattern._replace(name=name, parameters=parameters), called,
                                            arguments)]
    return lines


def defined(lines, types):
    """The definition of a macro, and its use for each of the types."""
    return [macro(lines), f"{types}(UCXX_SHMEM_OVERLOAD)", "#undef UCXX_SHMEM_OVERLOAD"]


def list_of(name, types):
    """A macro that names types."""
    return macro([f"#define {name}(each)", *(f"each({c_type}, {function})" for c_type, function in types)])


def write_overloads():
    """The header for C++."""
    lists = {COMPLEX_TYPES: [("double", "complexd"), ("float", "complexf")]}
    body = []
    title = ""
    for group, row, pattern in generics():
        if group.title != title:
            title = group.title
            body += ["", f"// {title}"]
        name, types = for_types(row, pattern)
        lists[name] = types
        body += defined(overloads(row, pattern), name)
    body += ["", "// Arrays of std::complex, or of a class like it: the functions of _Complex, and the generics"]
    for group in GROUPS:
        for row in group.rows:
            for pattern in patterns(row) if "complexd" in TABLES.get(row.types, ()) else ():
                body += defined(complex_overloads(row, pattern), COMPLEX_TYPES)
    body += volatile_waits()
    lists[VOLATILE_TYPES] = [(BASE[name], name) for name in TABLES["SET_BIT"]]
    return "\n".join([beginning("The generics of OpenSHMEM 1.6 for C++.") + BEGINNING,
                      *(list_of(name, types) for name, types in lists.items()), *body, "",
                      *(f"#undef {name}" for name in lists), ""])
