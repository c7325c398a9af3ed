# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Figures of the memory that large messages are received into."""

from measured import LOCAL, Figure, Middle

CHANNELS = {"local": LOCAL, "TCP": {}}


def pool(programs):
    """Messages of 70 MB, or of half to all of that, into memory of the library."""
    for channel, environment in CHANNELS.items():
        measured = programs.having(environment).figure("pool")
        yield Figure(f"pool, {channel}: memory of a received message, times its bytes",
                     Middle.read(measured["memory_per_byte"]), "", 1.05)
        for side, mib in measured["resident_mib"].items():
            yield Figure(f"pool, {channel}: resident memory of the {side}, 560 MB kept", Middle.read(mib["kept"]),
                         "MiB", None)
            yield Figure(f"pool, {channel}: the same, 10 s after all was dropped", Middle.read(mib["idle"]), "MiB", 64)
        for sizes, dropped in measured["dropped"].items():
            yield Figure(f"pool, {channel}: messages of {sizes} sizes that are dropped before the next",
                         Middle.read(dropped["gb_per_s"]), "GB/s", None)
            yield Figure(f"pool, {channel}: ... part that finds warm memory", Middle.read(dropped["reused"]), "", 0.9,
                         at_least=True)


FIGURES = [pool]
