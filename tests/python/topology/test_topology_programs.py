# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs that tell about the machine: one that no signal ends, and what is said of others."""

import os
import signal

import pytest

from ucxx.testing import DEADLINE
from ucxx.topology import programs


def test_program_that_cannot_be_killed_is_left_alone(monkeypatch):
    # A wait for a broken device (state D) is stood in for by a kill that does nothing.
    monkeypatch.setattr(os, "killpg", lambda pid, number: None)
    monkeypatch.setattr(programs, "_KILL_LIMIT_S", 0.1)
    with pytest.raises(programs.Failed, match="it has not ended after 0.1 s"):
        programs.output("sleep", str(2 * DEADLINE), limit_s=0.1)
    (process,) = programs._left
    os.kill(process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert programs.output("echo", "1", limit_s=DEADLINE) == "1\n"
    assert programs._left == [] and process.returncode == -signal.SIGKILL


def test_words_of_a_program_steer_no_terminal(put_program):
    put_program("some", "printf '\\033[31mno  such\\n'; exit 3")
    with pytest.raises(programs.Failed) as raised:
        programs.output("some", limit_s=DEADLINE)
    assert str(raised.value) == "it ends with status 3: ?[31mno such"


def test_warning_is_logged_once(caplog):
    for said in ("a", "a", "b", "a"):
        programs.warn_once(said)
    assert caplog.messages == ["a", "b"]
