# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The command line of oshrun: oshrun_options_check.py OSHRUN [TEST...]. The programs are no PEs."""

import os
import re
import socket
import subprocess
import unittest

from jobs import VERSION, folder_of, lines, run, start

HOST = socket.gethostname()


def own_addresses():
    """Return the addresses of the machine's network interfaces."""
    said = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=True).stdout
    return [address for address in said.split() if ":" not in address]


class OptionsCheck(unittest.TestCase):
    """What the tests below share."""

    def check(self, words, text, status=2):
        """Compare status and message of what cannot be started."""
        found, out, err = run(*words)
        self.assertEqual((found, out), (status, ""), err)
        self.assertRegex(err, f"^oshrun: {text}[^\n]*\n$")

    def check_pes(self, pes, *words, err=""):
        """Compare how many PEs there are, and that nothing else is said."""
        status, out, found = run(*words, "sh", "-c", "echo ${UCXX_SHMEM_LAUNCH#*:}")
        self.assertEqual((status, found), (0, err))
        self.assertEqual(lines(out), [f"{pe}:{pes}" for pe in range(pes)])


class OptionsTest(OptionsCheck):
    """The command line."""

    def test_help_and_version(self):
        for option in ("--help", "-help", "-h"):
            status, out, _ = run(option)
            self.assertEqual(status, 0)
            for word in ("-n N", "--tag-output", "--timeout", "--bind", "-x", "--wdir", "--verbose", "127"):
                self.assertIn(word, out)
            self.assertLessEqual(max(map(len, out.splitlines())), 88)
            with open("/dev/full", "w", encoding="ascii") as full:
                self.assertEqual(start(option, stdout=full).end(),
                                 (1, None, "oshrun: the standard output cannot be written: No space left on device\n"))
        self.assertRegex(VERSION, r"^\d+\.\d+\.\d+$")
        for option in ("--version", "-version", "-V"):
            self.assertEqual(run(option)[:2], (0, f"oshrun (UCXX) {VERSION}\n"))

    def test_refused(self):
        for words, text in (
                ((), "no program is named"),
                (("-n", "2"), "no program is named"),
                (("true",), "the number of PEs is missing; use oshrun -n N"),
                (("-n", "0", "true"), "-n 0: use a number of PEs from 1 to 65536"),
                (("-n", "-3", "true"), "-n -3: use"),
                (("-np", "two", "true"), "-np two: use"),
                (("-n", "2x", "true"), "-n 2x: use"),
                (("-n", "65537", "true"), "-n 65537: use"),
                (("-n", "99999999999", "true"), "-n 99999999999: use"),
                (("-n",), "-n: its value is missing"),
                (("--frob", "-n", "2", "true"), "unknown option --frob; see oshrun --help"),
                (("-z", "-n", "2", "true"), "unknown option -z"),
                (("-n", "2", "--timeout", "0", "true"), "--timeout 0: use seconds"),
                (("-n", "2", "--timeout", "nan", "true"), "--timeout nan: use seconds"),
                (("-n", "2", "--timeout", "1e30", "true"), "--timeout 1e30: use seconds"),
                (("-n", "2", "--bind", "hwthread", "true"), "--bind hwthread: use none, or core"),
                (("-n", "2", "--bind-to", "l3cache", "true"), "--bind-to l3cache: use none, or core"),
                (("-n", "2", "--wdir", "/nowhere", "true"), "--wdir /nowhere: use a folder"),
                (("-n", "2", "-x", "=3", "true"), "-x =3: use NAME or NAME=VALUE"),
                (("-n", "2", "-genv", "A=3", "x", "true"), "-genv A=3 x: use -genv NAME VALUE"),
                (("-n", "2", "true", ":", "-n", "2", "false"), "':' among the arguments: .*MPMD")):
            with self.subTest(words):
                self.check(words, text)

    def test_values_in_messages(self):
        """A reader sees where a value begins and ends, and a terminal gets no commands."""
        for value, shown in (("", "''"), ("a b", "'a b'"), ("\x1b[2J\x7f", r"'\\x1b\[2J\\x7f'"), ("\u00fc", "\u00fc"),
                             ("\u00fc\n", r"'\\xc3\\xbc\\x0a'"), ("x" * 201, "x" * 200 + r"\.\.\."),
                             ("x" * 199 + "\u00fc", "x" * 199 + r"\.\.\.")):
            with self.subTest(value):
                self.check(("-n", value, "true"), f"-n {shown}: use a number of PEs")
        self.check(("--frob=\x1b", "true"), r"unknown option '--frob=\\x1b'; see")
        self.check(("--tag-output=", "true"), "--tag-output '': the option takes no value")

    def test_no_name_is_abbreviated(self):
        for word in ("--vers", "-ver", "--ver", "--he", "-tag", "--tag-out", "--ti=3", "-bin"):
            with self.subTest(word):
                self.check((word, "-n", "1", "true"), f"unknown option {word}; see oshrun --help")

    def test_dashes_equals_and_letters(self):
        for words in (("-n", "2"), ("-np", "2"), ("--np", "2"), ("--n", "2"), ("-n=2",), ("--np=2",), ("-n2",),
                      ("-c", "2"), ("-c2",), ("-n2", "-np", "2", "-c", "2"), ("-n", "2", "--")):
            with self.subTest(words):
                self.check_pes(2, *words)
        status, out, _ = run("-tag-output", "-timeout=9", "--n", "2", "echo", "-n", "--np", "x")
        self.assertEqual((status, lines(out)), (0, ["[0] --np x", "[1] --np x"]))

    def test_values_that_do_not_fit(self):
        for words, text in ((("--tag-output=yes",), "--tag-output yes: the option takes no value"),
                            (("--mca=btl", "tcp"), "--mca btl: the option takes 2 values; use --mca A B"),
                            (("--mca", "btl"), "--mca: it takes 2 values, and one is missing")):
            with self.subTest(words):
                self.check(words, text)

    def test_two_numbers(self):
        for words, text in ((("-n", "4", "-c", "2"), "-n 4 and -c 2: two numbers of PEs that differ; give one of them"),
                            (("-np", "1", "-n", "1", "-c3"), "-n 1 and -c 3: two "),
                            (("-N", "1", "--pernode", "-ppn", "2"), "--pernode and -ppn 2: two "),
                            (("--pernode", "--map-by", "ppr:2:node"), "--pernode and --map-by ppr:2:node: two "),
                            (("--timeout", "5", "--timeout", "6"), "--timeout 5 and --timeout 6: two ")):
            with self.subTest(words):
                self.check((*words, "true"), text)
        self.check_pes(1, "--timeout", "60", "-n", "1", "--timeout=60.0", "-N", "2", "-ppn", "2")

    def test_program(self):
        with folder_of(a="#!/nowhere/interpreter\n", b="\x7fELF nonsense") as folder:
            (folder / "plain").touch()
            for word, status, text in (
                    ("no-such-program", 127, "no-such-program: program not found in the folders of PATH"),
                    ("./no/such", 127, "./no/such: program not found"),
                    ("/", 126, "/: not executable: Is a directory"),
                    (f"{folder}/plain", 126, f"{folder}/plain: not executable: Permission denied"),
                    (f"{folder}/a", 127, f"{folder}/a: cannot be executed: No such file"),
                    ("", 127, "'': program not found"),
                    ("a b", 127, "'a b': program not found in the folders of PATH")):
                with self.subTest(word):
                    self.check(("-n", "2", word), text, status)

    def test_script_without_interpreter(self):
        with folder_of(script="echo $1\n") as folder:
            self.assertEqual(run("-n", "1", folder / "script", "x y")[:2], (0, "x y\n"))


class OtherLaunchersTest(OptionsCheck):
    """Options of Open MPI, hydra, Slurm and aprun."""

    def test_scripts_of_others(self):
        for words in (
                "-np 3 --bind-to core --map-by core --mca btl ^tcp -mca pml ucx",
                "--oversubscribe --allow-run-as-root -np 3 --rank-by slot --gmca a b",
                "-n 3 --prtemca a b --pmixmca c d -c 3 --am FILE --display map",
                "-ppn 3 -n 3 -launcher fork -iface lo -f HOSTS",
                "-N 3 --host localhost:3 --forward-signals SIGUSR1",
                "--map-by ppr:3:node --hostfile HOSTS --bind-to none:overload-allowed",
                "-n 3 --mpi=pmi2 -K --kill-on-bad-exit=1 -u", "-n3 -K1"):
            with self.subTest(words), folder_of(hosts="# all\n\nlocalhost slots=3\n") as folder:
                self.check_pes(3, "-q", *words.replace("HOSTS", f"{folder}/hosts").split())

    def test_nooversubscribe(self):
        processors = len(os.sched_getaffinity(0))
        self.assertEqual(run("--nooversubscribe", "-n", str(processors), "true"), (0, "", ""))
        self.check(("--nooversubscribe", "-n", str(processors + 1), "true"),
                   f"--nooversubscribe: {processors + 1} PEs are more than the {processors} processors")

    def test_mapping(self):
        processors = len(os.sched_getaffinity(0))
        more = ("-n", str(processors + 1), "true")
        for value in ("node:NOOVERSUBSCRIBE", ":nooversubscribe", "core:SPAN,NoOversubscribe",
                      "slot:PE=1:NOOVERSUBSCRIBE", "ppr:99:node:nooversubscribe"):
            with self.subTest(value):
                self.check(("--map-by", value, *more), f"--map-by {value}: {processors + 1} PEs are more than")
                self.assertEqual(run("--map-by", value, "--map-by", ":OVERSUBSCRIBE", *more), (0, "", ""))
        self.assertEqual(run("--nooversubscribe", "--oversubscribe", *more), (0, "", ""))
        for value, text in (("", "'': use"), ("ppr:2", "ppr:2: use ppr"),
                            ("ppr:2:nodexyz", "ppr:2:nodexyz: use ppr:N:node"),
                            ("node:NOOVERSUBSCIBE", "node:NOOVERSUBSCIBE: unknown modifier nooversubscibe; use"),
                            ("node:", "node:: unknown modifier ''"), ("rankfile:file=x", "rankfile:file=x: unknown")):
            with self.subTest(value):
                self.check(("--map-by", value, "-n", "2", "true"), f"--map-by {text}")

    def test_modifiers_of_bindings(self):
        for value in ("core:overload-allowed", "CORE:IF-SUPPORTED", "numa:overload-allowed,if-supported",
                      "none:no-overload"):
            with self.subTest(value):
                self.assertEqual(run("--bind-to", value, "-n", "1", "true"), (0, "", ""))
        self.check(("--bind-to", "core:4", "-n", "2", "true"), "--bind-to core:4: unknown modifier 4; use")
        pes = len(os.sched_getaffinity(0)) + 1
        self.check(("--bind-to", "core:no-overload", "-n", str(pes), "true"),
                   f"--bind-to core:no-overload: {pes} PEs are more")

    def test_empty_lists(self):
        for option in ("--host", "-hosts", "--genvlist", "--output", "--display"):
            for value in ("", ","):
                with self.subTest(option, value=value):
                    self.check((option, value, "-n", "2", "true"), f"{option} {value or repr('')}: the list is empty")

    def test_pes_of_a_node(self):
        for words in (("-N", "2"), ("-ppn", "2"), ("--npernode", "2"), ("-N2", "-n", "2"), ("-perhost", "2"),
                      ("-c", "2", "-ppn", "2"), ("--map-by", "ppr:2:node:OVERSUBSCRIBE"), ("--map-by", "PPR:2:Node")):
            with self.subTest(words):
                self.check_pes(2, *words)
        self.check_pes(1, "--pernode")
        for words in (("-n", "2", "-N", "4"), ("-npernode", "3", "-np", "2"), ("-ppn", "3", "-n", "2")):
            with self.subTest(words):
                self.check_pes(2, *words)
        for words, text in ((("-N", "2", "-n", "4"), "-N 2: all PEs of oshrun are on one node, this machine, and -n 4 "
                             "are more; use -n 2, or leave -N 2 out"),
                            (("-n", "2", "-pernode"), "-pernode: .* -n 2 are more; use -n 1"),
                            (("-np", "8", "-ppn", "4"), "-ppn 4: .* -np 8 are more; use -n 4"),
                            (("-ppn", "x"), "-ppn x: use a number of PEs"),
                            (("-n", "2", "--map-by", "ppr:x:node"), "--map-by ppr:x:node: use a number")):
            with self.subTest(words):
                self.check((*words, "true"), text)

    def test_kill_on_bad_exit(self):
        for words in (("-K",), ("-K1",), ("-K", "1"), ("--kill-on-bad-exit",), ("--kill-on-bad-exit=1",)):
            with self.subTest(words):
                self.check_pes(1, *words, "-n", "1")
        for words in (("-K0",), ("-K=0",), ("-K", "0"), ("--kill-on-bad-exit=0",), ("--kill-on-bad-exit", "0")):
            with self.subTest(words):
                self.check((*words, "-n", "1", "true"), "-+[^:]* 0: leave it out: a job of OpenSHMEM ends")
        self.check(("-K7", "-n", "1", "true"), "-K 7: use 1")

    def test_rare_options(self):
        for words in ("-O --overcommit --wait=60 -W 60 --exact -loadbalance",
                      "-localhost HOST -print-all-exitcodes -print-rank-map",
                      "-topolib hwloc -order-nodes UP -usize 4 -demux poll -silent-abort --tmpdir /tmp",
                      "--personality ompi --pmixam FILE --threads 4", "-ppr 2:node --bind-to-numa"):
            with self.subTest(words):
                self.check_pes(2, "-n", "2", *words.split())
        self.check_pes(2, "-ppr", "2:node")
        for option in ("-vv", "-vvv"):
            self.assertRegex(run(option, "-n", "1", "true")[2], "^oshrun: starts 1 PE of ")
        self.assertEqual(run("-info"), (0, f"oshrun (UCXX) {VERSION}\n", ""))
        for words, advice in (("-b", "leave it out"), ("-gdb", "start the debugger"), ("-s all", "write --"),
                              ("--report-pid -", "write oshrun .* echo"), ("--report-uri -", "leave it out"),
                              ("--with-ft ulfm", "leave it out"), ("--stop-on-exec", "start the debugger"),
                              ("--signal=USR1@60", "leave it out"), ("--cpu-freq=high", "leave it out"),
                              ("--ntasks-per-core 1", "use -n N"), ("-F share", "leave it"),
                              ("-r 1", "leave it out"), ("-a xt", "leave it out"), ("-T 4", "leave it out")):
            with self.subTest(words):
                self.check((*words.split(), "-n", "2", "true"), f"-+[^:]*: {advice}")

    def test_advice(self):
        for words, advice in ((("-envall",), "leave it out"), (("--ntasks=2",), "use -n N"),
                              (("--ntasks", "2"), "use -n N"), (("--cpu-bind=cores",), "use --bind-to core"),
                              (("--cpu-set", "0"), "write taskset"), (("-o", "file"), "write > FILE"),
                              (("--output", "file=x"), "use tag, or write > FILE"),
                              (("-d", "4"), "leave it out"), (("--time=5",), "use --timeout SECONDS"),
                              (("-configfile", "x"), "oshrun starts one program"),
                              (("--stdin", "all"), "use 0: PE 0 reads"), (("-D", "/"), "use --wdir"),
                              (("--export=ALL",), "use -x NAME=VALUE")):
            with self.subTest(words):
                name = words[0].partition("=")[0]
                self.check((*words, "-n", "2", "true"), f"{name}[^:]*: {advice}")
        self.check(("-d4", "-n", "2", "true"), "-d 4: leave it out")

    def test_variables(self):
        status, out, err = run("-n", "1", "-genv", "A", "1 2", "-env", "B", "", "-genvlist", "GIVEN,C", "-x", "A",
                               "sh", "-c", 'echo "$A,${B-unset},$GIVEN"', environment={"GIVEN": "g", "A": "a"})
        self.assertEqual((status, out), (0, "a,,g\n"))
        self.assertEqual(err, "oshrun: -genvlist C: it is not set here, so the PEs do not get it\n")

    def test_own_variables(self):
        """A PE would not know who it is."""
        for words in (("-x", "UCXX_SHMEM_LAUNCH=foo"), ("-x", "UCXX_SHMEM_LAUNCH"), ("-genv", "UCXX_SHMEM_LAUNCH", "x"),
                      ("-env", "UCXX_SHMEM_TAKEN", "x"), ("-genvlist", "HOME,UCXX_SHMEM_LAUNCH")):
            with self.subTest(words):
                self.check((*words, "-n", "1", "true"), f"{' '.join(words)}: UCXX_SHMEM_[A-Z]+ is a variable of oshrun")

    def test_tags(self):
        for option in ("-l", "--label", "-prepend-rank", "--tag-output"):
            self.assertEqual(run(option, "-n", "1", "echo", "x"), (0, "[0] x\n", ""))
        self.assertEqual(run("--output", "tag", "-n", "1", "echo", "x"), (0, "[0] x\n", ""))

    def test_hosts(self):
        short = HOST.partition(".")[0]
        for hosts in ("localhost", HOST, short, f"{short}:7", "127.0.0.1", "::1", "127.0.0.1:2,localhost",
                      "[::1]:4", f"localhost,{HOST}:*", "127.0.1.1", "LOCALHOST",
                      HOST.upper(), f"{HOST.swapcase()}:01", *own_addresses()):
            for option in ("--host", "-host", "-H"):
                with self.subTest(hosts, option=option):
                    self.assertEqual(run(option, hosts, "-n", "1", "true"), (0, "", ""))
        for hosts in ("elsewhere", "localhost,elsewhere:4", "10.255.255.1"):
            self.check(("--host", hosts, "-n", "1", "true"),
                       rf"--host {re.escape(hosts)}: [^ ]+ is not this machine \({HOST}\), and oshrun starts PEs "
                       "on one machine, this one; name localhost")

        for host in ("localhost:", "localhost:0", "localhost:00", f"{HOST}:x"):
            self.check(("--host", host, "-n", "1", "true"), f"--host {host}: {host} has no number of slots after")

    def test_host_files(self):
        for text, wrong in ((f"# nodes\n\n  {HOST} slots=4 max_slots=8 # here\nlocalhost:2\n", None),
                            ("localhost\nelsewhere slots=2\n", "elsewhere is not this machine"),
                            ("\ufefflocalhost\n", None), ("\x7fELF\x02\n", r"'\\x7fELF\\x02' is not this machine"),
                            ("# nothing\n", "the file names no machine")):
            with folder_of(hosts=text) as folder:
                for option in ("--hostfile", "-hostfile", "-f", "--machinefile"):
                    with self.subTest(text, option=option):
                        words = (option, folder / "hosts", "-n", "1", "true")
                        if wrong:
                            self.check(words, f"{option} {folder}/hosts: {wrong}")
                        else:
                            self.assertEqual(run(*words), (0, "", ""))
        for path in ("/nowhere/hosts", "/"):
            self.check(("--hostfile", path, "-n", "1", "true"), f"--hostfile {path}: the file ")


class SayTest(OptionsCheck):
    """What oshrun says of itself."""

    def test_verbose(self):
        for option in ("-v", "--verbose", "-verbose"):
            with self.subTest(option):
                status, out, err = run(option, "--mca", "btl", "tcp", "--oversubscribe", "-n", "2", "--wdir", "/",
                                       "echo", "x")
                self.assertEqual((status, out), (0, "x\nx\n"))
                first, second = err.splitlines()
                self.assertRegex(first, rf"^oshrun: starts 2 PEs of /\S+/echo on this machine \({HOST}\), in /, "
                                        "not bound to processors$")
                self.assertRegex(second, r"^oshrun: options without a meaning here: --mca btl tcp \(.*\), "
                                         r"--oversubscribe \(.*\)$")

    def test_without_verbose(self):
        self.assertEqual(run("--mca", "btl", "tcp", "--oversubscribe", "-n", "1", "true"), (0, "", ""))

    def test_quiet(self):
        for option in ("-q", "--quiet"):
            pes = len(os.sched_getaffinity(0)) + 1
            self.assertEqual(run(option, "-x", "MISSING", "--bind-to", "core", "-n", str(pes), "true"), (0, "", ""))
            status, _, err = run(option, "-n", "1", "sh", "-c", "exit 3")
            self.assertEqual(status, 3)
            self.assertRegex(err, r"^oshrun: PE 0 \(pid \d+\) exited with status 3\n$")

    def test_bindings(self):
        usable = sorted(os.sched_getaffinity(0))
        status, _, err = run("--report-bindings", "--bind-to", "core", "-q", "-n", "3", "true")
        self.assertEqual(status, 0)
        self.assertEqual(re.sub(r"pid \d+", "pid", err),
                         "".join(f"oshrun: PE {pe} (pid) runs on processor {usable[pe % len(usable)]}\n"
                                 for pe in range(3)))
        err = run("--display", "bind", "-n", "1", "true")[2]
        self.assertRegex(err, r"^oshrun: PE 0 \(pid \d+\) is not bound, and runs on processors? [\d,-]+\n$")


if __name__ == "__main__":
    unittest.main()
