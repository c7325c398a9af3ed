# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of ucxx-info: info_check.py FOLDER LISTENER [TEST...]; LISTENER is example_send_files."""

import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from programs import ENVIRONMENT, LIMIT_S, ended, run, start, state, wait_for

LISTENER = pathlib.Path(sys.argv.pop(1)).resolve()
LOOPBACK = {"UCX_TLS": "tcp", "UCX_NET_DEVICES": "lo"}

# Answers whoever comes in another language.
STRANGER = """
import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    client, _ = server.accept()
    client.sendall(b"HTTP/1.0 400 Bad Request\\r\\n\\r\\n" * 100)
    client.close()
"""


@contextlib.contextmanager
def listening(environment):
    """Start a program that listens for UCXX; give its port."""
    with tempfile.TemporaryDirectory() as folder, ended(subprocess.Popen(
            [LISTENER, "--listen", "0", folder], stdout=subprocess.PIPE, text=True,
            env={**ENVIRONMENT, **LOOPBACK, **environment})) as listener:
        yield int(listener.stdout.readline().removeprefix("listening at port "))


class InfoTest(unittest.TestCase):
    """ucxx-info."""

    def test_text(self):
        status, out, err = run("ucxx-info")
        self.assertEqual(status, 0, err)
        for word in ("UCXX", "libucp.so", "chosen at build time", "tcp", "host", "wakeup"):
            self.assertIn(word, out)

    def test_json(self):
        status, out, err = run("ucxx-info", "--json")
        self.assertEqual(status, 0, err)
        info = json.loads(out)
        self.assertRegex(info["ucx"]["version"], r"^\d+\.\d+\.\d+$")
        self.assertTrue(pathlib.Path(info["ucx"]["path"]).is_file())
        self.assertIn("lo", info["transports"]["tcp"])
        self.assertIn("tag", info["features"])

    def test_settings_of_ucx(self):
        status, out, _ = run("ucxx-info", "--ucx")
        self.assertEqual(status, 0)
        self.assertIn("\nUCX_TLS=", out)

    def test_peer(self):
        for local in ("auto", "off"):
            with self.subTest(local), listening({"UCXX_LOCAL": local}) as port:
                status, out, err = run("ucxx-info", "--peer", f"localhost:{port}", "--json",
                                       **LOOPBACK)
                self.assertEqual(status, 0, err)
                info = json.loads(out)
                self.assertGreater(info["meeting_ms"], 0)
                ways = {row["size"]: row for row in info["ways"] if row["memory"] == "host"}
                self.assertEqual({row["channel"] for row in ways.values()},
                                 {"local" if local == "auto" else "UCX"})
                self.assertTrue(ways[8]["way"].startswith("one "), ways[8])
                self.assertTrue(ways[64 << 20]["way"].startswith("announced"), ways[64 << 20])
                self.assertEqual(ways[8]["transports"], [] if local == "auto" else ["tcp/lo"])
                self.assertIn("1 peers", info["described"])
        with listening({}) as port:
            status, out, err = run("ucxx-info", "--peer", f"127.0.0.1:{port}")
            self.assertEqual(status, 0, err)
            for word in ("met in", "64M", "one record of one line in", "Note", "local channel"):
                self.assertIn(word, out)

    def test_peer_that_is_not_there(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            begin = time.monotonic()
            self.peer_fails(port, "--timeout", "0.5", status=5, said="did not answer within 500 ms")
            self.assertLess(time.monotonic() - begin, 5)
        self.peer_fails(port, status=3, said=f"nobody listens at 127.0.0.1:{port}, or")
        with ended(subprocess.Popen([sys.executable, "-c", STRANGER], stdout=subprocess.PIPE,
                                    text=True)) as stranger:
            port = int(stranger.stdout.readline())
            self.peer_fails(port, status=4, said="does not speak UCXX's protocol")
        status, _, err = run("ucxx-info", "--peer", "no.such.host.invalid:1")
        self.assertEqual(status, 1)
        self.assertIn("no.such.host.invalid", err)

    def test_dump_at_a_signal(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            silent.settimeout(20)
            port = silent.getsockname()[1]
            with ended(start("ucxx-info", "--peer", f"127.0.0.1:{port}", "--timeout", str(LIMIT_S))) as info:
                connection, _ = silent.accept()
                with connection:
                    self.assertTrue(connection.recv(1))
                    for _ in range(2):
                        wait_for(lambda: state(info.pid) == "S")  # it waits for the answer
                        os.kill(info.pid, signal.SIGUSR1)
                        wait_for(lambda: info.stderr.readline() == f"process {info.pid}:\n")
                        wait_for(lambda: info.stderr.readline().startswith("pending, the oldest first"))
                    self.assertIsNone(info.poll())

    def peer_fails(self, port, *arguments, status, said):
        """Ask for a peer that does not answer as one."""
        ended_with, out, err = run("ucxx-info", "--peer", f"127.0.0.1:{port}", *arguments)
        self.assertEqual((ended_with, out), (status, ""), err)
        self.assertIn(said, err)

    def test_wrong_peers(self):
        for arguments, said in {"--peer localhost": "--peer localhost: use HOST:PORT", "--peer :1": "--peer :1",
                                "--peer a:0": "--peer a:0", "--peer a:1 --timeout 0": "--timeout 0"}.items():
            with self.subTest(arguments):
                status, out, err = run("ucxx-info", *arguments.split())
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(said, err)

    def test_version(self):
        for program in ("ucxx-info", "ucxx-perftest"):
            status, out, _ = run(program, "--version")
            self.assertEqual(status, 0)
            self.assertTrue(re.fullmatch(rf"{program} \d+\.\d+\.\d+\n", out), out)

    def test_wrong_arguments(self):
        status, out, err = run("ucxx-info", "--bogus")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("--bogus", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
