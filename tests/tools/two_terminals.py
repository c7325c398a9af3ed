# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Runs a program of the documents as two processes, as a user does in two terminals.

usage: two_terminals.py [--client COMMAND... --] COMMAND...

Starts the COMMAND as the server. The first line that it prints ends with a host and a port; with
these two words the same command, or that of --client, is started as the client. Both must succeed
within the deadline.
"""

import os
import signal
import subprocess
import sys
import time

LIMIT_S = 40


def run(server, client):
    """Return what the client printed, when both have succeeded."""
    deadline = time.monotonic() + LIMIT_S
    serving = subprocess.Popen(server, stdout=subprocess.PIPE, text=True)
    # Ends what hangs, also the wait for the first line, which has no limit of its own.
    signal.signal(signal.SIGALRM, lambda *_: serving.kill())
    signal.alarm(LIMIT_S)
    try:
        words = serving.stdout.readline().split()
        if len(words) < 2:
            raise SystemExit(f"{server[0]}: the server has printed no host and port")
        called = subprocess.run([*client, *words[-2:]], check=True, stdout=subprocess.PIPE, text=True,
                                timeout=deadline - time.monotonic())
        serving.communicate(timeout=max(0, deadline - time.monotonic()))
    finally:
        signal.alarm(0)
        serving.kill()
    if serving.returncode != 0:
        raise SystemExit(f"{server[0]}: the server has ended with {serving.returncode}")
    return called.stdout


def main(words):
    """Take the command line apart."""
    client = words
    if words[:1] == ["--client"]:
        end = words.index("--")
        client, words = words[1:end], words[end + 1:]
    print(run(words, client), end="")


os.environ.update(UCX_TLS="tcp", UCX_NET_DEVICES="lo")
main(sys.argv[1:])
