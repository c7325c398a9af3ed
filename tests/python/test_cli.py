# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx`: its commands, as a program and in this process."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

import ucxx
from ucxx.benchmarks import backends, idle, measure, units
from ucxx.benchmarks.backends import perftest
from ucxx.benchmarks.message import Message
from ucxx.benchmarks.settings import Settings
from ucxx.cli import established, facts, info
from ucxx.cli.root import command

INFO = """
#           md 1  :  component 1  tcp
#     resource 1  :  md 1  dev 1  flags -- tcp/eth0
#     resource 2  :  md 1  dev 2  flags -- tcp/lo
#     resource 3  :  md 4  dev 0  flags -- rc_mlx5/mlx5_0:1
"""

PLANS = [Settings(sizes=(1, 70_000), iterations=12, warm_up=0, **how) for how in (
    {},
    {"buffers": 3, "receive_into": "new", "progress_mode": "thread"},
    {"receive_into": "library"},
    {"content": "dict"},
    {"object_type": "bytearray", "progress_mode": "blocking", "pause_us": 1},
    {"active_messages": True, "pin": (None, 0)},
)]
# What is installed here, and can do it.
EXCHANGES = [(name, plan) for name in backends.NAMES for plan in PLANS
             if measure.reason_to_skip(name, plan) is None]


def invoke(*arguments):
    """Run a command in this process: (status, what it printed)."""
    done = CliRunner().invoke(command, list(map(str, arguments)))
    return done.exit_code, done.output


def run(*arguments, module="ucxx"):
    """Run a command as a program, that must succeed; return what it printed."""
    done = subprocess.run([sys.executable, "-B", "-W", "error", "-m", module, *map(str, arguments)],
                          text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=50)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture
def not_installed(monkeypatch):
    """Have an MPI that is not installed."""
    monkeypatch.setattr(backends.backend("mpi4py"), "missing", lambda: "it is not installed")


def test_package_needs_no_click(run_python):
    status, said = run_python("import sys, ucxx\n"
                              "print({'click', 'rich', 'ucxx.cli'} & set(sys.modules))")
    assert (status, said.strip()) == (0, "set()")


@pytest.mark.parametrize("missing", ["click", "rich"])
@pytest.mark.parametrize("module", ["ucxx", "ucxx.benchmarks.send_recv"])
def test_what_is_missing_is_named(run_python, missing, module):
    status, said = run_python(f"import runpy, sys; sys.modules[{missing!r}] = None\n"
                              f"runpy.run_module({module!r}, run_name='__main__')")
    assert status == 2, said
    assert said.startswith(f"python -m {module} needs click and rich")
    assert said.endswith("pip install click rich\n")


def test_help_names_the_commands():
    status, said = invoke("--help")
    assert status == 0
    assert all(name in said for name in ("info", "doctor", "topology", "benchmark"))


def all_commands(command, *names):
    """Give each command with the names that lead to it."""
    yield names, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from all_commands(inner, *names, name)


@pytest.mark.parametrize("names", [names for names, _ in all_commands(command)], ids=" ".join)
def test_every_command_helps_in_whole_sentences(names):
    status, said = invoke(*names, "--help")
    assert status == 0 and said.startswith(f"Usage: command {' '.join(names)}".rstrip())
    assert "..." not in said.partition("Commands:")[2]  # what click cuts off
    assert invoke(*names, "-h") == (0, said)
    status, said = invoke(*names, "--no-such-option")
    assert status == 2 and "No such option" in said and "--help' for help." in said


@pytest.mark.parametrize("names", [[], ["benchmark"]], ids=" ".join)
def test_groups_without_a_command_help(names):
    status, said = invoke(*names)
    assert status == 2 and "Commands:" in said


def test_what_is_mistyped_is_guessed():
    assert "Did you mean 'info'?" in invoke("inf")[1]
    assert "Did you mean '--json'?" in invoke("info", "--jsn")[1]


def test_version_names_both():
    said = f"{ucxx.__version__}, with UCX {ucxx.__ucx_version__}\n"
    assert invoke("--version") == (0, said)


def test_info_as_json():
    found = json.loads(run("info", "--json"))
    assert found["ucx"]["path"] == ucxx.build_info().path
    assert found["ucxx"]["version"] == ucxx.__version__
    assert found["ucx"]["version"] == ".".join(map(str, ucxx.get_ucx_version()))
    assert found["transports"] == {"tcp": ["lo"]}
    assert found["environment"]["UCX_TLS"] == "tcp"
    assert {"tag", "stream", "am", "rma"} <= set(found["features"])


def test_info_for_people():
    status, said = invoke("info")
    assert status == 0
    lines = {line.split()[0]: line for line in said.splitlines() if line[0] != " "}
    assert ucxx.build_info().reason in lines["UCX"]
    assert lines["Transports"].split() == ["Transports", "tcp", "lo"]
    assert "UCX_NET_DEVICES=lo" in said


def test_info_says_none_where_nothing_is():
    rows = dict(info._rows({**facts.gather(), "environment": {}, "transports": {}}))
    assert rows["Environment"] == rows["Transports"] == []


def test_transports_are_read_from_what_ucx_says():
    assert facts.transports_in(INFO) == {"rc_mlx5": ["mlx5_0:1"], "tcp": ["eth0", "lo"]}


@pytest.mark.parametrize(("text", "size"), [("8", 8), ("1K", 1024), ("64k", 65536), ("1M", 1 << 20),
                                            ("2MiB", 2 << 20), ("4G", 4 << 30)])
def test_sizes_have_suffixes(text, size):
    assert units.read_size(text) == size
    assert units.read_size(units.size_text(size)) == size


@pytest.mark.parametrize(("arguments", "words"), [
    (["--sizes", "8,many"], "invalid size 'many': use 8, 64K, 1M"),
    (["--sizes", "0"], "invalid size '0'"),
    (["--sizes", "5G"], "4G at most"),
    (["--backend", "pigeon"], "'pigeon' is not one of 'ucxx-async', 'ucxx-core'"),
    (["--iterations", "0"], "0 is not in the range"),
    (["--pin", "0"], "'0': two processor numbers, for example 0,1"),
    (["--pin", "0,9999"], "no processor 9999 for this process; there are 0"),
    (["--progress-mode", "hope"], "'hope' is not one of 'loop'"),
    (["--object-type", "cupy"], "--object-type cupy: "),
    (["--content", "dict", "--multi-buffers", "2"], "there are no buffers"),
    (["--json", "/nowhere/figures.json", "--backend", "sockets", "--sizes", "1", "--iterations", 1],
     "Error: /nowhere/figures.json: No such file"),
])
def test_wrong_arguments_are_told(arguments, words):
    status, said = invoke("benchmark", "send_recv", *arguments)
    assert status != 0
    assert words in " ".join(said.split())


@pytest.mark.parametrize(("plot", "words"), [("curves.txt", "ends in .png, .svg or .pdf"),
                                             ("/nowhere/curves.png", "there is no such folder")])
def test_wrong_pictures_are_told_before_measuring(plot, words):
    status, said = invoke("benchmark", "sweep", "--plot", plot)
    assert status == 2
    assert words in said


@pytest.mark.parametrize(("name", "plan"), EXCHANGES)
def test_backends_exchange_messages(name, plan):
    counts = []
    rows = measure.measure([name], plan, 1, lambda name, count: counts.append(count))
    assert [(row["size"], row["iterations"]) for row in rows] == [(1, 12), (70_000, 12)]
    assert sum(counts) == 24
    for row in rows:
        times = row["half_round_trip_us"]
        assert times["p50_of_runs"] == [times["p50"]]
        assert 0 < times["p50"] <= times["p99"]
        assert row["gb_per_s"] > 0


@pytest.mark.parametrize(("name", "how", "words"), [
    ("sockets", {"receive_into": "library"}, "no memory of its own"),
    ("sockets", {"object_type": "torch"}, "does not take memory of torch"),
    ("ucxx-core", {"content": "dict"}, "does not send objects"),
    ("mpi4py", {"pause_us": 100}, "never sleep"),
    ("mpi4py", {"side": "server"}, "it starts both processes itself"),
    ("ucxx-c++", {"pin": (0, None)}, "pins both processes or none"),
])
def test_what_a_backend_cannot_do_is_told(name, how, words):
    assert words in backends.backend(name).unfit(Settings(**how))


@pytest.mark.parametrize(("arguments", "name", "key", "first"), [
    (["outstanding", "--counts", "10,30", "--messages", 100], "outstanding", "us_per_completion", 10),
    (["idle", "--mode", "loop", "--mode", "asyncio", "--seconds", 0.05], "mode", "cpu_percent", "loop"),
    (["echo", "--clients", 3, "--seconds", 0.05], "server", "messages_per_s", "ucxx"),
])
def test_benchmarks_of_one_loop(tmp_path, arguments, name, key, first):
    path = tmp_path / "figures.json"
    said = run("benchmark", *arguments, "--runs", 2, "--json", path)
    report = json.loads(path.read_text())
    rows = report["results"]
    assert report["settings"]["runs"] == 2 and report["settings"]["pin"] is None
    assert said.startswith(name)
    assert rows[0][name] == first
    assert all(len(row[key]) == 2 and min(row[key]) >= 0 for row in rows)


def test_steps_of_each_loop(tmp_path):
    path = tmp_path / "figures.json"
    said = run("benchmark", "tasks", "--steps", 100, "--runs", 2, "--json", path)
    rows = json.loads(path.read_text())["results"]
    assert [row["step"] for row in rows] == [
        f"{loop}: {kind}" for loop in ("asyncio", "uvloop", "trio")
        for kind in ("coroutine", "task", "thread", "ended", "later")]
    assert said.startswith("step") and all(len(row["us"]) == 2 and min(row["us"]) > 0 for row in rows)


def test_failure_of_a_pair_is_told():
    with pytest.raises(measure.BenchmarkError, match="hope: ValueError: .* 'hope'"):
        idle.measure(["hope"], 0.1, 1)


def test_message_that_is_another_one_is_noticed():
    message = Message(1000, 2, 0, True)
    message.received = [bytes(buffer) for buffer in Message(1000, 2, 1, True).sent]
    message.check()
    message.received[1] = bytes(1000)
    with pytest.raises(ValueError, match="buffer 1 of 1000 bytes"):
        message.check()


def test_failed_backend_says_why():
    with pytest.raises(measure.BenchmarkError, match="ucxx-async: ValueError: .* 'hope'"):
        measure.measure(["ucxx-async"], Settings(progress_mode="hope"), 1)


@pytest.mark.usefixtures("not_installed")
def test_backend_that_is_not_installed_is_skipped():
    status, said = invoke("benchmark", "send_recv", "--backend", "mpi4py", "--backend", "sockets",
                          "--sizes", "8", "--iterations", 5, "--runs", 1)
    assert status == 0
    assert "mpi4py was skipped: it is not installed" in said


def test_send_recv_as_a_program(tmp_path):
    path = tmp_path / "figures.json"
    said = run("--backend", "ucxx-async", "--backend", "sockets", "--sizes", "8,1K", "--iterations",
               20, "--warm-up", 2, "--runs", 2, "--pin", "0,0", "--json", path,
               module="ucxx.benchmarks.send_recv")
    assert [line.split()[0] for line in said.splitlines()[:4]] == ["size", "8", "sockets", "1K"]
    report = json.loads(path.read_text())
    assert [(row["backend"], row["size"]) for row in report["results"]] == [
        ("ucxx-async", 8), ("ucxx-async", 1024), ("sockets", 8), ("sockets", 1024)]
    assert report["results"][0]["ratio"] == 1
    assert report["settings"]["pin"] == [0, 0]
    lines = [line for line in said.splitlines() if line.startswith("Latency")]
    assert [line.split("|")[0].rstrip() for line in lines] == ["Latency (average)", "Latency (median)"] * 4
    for line, row in zip(lines[1::2], report["results"], strict=True):
        assert line.split("|")[1] == f" {round(row['half_round_trip_us']['p50'] * 1000)} ns"


# What each means in words of `python -m ucxx benchmark send_recv`.
ESTABLISHED = [
    ("-n 8 --n-iter 20 --n-warmup-iter 0", {"sizes": [8], "iterations": 20, "warm_up": 0}),
    ("-n 1_000 -x 3 -l ucxx-core", {"sizes": [1000], "buffers": 3, "receive_into": "new"}),
    ("-n 8 --n-buffers 1 --reuse-alloc -o numpy", {"receive_into": "same", "object_type": "numpy"}),
    ("-n 8 -c 0 --progress-mode thread", {"pin": [0, None], "progress_mode": "thread"}),
    ("-n 8 -b 0 -c -1 -l socket -s localhost", {"pin": [None, 0], "address": "localhost"}),
    ("-n 8 -l tornado --verbose --no-detailed-report --cuda-profile -d 1 -e 1", {"sizes": [8]}),
    ("-n 70000 --enable-am --asyncio-wait --delay-progress --max-outstanding 4 --error-handling "
     "--no-error-handling --report-gil-contention --rmm-managed-memory --rmm-init-pool-size 1GB",
     {"active_messages": True, "runs": 1, "iterations": 10, "warm_up": 10}),
    ("-l ucxx-core --enable-am --sizes 64,1K --runs 2", {"sizes": [64, 1024], "runs": 2}),
]


@pytest.mark.parametrize(("arguments", "settings"), ESTABLISHED)
def test_options_of_the_established_package(monkeypatch, tmp_path, arguments, settings):
    # What a measurement does with the settings, others test.
    monkeypatch.setattr(measure, "measure", lambda names, plan, *rest: [])
    path = tmp_path / "figures.json"
    done = CliRunner().invoke(established.command, [*arguments.split(), "--json", str(path)])
    assert done.exit_code == 0, done.output
    report = json.loads(path.read_text())
    assert {name: report["settings"][name] for name in settings} == settings
    assert report["skipped"] == {}
    told = {line.partition(":")[0] for line in done.stderr.splitlines()}
    idle = {option.names.split()[-1] for option in established._TABLE
            if set(option.names.split()) & set(arguments.split()) and option.is_idle}
    assert told == idle


@pytest.mark.parametrize(("arguments", "words"), [
    (["-n", "many"], "'-n' / '--n-bytes': invalid size 'many': use 8, 64K, 1M"),
    (["-o", "rmm"], "memory of RMM is not measured here; -o cupy"),
    (["-l", "pigeon"], "'pigeon' is not one of 'ucxx-async', 'ucxx-core'"),
    (["-p", "70000"], "70000 is not in the range 0<=x<=65535"),
    (["--client-only", "--server-only"], "--server-only or --client-only, not both"),
    (["--client-only"], "--client-only needs -s and -p: address and port of the server"),
    (["--enable-am", "-x", "2"], "--active-messages: they carry one buffer"),
    (["--enable-am", "-l", "sockets"], "sockets was skipped: it has no active messages"),
    (["--no-such"], "No such option"),
])
def test_wrong_established_options_are_told(arguments, words):
    done = CliRunner().invoke(established.command, arguments)
    assert words in " ".join(done.output.split())


def test_sides_meet_that_are_started_apart():
    module = [sys.executable, "-B", "-W", "error", "-m", "ucxx.benchmarks.send_recv", "-n", "8"]
    server = subprocess.Popen([*module, "--server-only", "-s", "127.0.0.1"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        said = server.stdout.readline()
        assert said.startswith("waiting for a client at 127.0.0.1, port ")
        measured = run("-n", "8", "--client-only", "-s", "127.0.0.1", "-p", said.split()[-1],
                       module="ucxx.benchmarks.send_recv")
        assert measured.splitlines()[1].split()[:2] == ["8", "ucxx-async"]
        assert server.wait(20) == 0 and server.stdout.read() == ""
    finally:
        server.kill()
        server.communicate()


def test_sweep_draws_and_writes(tmp_path):
    path = tmp_path / "curves.png"
    run("benchmark", "sweep", "--plot", path, "--up-to", "64", "--backend", "ucxx-async",
        "--iterations", 10, "--runs", 1)
    assert path.read_bytes().startswith(b"\x89PNG")
    report = json.loads(path.with_suffix(".json").read_text())
    assert [row["size"] for row in report["results"]] == [1, 4, 16, 64]


def test_every_backend_can_be_drawn(tmp_path):
    rows = [{"backend": name, "size": size, "buffers": 1, "half_round_trip_us": {"p50": size / 1e3},
             "gb_per_s": 1.0} for name in backends.NAMES for size in (64, 1024)]
    settings = {"buffers": 1, "progress_mode": "loop", "pin": None}
    drawing = pytest.importorskip("ucxx.benchmarks.plot")
    drawing.draw({"results": rows, "ucx": {"version": "1"}, "settings": settings}, tmp_path / "curves.svg")
    drawn = (tmp_path / "curves.svg").read_text()
    titles = [drawing.TITLES.get(name, name) for name in backends.NAMES]
    assert [title for title in titles if f"<!-- {title} -->" not in drawn] == []


@pytest.mark.skipif(perftest.Backend.missing() is not None, reason=str(perftest.Backend.missing()))
def test_program_that_lasts_too_long_is_told(monkeypatch):
    monkeypatch.setattr(perftest, "_SECONDS", 0.001)
    with pytest.raises(measure.BenchmarkError, match=r"ucxx-c\+\+: it has not ended within 0.001 s"):
        measure.measure(("ucxx-c++",), Settings(sizes=(8,)), runs=1)
