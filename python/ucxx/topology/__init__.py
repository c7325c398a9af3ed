# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The machine as a value, and where its workers belong.

    machine = ucxx.topology.read()              # this machine
    machine = ucxx.topology.read("dgx1.txt")    # one that a file describes

`machine` is the value, `reading` chooses among the readers (`hwloc`, `sysfs`, `nvidia_smi`), `paths` and `priors` tell
what lies between two devices, `placement` where workers belong, `text` and `picture` show it. Nothing here loads UCX.
"""

from ucxx.topology.machine import Card, Closeness, Core, Gpu, Link, Machine, Node, TopologyError, format_cpus, parse_cpus
from ucxx.topology.reading import from_text, read

__all__ = [
    "Card", "Closeness", "Core", "Gpu", "Link", "Machine", "Node", "TopologyError", "format_cpus", "from_text",
    "parse_cpus", "read",
]  # fmt: skip
