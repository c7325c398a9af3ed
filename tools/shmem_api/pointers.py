# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Writes c_table.py: what ucxx.shmem.c and adapters know of the C functions."""

import re
import textwrap

from headers import wrapped
from table import C_TYPES, GROUPS, SIZES, TABLES

BEGINNING = '''\
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The C functions of OpenSHMEM, as patterns that `functions.py` expands.

Written by tools/shmem_api: change its table and run `python3 tools/shmem_api --write`.
"""

# In a pattern, {a,b} stands for a and for b. [...] are left out together, or are all there. <RMA>
# stands for each name of that table, and T for the C type of that name.
'''


def forms(row):
    """Yield the patterns of a row: of its types, and of elements of some bits."""
    text = row.prototype.replace("UCXX_SHMEM_NORETURN ", "")
    if "ctx" in row.forms:
        text = with_context(text)
    yield text.replace("<TN>", f"<{row.types}>")
    endings = [*(SIZES if "sizes" in row.forms else ()), *(["mem"] if "mem" in row.forms else ())]
    if endings:
        ending = endings[0] if len(endings) == 1 else f"{{{','.join(endings)}}}"
        text = re.sub(r"<TN>_(\{[^}]*\}|[a-z]+)", lambda match: match[1] + ending, text)
        yield re.sub(r"\bT\b", "void", text)


def with_context(text):
    """The pattern with a context that may be left out."""
    text = text.replace("shmem_", "shmem_[ctx_]", 1)
    if "(void)" in text:
        return text.replace("(void)", "([shmem_ctx_t ctx])")
    return text.replace("(", "([shmem_ctx_t ctx, ]", 1)


def definition(name, items):
    """The lines that define a dictionary of strings."""
    lines = []
    for key, value in items.items():
        parts = textwrap.wrap(value, 80, drop_whitespace=False)
        first, *others = (f'"{part}"' for part in parts)
        lines += [f'    "{key}": {first}', *(" " * (len(key) + 8) + other for other in others)]
        lines[-1] += ","
    return [f"{name} = {{", *lines, "}", ""]


def write_pointers():
    """The Python module with the patterns of all functions but that of variable arguments."""
    groups = [(group.title, [row for row in group.rows if "..." not in row.prototype])
              for group in GROUPS]
    used = {row.types: " ".join(TABLES[row.types]) for _, rows in groups for row in rows if row.types}
    lines = [*definition("TABLES", used), *definition("TYPES", C_TYPES), 'PATTERNS = """']
    for title, rows in groups:
        if rows:
            lines += [f"// {title}", *(f"{wrapped(form)};" for row in rows for form in forms(row)), ""]
    return BEGINNING + "\n".join([*lines[:-1], '"""', ""])
