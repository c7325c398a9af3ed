#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Write the seeds of hello_fuzz.cpp into corpus/hello beside this file."""

import struct
from pathlib import Path

MAGIC = b"\x93UCXX\r\n\x1a"
HELLO, WELCOME, REFUSED, CHALLENGE, PROOF = 1, 2, 3, 4, 5
REPAIR, CALLING, ACCEPT, WHOLE = 1, 2, 4, 31 << 3  # bits of the first byte


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def frame(kind: int, body: bytes, version: int = 8) -> bytes:
    header = MAGIC + struct.pack("<HHII", version, kind, len(body), crc32c(body))
    return header + struct.pack("<I", crc32c(header)) + body


def hello(address: bytes, extra: bytes = b"", terms: bytes = b"", challenge: int = 0) -> bytes:
    ids = struct.pack("<6Q", 1, 2, 3, 4, 0, 0)
    numbers = struct.pack("<4QIII", 5, 6, 7, 64 << 20, 65536, 1 << 16 | 22 << 8, len(address))
    local = struct.pack("<BI", 1, len(terms)) + terms
    return ids + numbers + address + local + struct.pack("<QQ", challenge, challenge) + extra


def refused(reason: int) -> bytes:
    return struct.pack("<IQQQQQQ", reason, 1, 2, 3, 4, 5, 6)


SEEDS = {
    "hello": (ACCEPT | WHOLE, frame(HELLO, hello(b"address"))),
    "hello_slow": (ACCEPT, frame(HELLO, hello(b"address"))),
    "hello_newer": (WHOLE, frame(HELLO, hello(b"a" * 40, b"more fields"))),
    "hello_repaired": (REPAIR | ACCEPT | WHOLE, frame(HELLO, hello(b""))),
    "hello_large": (WHOLE, frame(HELLO, hello(b"a" * 600))),
    "hello_local": (ACCEPT | WHOLE, frame(HELLO, hello(b"", terms=b"three descriptors"))),
    "hello_long_terms": (WHOLE, frame(HELLO, hello(b"address", terms=b"t" * 257))),
    "version": (WHOLE, frame(HELLO, b"", version=1)),
    "welcome": (CALLING | WHOLE, frame(WELCOME, hello(b"address"))),
    "welcome_slow": (CALLING, frame(WELCOME, hello(b"address"))),
    "refused": (CALLING | WHOLE, frame(REFUSED, refused(1))),
    "refused_repaired": (REPAIR | CALLING | WHOLE, frame(REFUSED, refused(8))),
    "refused_nearer": (CALLING | WHOLE, frame(REFUSED, refused(10))),
    "refused_needs_ucx": (CALLING | WHOLE, frame(REFUSED, refused(11))),
    "secret": (WHOLE, frame(HELLO, hello(b"address", challenge=9)) + frame(PROOF, b"p" * 32)),
    "secret_slow": (ACCEPT, frame(HELLO, hello(b"address", challenge=9)) + frame(PROOF, b"p" * 33)),
    "secret_calling": (CALLING | WHOLE, frame(CHALLENGE, b"c" * 16) + frame(WELCOME, hello(b"address"))
                       + frame(PROOF, b"p" * 32)),
    "secret_refused": (CALLING | WHOLE, frame(CHALLENGE, b"c" * 16) + frame(REFUSED, refused(10))
                       + frame(PROOF, b"p" * 32)),
    "challenge_short": (CALLING | WHOLE, frame(CHALLENGE, b"challenge")),
    "proof_short": (WHOLE, frame(PROOF, b"proof")),
    "http": (WHOLE, b"GET / HTTP/1.1\r\n\r\n"),
}


def write_corpus(target: str, seeds: dict[str, tuple[int, bytes]]) -> None:
    folder = Path(__file__).parent / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    for name, (mode, data) in seeds.items():
        (folder / name).write_bytes(bytes([mode]) + data)


if __name__ == "__main__":
    write_corpus("hello", SEEDS)
