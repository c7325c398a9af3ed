# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Tests of ucxx-perftest: perftest_check.py FOLDER [TEST...]."""

import json
import os
import pathlib
import pty
import shlex
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from programs import ENVIRONMENT, FOLDER, LIMIT_S, busy_ticks, children, ended, is_running, run, start, wait_for

QUICK = ["--seconds", "0.01", "--timeout", "20"]


def read_to_end(terminal):
    """Return all that was written to a terminal whose other end is closed.

    What the kernel has not brought over yet comes with a later read; the last one is an error.
    """
    said = b""
    while True:
        try:
            said += os.read(terminal, 65536)
        except OSError:
            return said


class PerftestTest(unittest.TestCase):
    """ucxx-perftest."""

    def results(self, *arguments, **environment):
        """Run with JSON on standard output; return the results."""
        status, out, err = run("ucxx-perftest", *QUICK, "--json", "-", *arguments, **environment)
        self.assertEqual(status, 0, err)
        return json.loads(out)["results"]

    def test_every_kind_and_metric(self):
        kinds = [f"{kind}_{metric}" for kind in ("tag", "stream", "am", "multi")
                 for metric in ("lat", "bw")]
        results = self.results("--test", ",".join(kinds), "--sizes", "1,3000,100K", "--frames", "3")
        self.assertEqual([row["test"] for row in results], [kind for kind in kinds for _ in range(3)])
        for row in results:
            self.assertGreater(row["ucxx"]["average_us"]["median"], 0)
            self.assertEqual("p99_us" in row["ucxx"], row["test"].endswith("_lat"))
            self.assertEqual(row["bytes"], row["size"] * (3 if "multi" in row["test"] else 1))

    def test_atomics_have_the_sizes_of_words(self):
        rows = self.results("--test", "add,fadd,swap,cswap", "--sizes", "4,8,1K")
        self.assertEqual([row["size"] for row in rows], 4 * [4, 8])
        row, = self.results("--test", "add", "--sizes", "64")
        self.assertEqual(row["size"], 8)

    def test_every_progress_mode(self):
        for mode in ("polling", "blocking", "thread-polling", "thread-blocking", "thread-adaptive"):
            with self.subTest(mode):
                rows = self.results("--progress", mode, "--sizes", "8,100K")
                self.assertEqual([row["size"] for row in rows], [8, 102400])

    def test_options_of_a_measurement(self):
        row, = self.results("--sizes", "8", "-n", "20", "-w", "3", "--repeat", "3", "--single-thread",
                            "--cpus", "none", "-o", "TCP_PUT_ENABLE=n")
        self.assertEqual((row["iterations"], row["warmup"]), (20, 3))
        self.assertEqual(len(row["ucxx"]["repetitions_us"]), 3)
        times = row["ucxx"]["average_us"]
        self.assertLessEqual(times["min"], times["median"])
        self.assertLessEqual(times["median"], times["max"])

    def test_sweep_ends_with_its_last_size(self):
        rows = self.results("--sizes", "1:1000:8", "-n", "4")
        self.assertEqual([row["size"] for row in rows], [1, 8, 64, 512, 1000])

    def test_table(self):
        status, out, err = run("ucxx-perftest", *QUICK, "--sizes", "8,1K")
        self.assertEqual(status, 0, err)
        lines = out.splitlines()
        self.assertIn("local/memory", lines[0])
        self.assertIn("messages/s", lines[1])
        self.assertEqual([line.split()[0] for line in lines[2:]], ["8", "1K"])

    def test_comparison(self):
        rows = self.results("--compare", "ucx_perftest", "--repeat", "2", "--sizes", "8,10K",
                            "--test", "tag_lat,stream_bw,am_lat,multi_lat")
        for row in rows:
            if row["test"] == "multi_lat":
                self.assertNotIn("ratio", row)
                continue
            self.assertEqual(len(row["ucx_perftest"]["repetitions_us"]), 2)
            self.assertGreater(row["ratio"]["time"]["median"], 0)

    def test_threads(self):
        for mode in ("polling", "blocking", "thread-adaptive"):
            with self.subTest(mode):
                rows = self.results("--threads", "3", "--progress", mode, "--sizes", "8,100K",
                                    "--test", "tag_lat,tag_bw,am_bw,add_lat,put_bw", "--repeat", "2")
                for row in rows:
                    ours = row["ucxx"]
                    self.assertEqual([len(each) for each in ours["threads_us"]], [3, 3], row)
                    # All threads together: the messages of three in the time of one.
                    self.assertAlmostEqual(ours["messages_per_s"] * ours["average_us"]["median"], 3e6,
                                           delta=3)
        row, = self.results("--threads", "2", "--single-thread", "--sizes", "8")
        self.assertEqual(len(row["ucxx"]["threads_us"][0]), 2)
        status, out, err = run("ucxx-perftest", *QUICK, "--sizes", "8", "--threads", "2")
        self.assertEqual(status, 0, err)
        self.assertIn("2 threads each", out)
        self.assertRegex(out, r"#   each thread, us: [\d.]+ [\d.]+\n")

    def test_killed_peer_of_several_threads(self):
        with ended(start("ucxx-perftest", "--sizes", "8", "-n", "100000000", "--threads", "2",
                         "--progress", "blocking")) as client:
            peer, = wait_for(lambda: children(client.pid))
            wait_for(lambda: busy_ticks(peer) + busy_ticks(client.pid) > 30)
            os.kill(peer, signal.SIGKILL)
            _, err = client.communicate(timeout=LIMIT_S)
            self.assertEqual(client.returncode, 1, err)
            self.assertRegex(err, r"^ucxx-perftest: .*(gone|reset|timed out|failed)")

    def test_dump_at_a_signal(self):
        for mode in ("polling", "blocking", "thread-adaptive"):
            with self.subTest(mode), ended(start("ucxx-perftest", "--sizes", "8", "-n", "100000000",
                                                 "--progress", mode, "--threads", "2")) as client:
                peer, = wait_for(lambda: children(client.pid))
                wait_for(lambda: busy_ticks(peer) + busy_ticks(client.pid) > 30)
                for pid in (client.pid, peer):
                    os.kill(pid, signal.SIGUSR1)
                    # Each of its two workers.
                    for _ in range(2):
                        wait_for(lambda: client.stderr.readline() == f"process {pid}:\n")
                self.assertIsNone(client.poll())

    def test_progress_on_a_terminal(self):
        terminal, other = pty.openpty()
        done = subprocess.run([FOLDER / "ucxx-perftest", "--sizes", "8,9", "--seconds", "1"], check=True,
                              stdout=subprocess.PIPE, stderr=other, text=True, timeout=LIMIT_S,
                              env=ENVIRONMENT)
        os.close(other)
        said = read_to_end(terminal).decode()
        os.close(terminal)
        self.assertIn("tag_lat 9: measurement 2 of 2, about ", said)
        self.assertTrue(said.endswith("\r\x1b[K"), said)  # it is gone again
        self.assertNotIn("measurement", done.stdout)

    def port_of(self, server):
        """Return the port that a server says it has."""
        said = server.stdout.readline()
        self.assertRegex(said, r"^ucxx-perftest serves at port [1-9]\d*$")
        return int(said.split()[-1])

    def test_two_programs(self):
        loopback = ["-o", "TLS=tcp", "-o", "NET_DEVICES=lo"]
        with ended(start("ucxx-perftest", "--server", "--port", "0", *loopback)) as server:
            port = self.port_of(server)
            for _ in range(2):  # it serves one client after another
                rows = self.results("--connect", f"127.0.0.1:{port}", *loopback, "--sizes", "8")
                self.assertEqual(len(rows), 1)
            # A stranger is sent away, the next client is served.
            with socket.create_connection(("127.0.0.1", port)) as stranger:
                stranger.sendall(b"GET / HTTP/1.0\r\n\r\n")
            self.results("--connect", f"127.0.0.1:{port}", *loopback, "--sizes", "8")

    def test_secret(self):
        with tempfile.NamedTemporaryFile() as file:  # its mode is 0600
            file.write(b"what only the friends know")
            file.flush()
            self.assertEqual(len(self.results("--secret-file", file.name, "--sizes", "8")), 1)
            self.assertEqual(len(self.results("--sizes", "8", UCXX_SECRET_FILE=file.name)), 1)
            loopback = ["-o", "TLS=tcp", "-o", "NET_DEVICES=lo"]
            end, secret = os.pipe()
            os.write(secret, b"what only the friends know\n")
            os.close(secret)
            with ended(start("ucxx-perftest", "--server", "--port", "0", "--secret-fd", str(end), *loopback,
                             pass_fds=[end])) as server:
                port = self.port_of(server)
                client = ["--connect", f"127.0.0.1:{port}", *loopback, "--sizes", "8"]
                for _ in range(2):
                    self.assertEqual(len(self.results(*client, "--secret-file", file.name)), 1)
                status, _, err = run("ucxx-perftest", *QUICK, *client)
                self.assertEqual(status, 1)
                self.assertIn("authentication failed", err)
                self.assertEqual(len(self.results(*client, "--secret-file", file.name)), 1)
            os.close(end)
            # The process that it starts has the secret as well.
            end, secret = os.pipe()
            os.write(secret, b"what only the friends know")
            os.close(secret)
            with ended(start("ucxx-perftest", *QUICK, "--secret-fd", str(end), "--sizes", "8", pass_fds=[end])) as both:
                _, err = both.communicate(timeout=LIMIT_S)
                self.assertEqual(both.returncode, 0, err)
            os.close(end)
            os.chmod(file.name, 0o644)
            status, _, err = run("ucxx-perftest", *QUICK, "--secret-file", file.name)
            self.assertEqual(status, 1)
            self.assertIn("its mode is 0644", err)

    def test_wrong_arguments(self):
        wrong = {
            "--sizes 1:x": "invalid size 'x'", "--sizes 8:4": "invalid sweep of sizes '8:4'",
            "--progress fast": "--progress fast: use one of polling, blocking", "--test foo": "--test foo: use tag",
            "--window 0": "--window 0: use a number from 1 to 65536", "-o foo": "-o foo: use KEY=VALUE",
            "--cpus 4000": "--cpus 4000", "--compare other": "--compare other: use ucx_perftest",
            "--no-error-handling": "--no-error-handling: use it with --compare",
            "--bogus": "--bogus", "--connect a:99999": "--connect a:99999: use HOST",
            "--connect ''": "the name is empty",
            "--server --connect a": "one of them", "--threads 0": "--threads 0: use a number from 1 to 256",
            "--threads 2 --compare ucx_perftest": "use one thread", "--connect [::1": "[::1: use HOST",
            "--iterations many": "many",
            "--single-thread --progress thread-polling": "polling or blocking",
            "--secret-fd 3 --secret-file a": "one of them", "--secret-fd 999": "--secret-fd 999",
            "--secret-fd -1": "--secret-fd -1",
            "--test stream --sizes 0": "1 byte or more", "--seconds 0": "--seconds 0",
            "-m gpu": "--memory gpu: use host, cuda, or two", "-m cuda,": "--memory cuda,: use host",
            "-m host,host,host": "--memory host,host,host: use host", "-m ''": "--memory : use host",
            "-m cuda -t put": "--memory cuda,cuda with put_lat: use host",
            "-m host,cuda -t am": "--memory host,cuda with am_lat: use host, cuda,host or cuda",
            "-m cuda,host -t am,put_bw": "--memory cuda,host with put_bw: use host",
            "-m cuda,host -t fadd": "with fadd_lat: use host",
            "-m cuda,host --library-memory": "give one of them",
        }
        for arguments, said in wrong.items():
            with self.subTest(arguments):
                status, out, err = run("ucxx-perftest", *shlex.split(arguments))
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(said, err)

    def test_failures_say_why(self):
        for arguments, said in {"--connect 127.0.0.1:1": "Connection refused",
                                "-o NO_SUCH_KEY=1": "NO_SUCH_KEY",
                                "--json /no/such/folder/file --sizes 8": "/no/such/folder/file"}.items():
            with self.subTest(arguments):
                status, _, err = run("ucxx-perftest", *QUICK, *arguments.split())
                self.assertEqual(status, 1, err)
                self.assertIn(said, err)

    def test_cuda_memory_without_a_driver(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "libcuda.so.1").touch()  # where there is one, it is not found
            for arguments in ("-m cuda,host", "-m cuda -t am --threads 3 --progress thread-adaptive"):
                status, out, err = run("ucxx-perftest", *QUICK, *arguments.split(), LD_LIBRARY_PATH=folder)
                self.assertEqual((status, out), (1, ""), err)
                self.assertRegex(err, r"^ucxx-perftest: --memory cuda: no driver of CUDA \(.*libcuda.so.1")
                self.assertIn("use --memory host", err)

    def test_killed_peer_ends_the_run(self):
        for mode in ("polling", "blocking", "thread-adaptive"):
            for test in ("tag_lat", "tag_bw"):
                with self.subTest(mode=mode, test=test):
                    self.end_by_a_killed_peer(mode, test)

    def end_by_a_killed_peer(self, mode, test):
        """Kill the other process in the midst of messages."""
        with ended(start("ucxx-perftest", "--sizes", "64K", "-n", "10000000", "--progress", mode,
                         "--test", test)) as client:
            peer, = wait_for(lambda: children(client.pid))
            # It works when it has an endpoint, and burns time.
            wait_for(lambda: busy_ticks(peer) + busy_ticks(client.pid) > 30)
            os.kill(peer, signal.SIGKILL)
            before = time.monotonic()
            _, err = client.communicate(timeout=LIMIT_S)
            self.assertEqual(client.returncode, 1, err)
            self.assertRegex(err, r"^ucxx-perftest: .*(gone|reset|timed out|failed)")
            self.assertLess(time.monotonic() - before, 5)

    def test_killed_client_ends_its_peer(self):
        with ended(start("ucxx-perftest", "--sizes", "8", "-n", "100000000")) as client:
            peer, = wait_for(lambda: children(client.pid))
            client.kill()
            client.wait()
            wait_for(lambda: not is_running(peer))


if __name__ == "__main__":
    unittest.main(verbosity=2)
