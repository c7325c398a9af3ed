# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx topology` as a program: into pipes, files and terminals."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import textwrap
import time
import xml.etree.ElementTree as ElementTree

import pytest
from click.testing import CliRunner

from ucxx.cli.root import command
from ucxx.topology import jsons, reading, text

PROGRAM = [sys.executable, "-B", "-W", "error", "-m", "ucxx", "topology"]
DEADLINE_S = 50


def run(*arguments, **environment):
    """Run the command as a program into pipes: (status, output, errors)."""
    done = subprocess.run([*PROGRAM, *map(str, arguments)], text=True, check=False, capture_output=True,
                          timeout=DEADLINE_S, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def run_in_terminal(columns, *arguments, **environment):
    """Run the command as a program in a terminal that is so wide; return what it showed."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen([*PROGRAM, *map(str, arguments)], stdin=inner, stdout=inner, stderr=inner,
                               env={**clean, "TERM": "xterm", **environment})
    os.close(inner)
    try:
        said = b"".join(_pieces(outer, time.monotonic() + DEADLINE_S))
        assert process.wait(DEADLINE_S) == 0, said
    finally:
        process.kill()
        process.wait(DEADLINE_S)
        os.close(outer)
    return said.decode().replace("\r\n", "\n")


def _pieces(descriptor, deadline):
    """Give what arrives until the other side is closed."""
    while select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
        try:
            piece = os.read(descriptor, 1 << 16)
        except OSError:  # so Linux says that nobody has the other side any more
            return
        if not piece:
            return
        yield piece
    raise TimeoutError("the program has not ended")


@pytest.mark.parametrize("environment", [{"COLUMNS": "40"}, {"COLUMNS": "40", "FORCE_COLOR": "1"}, {"NO_COLOR": "1"}],
                         ids=str)
def test_lines_into_a_pipe_are_never_broken(machines, environment):
    path = machines / "dgx1.txt"
    assert run("--file", path, **environment) == (0, text.describe(reading.read(path)), "")


def test_line_of_a_gpu_is_found_by_grep(machines):
    program = subprocess.Popen([*PROGRAM, "--file", machines / "dgx1.txt"], stdout=subprocess.PIPE,
                               env={**os.environ, "COLUMNS": "20"})
    try:
        found = subprocess.run(["grep", "^GPU0"], stdin=program.stdout, text=True, check=True, capture_output=True,
                               timeout=DEADLINE_S)
        assert program.wait(DEADLINE_S) == 0
    finally:
        program.kill()
        program.communicate()
    assert found.stdout == "GPU0  ib0  0-19,40-59  NV1:1,2 NV2:3,4\n"


def test_terminal_shows_a_table_with_the_same_facts(machines):
    path = machines / "dgx1.txt"
    said = run_in_terminal(120, "--file", path)
    assert re.sub(r"\x1b\[[0-9;]*m", "", said) != said  # titles are bold
    table = [line.split() for line in re.sub(r"\x1b\[[0-9;]*m", "", said).splitlines()]
    lines = [line.removeprefix("# ").split() for line in text.describe(reading.read(path)).splitlines()]
    assert table == lines
    starts = {line.index("NV") for line in said.splitlines() if line.startswith("GPU") and "NV" in line}
    assert len(starts) == 1  # a column


def test_narrow_terminal_gets_the_lines(machines):
    path = machines / "dgx1.txt"
    assert run_in_terminal(40, "--file", path) == text.describe(reading.read(path))


def test_terminal_without_colours_shows_none(machines):
    said = run_in_terminal(120, "--file", machines / "dgx1.txt", NO_COLOR="1")
    assert not re.search(r"\x1b\[(?:[0-9;]*;)?[34][0-9]m", said)


def test_json_alone_is_on_the_output(machines, tmp_path):
    path = machines / "amd.xml"
    status, said, errors = run("--file", path, "--json", "--plot", tmp_path / "amd.png")
    assert (status, errors) == (0, "")
    assert jsons.from_json(json.loads(said)) == reading.read(path)
    assert (tmp_path / "amd.png").read_bytes().startswith(b"\x89PNG")


def test_own_json_is_read_again(machines, tmp_path):
    path = tmp_path / "two.json"
    path.write_text(run("--file", machines / "two_sockets.xml", "--json")[1])
    assert run("--file", path) == run("--file", machines / "two_sockets.xml")


def test_picture_is_drawn_beside_the_lines(machines, tmp_path):
    status, said, errors = run("--file", machines / "dgx1.txt", "--plot", tmp_path / "dgx1.svg")
    assert (status, errors) == (0, "") and said.splitlines()[7].startswith("GPU0  ib0")
    drawn = ElementTree.parse(tmp_path / "dgx1.svg")
    (said,) = drawn.iter("{http://purl.org/dc/elements/1.1/}description")
    assert "GPU0 GPU4: NV2" in json.loads(said.text)["panels"][0]["curves"]


def test_this_machine_is_shown():
    status, said, errors = run("--json")
    assert status == 0, errors
    assert set(os.sched_getaffinity(0)) & jsons.from_json(json.loads(said)).cpus


def test_ucx_is_not_loaded(run_python):
    status, said = run_python("""
import sys
from ucxx.cli.root import command
try:
    command(["topology"])
finally:
    with open("/proc/self/maps") as maps:
        print({"libucp" for line in maps if "/libucp" in line}
              | {"ucxx._core", "distributed", "asyncio", "matplotlib"} & set(sys.modules))
""", UCXX_UCX="/nowhere")
    assert status == 0, said
    assert said.endswith("set()\n")


@pytest.mark.parametrize(("name", "content", "words"), [
    ("none", None, "Error: {path}: No such file or directory\n"), ("empty", "", "Error: {path}: "),
    ("some.json", '{"format": 3}', "Error: {path}: format is 3; expected is 1\n"),
    ("cut.json", '{"format": 1,\n"gpus": [', "Error: {path}: line 2 is no JSON: Expecting value\n"),
    ("some.xml", "<topology>", "Error: {path}"),
    ("poem.txt", "roses are red\nviolets are blue\n", "Error: {path}, line "),
    ("binary", "\0\1\2", "Error: {path}"),
])  # fmt: skip
def test_what_describes_no_machine_is_named_in_a_line(tmp_path, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    status, said, errors = run("--file", path)
    assert (status, said) == (1, "")
    assert errors.startswith(words.format(path=path)) and errors.count("\n") == 1


def test_file_that_may_not_be_read_is_named(tmp_path):
    path = tmp_path / "loop"
    path.symlink_to(path)
    assert run("--file", path) == (1, "", f"Error: {path}: Too many levels of symbolic links\n")


def test_folder_without_a_machine_is_named(tmp_path):
    status, said, errors = run("--file", tmp_path)
    assert (status, said) == (1, "") and errors.startswith(f"Error: {tmp_path}: ") and errors.count("\n") == 1


@pytest.mark.parametrize(("plot", "status", "words"), [("machine.txt", 2, "ends in .png, .svg or .pdf"),
                                                       ("/nowhere/machine.png", 2, "there is no such folder")])
def test_picture_that_cannot_be_is_told_first(plot, status, words):
    done = CliRunner().invoke(command, ["topology", "--file", "/nowhere/either", "--plot", plot])
    assert done.exit_code == status and words in done.output


def test_picture_that_cannot_be_written_is_told(machines, tmp_path):
    path = tmp_path / f"{'x' * 300}.png"
    status, said, errors = run("--file", machines / "laptop.xml", "--plot", path)
    assert (status, said) == (1, "") and errors.startswith(f"Error: {path}: ") and "File name too long" in errors


def test_page_shows_what_is_printed(machines, root):
    page = (root / "docs/reference/command_line.md").read_text()
    said = text.describe(reading.read(machines / "dgx1.txt"))
    assert textwrap.indent(said, "    ") in page


def test_commands_are_imported_when_they_are_used(run_python):
    status, said = run_python("""
import sys
from ucxx.cli.root import command
assert "doctor" in command.commands
assert list(command.commands) == ["info", "doctor", "topology", "benchmark", "shmem"]
print(sorted(name for name in sys.modules if name.startswith("ucxx.cli.")))
assert command.commands.get("nothing") is None
for name in ("topology", "info"):
    print(command.commands[name].name, "ucxx._core" in sys.modules)
""")
    assert (status, said) == (0, "['ucxx.cli.root']\ntopology False\ninfo True\n")
