# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The C source of an adapter."""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Iterator, Set

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

# What shims.c defines for every library.
_SHIMMED = {"shmem_init", "shmem_init_thread", "shmem_finalize", "shmem_query_initialized",
            "shmem_malloc", "shmem_calloc"}

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
#include <stdint.h>
#include <stdio.h>
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
    lines += [f"const long {PREFIX}{name} = {name};" for name in CONSTANTS if name in known]
    lines += [f"void* {PREFIX}{name}(void) {{ return (void*)(uintptr_t){name}; }}"
              for name in HANDLES if name in known]
    lines += _wrappers(known)
    shims = importlib.resources.files(__package__).joinpath("shims.c").read_text()
    return "\n".join([*lines, shims])


def _named() -> set[str]:
    """Return all that shims.c may ask for."""
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


def _wrapper(prototype: str, called: str) -> str:
    """Return the function that hands all on."""
    result, name, parameters = parts(prototype)
    before, after, declared, passed = [], [], [], []
    for parameter in parameters:
        type_name, _, argument = parameter.rpartition(" ")
        one = _handed_on(type_name, argument)
        declared.append(one[0])
        passed.append(one[1])
        before += one[2]
        after += one[3]
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
    _, name, (ctx_or_fetch, *others) = parts(prototype)
    has_ctx = ctx_or_fetch.startswith("shmem_ctx_t")
    fetch, *others = others if has_ctx else [ctx_or_fetch, *others]
    declared = ["void* ctx", fetch, *others] if has_ctx else [fetch, *others]
    passed = [*(["(shmem_ctx_t)(uintptr_t)ctx"] if has_ctx else []),
              *(_handed_on(*one.rpartition(" ")[::2])[1] for one in others)]  # fmt: skip
    return _function(f"void {PREFIX}{name}({', '.join(declared)})",
                     [f"*{fetch.rpartition(' ')[2]} = {called}({', '.join(passed)});"])


def _handed_on(type_name: str, argument: str) -> tuple[str, str, list[str], list[str]]:
    """Return how a parameter is declared and passed, and what stands before and behind the call.

    A handle is a pointer, and of a structure the first member alone is known.
    """
    if type_name in ("shmem_ctx_t", "shmem_team_t"):
        return f"void* {argument}", f"({type_name})(uintptr_t){argument}", [], []
    if type_name in ("shmem_ctx_t*", "shmem_team_t*"):
        return (f"void** {argument}", f"&{argument}_made", [f"{type_name[:-1]} {argument}_made = 0;"],
                [f"*{argument} = (void*)(uintptr_t){argument}_made;"])  # fmt: skip
    if match := re.fullmatch(r"(const )?(shmem_\w+_config_t)\*", type_name):
        member, member_type = (("total_ops", "size_t") if "session" in match[2]
                               else ("num_contexts", "int"))
        own = f"{argument}_given"
        before = [f"{match[2]} {own};", f"memset(&{own}, 0, sizeof {own});"]
        if match[1]:
            before.append(f"if ({argument} != NULL) {own}.{member} = *{argument};")
            return f"const {member_type}* {argument}", f"{argument} ? &{own} : NULL", before, []
        return (f"{member_type}* {argument}", f"&{own}", before, [f"*{argument} = {own}.{member};"])
    if type_name.endswith("*"):  # to another type of the same size, maybe
        const = "const " if type_name.startswith("const ") else ""
        return f"{type_name} {argument}", f"({const}void*){argument}", [], []
    return f"{type_name} {argument}", argument, [], []


def _function(head: str, body: list[str]) -> str:
    return "\n".join([f"{head} {{", *(f"  {line}" for line in body), "}"])
