# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The C source of an adapter."""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from ucxx._shmem_adapters.c_table import TYPES
from ucxx._shmem_adapters.functions import functions, parts

#: Of what the adapters export, names and meanings: python/shmem/library.cpp has the same number.
VERSION = 1
#: In front of each name that an adapter exports.
PREFIX = "ucxx_"

# As python/shmem/constants.h has them.
CONSTANTS = [
    *(f"SHMEM_CMP_{name}" for name in ("EQ", "NE", "GT", "LE", "LT", "GE")),
    *(f"SHMEM_SIGNAL_{name}" for name in ("SET", "ADD")),
    *(f"SHMEM_THREAD_{name}" for name in ("SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE")),
    *(f"SHMEM_CTX_{name}" for name in ("PRIVATE", "SERIALIZED", "NOSTORE", "SESSION_BATCH",
                                       "SESSION_TOTAL_OPS")),
    *(f"SHMEM_MALLOC_{name}" for name in ("ATOMICS_REMOTE", "SIGNAL_REMOTE")),
    *(f"SHMEM_{name}" for name in ("TEAM_NUM_CONTEXTS", "MAX_NAME_LEN", "MAJOR_VERSION",
                                   "MINOR_VERSION")),
]  # fmt: skip
HANDLES = ["SHMEM_TEAM_INVALID", "SHMEM_TEAM_WORLD", "SHMEM_TEAM_SHARED", "SHMEM_CTX_INVALID",
           "SHMEM_CTX_DEFAULT"]  # fmt: skip

# What shims.c, or team_of_all.c, defines for every library.
_SHIMMED = {"shmem_init", "shmem_init_thread", "shmem_finalize", "shmem_query_initialized",
            "shmem_align", "shmem_malloc", "shmem_calloc", "shmem_ctx_create", "shmem_ctx_destroy", "shmem_team_create_ctx"}

# Names of types that are one type where long and pointers have 64 bits.
_SAME_TYPES = [
    {"int8", "schar"},
    {"uint8", "uchar"},
    {"int16", "short"},
    {"uint16", "ushort"},
    {"int32", "int"},
    {"uint32", "uint"},
    {"int64", "long", "longlong", "ptrdiff"},
    {"uint64", "ulong", "ulonglong", "size"},
]

_BEGINNING = """\
// Written by `python -m ucxx shmem adapt`.
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

const long ucxx_adapter_version = {version};
"""


def adapter_source(known: Set[str]) -> str:
    """Return the source of an adapter to a library.

    Args:
        known: the identifiers that its `shmem.h` has.
    """
    lines = [_BEGINNING.format(version=VERSION)]
    lines += [f"#define UCXX_HAS_{name}" for name in sorted(known & _named())]
    lines += [_function(f"long {PREFIX}{name}(void)", [f"return {name};"])
              for name in CONSTANTS if name in known]
    lines += [_function(f"void* {PREFIX}{name}(void)", [f"return (void*)(uintptr_t){name};"])
              for name in HANDLES if name in known]
    if "SHMEM_VENDOR_STRING" in known:
        lines.append(_function(f"const char* {PREFIX}SHMEM_VENDOR_STRING(void)",
                               ["return SHMEM_VENDOR_STRING;"]))
    lines += _wrappers(known)
    lines.append(_text_of("shims.c"))
    if "shmem_team_t" not in known:
        lines.append(_text_of("team_of_all.c"))
    lines.append(_text_of("collects.c"))
    if "shmem_team_t" not in known:
        lines += _of_all_types()
    return "\n".join(lines) + "\n"


def _text_of(name: str) -> str:
    return importlib.resources.files(__package__).joinpath(name).read_text()


def _named() -> set[str]:
    """Return all that shims.c and collects.c may ask for."""
    of_functions = {function.name for function in functions().values()}
    return of_functions | {"shmem_team_t", "shmem_pcontrol", "SHMEM_SIGNAL_SET", "SHMEM_VENDOR_STRING"}


def _wrappers(known: Set[str]) -> Iterator[str]:
    """Yield the functions that call one of the library."""
    for function in functions().values():
        if function.name in _SHIMMED:
            continue
        prototype = function.prototype().replace("ucxx_shmem_complexd", "double _Complex").replace(
            "ucxx_shmem_complexf", "float _Complex")
        if called := _same(function.name, known):
            yield _wrapper(prototype, called)
        elif "_atomic_" in function.name and function.name.endswith("_nbi") and (
            called := _same(function.name.removesuffix("_nbi"), known)
        ):
            yield _blocking(prototype, called)


def _same(name: str, known: Set[str]) -> str | None:
    """Return a function of the library that does what `name` does, by its name or by its type's."""
    if name in known:
        return name
    words = name.split("_")
    for place, word in enumerate(words):
        if word not in TYPES:
            continue
        for other in sorted(next((same for same in _SAME_TYPES if word in same), set())):
            called = "_".join([*words[:place], other, *words[place + 1:]])
            if called in known:
                return called
    return None


def _of_all_types() -> Iterator[str]:
    """Yield the collectives of the team of all PEs, for all types, by the functions of team_of_all.c."""
    reductions = {f"shmem_{sign}int{bits}_{operation}_reduce" for sign in ("", "u") for bits in (8, 16, 32, 64)
                  for operation in ("and", "or", "xor", "max", "min", "sum", "prod")}
    for function in functions().values():
        name = function.name
        result, _, parameters = parts(function.prototype())
        declared = ", ".join(one.replace("shmem_team_t", "void*") for one in parameters)
        head = f"{result} {PREFIX}{name}({declared})"
        if name not in reductions and (called := _same(name, reductions)):
            yield _function(head, [f"return {PREFIX}{called}(team, (void*)dest, (const void*)source, nreduce);"])
        elif match := re.fullmatch(r"shmem_(\w+?)_(broadcast|collect|fcollect|alltoall)", name):
            root = ", PE_root" if match[2] == "broadcast" else ""
            call = f"{PREFIX}shmem_{match[2]}mem(team, dest, source, nelems * sizeof *dest{root})"
            yield _function(head, [f"return {call};"])


def _wrapper(prototype: str, called: str) -> str:
    """Return the function that hands all on."""
    result, name, parameters = parts(prototype)
    before, after, declared, passed = [], [], [], []
    for parameter in parameters:
        one = _handed_on(parameter, is_cast=called != name)
        declared.append(one.declared)
        passed.append(one.passed)
        before += one.before
        after += one.after
    call = f"{called}({', '.join(passed)})"
    if result == "void":
        body = [*before, f"{call};", *after]
    elif after:
        body = [*before, f"{result} result = {call};", *after, "return result;"]
    else:
        body = [*before, f"return {call};"]
    return _function(f"{result} {PREFIX}{name}({', '.join(declared) or 'void'})", body)


def _blocking(prototype: str, called: str) -> str:
    """Return a function that fetches at once, for one that may fetch later."""
    _, name, parameters = parts(prototype)
    handed_on = {one: _handed_on(one, is_cast=True) for one in parameters}
    fetch = next(one for one in parameters if one.endswith(" fetch"))
    passed = [one.passed for parameter, one in handed_on.items() if parameter != fetch]
    declared = ", ".join(one.declared for one in handed_on.values())
    return _function(f"void {PREFIX}{name}({declared})", [f"*fetch = {called}({', '.join(passed)});"])


class _HandedOn(NamedTuple):
    """How a parameter is declared and passed, and what stands before and behind the call."""

    declared: str
    passed: str
    before: list[str] = []
    after: list[str] = []


def _handed_on(parameter: str, *, is_cast: bool) -> _HandedOn:
    """Return how a parameter goes to the library.

    A handle is a pointer, and of a structure the first member alone is known.

    Args:
        parameter: as in the prototype.
        is_cast: whether the function that is called has pointers to another type of the same size.
    """
    type_name, _, argument = parameter.rpartition(" ")
    if type_name in ("shmem_ctx_t", "shmem_team_t"):
        return _HandedOn(f"void* {argument}", f"({type_name})(uintptr_t){argument}")
    if type_name in ("shmem_ctx_t*", "shmem_team_t*"):
        made = f"{argument}_made"
        return _HandedOn(f"void** {argument}", f"&{made}", [f"{type_name[:-1]} {made} = 0;"],
                         [f"*{argument} = (void*)(uintptr_t){made};"])  # fmt: skip
    if match := re.fullmatch(r"(const )?(shmem_\w+_config_t)\*", type_name):
        return _structure(argument, match[2], is_read=bool(match[1]))
    if type_name.endswith("*") and is_cast:
        const = "const " if type_name.startswith("const ") else ""
        return _HandedOn(parameter, f"({const}void*){argument}")
    return _HandedOn(parameter, argument)


def _structure(argument: str, type_name: str, *, is_read: bool) -> _HandedOn:
    """Return how a configuration goes to the library: it may have more members there."""
    member, member_type = (("total_ops", "size_t") if "session" in type_name
                           else ("num_contexts", "int"))  # fmt: skip
    structure = f"{argument}_given"
    before = [f"{type_name} {structure};", f"memset(&{structure}, 0, sizeof {structure});"]
    if not is_read:
        return _HandedOn(f"{member_type}* {argument}", f"&{structure}", before,
                         [f"*{argument} = {structure}.{member};"])  # fmt: skip
    before.append(f"if ({argument} != NULL) {structure}.{member} = *{argument};")
    return _HandedOn(f"const {member_type}* {argument}", f"{argument} ? &{structure} : NULL", before)


def _function(head: str, body: list[str]) -> str:
    return "\n".join([f"{head} {{", *(f"  {line}" for line in body), "}"])
