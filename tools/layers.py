# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The layers of src/, and the rooms of the core: what may include what, and what each room is."""

# The folders of src/core, lowest first, each with what lives there. A room includes itself and those
# before it.
ROOMS = {
    "loop": "who owns a worker, posts, sleep, deadlines, the progress thread",
    "wire": "what stands in front of a payload",
    "request": "operations, what they need of endpoints, how they end, checks of buffers, history",
    "condition": "what starts operations later, and what is armed",
    "channel": "ring and UCX: what carries messages, and credit",
    "bulk": "payloads that stay with their sender first",
    "match": "messages and receives, and the receiving half of a link",
    "onesided": "memory keys, puts, gets and atomic operations",
    "plan": "prepared transfers",
    "link": "links: order, pairs, recall, close, death of links and endpoints",
    "meet": "calling, answering, names",
    "worker": "makes the rooms, joins them, ends them",
    "insight": "reports, and the texts made from them",
}

CORE = {f"core/{room}" for room in ROOMS}

# A folder of src/ may include itself and these. 'public' is include/ucxx, all of it.
GROUND = {"base", "ucp", "local", "door"}
MAY_INCLUDE = {
    "base": set(),
    "ucp": {"base"},
    "local": {"base"},
    "door": {"base"},
    **{f"core/{room}": GROUND | {"public"} | {f"core/{lower}" for lower in list(ROOMS)[:place]}
       for place, room in enumerate(ROOMS)},
    "api": GROUND | CORE | {"public"},
    "compat": GROUND | CORE | {"api", "public"},
    "shmem": {"base", "local", "door"},
    "cuda": GROUND | {"core/loop", "core/request", "core/condition", "core/plan", "api", "public"},
    "ucp_c": GROUND | CORE | {"api", "cuda", "public"},
    "tools": GROUND | CORE | {"api", "shmem", "cuda", "public"},
}

# Public headers that lower folders may include, since they include nothing above that folder.
PUBLIC_FOR_ALL = {"exception.h", "export.h", "log.h", "version.h"}
PUBLIC_FOR = {
    "base": {"utils/callback_notifier.h", "utils/file_descriptor.h", "utils/sockaddr.h"},
    "ucp": {"config.h", "utils/ucx.h"},
}

# Who may include UCX's headers, and who may call ucp_*, ucs_*, uct_*. Types alone are not calls.
UCX_HEADERS = {"ucp", "ucp_c", "public"}
# `ucp_c` hands on what programs call with handles of UCX's own.
UCX_CALLS = {"ucp", "ucp_c"}
# Status codes belong to every folder; this name is a macro for a constant.
UCX_HEADERS_FOR_ALL = {"ucs/type/status.h"}
UCX_NAMES_FOR_ALL = {"ucp_dt_make_contig"}

# Single files that may do more than their folder, each with its reason.
EXCEPTIONS = {
    # "src/core/x.cpp": {"ucx_calls", "ucp/api/ucp.h", "door"},  # why
    "src/compat/ucp_calls.cpp": {"ucx_calls"},  # hands handles that programs made to UCX
    "include/ucxx/ucp_names.h": {"ucx_calls"},  # replaces names
    "include/ucxx/ucp_not_offered.h": {"ucx_calls"},  # likewise
}

# Files that include a room above theirs, a line each: "src/core/request/completion.cpp link". This
# list only gets shorter: a line may give way to one of a lower room. The aim is none.
UPWARD = "tools/upward.txt"


def folder_of(name):
    """Return the folder of a file of src/ that MAY_INCLUDE has a row for, or would; None: it is in none."""
    parts = name.split("/")[:-1]
    if not parts:
        return None
    return "/".join(parts[:2]) if parts[0] == "core" else parts[0]
