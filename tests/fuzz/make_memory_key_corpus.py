#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Write the seeds of memory_key_fuzz.cpp into corpus/memory_key beside this file."""

import struct

from make_hello_corpus import crc32c, write_corpus

MAGIC = b"UCXXKEY1"
SEALED = 1  # bit of the first byte
NO_ENTRY = 0xFFFFFFFF


def key(magic: bytes = MAGIC, length: int = 48, ident: int = 1, base: int = 4096, size: int = 64,
        entry: int = 3, more: bytes = b"") -> bytes:
    body = struct.pack("<3QII", ident, base, size, entry, 0) + more
    crc = crc32c(magic + struct.pack("<II", length, 0) + body)
    return magic + struct.pack("<II", length, crc) + body


SEEDS = {
    "key": (0, key()),
    "no_entry": (0, key(entry=NO_ENTRY)),
    "wrong_entry": (SEALED, key(entry=2048)),
    "no_id": (SEALED, key(ident=0)),
    "wraps": (SEALED, key(base=2**64 - 32)),
    "version": (0, key(magic=b"UCXXKEY2")),
    "longer": (0, key(length=56, more=bytes(8))),
    "other_length": (0, key(length=40)),
    "short": (0, key()[:40]),
    "sealed": (SEALED, bytes(16) + key()[16:]),
}


if __name__ == "__main__":
    write_corpus("memory_key", SEEDS)
