# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The fixture `peers` and the functions beside it."""

import os
import signal
import time

import pytest

import ucxx.testing


def talk(words):
    """Send back each word until the other end hangs up."""
    try:
        while True:
            words.send((os.getpid(), words.recv()))
    except EOFError:
        pass


def mute(words):
    """Say nothing, and do not mind a hang-up."""
    while True:
        time.sleep(60)


def end_with(words, status):
    """End at once."""
    raise SystemExit(status)


def test_peers_are_processes_that_talk(peers):
    group = peers(3, talk)
    for peer in group:
        peer.send("hello")
    said = [peer.receive() for peer in group]
    assert [word for _, word in said] == ["hello"] * 3
    assert [pid for pid, _ in said] == [peer.pid for peer in group]
    assert os.getpid() not in {peer.pid for peer in group}


def test_killed_one_is_dead_and_says_so(peers):
    one, other = peers(2, talk)
    one.kill()
    assert one.join() == -signal.SIGKILL
    with pytest.raises(EOFError):
        one.receive()
    other.send(1)
    assert other.receive() == (other.pid, 1)


def test_stopped_one_is_silent_until_it_goes_on(peers):
    (peer,) = peers(1, talk)
    peer.send(0)
    peer.receive()
    peer.stop()
    peer.send(1)
    with pytest.raises(TimeoutError, match="has sent nothing for 0.1 s"):
        peer.receive(timeout=0.1)
    peer.go_on()
    assert peer.receive() == (peer.pid, 1)


def test_end_ends_who_does_not_listen():
    with ucxx.testing.running_peers(1, mute) as (peer,):
        with pytest.raises(TimeoutError, match="has not ended"):
            peer.join(timeout=0.01)
    assert peer.process.exitcode == -signal.SIGKILL


def test_exit_codes(peers):
    (peer,) = peers(1, end_with, 7)
    assert peer.join() == 7
    process = ucxx.testing.run_in_subprocess(end_with, None, 3)
    ucxx.testing.join_processes([process], timeout=ucxx.testing.DEADLINE)
    with pytest.raises(RuntimeError, match="exit code 3"):
        ucxx.testing.terminate_process(process)
