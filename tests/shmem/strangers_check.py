# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Another user opens neither memory nor sockets of a job: strangers_check.py OSHRUN BROUGHT [TEST...].

BROUGHT is stranger_at_door.cpp: a job without oshrun, which keeps its socket open for a while. Only root can be another
user; who is not sees that the system keeps others out.
"""

import array
import ctypes
import os
import pathlib
import socket
import stat
import subprocess
import sys
import unittest

from jobs import start_fake

BROUGHT = pathlib.Path(sys.argv.pop(1)).resolve()
NOBODY = 65534
PIDFD_OPEN, PIDFD_GETFD = 434, 438
LIBC = ctypes.CDLL(None, use_errno=True)


def can_be_another():
    """Tell whether this process may become another user."""
    return as_another(lambda: os.getuid() == NOBODY, must=False) is True


def as_another(action, must=True):
    """Return what the action returns in a child that is another user: true, false, or None where there is none."""
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        except OSError:
            os._exit(2)
        try:
            os._exit(0 if action() else 1)
        except BaseException as error:  # the parent is to know
            os.write(2, f"{error!r}\n".encode())
            os._exit(3)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, 1) or (status == 2 and not must), status
    return {0: True, 1: False}.get(status)


def is_refused(call, *arguments):
    """Tell whether the system refuses a call to this user."""
    try:
        result = call(*arguments)
    except PermissionError:
        return True
    print(f"{call}{arguments} gave {result!r}", file=sys.stderr, flush=True)
    return False


def getfd(pid, number):
    """Take a descriptor out of a process, by its pidfd."""
    pidfd = LIBC.syscall(PIDFD_OPEN, pid, 0)
    if pidfd < 0 or LIBC.syscall(PIDFD_GETFD, pidfd, number, 0) < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")


def opens_nothing(pids):
    """Try every way to what these processes have open, or mapped."""
    return all([is_refused(*way) for pid in pids for way in ways(pid)])


def ways(pid):
    """Return calls of which none may succeed."""
    yield os.listdir, f"/proc/{pid}/fd"
    yield os.listdir, f"/proc/{pid}/map_files"
    yield os.open, f"/proc/{pid}/mem", os.O_RDONLY
    for number in range(16):
        for flags in (os.O_RDONLY, os.O_RDWR):
            yield os.open, f"/proc/{pid}/fd/{number}", flags
        yield getfd, pid, number


def owned_by_this_user_only(pid):
    """Tell whether the system lets nobody but the owner and root look into the process."""
    found = os.stat(f"/proc/{pid}/fd")
    return found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) & 0o077 == 0


def names_of_sockets(pids):
    """Return the names under which the sockets of these processes can be found."""
    links = [os.readlink(path) for pid in pids for path in pathlib.Path(f"/proc/{pid}/fd").iterdir()]
    lines = pathlib.Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()
    named = [line.split() for line in lines[1:] if len(line.split()) == 8]
    return {words[7] for words in named if f"socket:[{words[6]}]" in links}


class StrangersTest(unittest.TestCase):
    """What another user can see of a job."""

    def check_closed(self, pids):
        """Nobody else opens what these processes have."""
        for pid in pids:
            self.assertTrue(owned_by_this_user_only(pid))
        if can_be_another():
            self.assertTrue(as_another(lambda: opens_nothing(pids)))

    def test_job_of_oshrun(self):
        job = start_fake(2, """
hello()
print(os.getpid(), memfd, flush=True)
if pe == 0:
    input()
else:
    until(lambda: get(STATE, 0) == FINALIZED)
put(STATE, FINALIZED)""", stdin=subprocess.PIPE)
        pids, memories = zip(*(map(int, job.line().split()) for _ in range(2)))
        try:
            # For this user it is there: the numbers that are tried are right.
            self.assertLess(max(memories), 16)
            for pid, number in zip(pids, memories):
                self.assertIn("memfd:ucxx", os.readlink(f"/proc/{pid}/fd/{number}"))
            self.check_closed([job.pid, job.runner, *pids])
            self.assertEqual(names_of_sockets([job.pid, job.runner, *pids]), set())
        finally:
            end = job.end("\n")
        self.assertEqual(end, (0, "", ""))


class DoorTest(unittest.TestCase):
    """A job without oshrun hands out its memory at a socket, for a moment."""

    def setUp(self):
        self.job = subprocess.Popen([BROUGHT], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True)
        self.assertEqual(self.job.stdout.readline(), "open\n")
        self.pids = [int(pid) for pid in self.job.stdout.readline().split()]
        self.name, = names_of_sockets(self.pids)

    def tearDown(self):
        self.job.kill()
        self.job.communicate()

    def gets_nothing(self):
        """Knock; tell whether nothing was handed out."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as knocking:
            knocking.settimeout(10)
            knocking.connect("\0" + self.name[1:])
            os.write(2, b"knock\n")
            data, parts, _, _ = knocking.recvmsg(100, socket.CMSG_SPACE(array.array("i").itemsize * 4))
            return not data and not parts

    def test_stranger(self):
        for pid in self.pids:
            self.assertTrue(owned_by_this_user_only(pid))
        if can_be_another():
            self.assertTrue(as_another(lambda: opens_nothing(self.pids)))
        self.check_knocking(lambda: as_another(self.gets_nothing, must=False) is not False)

    def test_other_process_of_the_user(self):
        self.check_knocking(self.gets_nothing)

    def check_knocking(self, knock):
        """Whoever is no process of the job gets nothing, and the job goes on."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            os.dup2(write, 2)
            os._exit(0 if knock() else 1)
        os.close(write)
        os.read(read, 100)  # it waits in the queue, before the PE
        os.close(read)
        output, _ = self.job.communicate("go\n", timeout=30)
        self.assertEqual((self.job.returncode, output), (0, ""))
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertNotIn(self.name, pathlib.Path("/proc/net/unix").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
