# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A PE that speaks src/shmem/joining/launch.h by hand: fake_pe.py CODE, in which the names below are known.

What stands here of layout.h and control.h is what oshrun shares with the library.
"""

import array
import mmap
import os
import signal
import socket
import struct
import sys
import time

HELLO, WELCOME, GLOBAL_EXIT = 0x4F68656C, 0x4F68656D, 0x4F68656E
PROTOCOL = 2
SLOT_ALIGNMENT, COMMON_BYTES = 64 << 20, 4096
# Offsets in a slot's control page, and in the common page.
STATE, CALL, AWAITED, WAITS = 64, 128, 176, 180
EXIT_STATUS = 0
ABSENT, ATTACHED, RUNNING, FINALIZED = range(4)

fd, pe, pes = map(int, os.environ["UCXX_SHMEM_LAUNCH"].split(":"))
oshrun = socket.socket(fileno=fd)
memory = memfd = None
first_slot = slot_bytes = 0


def hello_bytes(version=os.environ.get("VERSION", ""), protocol=PROTOCOL, heap=1 << 20, statics=4096,
                inode=5, executable="/x/a"):
    """Return the first message."""
    return struct.pack("=II32sQQQQ256s", HELLO, protocol, version.encode(), 4, inode, heap, statics,
                       executable.encode())


def receive():
    """Return the answer, accepted or not, with its reason; map the memory that comes with it."""
    global memory, memfd, first_slot, slot_bytes
    data, parts, _, _ = oshrun.recvmsg(1024, 64)
    kind, accepted, _, slot_bytes, _, heap_offset, *_ = struct.unpack_from("=II7Q", data)
    assert kind == WELCOME and len(data) == 576, (kind, len(data))
    for _, _, rights in parts:
        memfd = array.array("i", rights)[0]
        memory = mmap.mmap(memfd, os.fstat(memfd).st_size)
        first_slot = -(COMMON_BYTES + heap_offset) % SLOT_ALIGNMENT + COMMON_BYTES
        assert memory.size() == first_slot + pes * slot_bytes
    return accepted, data[64:].rstrip(b"\0").decode()


def hello(state=RUNNING, **fields):
    """Say hello, take the memory and show a state."""
    oshrun.send(hello_bytes(**fields))
    answer = receive()
    if answer[0]:
        put(STATE, state)
    return answer


def control(of=None):
    """Return where the control page of a PE begins."""
    return first_slot + (pe if of is None else of) * slot_bytes


def put(offset, value, of=None):
    """Store into a word of a control page."""
    struct.pack_into("=i", memory, control(of) + offset, value)


def get(offset, of=None):
    """Load from it."""
    return struct.unpack_from("=i", memory, control(of) + offset)[0]


def waits(call, awaited=-1):
    """Be in a long wait from now on."""
    put(WAITS, get(WAITS) + 1)
    put(AWAITED, awaited)
    name = call if isinstance(call, bytes) else call.encode()
    memory[control() + CALL:control() + CALL + 48] = name.ljust(48, b"\0")


def has_ended(pid):
    """Tell whether a process has ended, waited for or not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")")[1][1] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def until(condition):
    """Wait until the condition holds, a while at most."""
    deadline = time.monotonic() + 20
    while not condition():
        if time.monotonic() > deadline:
            sys.exit("fake PE: waited in vain")
        time.sleep(0.001)


def mark():
    """Let go on who waits for the mark, by a file; also before there is memory."""
    open(os.environ["MARK_FILE"], "x").close()


def until_marked():
    """Wait for the mark."""
    until(lambda: os.path.exists(os.environ["MARK_FILE"]))


def until_waiting(*others):
    """Wait until each of the PEs is in a long wait."""
    until(lambda: all(memory[control(other) + CALL] for other in others))


def until_state(state, *others):
    """Wait until each of the PEs has come so far."""
    until(lambda: all(get(STATE, other) >= state for other in others))


def global_exit(status):
    """As shmem_global_exit tells oshrun."""
    oshrun.send(struct.pack("=Ii", GLOBAL_EXIT, status))


def die(number=signal.SIGKILL):
    """End by a signal."""
    os.kill(os.getpid(), number)


exec(sys.argv[1])
