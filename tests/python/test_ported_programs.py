# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Small programs in the manner of ucx-py's and RAPIDS UCXX's documents, started as their users would."""

import os
import pathlib
import subprocess
import sys

import pytest
from served import CHANNELS

FOLDER = pathlib.Path(__file__).resolve().parent / "ported_programs"
OUTPUTS = {
    "quickstart": "received 1048576\n",
    "while_open": "the client has gone True False\n",
    "killed": "close callback\nclosed\n",
    "poll": "taken [1, 3]\n",
    "multi": "frames [8, 8000, 800000]\n",
    "objects": "bytes ndarray\nmemoryview ndarray\ndict dict\nndarray ndarray\n"
               "datetime64 datetime64\nstr str\nint int\n",
    "libucxx": "['thread'] True 2 UCXXTag(42)\n",
    "many_clients": "served 80 1560\n",
    "active_messages": "0\n10\n1048576\nallocated [1048576]\n",
    "latency": f"----------\n{'Bytes':<25} | 4.00 kiB\n{'Rounds':<25} | 20\n",
}  # fmt: skip


# TCP proves no user: objects that are pickled need allow_pickle=True there.
RUNS = [(name, channel) for name in OUTPUTS for channel in ("local", "tcp") if (name, channel) != ("objects", "tcp")]


@pytest.mark.parametrize(("name", "channel"), RUNS)
def test_program(name, channel):
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", FOLDER / f"{name}.py"], text=True, timeout=40, check=False,
        env={**os.environ, **CHANNELS[channel]}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, OUTPUTS[name]), done.stdout


def test_each_program_is_run():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(OUTPUTS)
